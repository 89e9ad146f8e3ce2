"""What can be said of rows and of groups of them, each sentence from a rule with its number.

| topic     | said when                                                                           |
|-----------|-------------------------------------------------------------------------------------|
| rows      | some Q, or T2, is above what the largest of n normal rows reaches once in 100 tables|
|           | or nothing is left out, so that Q is 0                                              |
| influence | a row makes 20 % of a component, and more than chance would give it in 100 tables   |
| groups    | always, of every column asked for: how much of which component it explains          |

By the 99 % limit alone one row in a hundred would be called odd in any table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.document.phrases import enquote
from eigenlens.explain.contributions import order_for, prepare_row, row_parts
from eigenlens.explain.distances import count_active
from eigenlens.explain.evidence import Evidence, Finding
from eigenlens.explain.groups import correlate_column, describe_groups
from eigenlens.explain.left_out_spectrum import has_q_limit, nothing_left
from eigenlens.explain.limits import q_limits, t2_limit
from eigenlens.explain.outside_columns import OutsideColumn

__all__ = [
    "find_groups",
    "find_influence",
    "find_outlying_rows",
    "rotation_without_row",
    "whole_table_level",
]

MOST_ROWS = 1000  # named in a finding
CHANCE = 0.01  # that any row of an ordinary table is spoken of
LARGE = 0.2  # part of a component that one row makes
PATTERN = ("breaks the pattern", "break the pattern")
FITS = ("is extreme but fits", "are extreme but fit")
FAR = ("is far out", "are far out")  # where one of them breaks the pattern as well


def whole_table_level(rows: int) -> float:
    """Of a limit that all rows of an ordinary table stay below, except in 1 / CHANCE tables."""
    return 1 - CHANCE / max(rows, 2)


def find_outlying_rows(evidence: Evidence) -> Iterator[Finding]:
    """Rows far off the subspace, and rows far out in it."""
    model, level = evidence.model, whole_table_level(len(evidence.scores))
    off = np.zeros(len(evidence.distances), dtype=bool)
    if has_q_limit(model):
        (limit,) = q_limits(model, (level,), rows=evidence.source)
        off = evidence.distances > limit
        yield from find_beyond(evidence, evidence.distances, off, "Q", PATTERN)
    elif nothing_left(model):
        text = "All of the variance is kept, so Q is 0 for every row and has no limit."
        yield Finding("rows", text, 0)
    centered = model.mean is not None
    far = t2_limit(level, model.moments.weight, count_active(model), centered=centered)
    if far is not None:
        out = evidence.extremes > far
        yield from find_beyond(
            evidence, evidence.extremes, out, "T2", FAR if (out & off).any() else FITS
        )


def find_beyond(
    evidence: Evidence, values: Float64Array, odd: AnyArray, which: str, verbs: tuple[str, str]
) -> Iterator[Finding]:
    """`verbs`: what one of the `odd` rows does, and what several do."""
    count, worst = int(odd.sum()), int(values.argmax())
    if not count:
        return
    many, verb = len(values), verbs[count > 1]
    row = prepare_row(evidence.model, evidence.source, worst)
    first = order_for(which, evidence.model, *row_parts(evidence.model, row), row)[0]
    name = evidence.names[int(first)]
    text = (
        f"{count:,} of {many:,} rows {verb} ({which} above a limit that no row exceeds in 99 "
        f"of 100 ordinary tables). Most extreme: row "
        f"{enquote(evidence.labels[worst])}, mainly because of {enquote(name)}."
    )
    named = tuple(evidence.labels[place] for place in np.flatnonzero(odd)[:MOST_ROWS])
    yield Finding("rows", text, count, rows=named, columns=(name,))


def find_influence(evidence: Evidence) -> Iterator[Finding]:
    """Rows that make a component by themselves, and what it would be without them."""
    model = evidence.model
    limit = t2_limit(
        whole_table_level(len(evidence.scores)),
        model.moments.weight,
        1,
        centered=model.mean is not None,
    )
    if limit is None:
        return
    divisor = model.proof.facts.divisor
    for index in range(count_active(model)):
        extremes = evidence.scores[:, index] ** 2 / model.eigenvalues[index]
        made = evidence.weights * extremes / divisor
        row = int(made.argmax())
        if made[row] >= LARGE and evidence.weights[row] * extremes[row] > limit:
            angle = rotation_without_row(evidence, row, index)
            turn = "less than 1°" if angle < 0.5 else f"about {angle:.0f}°"
            text = (
                f"Row {enquote(evidence.labels[row])} alone makes up {made[row]:.0%} of "
                f"PC{index + 1}; without it PC{index + 1} would turn by {turn}."
            )
            yield Finding(
                "influence", text, float(made[row]), (index + 1,), (evidence.labels[row],)
            )


def rotation_without_row(evidence: Evidence, row: int, index: int) -> float:
    """Degrees between a component and what it would be without the row.

    Only the components and the row's own residual direction can change, if what is left out varies
    alike in all directions: a problem of k + 1 dimensions, for which no row is read again.
    """
    model, weight = evidence.model, float(evidence.weights[row])
    total, divisor = model.moments.weight, model.proof.facts.divisor
    # Taking a row out of a centered scatter moves the mean as well.
    taken = weight * total / (total - weight) if model.mean is not None else weight
    place = np.append(evidence.scores[row], np.sqrt(evidence.distances[row]))
    own = taken * evidence.distances[row] + model.noise_variance * divisor
    scatter = np.diag(np.append(model.eigenvalues * divisor, own))
    _, vectors = np.linalg.eigh(scatter - taken * np.outer(place, place))
    cosine = abs(float(vectors[index, ::-1][index]))
    return float(np.degrees(np.arccos(min(cosine, 1.0))))


def find_groups(evidence: Evidence, columns: Sequence[OutsideColumn]) -> Iterator[Finding]:
    """How much of a component an outside column explains, of the one it explains best."""
    if not evidence.model.n_filled:
        return
    scores = evidence.scores[:, : evidence.model.n_filled]
    for column in columns:
        if column.codes is None:
            shares, free = correlate_column(column, scores, evidence.weights).correlation ** 2, 1
        else:
            groups = describe_groups(column, scores, evidence.weights)
            shares, free = groups.eta2, len(groups.names) - 1
        best = int(np.nanargmax(shares))
        share = float(shares[best])
        chance = chance_of_share(share, free, float(evidence.weights.sum()), len(shares))
        more = "more" if chance < CHANCE else "no more"
        name = enquote(column.name)
        text = f"{name} explains {share:.0%} of PC{best + 1}, {more} than chance would."
        yield Finding("groups", text, share, (best + 1,), columns=(column.name,))


def chance_of_share(share: float, free: int, rows: float, tried: int) -> float:
    """Probability that the best of `tried` components has so large a share, by the F law."""
    from scipy.special import fdtrc

    rest = rows - 1 - free
    if rest <= 0:
        return 1.0
    if share >= 1:
        return 0.0
    return min(1.0, tried * float(fdtrc(free, rest, share / free / ((1 - share) / rest))))
