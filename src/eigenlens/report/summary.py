"""summary: the first screen. How many components, what they mean, who is odd, what to mind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eigenlens.report.facts import Facts
from eigenlens.report.part import cut
from eigenlens.report.sections.method import prepared
from eigenlens.report.sections.odd_rows import NOTHING, flagged

__all__ = ["Summary", "summary_of"]

NAMED = 5


@dataclass(frozen=True)
class Summary:
    """`count` in large type, then sentences under each question."""

    lead: str
    count: str
    counted: Sequence[str]
    meaning: Sequence[str]
    odd: Sequence[str]
    odd_rows: Sequence[str]
    more_odd: int
    mind: Sequence[str]
    proven: str


def summary_of(facts: Facts) -> Summary:
    model, (n, d) = facts.model, facts.source.shape
    held = float(model.explained_ratio.sum())
    past = flagged(facts)
    meaning = facts.found("size", "axis") or nothing_told(facts)
    return Summary(
        lead=f"{n:,} rows and {d:,} columns, {prepared(facts)}. This model keeps "
        f"{model.n_components} component(s), which hold {held:.1%} of the variation.",
        count=count_of(facts),
        counted=facts.found("k"),
        meaning=meaning,
        odd=facts.found("rows", "influence") or [NOTHING],
        odd_rows=[cut(facts.beside.labels[row], 40) for row in past[:NAMED]],
        more_odd=max(len(past) - NAMED, 0),
        mind=facts.found("scale", "degeneracy", "data"),
        proven=model.certificate.sentences[0],
    )


def count_of(facts: Facts) -> str:
    ranks = facts.ranks.answer
    if ranks is None or "detection" not in ranks.recommended:
        return str(facts.model.n_components)
    answers = sorted(
        {
            int(ranks.recommended[name].value)
            for name in ("denoising", "detection")
            if name in ranks.recommended
        }
    )
    return "–".join(map(str, answers))


def nothing_told(facts: Facts) -> list[str]:
    if not facts.model.n_components:
        return ["The model keeps no component, so there is none to read."]
    return ["The components cannot be told apart well enough to be named one by one."]
