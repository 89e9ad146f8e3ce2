"""Block size: how many columns Krylov multiplies at once, and how many it keeps.

    passes(b)  =  passes(wide) + 4 k (1/b - 1/wide)       wide: half as many again as asked for

Narrow blocks need fewer products in all: for 10 components of 20 000 x 2000 counts 34 of one column
each, or 11 of 16. But a product with few columns costs more by the column, the more so where the
rows have to be read first. The block with the smallest product of both is taken.

| a pass over one stored number | b = 1   | b = 8   | b = 16  | b = 32  | b = 80  |
|-------------------------------|---------|---------|---------|---------|---------|
| dense float64, ns             | 0.4     | 1.6     | 2.1     | 3.0     | 5.9     |
| sparse, ns                    | 0.8     | 4.4     | 6.2     | 11      | 25      |

(scipy's kernels keep one column in registers; measured with one thread, 20 000 x 2000. Two columns
of sparse rows, and up to four of dense ones in cache, are multiplied one by one: `few_columns.py`.)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from eigenlens.solvers.rates import eigen_seconds, thin_seconds
from eigenlens.solvers.step import block_columns
from eigenlens.table.dense import CACHED_BYTES
from eigenlens.table.few_columns import SPARSE_APART
from eigenlens.table.sides import SINGLE_BYTES

if TYPE_CHECKING:
    from eigenlens.solvers.cost import Problem

__all__ = [
    "BLOCKS_KEPT",
    "block_width",
    "column_length",
    "columns_kept",
    "is_read",
    "krylov_passes",
    "pass_seconds",
    "prefers_rows",
    "upkeep_seconds",
]

NARROW_PASSES = 4.0  # times k / b
ONE_COLUMN = 0.7  # of the passes that the formula says for single columns
MOST_SINGLE = 40  # passes of one column: longer recurrences are made of blocks
NARROW, MOST_NARROW = (2, 4), 20  # the same for few columns
SPARSE_SECONDS = (2.0e-9, 0.28e-9)  # per stored number: for any block, and for each of its columns
SPARSE_COLUMN = 0.8e-9
SPARSE_CALL = 1.6e-5  # for two products of scipy's, however few the numbers
DENSE_SPARE = 17  # columns that a dense product with few of them costs beside its own
DENSE_SHARE = 0.66
CACHED_COLUMN = 2.0  # what one of dense rows in cache costs, in columns of a large product
STEP_SECONDS = (1.2e-4, 1.1e-5, 3e-4)  # beside products: for a pass, for a column, and at most
LOOKS = 4  # at Ritz values
BLOCKS_KEPT = 8
SPAN_BYTES = 64 << 20  # spans up to this size are not held against the size of the data


def prefers_rows(shape: tuple[int, int]) -> bool:
    """Whether the inner products of rows are iterated on: the way back from them takes passes."""
    return 2 * shape[0] <= shape[1]


def column_length(shape: tuple[int, int]) -> int:
    return shape[0] if prefers_rows(shape) else shape[1]


def block_width(problem: Problem) -> int:
    """Wide where rows are read from elsewhere, and for dense tables; narrow in memory."""
    size = min(problem.shape)
    wide: int = block_columns(min(problem.rank, size), size)
    if is_read(problem) or 2 * wide >= size:  # two passes of such a block are the whole space
        return wide
    widths: list[int] = [*range(8, wide, 8), wide]
    if problem.is_sparse or is_cached(problem):
        # Single columns leave more to a proof: they are for rows that take long to multiply.
        narrow = {1: MOST_SINGLE} | dict.fromkeys(NARROW, MOST_NARROW)
        if is_small(problem):
            del narrow[1]
        widths += [
            width
            for width, most in narrow.items()
            if width < wide and krylov_passes(problem, width) <= most
        ]
    costs = {width: iteration_seconds(problem, width) for width in widths}
    return min(costs, key=costs.__getitem__)


def is_read(problem: Problem) -> bool:
    """Whether every pass reads the rows from elsewhere: a file, or the workers of a cluster."""
    return problem.threads > 0 or problem.read_rate < math.inf


def is_cached(problem: Problem) -> bool:
    """Whether dense rows stay in cache, where a product with one column is fastest."""
    dense = not problem.is_sparse and problem.stored_bytes <= CACHED_BYTES
    return dense and not is_read(problem) and problem.speedup == 1


def is_small(problem: Problem) -> bool:
    return problem.stored_bytes < SINGLE_BYTES or is_cached(problem)


def iteration_seconds(problem: Problem, width: int) -> float:
    passes = krylov_passes(problem, width)
    one_pass = pass_seconds(problem, width) + upkeep_seconds(problem, width, passes)
    return passes * one_pass + LOOKS * eigen_seconds(int(passes * width))


def krylov_passes(problem: Problem, width: int) -> float:
    """Until the accuracy asked for: errors fall like e^(-4 sqrt(gap)) per pass, gaps as the decay.

    Calibrated on tables of 1500 x 1500 to 12 000 x 600 with eigenvalues 1/i to i^-1/4, and on
    counts of single cells.
    """
    size = min(problem.shape)
    rank = min(problem.rank, size)
    wide = max(block_columns(rank, size), width)
    gap = 1 - (rank / (wide + 1)) ** problem.decay
    needed = 2 - 0.3 * math.log(min(problem.accuracy, 0.1)) / math.sqrt(gap)
    passes = min(max(needed, 3.0), 60.0) + NARROW_PASSES * rank * (1 / width - 1 / wide)
    return float(passes * (ONE_COLUMN if width == 1 else 1.0))


def pass_seconds(problem: Problem, width: int) -> float:
    """Reading and multiplying once, on one core or with the threads of a cluster."""
    if problem.is_sparse:
        each, column = SPARSE_SECONDS
        products = problem.entries * (each + column * width) + SPARSE_CALL
        if width <= SPARSE_APART:
            products = min(products, (problem.entries * SPARSE_COLUMN + SPARSE_CALL) * width)
    else:
        columns = DENSE_SHARE * (DENSE_SPARE + width)
        columns = min(columns, CACHED_COLUMN * width) if is_cached(problem) else columns
        products = thin_seconds(problem.entries, 1, problem.single) * columns
    products *= problem.share
    return max(products, problem.reading) if is_read(problem) else products


def upkeep_seconds(problem: Problem, width: int, passes: float) -> float:
    """Making a block orthogonal to half of the final span, twice; columns alone are slower."""
    span = column_length(problem.shape) * passes * width
    slower = 4 if width == 1 else 1
    step = min(STEP_SECONDS[0] + STEP_SECONDS[1] * width, STEP_SECONDS[2])
    return slower * thin_seconds(span, width, False) + step


def columns_kept(problem: Problem, width: int) -> int:
    """Columns of the span before it is compressed: twice as many as seem to be needed.

    Keeping more saves passes on flat spectra; but never much more memory than the data take.
    """
    usual = BLOCKS_KEPT * width + problem.rank
    wanted = int(2 * krylov_passes(problem, width) * width) + problem.rank
    most = max(problem.stored_bytes // 4, SPAN_BYTES) // (8 * column_length(problem.shape))
    return int(max(usual, min(wanted, most)))
