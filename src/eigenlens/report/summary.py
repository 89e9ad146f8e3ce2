"""summary: the first screen. How many components, what they mean, who is odd, what to mind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eigenlens.document.phrases import brief, count_things
from eigenlens.report.facts import Facts
from eigenlens.report.sections.method import prepared
from eigenlens.report.sections.odd_rows import NOTHING, told

__all__ = ["Summary", "summary_of"]

NAMED = 5
CLEAR = (
    "denoising",
    "detection",
)  # questions whose answer is the number of components worth reading


@dataclass(frozen=True)
class Summary:
    """`count` in large type, then sentences under each question."""

    lead: str
    count: str
    counted: Sequence[str]
    meaning: Sequence[str]
    odd: Sequence[str]
    odd_rows: Sequence[tuple[str, str]]
    more_odd: int
    mind: Sequence[str]
    proven: str


def summary_of(facts: Facts) -> Summary:
    model, (n, d) = facts.model, facts.source.shape
    held = float(model.explained_ratio.sum())
    holds = "holds" if model.n_components == 1 else "hold"
    number = count_things(model.n_components, "component")
    kept = f"{number}, which {holds} {held:.1%} of the variation"
    return Summary(
        lead=f"{count_things(n, 'row')} and {count_things(d, 'column')}, {prepared(facts)}. "
        f"This model keeps {kept if model.n_components else 'no component'}.",
        count=count_of(facts),
        counted=facts.found("k") or [facts.costly.ranks.why_not],
        meaning=meaning_of(facts),
        odd=odd_words(facts),
        odd_rows=[
            (brief(facts.called(row), 40), brief(why[0], 30))
            for row, why in zip(facts.odd[:NAMED], facts.reasons[:NAMED], strict=True)
        ],
        more_odd=max(len(facts.odd) - NAMED, 0),
        mind=[*(facts.found("scale") or uneven(facts)), *facts.found("degeneracy", "data")],
        proven=model.certificate.sentences[0],
    )


def uneven(facts: Facts) -> list[str]:
    """What the data check says of columns that vary very differently, unscaled."""
    lines = facts.checks.lines()
    return [line["remark"] for line in lines if line["check"] == "spread" and line["look"]]


def count_of(facts: Facts) -> str:
    """One number, or two where the rules disagree."""
    ranks = facts.costly.ranks.answer
    best = {} if ranks is None else ranks.recommended
    answers = {int(best[name].value) for name in CLEAR if name in best}
    if not answers:
        return str(facts.model.n_components)
    return str(min(answers)) if len(answers) == 1 else f"{min(answers)} to {max(answers)}"


def meaning_of(facts: Facts) -> list[str]:
    """What the findings say of the axes, each with the rows at its ends where these have names."""
    found = facts.found("size", "axis")
    if not found:
        return nothing_told(facts)
    if isinstance(facts.beside.labels, range):
        return found
    return [f"{sentence}{ends_of(facts, sentence)}" for sentence in found]


def ends_of(facts: Facts, sentence: str) -> str:
    number = sentence.partition(" ")[0].removeprefix("PC")
    if not number.isdecimal():
        return ""
    high, low = ([brief(name, 24) for name in names] for names in facts.ends(int(number) - 1))
    if not high or not low:
        return ""
    return f" Rows at its ends: {', '.join(high)}; {', '.join(low)}."


def odd_words(facts: Facts) -> list[str]:
    found = told(facts)
    if facts.odd and NOTHING in found:
        return [*found, "Past a 99 % limit, as one row in a hundred may be by chance:"]
    return found


def nothing_told(facts: Facts) -> list[str]:
    if not facts.model.n_components:
        return ["The model keeps no component, so there is none to read."]
    return ["The components cannot be told apart well enough to be named one by one."]
