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
from eigenlens.document.phrases import brief
from eigenlens.explain.beside import Outside
from eigenlens.explain.contributions import order_for, parts_of, prepared_row
from eigenlens.explain.distances import active
from eigenlens.explain.groups import along, groups_of
from eigenlens.explain.leftover import has_q_limit, nothing_left
from eigenlens.explain.limits import q_limits, t2_limit
from eigenlens.explain.seen import Finding, Seen

__all__ = ["of_groups", "of_influence", "of_rows", "turned_without"]

CHANCE = 0.01  # that any row of an ordinary table is spoken of
LARGE = 0.2  # part of a component that one row makes
PATTERN = ("breaks the pattern", "break the pattern")
FITS = ("is extreme but fits", "are extreme but fit")
FAR = ("is far out", "are far out")  # where one of them breaks the pattern as well


def level_for(seen: Seen) -> float:
    """A limit that all rows of an ordinary table stay below, except once in 1 / CHANCE tables."""
    return 1 - CHANCE / max(len(seen.scores), 2)


def of_rows(seen: Seen) -> Iterator[Finding]:
    """Rows far off the subspace, and rows far out in it."""
    model, level = seen.model, level_for(seen)
    off = np.zeros(len(seen.distances), dtype=bool)
    if has_q_limit(model):
        (limit,) = q_limits(model, (level,), rows=seen.source)
        off = seen.distances > limit
        yield from of_odd(seen, seen.distances, off, "Q", PATTERN)
    elif nothing_left(model):
        text = "All of the variance is kept, so Q is 0 for every row and has no limit."
        yield Finding("rows", text, 0)
    centered = model.mean is not None
    far = t2_limit(level, model.moments.weight, active(model), centered=centered)
    if far is not None:
        out = seen.extremes > far
        yield from of_odd(seen, seen.extremes, out, "T2", FAR if (out & off).any() else FITS)


def of_odd(
    seen: Seen, values: Float64Array, odd: AnyArray, which: str, verbs: tuple[str, str]
) -> Iterator[Finding]:
    """`verbs`: what one of the `odd` rows does, and what several do."""
    count, worst = int(odd.sum()), int(values.argmax())
    if not count:
        return
    many, verb = len(values), verbs[count > 1]
    row = prepared_row(seen.model, seen.source, worst)
    first = order_for(which, seen.model, *parts_of(seen.model, row), row)[0]
    name = seen.names[int(first)]
    text = (
        f"{count:,} of {many:,} rows {verb} ({which} above what one ordinary table in 100 "
        f"reaches); row {brief(str(seen.labels[worst]))} most of all, because of {name}."
    )
    yield Finding("rows", text, count)


def of_influence(seen: Seen) -> Iterator[Finding]:
    """Rows that make a component by themselves, and what it would be without them."""
    model = seen.model
    limit = t2_limit(level_for(seen), model.moments.weight, 1, centered=model.mean is not None)
    if limit is None:
        return
    divisor = model.proof.facts.divisor
    for index in range(active(model)):
        extremes = seen.scores[:, index] ** 2 / model.eigenvalues[index]
        made = seen.weights * extremes / divisor
        row = int(made.argmax())
        if made[row] >= LARGE and seen.weights[row] * extremes[row] > limit:
            angle = turned_without(seen, row, index)
            text = (
                f"One row ({brief(str(seen.labels[row]))}) makes {made[row]:.0%} of "
                f"PC{index + 1}; without it PC{index + 1} turns by about {angle:.0f}°."
            )
            yield Finding("influence", text, float(made[row]))


def turned_without(seen: Seen, row: int, index: int) -> float:
    """Degrees between a component and what it would be without the row.

    Only the components and the row's own residual direction can change, if what is left out varies
    alike in all directions: a problem of k + 1 dimensions, for which no row is read again.
    """
    model, weight = seen.model, float(seen.weights[row])
    total, divisor = model.moments.weight, model.proof.facts.divisor
    # Taking a row out of a centered scatter moves the mean as well.
    taken = weight * total / (total - weight) if model.mean is not None else weight
    place = np.append(seen.scores[row], np.sqrt(seen.distances[row]))
    own = taken * seen.distances[row] + model.noise_variance * divisor
    scatter = np.diag(np.append(model.eigenvalues * divisor, own))
    _, vectors = np.linalg.eigh(scatter - taken * np.outer(place, place))
    cosine = abs(float(vectors[index, ::-1][index]))
    return float(np.degrees(np.arccos(min(cosine, 1.0))))


def of_groups(seen: Seen, columns: Sequence[Outside]) -> Iterator[Finding]:
    """How much of a component an outside column explains, of the one it explains best."""
    if not seen.model.n_filled:
        return
    scores = seen.scores[:, : seen.model.n_filled]
    for column in columns:
        if column.codes is None:
            shares, free = along(column, scores, seen.weights).correlation ** 2, 1
        else:
            groups = groups_of(column, scores, seen.weights)
            shares, free = groups.eta2, len(groups.names) - 1
        best = int(np.nanargmax(shares))
        share = float(shares[best])
        text = f"{brief(column.name)} explains {share:.0%} of PC{best + 1}"
        if by_chance(share, free, float(seen.weights.sum()), len(shares)) < CHANCE:
            text += ", more than chance would: it goes with that axis."
        else:
            text += " and no more of any other: no effect to speak of."
        yield Finding("groups", text, share)


def by_chance(share: float, free: int, rows: float, tried: int) -> float:
    """Probability that the best of `tried` components has so large a share, by the F law."""
    from scipy.special import fdtrc

    rest = rows - 1 - free
    if rest <= 0:
        return 1.0
    if share >= 1:
        return 0.0
    return min(1.0, tried * float(fdtrc(free, rest, share / free / ((1 - share) / rest))))
