"""summary: the answer in short. How many components, what they mean, outliers, caveats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from eigenlens.digest.digest import Digest
from eigenlens.document.phrases import count_things, enquote, join_names, shorten
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
    model, (n, d) = digest.model, digest.source.shape
    held = float(model.explained_ratio.sum())
    kept = count_things(model.n_components, "component")
    quadrants = digest.outliers["quadrant"]
    return Summary(
        lead=f"{count_things(n, 'row')} and {count_things(d, 'column')}, "
        f"{preparation_words(digest)}. "
        f"Kept: {kept}{f' ({held:.1%})' if model.n_components else ''}.",
        count=str(model.n_components),
        how_many=digest.sentences("k") or [digest.sampled.ranks.why_not],
        meaning=describe_components(digest),
        outliers=[*robust_sentences(digest), *outlier_sentences(digest)],
        introduction=introduce_rows(digest),
        outlying_rows=[
            NamedRow(shorten(digest.rows.labels[row], 40), str(quadrants[row]), shorten(why[0], 30))
            for row, why in zip(digest.beyond_limits[:NAMED_ROWS], digest.reasons, strict=False)
        ],
        more_rows=max(len(digest.beyond_limits) - NAMED_ROWS, 0),
        groups=digest.sentences("groups"),
        caveats=[
            *turned_by_outliers(digest),
            *(digest.sentences("scale") or uneven_spread(digest)),
            *mixed_components(digest),
            *digest.sentences("data"),
        ],
        certificate=model.certificate.sentences[0],
    )


def preparation_words(digest: Digest) -> str:
    """'centered and standardized, rows weighted'."""
    weighted = "" if digest.given_weights is None else ", rows weighted"
    return f"{describe_preparation(digest.model)}{weighted}"


def uneven_spread(digest: Digest) -> list[str]:
    """What the data check says of columns that vary very differently, unscaled."""
    lines = digest.checks.lines()
    return [line["remark"] for line in lines if line["check"] == "spread" and line["look"]]


def robust_sentences(digest: Digest) -> list[str]:
    """What a robust fit did about outliers."""
    if digest.model.robust is None:
        return []
    reason = digest.model.choices["robust"].reason
    return [f"Robust fit: {reason}."]


def turned_by_outliers(digest: Digest) -> list[str]:
    """Where the comparison with a robust fit found more than chance."""
    found = digest.model.choices.get("robust")
    if found is None or not found.evidence.get("differs"):
        return []
    return [f"{found.reason[:1].upper()}{found.reason[1:]}."]


def mixed_components(digest: Digest) -> list[str]:
    """Components that another sample would mix, in one sentence however many they are."""
    found = digest.about("degeneracy")
    if len(found) < 2:
        return [one.sentence for one in found]
    runs: list[list[int]] = []
    for first, second in (one.components for one in found):
        if runs and runs[-1][1] == first:
            runs[-1][1] = second
        else:
            runs.append([first, second])
    names = join_names(
        [f"PC{first} {'and' if last == first + 1 else 'to'} PC{last}" for first, last in runs]
    )
    angles = [one.number for one in found]
    return [
        f"With {digest.source.shape[0]:,} rows, {names} cannot be separated reliably: another "
        f"sample would turn them by {min(angles):.0f}° to {max(angles):.0f}°. Read them together."
    ]


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
    return ["No outliers, at a level of 1 % for the whole table.", *sentences]
