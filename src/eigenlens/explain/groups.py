"""groups: scores beside one outside column, weights counted as repeats.

    correlation   cov(y, s) / (sd y sd s)
    centroid      c_g = mean score of the group
    eta2          sum w_g (c_g - c)^2 / sum w (s - c)^2           between groups / all
    v_test        (c_g - c) / sqrt(var s (W - w_g) / (W w_g))     as if drawn at random

W is the sum of the weights, w_g that of a group, c the mean score; variances divide by W - 1.
Beyond 2 in size a v-test is unusual. Source: Lebart, Morineau and Piron 1995, as in FactoMineR.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import list_words
from eigenlens.explain.outside_columns import OutsideColumn

__all__ = [
    "ColumnAlongAxes",
    "GroupsAlongAxes",
    "correlate_column",
    "describe_groups",
    "means_by_group",
]

FEWEST = 2
ZERO_SHARE = 1e-14  # spread below this part of the size of the numbers is rounding


@dataclass(frozen=True, eq=False)
class ColumnAlongAxes:
    """A column of numbers beside k components; `weight`: of the rows it is known for."""

    weight: float
    deviation: float
    correlation: Float64Array
    slope: Float64Array


@dataclass(frozen=True, eq=False)
class GroupsAlongAxes:
    """Groups of rows on k components: (g,) weights, (g, k) centroids, all rows' moments (k,)."""

    names: tuple[str, ...]
    codes: IntArray
    weights: Float64Array
    centroids: Float64Array
    mean: Float64Array
    variance: Float64Array

    @property
    def weight(self) -> float:
        return float(self.weights.sum())

    @property
    def between(self) -> Float64Array:
        """(k,): sums of squares between the groups."""
        found: Float64Array = self.weights @ np.square(self.centroids - self.mean)
        return found

    @property
    def eta2(self) -> Float64Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.minimum(self.between / (self.variance * (self.weight - 1)), 1.0)

    @property
    def v_tests(self) -> Float64Array:
        share = (self.weight - self.weights) / (self.weight * self.weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            return (self.centroids - self.mean) / np.sqrt(self.variance * share[:, None])


def correlate_column(
    column: OutsideColumn, scores: Float64Array, weights: Float64Array
) -> ColumnAlongAxes:
    if column.numbers is None:
        raise RuntimeError("groups have no correlation")
    known = ~np.isnan(column.numbers) & (weights > 0)
    heavy, values = weights[known], column.numbers[known]
    total = float(heavy.sum())
    refuse_few_entries(column.name, total)
    mean = float(heavy @ values) / total
    centered = values - mean
    squares = float(heavy @ np.square(centered))
    size = float(np.abs(values).max())
    if squares <= total * (ZERO_SHARE * size) ** 2:
        raise refuse_constant_column(column.name, f"{values[0]:g}")
    average, variance = weighted_moments(scores[known], heavy)
    covariance = (heavy * centered) @ (scores[known] - average) / (total - 1)
    deviation = float(np.sqrt(squares / (total - 1)))
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(variance > 0, covariance / variance, np.nan)
        correlation = np.clip(slope * np.sqrt(variance) / deviation, -1.0, 1.0)
    return ColumnAlongAxes(total, deviation, correlation, slope)


def describe_groups(
    column: OutsideColumn, scores: Float64Array, weights: Float64Array
) -> GroupsAlongAxes:
    if column.codes is None:
        raise RuntimeError("numbers have no groups")
    counted = np.where(weights > 0, column.codes, -1)
    sizes = np.bincount(counted[counted >= 0], minlength=len(column.categories))
    present = np.flatnonzero(sizes)
    codes = np.searchsorted(present, counted)
    codes = np.where(counted >= 0, codes, -1)
    names = tuple(column.categories[place] for place in present)
    if len(names) < FEWEST:
        raise refuse_constant_column(
            column.name, repr(names[0]) if names else "nothing but missing entries"
        )
    heavy: Float64Array = np.zeros(len(names))
    np.add.at(heavy, codes[codes >= 0], weights[codes >= 0])
    alone = [
        name
        for name, size, weight in zip(names, sizes[present], heavy, strict=True)
        if size == 1 and weight <= 1
    ]
    if alone:
        raise OptionError.needs(
            f"column {column.name!r}, where {list_words(alone)} has one row only,",
            "groups of 2 rows or more",
            "join such a category with another, or put None in its place to leave it out",
        )
    mean, variance = weighted_moments(scores[codes >= 0], weights[codes >= 0])
    return GroupsAlongAxes(
        names, codes, heavy, means_by_group(scores, codes, weights, heavy), mean, variance
    )


def weighted_moments(
    scores: Float64Array, weights: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Mean and variance of every column of scores."""
    total = float(weights.sum())
    mean = weights @ scores / total
    variance = weights @ np.square(scores - mean) / max(total - 1, np.finfo(np.float64).tiny)
    return mean, variance


def means_by_group(
    rows: Float64Array, codes: IntArray, weights: Float64Array, heavy: Float64Array
) -> Float64Array:
    """(g, columns): weighted sums of the rows of each group, over the weights `heavy`."""
    sums = np.zeros((len(heavy), rows.shape[1]))
    order = np.argsort(codes, kind="stable")
    order = order[codes[order] >= 0]
    here, starts = np.unique(codes[order], return_index=True)
    if len(order):
        sums[here] = np.add.reduceat(rows[order] * weights[order, None], starts, axis=0)
    return sums / heavy[:, None]


def refuse_few_entries(name: str, total: float) -> None:
    if total < FEWEST:
        raise OptionError.needs(
            f"column {name!r}, known for {total:g} row{'' if total == 1 else 's'},",
            "2 rows or more",
            "fill in its missing entries, or leave the column out",
        )


def refuse_constant_column(name: str, value: Any) -> OptionError:
    return OptionError.needs(
        f"supplementary column {name!r}, which is constant ({value}),",
        "some spread to go along with a component",
        "leave it out",
    )
