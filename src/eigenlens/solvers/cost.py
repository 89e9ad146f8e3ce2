"""Costs: predicted seconds and workspace of every solver that is ever chosen.

With n rows, d columns, p = min(n, d), l vectors in a block, q expected passes, s stored bytes, and
the rates of `rates.py`:

| solver      | work                                         | memory beside the data      |
|-------------|----------------------------------------------|-----------------------------|
| svd         | triangle of n d p, 4 p^3 eigen; two passes   | 3 p^2                       |
| covariance  | gram of n d^2 + eigenvectors; one pass       | 3 d^2                       |
| dual        | gram of n^2 d + eigenvectors; three passes   | 3 n^2                       |
| krylov      | q thin products of 4 n d l; q passes, more   | p (k + 6 l), better p l q   |
|             | of them the slower eigenvalues fall          |                             |

eigenvectors: all of a d x d matrix, or Krylov and a Cholesky factor where that is cheaper.
On a cluster h threads of w workers share the work over rows, and every pass sends its result,
8 d^2 or 16 d l bytes, over the network log2(w) + 1 times one after the other.
A pass costs at least s / read, for files at the rate their format is decoded with.
Sparse tables: products cost entries instead of n d, the Gram matrix n (entries per row)^2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.machine.limits import available_processors
from eigenlens.machine.torch_device import double_speedup
from eigenlens.solvers.block_size import (
    block_width,
    column_length,
    krylov_passes,
    pass_seconds,
    upkeep_seconds,
)
from eigenlens.solvers.decay import MIDDLING_DECAY, guess_decay, sum_powers
from eigenlens.solvers.rates import (
    READ_RATE,
    cholesky_seconds,
    eigen_seconds,
    gram_seconds,
    thin_seconds,
    triangle_seconds,
)
from eigenlens.solvers.step import block_columns
from eigenlens.sources.device.rows import is_on_device
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.device_eigen import device_eigen_seconds, device_for_eigenvectors

__all__ = [
    "ALL_WORTH",
    "SMALL_BYTES",
    "SPARE_BLOCKS",
    "Estimate",
    "Problem",
    "estimates",
    "expected_passes",
    "leading_seconds",
    "problem_of",
    "smallest_eigenvalue",
]

SMALL_BYTES = 64 << 20  # workspaces up to this size are not held against the size of the data
SCATTER_SLOWDOWN = 120  # sparse-sparse products per second, relative to a dense Gram product
SPARE_BLOCKS = 4  # blocks beside the span: the image, the new block and two for arithmetic
PROOF_PASSES, PROOF_COLUMNS = 4, 16  # of probes
SMALL_STEPS = 3  # products with a matrix at hand run at a third of the rate of large ones
ALL_WORTH = 0.8  # with all eigenvectors nothing is left to bound: leading ones must cost less
SMALLEST_GUESS, DECAY_MARGIN = 0.05, 4.0  # of eigenvalues beside the variances of columns
TASK_SECONDS = 1e-3  # of a cluster's scheduler, for one task
NETWORK = 1e8  # bytes per second between two machines: an ordinary network


@dataclass(frozen=True)
class Problem:
    """What the cost of a fit depends on."""

    shape: tuple[int, int]
    rank: int
    accuracy: float
    stored_bytes: int
    item_bytes: int
    entries: float  # stored numbers
    is_sparse: bool
    budget_bytes: int
    read_rate: float = np.inf  # bytes per second, where the rows lie in a file
    by_columns: bool = True
    re_readable: bool = True
    threads: int = 0  # threads of a cluster that work on the rows; 0: this process does
    workers: int = 1
    pieces: int = 0  # of a cluster's rows, a task or more each
    speedup: float = 1.0  # of a device that works on the rows
    eigen_there: bool = False  # whether it decomposes matrices, too
    decay: float = MIDDLING_DECAY  # eigenvalues fall about like i^-decay

    @property
    def single(self) -> bool:
        return self.item_bytes == 4 and not self.is_sparse

    @property
    def share(self) -> float:
        """How long work over rows takes where they lie, of the time it would take here."""
        return available_processors() / self.threads if self.threads else 1.0 / self.speedup

    @property
    def reading(self) -> float:
        """Seconds to read the data once; a cluster also schedules a task for every piece."""
        scheduling = TASK_SECONDS * self.pieces
        return scheduling + self.share * self.stored_bytes / min(READ_RATE, self.read_rate)


@dataclass(frozen=True)
class Estimate:
    """Predicted time, and the least workspace that would do."""

    name: str
    seconds: float
    memory_bytes: int


def problem_of(source: Source, rank: int, accuracy: float, budget_bytes: int) -> Problem:
    (n, d), traits = source.shape, traits_of(source)
    item = source.dtype.itemsize
    entries = source.stored_bytes / (item + 4) if source.is_sparse else float(n * d)
    large = traits.is_stored and source.stored_bytes > SMALL_BYTES
    return Problem(
        shape=(n, d),
        rank=rank,
        accuracy=max(accuracy, EPS),  # of weights beyond floats it would be 0
        stored_bytes=source.stored_bytes,
        item_bytes=item,
        entries=entries,
        is_sparse=source.is_sparse,
        budget_bytes=budget_bytes,
        read_rate=traits.bytes_per_second if large else np.inf,
        by_columns=traits.by_columns,
        re_readable=traits.re_readable,
        threads=traits.threads,
        workers=traits.workers,
        pieces=traits.pieces,
        speedup=double_speedup(source.device) if is_on_device(source) else 1.0,
        eigen_there=device_for_eigenvectors(source, min(n, d)) is not None,
        decay=guess_decay(source),
    )


@lru_cache(maxsize=64)
def estimates(problem: Problem) -> tuple[Estimate, ...]:
    """In the order that decides between equals; kept for the next table of the same kind."""
    p = min(problem.shape)
    on_rows = [on_matrix(problem, problem.shape[0], "dual")] if problem.by_columns else []
    triangle = problem.share * triangle_seconds(max(problem.shape), p) + 4 * eigen_seconds(p)
    triangle += 2 * problem.reading + sending(problem, 8 * p**2)
    return (
        on_matrix(problem, problem.shape[1], "covariance"),
        Estimate("svd", triangle, 3 * 8 * p**2),
        *on_rows,
        by_passes(problem),
    )


def on_matrix(problem: Problem, side: int, name: str) -> Estimate:
    """One pass forms a matrix of this size; its eigenvectors follow."""
    (n, d), reading = problem.shape, problem.reading
    if problem.is_sparse and side == d:
        per_row = problem.entries / n
        forming = gram_seconds(n * (per_row / d) ** 2 * SCATTER_SLOWDOWN, d, False) + d * d * 1e-9
    else:
        forming = gram_seconds(n * d / side, side, problem.single)
    width, passes = block_columns(min(problem.rank, side), side), expected_passes(problem.accuracy)
    leading, everything = leading_seconds(side, width, passes), eigen_seconds(side)
    solving = leading if leading < ALL_WORTH * everything else everything
    solving = device_eigen_seconds(side) if problem.eigen_there else solving
    work = problem.share * forming + solving
    extra = (reading if name == "covariance" else 3 * reading) + sending(problem, 8 * side**2)
    copies = 3.5 if problem.item_bytes == 4 else 3.0
    return Estimate(name, max(work, reading) + extra, int(copies * 8 * side**2))


def by_passes(problem: Problem) -> Estimate:
    """Krylov: every pass multiplies by a block."""
    d, p = problem.shape[1], column_length(problem.shape)
    width = block_width(problem)
    passes, one_pass = krylov_passes(problem, width), pass_seconds(problem, width)
    one_pass += sending(problem, 16 * d * width)
    proof = PROOF_PASSES * pass_seconds(problem, PROOF_COLUMNS)
    return Estimate(
        "krylov",
        passes * (one_pass + upkeep_seconds(problem, width, passes)) + proof + 2 * problem.reading,
        8 * p * (problem.rank + (2 + SPARE_BLOCKS) * width) + 8 * d * problem.rank,
    )


def smallest_eigenvalue(problem: Problem, is_count: bool) -> float:
    """Of those asked for, in parts of the average variance of a column, guessed with a margin.

    `is_count`: whether the number of components is known from the start.
    """
    if not is_count or problem.decay == MIDDLING_DECAY:  # nobody has looked
        return SMALLEST_GUESS
    sum_of_all = sum_powers(problem.decay, min(problem.shape))
    expected = problem.shape[1] * problem.rank**-problem.decay / sum_of_all
    return float(min(max(expected / DECAY_MARGIN, SMALLEST_GUESS), 1.0))


def leading_seconds(size: int, width: int, passes: float) -> float:
    """A few of many eigenvectors of a matrix at hand, and the factorization that proves them."""
    if 8 * width > size:
        return float("inf")
    # Each step multiplies by the matrix, and makes a block orthogonal to half the span on average.
    products = thin_seconds(size**2 / 2 + size * passes * width, width, False)
    return SMALL_STEPS * (passes + 3) * products + 2 * cholesky_seconds(size) + 0.01


def sending(problem: Problem, result_bytes: int) -> float:
    """Seconds until one result has come together from all workers, and here."""
    if not problem.threads:
        return 0.0
    return float(result_bytes * (np.log2(problem.workers) + 1) / NETWORK)


def expected_passes(accuracy: float) -> int:
    """Krylov passes for middling spectra: about one per decimal digit, at least three."""
    return int(min(max(1 - math.log10(accuracy), 3), 12))
