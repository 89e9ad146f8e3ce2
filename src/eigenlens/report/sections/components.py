"""components: each component in words, and what each variable has to do with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.digest.caveats import mixed_components
from eigenlens.digest.digest import Digest
from eigenlens.document.page import (
    MOST_LETTERS,
    Card,
    Chart,
    Gallery,
    PagePart,
    Section,
    answer_section,
    show_table,
)
from eigenlens.document.phrases import count_things, enquote, format_share, shorten
from eigenlens.document.table import Table
from eigenlens.explain.axes import describe_axes
from eigenlens.explain.level_findings import own_columns
from eigenlens.explain.model_rows import variable_names
from eigenlens.explain.variables import variables
from eigenlens.plots.circle import circle
from eigenlens.plots.contributions import contributions
from eigenlens.plots.plane import values_along_components
from eigenlens.report.drawing import chart

__all__ = ["components_section", "variables_section"]

CARDS = 6
POLE = 5
CHARTS = 3
BARS = 10
PAIRS = 3  # of mixed neighbors that are named one by one
WEAK = 0.2  # correlations below this say little


def components_section(digest: Digest) -> Section:
    model = digest.model
    pairs = digest.sentences("degeneracy")
    mixed = pairs if len(pairs) <= PAIRS else mixed_components(digest)
    says = [*digest.sentences("size", "axis"), *mixed]
    if not model.n_components:
        says = ["The model keeps no component, so there is none to describe."]
    table = variables(model)
    outside = related_columns(digest)
    count = min(CARDS, model.n_components)
    cards = tuple(component_card(digest, table, outside, index) for index in range(count))
    more = model.n_components - len(cards)
    cautions = (
        [f"{count_things(more, 'more component')} in the tables of variables below."]
        if more
        else []
    )
    charts = [
        contribution_chart(digest, number + 1) for number in range(min(CHARTS, model.n_components))
    ]
    parts: list[PagePart] = [cards] if cards else []
    parts += [Gallery(tuple(charts))] if charts else []
    return answer_section("components", "Components", says, parts, cautions)


def contribution_chart(digest: Digest, number: int) -> Chart:
    return chart(
        f"contributions-{number}",
        f"Contributions to PC{number}",
        f"Bars of each variable's contribution to PC{number} in percent, the largest first; the "
        f"dashed line is what each would have if all had the same.",
        lambda theme: contributions(digest.model, components=number, top=BARS, theme=theme),
        f"eigenlens.plots.contributions(model, components={number})",
    )


def component_card(digest: Digest, table: Table, outside: list[dict[str, Any]], index: int) -> Card:
    name = f"PC{index + 1}"
    shares = digest.model.explained_ratio
    lines = [line for line in table.lines() if line["component"] == name]
    lines = [line for line in lines if abs(line["correlation"]) >= WEAK]  # False for NaN
    lines.sort(key=lambda line: -abs(line["correlation"]))
    variables = [(shorten(line["variable"]), f"{line['correlation']:+.2f}") for line in lines]
    high = tuple(one for one in variables if one[1].startswith("+"))[:POLE]
    low = tuple(one for one in variables if one[1].startswith("-"))[:POLE]
    rows = [", ".join(shorten(one, 30) for one in side) for side in digest.rows_at_ends(index + 1)]
    return Card(
        name,
        describe_share(shares, index),
        (("High side", high, rows[0]), ("Low side", low, rows[1])),
        tuple(describe_relation(line) for line in outside if line["component"] == name)[:POLE],
        describe_stability(digest, name),
    )


def describe_share(shares: Float64Array, index: int) -> str:
    """'5.3% of the variance, 97.8% with those before'."""
    text = f"{format_share(float(shares[index]), 1)} of the variance"
    if not index:
        return text
    together = min(float(shares[: index + 1].sum()), 1.0)
    return f"{text}, {format_share(together, 1)} with those before"


def related_columns(digest: Digest) -> list[dict[str, Any]]:
    """Outside columns that go with a component beyond chance."""
    own, given = own_columns(digest.model), digest.rows.outside
    columns = {name: values for name, values in given.items() if name not in own}
    if not columns or not digest.model.n_components or digest.weights.sum() < 3:
        return []
    table = describe_axes(digest.model, digest.source, columns, weights=digest.given_weights)
    return [line for line in table.lines() if line["variable"] in columns]


def describe_relation(line: dict[str, Any]) -> str:
    name, chance = enquote(line["variable"]), describe_chance(line["p_adjusted"])
    if line["kind"] == "number":
        return f"{name}: correlation {line['correlation']:+.2f} ({chance})"
    if line["kind"] == "groups":
        return f"{name}: its groups explain {line['eta2']:.0%} (η², {chance})"
    side = "high" if line["estimate"] > 0 else "low"
    size = abs(line["estimate"])
    far = f"on the {side} side by {f'{size:,.0f}' if 100 <= size < 1e9 else f'{size:.2g}'}"
    return f"{name} = {enquote(line['category'])}: {far} ({chance})"


def describe_chance(chance: float) -> str:
    return "adjusted p < 0.001" if chance < 0.001 else f"adjusted p {chance:.2g}"


def describe_stability(digest: Digest, name: str) -> str:
    table = digest.sampled.stability.answer
    if table is None:
        return ""
    turns = [
        line for line in table.lines() if line["quantity"] == "angle" and line["component"] == name
    ]
    if not turns:
        return ""
    (line,) = turns
    text = (
        f"Another sample would turn it by about {line['estimate']:.0f}°, 95 % of samples by at "
        f"most {line['high']:.0f}°."
    )
    return f"{text} It {line['remark']}." if line["remark"] else text


MOST_COLUMNS = 8
MOST_VARIABLES = 100
KINDS = {
    "correlation": ("Correlation of each variable with each component", 1.0),
    "contribution": ("Contribution of each variable to each component, percent", 0.0),
    "cos2": ("Share of each variable that a component explains (cos²)", 1.0),
}


def variables_section(digest: Digest) -> Section:
    model = digest.model
    if not model.n_components:
        return answer_section(
            "variables", "Variables", ["The model keeps no component to relate variables to."]
        )
    says = [
        "A correlation near +1 or −1 means that the variable follows the component; near 0, that "
        "the component says nothing about it."
    ]
    parts: list[Any] = []
    if digest.drawn.n_components >= 2:
        parts.append(
            chart(
                "circle",
                "Variables and the first two components",
                "An arrow per variable, ending at its correlations with PC1 and PC2. Arrows that "
                "reach the circle are fully described by these two; arrows that point the same way "
                "are correlated.",
                lambda theme: circle(digest.drawn, theme=theme),
                "eigenlens.plots.circle(model)",
                most=MOST_VARIABLES,
            )
        )
    parts += [heat_map(digest, kind, first=kind == "correlation") for kind in KINDS]
    long = [name for name in variable_names(model) if len(name) > MOST_LETTERS]
    if long:
        table = Table({"variable": long})
        parts.append(show_table(table, "Long names in full", sentences=("variable",), folded=True))
    return answer_section("variables", "Variables", says, parts)


def heat_map(digest: Digest, kind: str, first: bool) -> Any:
    """Variables by components, those first that contribute most to what is kept."""
    model = digest.model
    caption, full = KINDS[kind]
    table = variables(model)
    shown = range(min(model.n_components, MOST_COLUMNS))
    names, values = values_along_components(table, "variable", kind, shown)
    _, parts = values_along_components(table, "variable", "contribution", shown)
    order = np.argsort(-(parts @ model.eigenvalues[: len(shown)]), kind="stable")
    columns: dict[str, Any] = {"variable": names[order].tolist()}
    columns |= {f"PC{i + 1}": values[order, i].tolist() for i in shown}
    full = full or max(float(np.nanmax(values)), 1e-9)
    return show_table(
        Table(columns),
        caption,
        most=MOST_VARIABLES,
        code="eigenlens.explain.variables(model)",
        shaded={f"PC{i + 1}": full for i in shown},
        places={f"PC{i + 1}": 1 if kind == "contribution" else 2 for i in shown},
        folded=not first,
    )
