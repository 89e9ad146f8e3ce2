"""components: one card per component, in words: its poles, what goes with it, how sure it is."""

from __future__ import annotations

from typing import Any

from eigenlens.document.page import Card, Chart, Gallery, Part, Section, answer_section
from eigenlens.document.phrases import brief, count_things
from eigenlens.document.table import Table
from eigenlens.explain.axes import describe_axes
from eigenlens.explain.variables import variables
from eigenlens.plots.contributions import contributions
from eigenlens.report.drawing import chart
from eigenlens.report.facts import Facts

__all__ = ["section"]

CARDS = 6
POLE = 5
CHARTS = 3
BARS = 10
WEAK = 0.2  # correlations below this say little


def section(facts: Facts) -> Section:
    model = facts.model
    says = facts.found("size", "axis", "degeneracy")
    if not model.n_components:
        says = ["The model keeps no component: there is none to describe."]
    table = variables(model)
    outside = goes_with(facts)
    count = min(CARDS, model.n_components)
    cards = tuple(card(facts, table, outside, index) for index in range(count))
    more = model.n_components - len(cards)
    cautions = (
        [f"{count_things(more, 'more component')}: in the tables of variables below."]
        if more
        else []
    )
    charts = [bars(facts, number + 1) for number in range(min(CHARTS, model.n_components))]
    parts: list[Part] = [cards] if cards else []
    parts += [Gallery(tuple(charts))] if charts else []
    return answer_section("components", "Components in words", says, parts, cautions)


def bars(facts: Facts, number: int) -> Chart:
    return chart(
        f"contributions-{number}",
        f"What makes PC{number}",
        f"Bars of each variable's contribution to PC{number} in percent, the largest first; the "
        f"dashed line is what each would have if all had the same.",
        lambda theme: contributions(facts.model, components=number, top=BARS, theme=theme),
        f"eigenlens.plots.contributions(model, components={number})",
    )


def card(facts: Facts, table: Table, outside: list[dict[str, Any]], index: int) -> Card:
    name = f"PC{index + 1}"
    shares = facts.model.explained_ratio
    lines = [line for line in table.lines() if line["component"] == name]
    lines = [line for line in lines if abs(line["correlation"]) >= WEAK]  # False for NaN
    lines.sort(key=lambda line: -abs(line["correlation"]))
    variables = [(brief(line["variable"]), f"{line['correlation']:+.2f}") for line in lines]
    high = tuple(one for one in variables if one[1].startswith("+"))[:POLE]
    low = tuple(one for one in variables if one[1].startswith("-"))[:POLE]
    rows = [", ".join(brief(one, 30) for one in side) for side in facts.ends(index)]
    return Card(
        name,
        f"{shares[index]:.1%} of the variance, "
        f"{min(float(shares[: index + 1].sum()), 1.0):.1%} with those before",
        (("High side", high, rows[0]), ("Low side", low, rows[1])),
        tuple(words_of(line) for line in outside if line["component"] == name)[:POLE],
        sure(facts, name),
    )


def goes_with(facts: Facts) -> list[dict[str, Any]]:
    """Outside columns that go with a component beyond chance."""
    columns = {**facts.beside.groups, **facts.beside.columns}
    if not columns or not facts.model.n_components or facts.weights.sum() < 3:
        return []
    table = describe_axes(facts.model, facts.source, columns, weights=facts.given_weights)
    return [line for line in table.lines() if line["variable"] in columns]


def words_of(line: dict[str, Any]) -> str:
    name, chance = brief(line["variable"]), chance_words(line["p_adjusted"])
    if line["kind"] == "number":
        return f"{name}: correlation {line['correlation']:+.2f} ({chance})"
    if line["kind"] == "groups":
        return f"{name}: its groups explain {line['eta2']:.0%} (η², {chance})"
    side = "high" if line["estimate"] > 0 else "low"
    far = f"on the {side} side by {abs(line['estimate']):.2g}"
    return f"{name} = {brief(line['category'])}: {far} ({chance})"


def chance_words(chance: float) -> str:
    return "adjusted p < 0.001" if chance < 0.001 else f"adjusted p {chance:.2g}"


def sure(facts: Facts, name: str) -> str:
    table = facts.costly.stability.answer
    if table is None:
        return ""
    turns = [
        line for line in table.lines() if line["quantity"] == "angle" and line["component"] == name
    ]
    if not turns:
        return ""
    (line,) = turns
    text = (
        f"Other rows like these would turn it by {line['estimate']:.0f}°, 95 % of them by at most "
        f"{line['high']:.0f}°."
    )
    return f"{text} It {line['remark']}." if line["remark"] else text
