"""What an engine's law of the rows says about the holes, given the observed cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array, IntArray

__all__ = ["Conditional", "ExpectedBlock", "Law"]

BoolArray = npt.NDArray[np.bool_]


class Law(Protocol):
    """A law of the rows, in the units of the columns."""

    @property
    def mean(self) -> Float64Array: ...

    @property
    def condition_number(self) -> float:
        """Of the covariance: by how much solving for the holes may magnify rounding."""

    def condition(self, deviations: Float64Array, holes: BoolArray) -> Iterator[Conditional]:
        """What is expected in the holes of every row that has some; `deviations` are 0 there."""

    def predict_holes(
        self, deviations: Float64Array, holes: BoolArray
    ) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Expected deviations and variances of the holes, (b, d) each and 0 elsewhere, and the
        distance r_O' S_OO^-1 r_O of every row that has some, (b,).
        """

    def complete(
        self, deviations: Float64Array, holes: BoolArray, weights: Float64Array
    ) -> ExpectedBlock:
        """The same for a whole block: completed rows, and the sum of what stays uncertain."""


@dataclass(frozen=True)
class ExpectedBlock:
    """Completed deviations (b, d) and the weighted sum of the holes' covariances (d, d).

    `deviances` has log|S_OO| + r_O' S_OO^-1 r_O of each row: minus twice its log-likelihood.
    """

    completed: Float64Array
    spread: Float64Array
    deviances: Float64Array


@dataclass(frozen=True)
class Conditional:
    """The holes of some rows of a block, given what was observed in these rows.

    `covariance` (p, m, m) has one matrix per pattern, `member` says which one belongs to a row.
    `distance` is r_O' S_OO^-1 r_O of each row, `log_determinant` is log|S_OO| of each pattern.
    """

    rows: IntArray
    columns: IntArray  # (r, m)
    expected: Float64Array  # (r, m), deviations from the mean
    covariance: Float64Array
    member: IntArray
    distance: Float64Array
    log_determinant: Float64Array

    @property
    def variances(self) -> Float64Array:
        """(r, m): how uncertain each hole is."""
        diagonal = np.diagonal(self.covariance, axis1=1, axis2=2)
        return diagonal[self.member]
