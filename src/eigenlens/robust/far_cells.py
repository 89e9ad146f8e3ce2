"""What cells far from the middle of their column are: a trend, tails, odd rows, or single cells.

    trend    neighbors in the table are alike: the median column has lag-one correlation 0.9 or more
    skewed   most columns have a long tail on one side, and the middle half leans to that side too
    tails    what the other cells of a row leave unexplained thins out smoothly on both sides
    rows     far cells share few rows, or the other cells of their row explain them
    cells    none of these: far cells stand alone

Trends and tails need not be errors, and no sentence calls them so. Only looked at where a robust
fit differs, in units of medians and median deviations, from the sample that was compared.

Source   Hinkley 1975 (quartile skewness); Rousseeuw and Van den Bossche 2018 (cells and rows).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.robust.location import END, wrap_deviations

__all__ = ["FarCells", "describe_far_cells"]

SERIAL, FEWEST_IN_ORDER = 0.9, 100
LEANING, ONE_SIDED, OF_COLUMNS = 0.05, 0.8, 0.4
SHOULDER, SMOOTH = 2.5, 2.0  # scales; cells from there to four over cells beyond
TOGETHER = 0.5
RIDGE = 0.1
MAD = 1.482602218505602
NAMED = 3

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class FarCells:
    """`pattern` as above; `columns`: the skewed ones, most far cells first."""

    pattern: str
    lag_correlation: float
    columns: tuple[int, ...] = ()

    @property
    def may_be_errors(self) -> bool:
        return self.pattern in ("rows", "cells")

    def say(self, share: float, names: Sequence[str]) -> str:
        """What lies far out, before it is said what that does to the components."""
        many = f"{share:.2%} of the cells lie far from the middle of their column"
        if self.pattern == "trend":
            return (
                f"rows are like their neighbors (lag-one correlation {self.lag_correlation:.2f}), "
                f"so the {share:.2%} of the cells that lie far from the middle of their column "
                f"follow a trend and need not be errors"
            )
        if self.pattern == "skewed":
            first = ", ".join(f"'{names[j]}'" for j in self.columns[:NAMED])
            more = ", ..." if len(self.columns) > NAMED else ""
            return (
                f"{len(self.columns)} of {len(names)} columns have a long tail on one side "
                f"({first}{more}), so the {share:.2%} of the cells far out in them need not be "
                f"errors"
            )
        if self.pattern == "tails":
            return f"{many}, in smooth tails, and need not be errors"
        if self.pattern == "rows":
            return f"{many}, several in the same rows"
        return f"{many}, apart from the other cells of their rows"

    @property
    def advice(self) -> str:
        return {
            "trend": "consider changes from row to row, or compare with a robust fit",
            "skewed": "consider transforming them (logarithms for long upper tails), or compare "
            "with a robust fit",
            "rows": "compare with a robust fit, method 'rows'",
            "cells": "compare with a robust fit, method 'cells'",
        }.get(self.pattern, "compare with a robust fit")


def describe_far_cells(deviations: Float64Array) -> FarCells:
    """`deviations` (n, d): from the median, in units of the median deviation."""
    far = np.abs(deviations) > END
    wrapped = wrap_deviations(deviations)
    wrapped -= wrapped.mean(axis=0)
    wrapped /= np.maximum(wrapped.std(axis=0), np.finfo(float).tiny)
    lag = lag_correlation(wrapped, far)
    columns = skewed_columns(deviations, far)
    residuals = leave_one_out(deviations, wrapped)
    if lag >= SERIAL and len(far) >= FEWEST_IN_ORDER:
        pattern = "trend"
    elif len(columns) >= OF_COLUMNS * far.shape[1]:
        pattern = "skewed"
    elif share_few_rows(far):
        pattern = "rows"
    elif thins_out(residuals):
        pattern = "tails"
    elif are_explained(deviations, residuals, far):
        pattern = "rows"
    else:
        pattern = "cells"
    return FarCells(pattern, lag, columns if pattern == "skewed" else ())


def lag_correlation(wrapped: Float64Array, far: BoolArray) -> float:
    """Of neighboring rows, in the median column; cells far out take no part."""
    both = ~(far[1:] | far[:-1])
    products = np.where(both, wrapped[1:] * wrapped[:-1], 0.0).sum(axis=0)
    squares = np.where(both, np.square(wrapped[1:]) + np.square(wrapped[:-1]), 0.0).sum(axis=0)
    return float(np.median(2 * products / np.maximum(squares, np.finfo(float).tiny)))


def skewed_columns(deviations: Float64Array, far: BoolArray) -> tuple[int, ...]:
    """Columns whose far cells lie on one side, to which the quartiles lean as well."""
    low, middle, high = np.quantile(deviations, (0.25, 0.5, 0.75), axis=0)
    lean = (high + low - 2 * middle) / np.maximum(high - low, np.finfo(float).tiny)
    counts = far.sum(axis=0)
    sides = np.where(far, np.sign(deviations), 0.0).sum(axis=0)
    skewed = (
        (counts > 0) & (np.abs(sides) >= ONE_SIDED * counts) & (lean * np.sign(sides) > LEANING)
    )
    return tuple(np.flatnonzero(skewed)[np.argsort(-counts[skewed], kind="stable")].tolist())


def leave_one_out(deviations: Float64Array, wrapped: Float64Array) -> Float64Array:
    """Cells minus what the other cells of their row suggest, by robust correlations."""
    width = deviations.shape[1]
    precision = np.linalg.inv(wrapped.T @ wrapped / len(wrapped) + RIDGE * np.eye(width))
    residuals: Float64Array = deviations @ precision / np.diag(precision)
    return residuals


def thins_out(residuals: Float64Array) -> bool:
    """Whether more residuals lie on the shoulders of their columns than beyond."""
    sizes = np.abs(residuals - np.median(residuals, axis=0))
    sizes /= np.maximum(MAD * np.median(sizes, axis=0), np.finfo(float).tiny)
    beyond = int((sizes > END).sum())
    return int((sizes > SHOULDER).sum()) - beyond >= SMOOTH * beyond


def share_few_rows(far: BoolArray) -> bool:
    """Whether far cells stand in fewer rows than if each stood by itself."""
    by_chance = len(far) * (1 - np.prod(1 - far.mean(axis=0)))
    return bool(far.any(axis=1).sum() <= TOGETHER * by_chance)


def are_explained(deviations: Float64Array, residuals: Float64Array, far: BoolArray) -> bool:
    """Whether most far cells are near what the other cells of their row suggest."""
    return bool((np.abs(residuals[far]) <= np.abs(deviations[far]) / 2).mean() >= TOGETHER)
