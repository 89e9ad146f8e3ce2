"""Sparse matrices: every scipy format, both the `*_matrix` and the `*_array` classes.

CSR and CSC keep the caller's memory; blocks along their major axis are views of it. `matrix` gives
the whole as one csr_array or csc_array without duplicate entries, for those who multiply by it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import DataError, UnsupportedData
from eigenlens.sources.block import block_dtype, spans
from eigenlens.sources.columns import Picked, pick_columns
from eigenlens.sources.protocol import Block, Columns, FloatArray, IntArray
from eigenlens.sources.traits import Traits

__all__ = [
    "SparseSource",
    "accepts",
    "add_repeated",
    "major_view",
    "source_from",
    "transpose_view",
    "wrap_values",
]

EXTENDED = float(np.finfo(np.longdouble).eps)
LEAST_LOST = 2.0**-55  # of a sum: a quarter of what rounding it to float64 loses


@dataclass(frozen=True, eq=False)
class SparseSource:
    matrix: Any
    traits: Traits = field(default_factory=Traits)
    names: tuple[str, ...] | None = None

    is_sparse = True

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.matrix.shape[0]), int(self.matrix.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        stored: np.dtype[Any] = self.matrix.dtype
        return stored

    @property
    def stored_bytes(self) -> int:
        matrix = self.matrix
        return int(matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes)

    def blocks(self, rows_per_block: int) -> Iterator[Block]:
        for rows in spans(self.shape[0], rows_per_block, "rows_per_block"):
            if self.matrix.format == "csr":
                yield major_view(self.matrix, rows)
            else:
                # Each row block of a CSC matrix costs a look at all its entries. Whoever can
                # multiply by the whole `matrix`, or by panels, should.
                yield self.matrix[rows].tocsr()

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        for columns in spans(self.shape[1], columns_per_panel, "columns_per_panel"):
            if self.matrix.format == "csc":
                yield major_view(self.matrix, columns)
            else:
                yield self.matrix[:, columns]

    def sample(self, indices: IntArray) -> FloatArray:
        rows: FloatArray = self.matrix[indices].toarray().astype(np.float64, copy=False)
        return rows

    def __repr__(self) -> str:
        return (
            f"SparseSource({self.shape[0]} x {self.shape[1]}, "
            f"{self.matrix.nnz} entries as {self.matrix.format})"
        )


def accepts(data: object) -> bool:
    sparse = sys.modules.get("scipy.sparse")  # no sparse matrix exists before scipy.sparse does
    return sparse is not None and bool(sparse.issparse(data))


def source_from(data: Any, columns: Columns | None) -> SparseSource:
    if data.ndim != 2:
        raise DataError.not_two_dimensional(data.shape)
    if data.dtype.kind == "c":
        raise UnsupportedData.complex_numbers(data.dtype)
    if data.dtype.kind not in "biuf":
        raise UnsupportedData.not_numeric({"all": str(data.dtype)})
    picked = pick_columns(columns, range(data.shape[1]))
    floats = data.dtype.kind == "f" and data.dtype.itemsize <= 8
    return SparseSource(prepare_sparse(data, picked), Traits(float_stored=floats))


def prepare_sparse(data: Any, picked: Picked) -> Any:
    """The picked columns as csr_array or csc_array, in floats, each entry stored once."""
    # COO, LIL, DOK, DIA and BSR cannot be multiplied and sliced at the speed of memory, so these
    # are turned into CSR once: a second copy of the entries, though never a dense table.
    matrix = data if data.format in ("csr", "csc") else by_rows(data)
    matrix = wrap_values(matrix, matrix.data)
    if not isinstance(picked, slice):
        matrix = matrix[:, picked]
    elif picked != slice(0, matrix.shape[1]):
        matrix = major_view(matrix, picked) if matrix.format == "csc" else matrix[:, picked]
    if not matrix.has_canonical_format:
        # Sums of squares need each entry once. Only then a copy, and never in the caller's memory.
        matrix = add_repeated(matrix)
    return wrap_values(matrix, to_float_values(matrix.data))


def by_rows(data: Any) -> Any:
    """Any other format as CSR. Repeated entries stay: scipy would add them in their own dtype."""
    if data.format not in ("coo", "bsr"):
        return data.tocsr()
    triples = data.tocoo()
    if triples.has_canonical_format:
        return triples.tocsr()
    order = np.lexsort((triples.col, triples.row))
    counts = np.bincount(triples.row, minlength=triples.shape[0])
    starts = np.concatenate([[0], np.cumsum(counts)])
    columns = triples.col[order].astype(np.int64)
    return assemble_sparse("csr", triples.shape, triples.data[order], columns, starts)


def add_repeated(matrix: Any) -> Any:
    """A copy of a CSR or CSC matrix, sorted, with each entry once.

    Entries of one place are added without loss and rounded once, to float64: in their own dtype the
    sum of many, or of some that cancel, would be off by more than any rounding accounted for.
    """
    matrix = matrix.copy()
    matrix.sort_indices()
    if matrix.has_canonical_format:
        return matrix  # they were only out of order
    lengths = np.diff(matrix.indptr)
    major = np.repeat(np.arange(len(lengths)), lengths)
    first = np.ones(len(major), dtype=bool)
    first[1:] = (np.diff(major) != 0) | (np.diff(matrix.indices) != 0)
    starts = np.concatenate([[0], np.cumsum(np.bincount(major[first], minlength=len(lengths)))])
    values = sum_runs(matrix.data, np.flatnonzero(first))
    return assemble_sparse(matrix.format, matrix.shape, values, matrix.indices[first], starts)


def sum_runs(values: Any, starts: IntArray) -> Float64Array:
    """Sums of runs that begin at `starts`: in long double, or exactly where that lost digits."""
    wide = values.astype(np.longdouble)
    sums = np.add.reduceat(wide, starts)
    found: Float64Array = sums.astype(np.float64)
    stops = np.append(starts[1:], len(values))
    counts = stops - starts
    lost = counts * EXTENDED * np.add.reduceat(np.abs(wide), starts)
    # A whole number of 64 bits is two floats.
    for run in np.flatnonzero((counts > 1) & (lost > LEAST_LOST * np.abs(sums))):
        terms = wide[starts[run] : stops[run]]
        high = terms.astype(np.float64)
        with suppress(OverflowError, ValueError):  # sums beyond float64 stay as they are
            found[run] = math.fsum([*high.tolist(), *(terms - high).astype(np.float64).tolist()])
    return found


def to_float_values(values: Any) -> Any:
    """Stored values as float32 or float64, converted whole where they are anything else.

    Left as integers, scipy would convert them at every product: with 6 million entries and 20
    vectors that adds 5 to 9 ms to each 54 ms, while converting once takes 9 ms.
    """
    with np.errstate(over="ignore"):
        return values.astype(block_dtype(values.dtype), copy=False)


def wrap_values(matrix: Any, values: Any) -> Any:
    """A csr_array or csc_array around `values` and the indices of `matrix`, read-only."""
    return assemble_sparse(matrix.format, matrix.shape, values, matrix.indices, matrix.indptr)


def major_view(matrix: Any, span: slice) -> Any:
    """Rows of a CSR, columns of a CSC matrix as a matrix of their own that shares its memory."""
    rows, columns = matrix.shape
    length = span.stop - span.start
    shape = (length, columns) if matrix.format == "csr" else (rows, length)
    start, stop = matrix.indptr[span.start], matrix.indptr[span.stop]
    offsets = matrix.indptr[span.start : span.stop + 1] - start
    values, indices = matrix.data[start:stop], matrix.indices[start:stop]
    return assemble_sparse(matrix.format, shape, values, indices, offsets)


def transpose_view(matrix: Any) -> Any:
    """The transpose around the same memory: scipy's own `.T` copies arrays that are views."""
    layout = "csc" if matrix.format == "csr" else "csr"
    return assemble_sparse(layout, matrix.shape[::-1], matrix.data, matrix.indices, matrix.indptr)


def assemble_sparse(
    layout: str, shape: tuple[int, int], values: Any, indices: Any, indptr: Any
) -> Any:
    """Set field by field, for the constructor looks through 64-bit indices to copy them to 32 bits.

    The result is a new object, so what scipy finds out about sorting and duplicates is remembered
    there and not on the caller's.
    """
    sparse = sys.modules["scipy.sparse"]
    result = (sparse.csr_array if layout == "csr" else sparse.csc_array)(shape, dtype=values.dtype)
    stored = int(indptr[-1])  # the arrays may be longer than what is in use
    result.data, result.indices, result.indptr = (
        read_only(part) for part in (values[:stored], indices[:stored], indptr)
    )
    return result


def read_only(array: Any) -> Any:
    view = array.view()
    view.flags.writeable = False
    return view
