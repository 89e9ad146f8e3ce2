"""Rows: the verbs a kind of storage must know, on rows B = X - 1 s' with a fixed shift s.

    gram_times(V)        B' W B V                one pass over row blocks
    gram()               B' W B                  one pass over row blocks
    times(V)             B V                     one pass over row blocks
    transposed_times(U)  B' U                    one pass over row blocks
    dual_times(U)        H Bc D Bc' H U          one pass over column panels
    rows_of_table()      blocks of A             one pass over row blocks
    triangle()           R with R'R = A'A        one pass over row blocks
    inner_products()     A A'                    one pass over column panels
    dual_triangle()      R with R'R = AA'        one pass over column panels

A panel has every row of its columns, so it is centered there and then: Bc = B - 1 (a'B). The
`Frame` holds the averaging weights a, the diagonal D over columns and H over rows.

Elsewhere scales and the correction for the true mean belong to the `Table`. A `tally`, where one
is given, gathers column sums in the same pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray, IntArray
from eigenlens.table.column_sums import Sums

__all__ = ["Frame", "RowStorage", "dual_times_by_vectors", "sum_panel_products"]


@dataclass(frozen=True)
class Frame:
    """What turns shifted rows into the table when all rows of a column are at hand."""

    diagonal: Float64Array  # (d,), 1 / scale^2
    weights: Float64Array | None  # (n,); None: all one
    rows: int
    centered: bool

    @cached_property
    def average(self) -> Float64Array | None:
        """(n,), weights that sum to one; None: not centered."""
        if not self.centered:
            return None
        if self.weights is None:
            return np.full(self.rows, 1.0 / self.rows)
        total = float(self.weights.sum())
        return self.weights / total

    @cached_property
    def heights(self) -> Float64Array | None:
        """(n,), square roots of the weights."""
        return None if self.weights is None else np.sqrt(self.weights)

    def part(self, rows: slice) -> Float64Array | None:
        """The weights of some rows."""
        return None if self.weights is None else self.weights[rows]


class RowStorage(Protocol):
    """What the table asks of a kind of storage."""

    @property
    def shape(self) -> tuple[int, int]: ...

    @property
    def dtype(self) -> np.dtype[Any]: ...

    @property
    def shift(self) -> Float64Array | None:
        """What is subtracted before anything is multiplied, in the units of the data."""

    @property
    def tally_shift(self) -> Float64Array | None:
        """What sums are made about: the shift, unless products cannot be shifted."""

    @property
    def tails(self) -> tuple[Float64Array, ...]:
        """What the shift lacks for being rounded, where it is a mean itself."""

    @property
    def exponents(self) -> IntArray | None:
        """Columns are divided by 2 to these powers; None: they are as in the data."""

    @property
    def lossless(self) -> bool:
        """Whether no square that matters can be too small for a float."""

    @property
    def drift(self) -> float:
        """By how many roundings one sum of products may be off, in its own precision."""

    @property
    def gram_drift(self) -> float:
        """The same for the Gram matrix, which is one product and not one after another."""

    @property
    def precise(self) -> bool:
        """Whether products are done in float64 whatever the data."""

    def in_double(self) -> RowStorage:
        """The same rows with every product in float64."""

    def in_units(self, exponents: IntArray) -> RowStorage:
        """The same rows in float64, with columns divided by 2 to these powers."""

    def largest_magnitudes(self, frame: Frame) -> Float64Array:
        """(d,), of the rows as they are multiplied: one pass."""

    def undisturbed(self) -> AbstractContextManager[None]:
        """To be inside of while products are made again and again."""

    def measure(self, frame: Frame, tally: Sums) -> None: ...

    def gram_times(
        self, vectors: Float64Array, frame: Frame, tally: Sums | None
    ) -> Float64Array: ...

    def gram(self, frame: Frame, tally: Sums | None) -> Float64Array: ...

    def times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array: ...

    def transposed_times(
        self, vectors: Float64Array, frame: Frame, tally: Sums | None
    ) -> Float64Array: ...

    def dual_times(
        self, vectors: Float64Array, frame: Frame, tally: Sums | None
    ) -> Float64Array: ...

    def rows_of_table(self, offset: Float64Array, frame: Frame) -> Iterator[FloatArray]:
        """Blocks of W^1/2 (B - 1 offset') D^-1, each the caller's to overwrite."""

    def triangle(self, offset: Float64Array, frame: Frame) -> Float64Array:
        """R with R'R = A'A, by orthogonal transformations of what `rows_of_table` gives."""

    def inner_products(self, frame: Frame, tally: Sums | None) -> Float64Array:
        """A A', with A = H Bc D^1/2 gathered from column panels."""

    def dual_triangle(self, frame: Frame, tally: Sums | None) -> Float64Array:
        """R with R'R = AA', from the same panels."""


def sum_panel_products(panels: Iterable[FloatArray], rows: int) -> Float64Array:
    """Sum of P P' over column panels."""
    total = np.zeros((rows, rows))
    for panel in panels:
        total += panel @ panel.T
    return total


def dual_times_by_vectors(
    rows: RowStorage, vectors: Float64Array, frame: Frame, tally: Sums | None
) -> Float64Array:
    """H J B D B' J' H U with J = I - 1a': centered by its vectors, so no mean is needed."""
    heavy = vectors if frame.heights is None else vectors * frame.heights[:, None]
    if frame.average is not None:
        heavy = heavy - np.outer(frame.average, heavy.sum(axis=0))
    inner = rows.transposed_times(heavy, frame, tally)
    inner *= frame.diagonal[:, None]
    product = rows.times(inner, frame, None)
    if frame.average is not None:
        product -= frame.average @ product
    return product if frame.heights is None else product * frame.heights[:, None]
