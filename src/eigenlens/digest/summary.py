"""summary: the answer in short. How many components, what they mean, outliers, caveats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from eigenlens.digest.caveats import list_caveats
from eigenlens.digest.digest import Digest
from eigenlens.document.phrases import count_things, enquote, format_share, join_names, shorten
from eigenlens.explain.level_findings import count_columns_of
from eigenlens.model.page import describe_preparation

__all__ = [
    "NamedRow",
    "Summary",
    "describe_ends",
    "outlier_sentences",
    "preparation_words",
    "summary_of",
]

NAMED_ROWS = 5


class NamedRow(NamedTuple):
    """A row beyond a limit: its label, in what way, and the variable to be checked first."""

    label: str
    quadrant: str
    variable: str


@dataclass(frozen=True)
class Summary:
    """`count`: of components kept; then sentences by heading; `introduction`: of the rows."""

    lead: str
    count: str
    how_many: Sequence[str]
    meaning: Sequence[str]
    outliers: Sequence[str]
    introduction: str
    outlying_rows: Sequence[NamedRow]
    more_rows: int
    groups: Sequence[str]
    caveats: Sequence[str]
    certificate: str


def summary_of(digest: Digest) -> Summary:
    model, n = digest.model, digest.source.shape[0]
    held = float(model.explained_ratio.sum())
    kept = count_things(model.n_components, "component")
    quadrants = digest.outliers["quadrant"]
    return Summary(
        lead=f"{count_things(n, 'row')} and {count_columns_of(model)}, "
        f"{preparation_words(digest)}. "
        f"Kept: {kept}{f' ({format_share(held, 1)})' if model.n_components else ''}.",
        count=str(model.n_components),
        how_many=digest.sentences("k") or [digest.sampled.ranks.why_not],
        meaning=describe_components(digest),
        outliers=[*robust_sentences(digest), *outlier_sentences(digest)],
        introduction=introduce_rows(digest),
        outlying_rows=[
            NamedRow(shorten(digest.rows.labels[row], 40), str(quadrants[row]), shorten(why[0], 30))
            for row, why in zip(digest.beyond_limits[:NAMED_ROWS], digest.reasons, strict=False)
        ],
        more_rows=count_more_rows(digest),
        groups=[
            one.sentence for one in sorted(digest.about("groups"), key=lambda one: -one.number)
        ],
        caveats=list_caveats(digest),
        certificate=model.certificate.sentences[0],
    )


def count_more_rows(digest: Digest) -> int:
    """Rows beyond the limits that are not named; limits do not hold for categories."""
    if digest.model.categories is not None:
        return 0
    return max(len(digest.beyond_limits) - NAMED_ROWS, 0)


def preparation_words(digest: Digest) -> str:
    """'centered and standardized, rows weighted'."""
    weighted = "" if digest.given_weights is None else ", rows weighted"
    return f"{describe_preparation(digest.model)}{weighted}"


def robust_sentences(digest: Digest) -> list[str]:
    """What a robust fit did about outliers."""
    if digest.model.robust is None:
        return []
    reason = digest.model.choices["robust"].reason
    return [f"Robust fit: {reason}."]


def describe_components(digest: Digest) -> list[str]:
    """What the findings say of the axes, each with the rows at its ends where these have names."""
    found = digest.about("size", "axis")
    if found:
        return [f"{one.sentence}{describe_ends(digest, one.components[0])}" for one in found]
    if not digest.model.n_components:
        return ["The model keeps no component, so there is none to describe."]
    return ["The components cannot be separated well enough to be described one by one."]


def describe_ends(digest: Digest, component: int, most: int = 3) -> str:
    """The rows farthest along a component (from 1), where rows have names."""
    if not digest.rows.has_names:
        return ""
    high, low = (
        join_names([enquote(name, 24) for name in names[:most]])
        for names in digest.rows_at_ends(component)
    )
    return f" Highest: {high}; lowest: {low}." if high and low else ""


def introduce_rows(digest: Digest) -> str:
    """What the rows that are named are, where none of them is an outlier."""
    found = any(one.rows for one in digest.about("rows", "influence"))
    if found or not digest.beyond_limits:
        return ""
    return "These rows exceed a 99 % limit, as about 1 % of ordinary rows do:"


def outlier_sentences(digest: Digest) -> list[str]:
    """What the findings say of rows; that there are no outliers, where they name none."""
    found = digest.about("rows", "influence")
    sentences = [one.sentence for one in found]
    if any(one.rows for one in found):
        return sentences
    if not digest.has_limits:
        return ["There are too few rows to compute limits for outliers.", *sentences]
    return ["No outliers, at a level of 1% for the whole table.", *sentences]
