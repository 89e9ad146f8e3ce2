"""Arithmetic of tensors for device rows: float64 copies, sums, Gram matrices, triangles.

Everything here runs on the device of its arguments; nothing is larger than a block or a result.
Products are made by themselves and added afterwards, never into a running total (`addmm_`): there
some libraries go on adding single terms to it, and a sum drifts with all rows instead of those of a
block (measured: 10 900 roundings of 50 000 rows in blocks of 4096).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.machine.torch_device import Tensor, to_host
from eigenlens.table.column_sums import Sums

__all__ = [
    "add_gram",
    "add_tensor_moments",
    "mirror_upper",
    "multiply_in_runs",
    "sum_tensor_rows",
    "triangle_of_tensors",
    "widen_tensor",
]

SUM_ROWS = 128
PANELS, NARROWEST = 8, 128  # a Gram matrix is made in panels of which the lower ones are left out


def widen_tensor(part: Tensor, shift: Tensor | None, factors: list[Tensor]) -> Tensor:
    """A fresh float64 copy, shifted on the way."""
    import torch

    if shift is not None and part.is_floating_point():
        wide = torch.sub(part, shift)  # in float64, whatever the part: one rounding, and one kernel
    else:
        wide = part.to(torch.float64, copy=True)
        if shift is not None:
            wide.sub_(shift)
    for factor in factors:
        wide.mul_(factor)
    return wide


def add_tensor_moments(
    tally: Sums | None, block: Tensor, heavy: Tensor | None, columns: slice
) -> None:
    if tally is None:
        return
    weighed = block if heavy is None else block * heavy
    tally.sums[columns] += to_host(sum_tensor_rows(weighed))
    tally.squares[columns] += to_host(sum_tensor_rows(weighed * block))


def sum_tensor_rows(block: Tensor) -> Tensor:
    """Column sums over runs of rows, then over sums of runs: none has more than 128 terms."""
    import torch

    while len(block) > SUM_ROWS:
        whole = len(block) // SUM_ROWS * SUM_ROWS
        runs = block[:whole].reshape(-1, SUM_ROWS, block.shape[1]).sum(1)
        rest = block[whole:]
        block = runs if len(rest) == 0 else torch.cat([runs, rest.sum(0, keepdim=True)])
    return block.sum(0)


def multiply_in_runs(panel: Tensor, vectors: Tensor, rows: int) -> Tensor:
    """panel' vectors, as sums of products over so many rows each: none drifts with their number."""
    total = panel[:rows].T @ vectors[:rows]
    for start in range(rows, len(panel), rows):
        total.add_(panel[start : start + rows].T @ vectors[start : start + rows])
    return total


def panel_starts(size: int) -> tuple[range, int]:
    width = max(NARROWEST, -(-size // PANELS))
    return range(0, size, width), width


def add_gram(total: Tensor, block: Tensor) -> None:
    """total + block' block, of which only what lies above the diagonal is made."""
    starts, width = panel_starts(len(total))
    for start in starts:
        left, right = block[:, start : start + width], block[:, start:]
        total[start : start + width, start:].add_(left.T @ right)


def mirror_upper(total: Tensor) -> Tensor:
    """In place: the part above the diagonal also below it."""
    starts, width = panel_starts(len(total))
    for start in starts:
        stop = start + width
        corner = total[start:stop, start:stop]
        corner.copy_(corner.triu() + corner.triu(1).T)
        total[stop:, start:stop] = total[start:stop, stop:].T
    return total


def triangle_of_tensors(blocks: Iterator[Tensor]) -> Float64Array:
    """R with R'R the sum of B'B over the blocks, by orthogonal transformations on the device.

    Several thin blocks are stacked first: a factorization costs p^3 whatever it adds.
    """
    import torch

    waiting: list[Tensor] = []
    for block in blocks:
        waiting.append(block)
        if sum(map(len, waiting)) >= 3 * block.shape[1]:
            waiting = [torch.linalg.qr(torch.cat(waiting), mode="r")[1]]
    found = to_host(torch.linalg.qr(torch.cat(waiting), mode="r")[1])
    missing = found.shape[1] - len(found)
    return found if missing <= 0 else np.pad(found, ((0, missing), (0, 0)))
