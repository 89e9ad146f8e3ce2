"""Indicator rows: numbers as they are, and a 1 for the level that a row has in every column.

    row        x_1 - o_1, ..., x_p - o_p,  0 ... 1 ... 0,  0 ... 1 ... 0
    entries    p + Q of p + J per row: a csr array, made of codes block by block

In a fit numbers are taken less an origin near their mean, which `traits.origin` names: rows of a
sparse table are not shifted later on. A value without a level (missing or unseen) is NaN in a fit,
where missing values were refused, their rows are dropped, or an engine estimates them. In rows for
a model it has `shares` in all indicators of its column: less the mean of the fit these are 0, so
that it contributes nothing. Where the model estimates missing cells, the shares are NaN.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array, FloatArray, IntArray
from eigenlens.sources.block import spans
from eigenlens.sources.categories.encoding import Encoding
from eigenlens.sources.protocol import Block, Source
from eigenlens.sources.traits import Inertia, Traits, blocks_from, keep_within, traits_of

__all__ = ["CodeStore", "IndicatorSource", "MemoryCodes"]

BYTES_PER_ENTRY = 12  # a float64 and the place of its column
KEPT_BYTES = 64 << 20  # a table of this size may be held as a sparse matrix


class CodeStore(Protocol):
    """Codes of all rows, column by column; negative: no level."""

    @property
    def rows(self) -> int: ...

    def read(self, start: int, stop: int) -> npt.NDArray[np.int32]:
        """(columns, rows) from `start` to `stop`."""

    def take(self, rows: IntArray) -> npt.NDArray[np.int32]:
        """(columns, rows) at these places."""

    def digest(self) -> str:
        """A text that other codes do not have."""


@dataclass(frozen=True, eq=False)
class MemoryCodes:
    """One small array of whole numbers per column."""

    columns: Sequence[npt.NDArray[Any]]
    rows: int

    def read(self, start: int, stop: int) -> npt.NDArray[np.int32]:
        return self.take(np.arange(start, stop)) if not self.columns else np.stack(
            [column[start:stop] for column in self.columns]
        ).astype(np.int32, copy=False)  # fmt: skip

    def take(self, rows: IntArray) -> npt.NDArray[np.int32]:
        found = np.empty((len(self.columns), len(rows)), dtype=np.int32)
        for line, column in zip(found, self.columns, strict=True):
            line[:] = column[rows]
        return found

    def digest(self) -> str:
        made = hashlib.blake2b(digest_size=16)
        for column in self.columns:
            made.update(np.ascontiguousarray(column).data)
        return made.hexdigest()


@dataclass(frozen=True, eq=False)
class IndicatorSource:
    """`numbers` are None where no column holds numbers; `shares`: of a model, for its new rows."""

    encoding: Encoding
    numbers: Source | None
    codes: CodeStore
    origin: Float64Array
    shares: Float64Array | None = None
    left_out: Any = None

    is_sparse = True
    dtype = np.dtype(np.float64)

    @property
    def shape(self) -> tuple[int, int]:
        return self.codes.rows, self.encoding.width

    @property
    def names(self) -> tuple[str, ...]:
        return self.encoding.feature_names

    @property
    def stored_bytes(self) -> int:
        per_row = len(self.encoding.numbers) + len(self.encoding.columns)
        return max(1, BYTES_PER_ENTRY * per_row * self.shape[0])

    @cached_property
    def traits(self) -> Traits:
        """Those of the numbers. A large table in memory is read as a file is: never held whole."""
        own = Traits() if self.numbers is None else traits_of(self.numbers)
        large = own.is_stored or self.stored_bytes > KEPT_BYTES
        origin = np.zeros(self.shape[1])
        origin[: len(self.origin)] = self.origin
        return replace(
            own,
            fingerprint=self.fingerprint if large else None,
            in_place=False,
            by_columns=False,
            left_out=self.left_out or {},
            float_stored=self.numbers is None or own.float_stored,
            inertia=Inertia(self.encoding.is_share, self.encoding.divided_by),
            origin=(origin,) if np.any(origin) else (),
            glance=None,
            within=self.within,
            find_bad_values=None,
        )

    @cached_property
    def fingerprint(self) -> str:
        own = None if self.numbers is None else traits_of(self.numbers).fingerprint
        return f"categories {self.encoding} {own} {self.codes.digest()}"

    def less_origin(self, origin: Float64Array) -> IndicatorSource:
        """The same rows, with numbers less an origin."""
        return replace(self, origin=origin)

    def within(self, budget_bytes: int) -> IndicatorSource:
        if self.numbers is None:
            return self
        return replace(self, numbers=keep_within(self.numbers, budget_bytes))

    # -- reading ---------------------------------------------------------------------------

    def blocks(self, rows_per_block: int, start: int = 0) -> Iterator[Block]:
        if self.numbers is None:
            for span in spans(self.shape[0] - start, rows_per_block, "rows_per_block"):
                codes = self.codes.read(start + span.start, start + span.stop)
                yield self.indicators(np.empty((codes.shape[1], 0)), codes)
            return
        first = start if traits_of(self.numbers).is_stored else 0
        for block in blocks_from(self.numbers, rows_per_block, first):
            skipped = max(0, start - first)  # of rows in memory, which are read from the first
            stop = first + len(block)
            if skipped < len(block):
                yield self.indicators(block[skipped:], self.codes.read(first + skipped, stop))
            first = stop

    def panels(self, columns_per_panel: int) -> Iterator[Block]:
        from scipy import sparse

        for columns in spans(self.shape[1], columns_per_panel, "columns_per_panel"):
            rows = max(1, KEPT_BYTES // (BYTES_PER_ENTRY * self.shape[1]))
            parts = [block.tocsc()[:, columns] for block in self.blocks(rows)]
            yield sparse.vstack(parts, format="csc")

    def sample(self, indices: IntArray) -> FloatArray:
        wanted = np.asarray(indices, dtype=np.intp)
        numbers: FloatArray = np.empty((len(wanted), 0))
        if self.numbers is not None:
            numbers = self.numbers.sample(wanted)
        found: FloatArray = self.indicators(numbers, self.codes.take(wanted)).toarray()
        return found

    def indicators(self, numbers: FloatArray, codes: npt.NDArray[np.int32]) -> Any:
        """The rows of a block as a csr array."""
        from scipy import sparse

        count, width = codes.shape[1], len(self.encoding.numbers) + len(codes)
        first = len(self.encoding.numbers)
        places = np.empty((count, width), dtype=np.int32)
        values = np.ones((count, width))
        places[:, :first] = np.arange(first)
        np.subtract(numbers, self.origin, out=values[:, :first])
        np.add(codes.T, self.encoding.starts[:-1], out=places[:, first:], casting="unsafe")
        unknown = codes.T < 0
        if unknown.any():
            values[:, first:][unknown] = np.nan if self.shares is None else 0.0
            starts = np.broadcast_to(self.encoding.starts[:-1], unknown.shape)
            places[:, first:][unknown] = starts[unknown]
        pointers = np.arange(count + 1, dtype=np.int64) * width
        shape = (count, self.encoding.width)
        made = sparse.csr_array((values.ravel(), places.ravel(), pointers), shape=shape)
        if self.shares is not None and unknown.any():
            return made + self.average_indicators(unknown)
        return made

    def average_indicators(self, unknown: npt.NDArray[np.bool_]) -> Any:
        """For every value without a level, the shares of all levels of its column."""
        from scipy import sparse

        if self.shares is None:
            raise RuntimeError("shares are those of a model")
        rows, columns = np.nonzero(unknown)
        lengths = self.encoding.levels_of[columns]
        within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places = np.repeat(self.encoding.starts[columns], lengths) + within
        entries = (self.shares[places], (np.repeat(rows, lengths), places))
        return sparse.coo_array(entries, shape=(len(unknown), self.shape[1])).tocsr()

    def __repr__(self) -> str:
        kind = f"{self.shape[0]} x {len(self.encoding.column_names)}"
        inside = "" if self.numbers is None else f", {self.numbers!r}"
        return f"IndicatorSource({kind}, {len(self.encoding.columns)} categorical{inside})"
