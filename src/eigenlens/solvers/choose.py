"""Choosing a solver: predicted seconds, within the memory allowed; the smallest wins.

With n rows, d columns, p = min(n, d), l vectors in a block, q expected passes, s stored bytes:

| solver      | work                                         | memory beside the data      |
|-------------|----------------------------------------------|-----------------------------|
| svd         | 3 n d p / gram + 4 p^3 / eigen; two passes   | 3 p^2                       |
| covariance  | n d^2 / gram + eigenvectors; one pass        | 3 d^2                       |
| dual        | n^2 d / gram + eigenvectors; three passes    | 3 n^2                       |
| krylov      | q (4 n d l / thin); q passes                 | p (k + 6 l), better p l q   |

eigenvectors: d^3 / eigen, or 2 d^2 l q / thin + d^3 / 3 gram where few of many are wanted.
On a cluster h threads of w workers share the work over rows, and every pass sends its result,
8 d^2 or 16 d l bytes, over the network log2(w) + 1 times one after the other.
A pass costs at least s / read, for files at the rate their first blocks are read and decoded with.
Sparse tables: products cost entries instead of n d, the Gram matrix
n (entries per row)^2. Small tables (3e8 operations) go to svd, the most accurate; others come
back to it where squaring the table hides the smallest eigenvalues asked for. A solver whose
memory exceeds the budget, or a quarter of the data where another one would do, is left out. power,
orthogonal, randomized and lanczos are never chosen: krylov does the same work in fewer passes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import MemoryBudgetError
from eigenlens.machine.limits import available_processors
from eigenlens.solvers.catalogue import SOLVERS
from eigenlens.solvers.krylov import BLOCKS_KEPT, BlockKrylov
from eigenlens.solvers.machine import Machine, measured
from eigenlens.solvers.step import Solver, width_for
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of

__all__ = [
    "Problem",
    "choose_solver",
    "estimates",
    "finer_solver",
    "passes_of",
    "problem_of",
    "within_budget",
]

SMALL_WORK = 3e8  # operations of an svd: some milliseconds on any machine, so nothing is measured
SMALL_BYTES = 64 << 20  # workspaces up to this size are not held against the size of the data
SCATTER_SLOWDOWN = 120  # sparse-sparse products per second, relative to a dense Gram product
SMALL_STEPS = 4  # many small products run at a quarter of the rate of large ones
SPARE_BLOCKS = 4  # blocks beside the span: the image, the new block and two for arithmetic
SPARSE_SLOWDOWN = 12  # sparse-dense products per second, relative to thin dense ones
NARROW_PENALTY = 0.8  # how many more passes a block of no width would take
PROOF_PASSES = 1.5  # a few, with a third of the columns
STEP_SECONDS = 2e-3  # what a pass takes beside its products
NETWORK = 1e8  # bytes per second between two machines: not measured, an ordinary network


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
    hands: int = 0  # threads of a cluster that work on the rows; 0: this process does
    workers: int = 1


@dataclass(frozen=True)
class Estimate:
    """Predicted time, and the least workspace that would do."""

    name: str
    seconds: float
    memory_bytes: int


def problem_of(source: Source, rank: int, accuracy: float, budget_bytes: int) -> Problem:
    n, d = source.shape
    item = source.dtype.itemsize
    entries = source.stored_bytes / (item + 4) if source.is_sparse else float(n * d)
    large = traits_of(source).is_stored and source.stored_bytes > SMALL_BYTES
    return Problem(
        shape=(n, d),
        rank=rank,
        accuracy=accuracy,
        stored_bytes=source.stored_bytes,
        item_bytes=item,
        entries=entries,
        is_sparse=source.is_sparse,
        budget_bytes=budget_bytes,
        read_rate=traits_of(source).bytes_per_second if large else np.inf,
        by_columns=traits_of(source).by_columns,
        re_readable=traits_of(source).re_readable,
        hands=traits_of(source).threads,
        workers=traits_of(source).workers,
    )


def choose_solver(problem: Problem) -> tuple[Solver, Verdict]:
    """The solver with the smallest predicted time, and why."""
    if not problem.re_readable:
        reason = "the rows are gone, and their scatter matrix is at hand"
        chosen = within_budget(SOLVERS["covariance"], problem)
        return chosen, Verdict("covariance", "read once", reason)
    (n, d), p = problem.shape, min(problem.shape)
    work = 3 * n * d * p + 40 * p**3
    if work <= SMALL_WORK and 24 * p**2 <= problem.budget_bytes:
        reason = "the most accurate method is quick enough for so few numbers"
        return SOLVERS["svd"], Verdict("svd", "small table", reason, {"operations": work})
    table = estimates(problem)
    affordable = [row for row in table if row.memory_bytes <= problem.budget_bytes]
    if not affordable:
        least = min(row.memory_bytes for row in table)
        raise MemoryBudgetError.too_small(problem.budget_bytes, least)
    modest = max(problem.stored_bytes // 4, SMALL_BYTES)
    lean = [row for row in affordable if row.memory_bytes <= modest] or affordable
    best = min(lean, key=lambda row: row.seconds)
    others = sorted(row.seconds for row in affordable if row is not best)
    reason = f"predicted {seconds(best.seconds)}"
    reason += f", the next best {seconds(others[0])}" if others else ""
    evidence = {row.name: row.seconds for row in table}
    chosen = within_budget(SOLVERS[best.name], problem)
    return chosen, Verdict(best.name, "cost model", reason, evidence)


def finer_solver(problem: Problem, tried: Solver) -> tuple[Solver, Verdict] | None:
    """The method that never squares the table, where it fits in memory and was not tried yet."""
    too_large = 24 * min(problem.shape) ** 2 > problem.budget_bytes
    if not problem.re_readable or tried.name == "svd" or too_large:
        return None
    reason = f"the rounding of {tried.name} hides the smallest eigenvalues asked for"
    return SOLVERS["svd"], Verdict("svd", "refinement", reason)


def within_budget(solver: Solver, problem: Problem) -> Solver:
    """The solver, with its workspace held to the budget; an error where that cannot be."""
    three_blocks = 24 * problem.shape[1] * (problem.rank + 10)  # solvers that keep one block
    known = {row.name: row.memory_bytes for row in estimates(problem)}
    least = known.get(solver.name, three_blocks)
    if least > problem.budget_bytes:
        raise MemoryBudgetError.too_small(problem.budget_bytes, least)
    return shaped(solver, problem) if isinstance(solver, BlockKrylov) else solver


def shaped(solver: BlockKrylov, problem: Problem) -> BlockKrylov:
    """With its block and its span fitted to the table and the budget, where they were left open."""
    size = min(problem.shape)
    width = solver.width or block_width(problem)
    columns = solver.max_columns
    if columns is None:
        fits = problem.budget_bytes // (8 * size) - SPARE_BLOCKS * width
        columns = max(min(fits, span_columns(problem, width)), 1)
    return replace(solver, width=width, max_columns=columns)


def block_width(problem: Problem) -> int:
    """Wide for dense tables, where a wide product costs little more; narrow for sparse ones.

    There every column costs the same from about ten on, and narrow blocks find as much with fewer
    columns in all: 12 instead of 32 for 20 components saves a third to a half of the time.
    """
    size = min(problem.shape)
    wide = width_for(min(problem.rank, size), size)
    return min(wide, max(12, wide * 3 // 8)) if problem.is_sparse else wide


def span_columns(problem: Problem, width: int) -> int:
    """Columns kept before the span is compressed: more for sparse tables, as large as the data.

    Keeping more saves passes on flat spectra, and beside sparse products dense algebra is cheap.
    """
    usual = BLOCKS_KEPT * width + problem.rank
    if not problem.is_sparse:
        return usual
    return max(usual, min(problem.stored_bytes // (8 * min(problem.shape)), 20 * problem.rank))


def estimates(problem: Problem) -> list[Estimate]:
    """Predicted seconds and workspace of each solver that is ever chosen."""
    machine, (n, d) = measured(), problem.shape
    p = min(n, d)
    gain = machine.single if problem.item_bytes == 4 else 1.0
    width, wide = block_width(problem), width_for(min(problem.rank, p), p)
    passes = expected_passes(problem.accuracy)
    on_passes = passes * (1 + NARROW_PENALTY * (wide - width) / wide)
    reading = problem.stored_bytes / min(machine.read, problem.read_rate)
    single_copy = 0.5 if problem.item_bytes == 4 else 0.0
    share = (
        available_processors() / problem.hands if problem.hands else 1.0
    )  # of the time it would take here
    reading *= share

    def gram_seconds(side: int) -> float:
        return share * gram_seconds_here(side)

    def gram_seconds_here(side: int) -> float:
        if problem.is_sparse and side == d:
            per_row = problem.entries / n
            return n * per_row**2 * SCATTER_SLOWDOWN / machine.gram + d * d * 1e-9
        return n * d * side / (machine.gram * (1.0 if problem.is_sparse else gain))

    def on_matrix(side: int) -> Estimate:
        name = "covariance" if side == d else "dual"
        work = gram_seconds(side) + eigen_seconds(side, problem.rank, wide, passes, machine)
        extra = (reading if side == d else 3 * reading) + sending(problem, 8 * side**2)
        return Estimate(name, max(work, reading) + extra, int((3 + single_copy) * 8 * side**2))

    thin = SPARSE_SLOWDOWN if problem.is_sparse else 1 / gain
    products = share * 4 * problem.entries * width * thin / machine.thin
    one_pass = max(products, reading) + sending(problem, 16 * d * width)
    upkeep = 8 * p * (on_passes * width) * width / machine.thin + STEP_SECONDS
    triangle = share * 3 * n * d * p / machine.gram + 4 * p**3 / machine.eigen + 2 * reading
    triangle += sending(problem, 8 * p**2)
    return [
        Estimate("svd", triangle, 3 * 8 * p**2),
        on_matrix(d),
        *([on_matrix(n)] if problem.by_columns else []),
        Estimate(
            "krylov",
            (on_passes + PROOF_PASSES) * (one_pass + upkeep) + 2 * reading,
            8 * p * (problem.rank + (2 + SPARE_BLOCKS) * width) + 8 * d * problem.rank,
        ),
    ]


def sending(problem: Problem, result_bytes: int) -> float:
    """Seconds until one result has come together from all workers, and here."""
    if not problem.hands:
        return 0.0
    return float(result_bytes * (np.log2(problem.workers) + 1) / NETWORK)


def passes_of(solver: Solver, problem: Problem) -> int:
    """About how many passes it will make, for whoever waits."""
    few = {"covariance": 1, "dual": 3, "svd": 2}
    return few.get(solver.name, expected_passes(problem.accuracy) + 2)


def eigen_seconds(size: int, rank: int, width: int, passes: int, machine: Machine) -> float:
    everything = size**3 / machine.eigen
    leading = 2 * size**2 * width * (passes + 3) / machine.thin + size**3 / (3 * machine.gram)
    leading *= SMALL_STEPS
    return everything if 8 * rank >= size else min(everything, leading + 0.01)


def expected_passes(accuracy: float) -> int:
    """Krylov passes for middling spectra: about one per decimal digit, at least three."""
    return int(np.clip(1 - np.log10(accuracy), 3, 12))


def seconds(value: float) -> str:
    number, unit = (value * 1e3, "ms") if value < 1 else (value, "s")
    return f"{float(f'{number:.2g}'):g} {unit}"  # two digits, and never 1.2e+02
