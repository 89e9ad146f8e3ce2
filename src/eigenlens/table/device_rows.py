"""Device rows: products of a table on a device, made by torch in float64 whatever the data.

    widen and shift a block, multiply, add       vectors and results come and go as numpy arrays

Promises     the verbs of `RowStorage`; the user's tensors only read; one block beside them.
Knows        tensors of a `TensorRows` source, a shift, weights; not where the rows come from.
Precision    float64 products are as fast as float32 ones on data center chips, no switch of the
             user's (TF32) touches them, and their rounding is bounded by a theorem: a sum of m
             products in any order is off by m roundings at most, of b blocks by m + b.
Shift        is taken off while a block is widened, and costs nothing.
Memory       where a device has none left, blocks are halved and the pass is made again.
Sums         for mean and variances run over 128 rows at a time: no long sum drifts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray, IntArray
from eigenlens.machine.torch_device import (
    Tensor,
    borrowed_device,
    from_host,
    to_host,
)
from eigenlens.sources.device.rows import TensorRows
from eigenlens.table.column_sums import Sums
from eigenlens.table.device_algebra import (
    add_gram,
    add_tensor_moments,
    mirror_upper,
    multiply_in_runs,
    sum_tensor_rows,
    triangle_of_tensors,
    widen_tensor,
)
from eigenlens.table.device_memory import BlockLimit, on_device
from eigenlens.table.pass_observer import PassObserver
from eigenlens.table.rows import Frame

__all__ = ["DeviceRows"]

# Of a block: on the processor it is still warm when it is multiplied; on a device, larger ones are
# multiplied no faster.
MOST_BYTES = {"cpu": 16 << 20, "cuda": 512 << 20}
MOST_ROWS = {"cpu": 4096, "cuda": 1 << 19}
INNER_ROWS = 4096  # of the sums inside a product with inner products
OTHER_ROUNDINGS = 8  # of a sum: the shift, a weight, the correction


@dataclass(frozen=True)
class DeviceRows:
    source: TensorRows
    shift: Float64Array | None
    limit: BlockLimit
    watch: PassObserver = field(default_factory=PassObserver)
    exponents: IntArray | None = None

    tails = ()
    precise = True
    dtype = np.dtype(np.float64)

    @property
    def lossless(self) -> bool:
        return self.exponents is not None

    @property
    def tally_shift(self) -> Float64Array | None:
        return self.shift

    @property
    def shape(self) -> tuple[int, int]:
        return self.source.shape

    @property
    def rows_per_block(self) -> int:
        return self.lines(self.limit.size, 1)

    @property
    def columns_per_panel(self) -> int:
        return self.lines(self.limit.size, 0)

    def lines(self, size: int, along: int) -> int:
        """How many rows (along 1) or columns (along 0) a block of so many bytes has."""
        kind = self.source.device.type
        fitting = max(1, min(size, MOST_BYTES[kind]) // (8 * self.shape[along]))
        return min(fitting, MOST_ROWS[kind], self.limit.most_rows, self.shape[1 - along])

    def longest_sum(self, along: int) -> int:
        """Terms of a sum and sums of blocks, with the blocks of any pass so far."""
        counts = (self.lines(size, along) for size in (self.limit.first, self.limit.size))
        return max(count + -(-self.shape[1 - along] // count) for count in counts)

    @property
    def gram_drift(self) -> float:
        """Half of what the theorem says of either matrix: the allowance counts two products."""
        return (max(self.longest_sum(1), self.longest_sum(0)) + OTHER_ROUNDINGS) / 2

    @property
    def drift(self) -> float:
        """Of a product of a product: there are sums along the other side besides."""
        n, d = self.shape
        inside = max(d, min(n, INNER_ROWS) + -(-n // INNER_ROWS))
        return self.gram_drift + inside / 2

    def in_double(self) -> DeviceRows:
        return self

    def in_units(self, exponents: IntArray) -> DeviceRows:
        return replace(self, exponents=exponents)

    def undisturbed(self) -> AbstractContextManager[None]:
        return nullcontext()

    # -- reading ---------------------------------------------------------------------------

    def upload(self, array: Float64Array) -> Tensor:
        return from_host(array, self.source.device)

    def zeros(self, rows: int, columns: int) -> Tensor:
        import torch

        return torch.zeros(rows, columns, dtype=torch.float64, device=self.source.device)

    def blocks(self) -> Iterator[tuple[slice, Tensor]]:
        """Rows in order, in float64 and shifted, each the caller's to overwrite."""
        shift, start = self.shift_there(slice(None)), 0
        for part in self.source.tensors(self.rows_per_block):
            where = slice(start, start + len(part))
            yield where, widen_tensor(part, *shift)
            start = where.stop
            self.watch.reached(start, ())

    def panels(self) -> Iterator[tuple[slice, Tensor]]:
        start = 0
        for part in self.source.tensor_panels(self.columns_per_panel):
            where = slice(start, start + part.shape[1])
            yield where, widen_tensor(part, *self.shift_there(where))
            start = where.stop
            self.watch.reached(self.shape[0] * start // self.shape[1], ())

    def shift_there(self, columns: slice) -> tuple[Tensor | None, list[Tensor]]:
        """The shift, and the powers of two of the columns as two factors that are floats."""
        shift = None if self.shift is None else self.upload(self.shift[columns])
        if self.exponents is None:
            return shift, []
        first = -self.exponents[columns] // 2
        halves = first, -self.exponents[columns] - first
        return shift, [self.upload(np.ldexp(1.0, half)) for half in halves]

    def weights_of(self, frame: Frame, rows: slice) -> Tensor | None:
        part = frame.part(rows)
        return None if part is None else self.upload(part)[:, None]

    # -- row blocks ------------------------------------------------------------------------

    @on_device
    def largest_magnitudes(self, frame: Frame) -> Float64Array:
        largest = np.zeros(self.shape[1])
        for _, block in self.blocks():
            np.maximum(largest, to_host(block.abs_().amax(0)), out=largest)
        return largest

    @on_device
    def measure(self, frame: Frame, tally: Sums) -> None:
        for rows, block in self.blocks():
            add_tensor_moments(tally, block, self.weights_of(frame, rows), slice(None))

    @on_device
    def gram_times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        low = self.upload(vectors)
        total = self.zeros(*vectors.shape)
        for rows, block in self.blocks():
            heavy = self.weights_of(frame, rows)
            scores = block @ low
            total.add_(block.T @ (scores if heavy is None else scores.mul_(heavy)))
            add_tensor_moments(tally, block, heavy, slice(None))
        return to_host(total)

    @on_device
    def gram(self, frame: Frame, tally: Sums | None) -> Float64Array:
        total = self.zeros(self.shape[1], self.shape[1])
        for rows, block in self.blocks():
            heavy = self.weights_of(frame, rows)
            if tally is not None:
                tally.sums += to_host(sum_tensor_rows(block if heavy is None else block * heavy))
            add_gram(total, block if heavy is None else block.mul_(heavy.sqrt()))
        found = to_host(mirror_upper(total))
        if tally is not None:
            tally.squares += np.diag(found)
        return found

    @on_device
    def times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        low, diagonal = self.upload(vectors), self.upload(frame.diagonal)
        result = np.empty((self.shape[0], vectors.shape[1]))
        for rows, block in self.blocks():
            result[rows] = to_host(block @ low)
            if tally is not None and tally.lengths is not None:
                tally.lengths[rows] += to_host(block.square() @ diagonal)
            add_tensor_moments(tally, block, self.weights_of(frame, rows), slice(None))
        return result

    @on_device
    def transposed_times(
        self, vectors: Float64Array, frame: Frame, tally: Sums | None
    ) -> Float64Array:
        total = self.zeros(self.shape[1], vectors.shape[1])
        for rows, block in self.blocks():
            total.add_(block.T @ self.upload(vectors[rows]))
            add_tensor_moments(tally, block, self.weights_of(frame, rows), slice(None))
        return to_host(total)

    def rows_of_table(self, offset: Float64Array, frame: Frame) -> Iterator[FloatArray]:
        blocks = self.prepared_blocks(offset, frame)
        while True:  # torch's state is ours only while a block is made
            with borrowed_device(self.source.device):
                block = next(blocks, None)
                ready = None if block is None else np.array(to_host(block))
            if ready is None:
                return
            yield ready

    def prepared_blocks(self, offset: Float64Array, frame: Frame) -> Iterator[Tensor]:
        step, scale = self.upload(offset), self.upload(np.sqrt(frame.diagonal))
        for rows, block in self.blocks():
            heavy = self.weights_of(frame, rows)
            ready = block.sub_(step).mul_(scale)
            yield ready if heavy is None else ready.mul_(heavy.sqrt())

    @on_device
    def triangle(self, offset: Float64Array, frame: Frame) -> Float64Array:
        return triangle_of_tensors(self.prepared_blocks(offset, frame))

    # -- column panels ---------------------------------------------------------------------

    def prepared_panels(self, frame: Frame, tally: Sums | None) -> Iterator[Tensor]:
        """Panels of the table itself: they have every row, and are centered there and then."""
        average = None if frame.average is None else self.upload(frame.average)[:, None]
        heights = None if frame.heights is None else self.upload(frame.heights)[:, None]
        heavy = None if frame.weights is None else self.upload(frame.weights)[:, None]
        for columns, panel in self.panels():
            diagonal = self.upload(frame.diagonal[columns])
            add_tensor_moments(tally, panel, heavy, columns)
            if tally is not None and tally.lengths is not None:
                tally.lengths += to_host(panel.square() @ diagonal)
            if average is not None:
                panel.sub_(sum_tensor_rows(panel * average))
            panel.mul_(diagonal.sqrt())
            yield panel if heights is None else panel.mul_(heights)

    @on_device
    def dual_times(self, vectors: Float64Array, frame: Frame, tally: Sums | None) -> Float64Array:
        low = self.upload(vectors)
        total = self.zeros(*vectors.shape)
        for panel in self.prepared_panels(frame, tally):
            total.add_(panel @ multiply_in_runs(panel, low, INNER_ROWS))
        return to_host(total)

    @on_device
    def inner_products(self, frame: Frame, tally: Sums | None) -> Float64Array:
        total = self.zeros(self.shape[0], self.shape[0])
        for panel in self.prepared_panels(frame, tally):
            add_gram(total, panel.T)
        return to_host(mirror_upper(total))

    @on_device
    def dual_triangle(self, frame: Frame, tally: Sums | None) -> Float64Array:
        return triangle_of_tensors(panel.T for panel in self.prepared_panels(frame, tally))
