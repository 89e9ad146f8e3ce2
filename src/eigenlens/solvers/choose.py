"""Choosing a solver: predicted seconds, within the memory allowed; the smallest wins.

| what is known                                    | chosen                                    |
|--------------------------------------------------|-------------------------------------------|
| the rows are gone, their scatter matrix is there | covariance                                |
| svd costs at most half a millisecond more        | svd, the most accurate                    |
| otherwise                                        | the smallest of the costs in `cost.py`;   |
|                                                  | within 20 % the first of covariance, svd, |
|                                                  | dual, krylov                              |
| squaring hides the smallest eigenvalues wanted   | svd, after the fact (`finer_solver`)      |
| the rule wants many more components than it was  | the smallest cost for so many             |
| expected to                                      | (`solver_for_more`)                       |

A solver whose memory exceeds the budget is left out, and one that takes more than a quarter of the
data where another one would do, unless that takes half as long again. power, orthogonal, randomized
and lanczos are never chosen: krylov does the same work in fewer passes. No clock is asked: the
choice depends on the problem alone, the same every time.
"""

from __future__ import annotations

from dataclasses import replace

from eigenlens.document.verdict import Verdict
from eigenlens.errors import MemoryBudgetError
from eigenlens.solvers.block_size import block_width, column_length, columns_kept, is_read
from eigenlens.solvers.catalogue import SOLVERS
from eigenlens.solvers.cost import (
    SMALL_BYTES,
    SPARE_BLOCKS,
    Estimate,
    Problem,
    estimates,
    expected_passes,
)
from eigenlens.solvers.krylov import BlockKrylov
from eigenlens.solvers.step import Solver

__all__ = [
    "choose_solver",
    "estimate_passes",
    "finer_solver",
    "limit_to_budget",
    "seconds_in_words",
    "solver_for_more",
]

QUICK_SECONDS = 5e-4  # so much more for the most accurate method is not felt
WORTH_MEMORY = 1.5  # times as fast
MANY_MORE = 1.5  # times the components that a solver was chosen for
TIE = 1.2  # costs within this factor are equal: predictions are no better than that


def choose_solver(problem: Problem) -> tuple[Solver, Verdict]:
    """The solver with the smallest predicted time, and why."""
    if not problem.re_readable:
        reason = "only the covariance matrix of the rows is at hand"
        chosen = limit_to_budget(SOLVERS["covariance"], problem)
        return chosen, Verdict("covariance", "read once", reason)
    table = estimates(problem)
    affordable = [row for row in table if row.memory_bytes <= problem.budget_bytes]
    if not affordable:
        least = min(row.memory_bytes for row in table)
        raise MemoryBudgetError.too_small(problem.budget_bytes, least)
    evidence = {row.name: row.seconds for row in table}
    modest = max(problem.stored_bytes // 4, SMALL_BYTES)
    lean = [row for row in affordable if row.memory_bytes <= modest] or affordable
    best = min([row.seconds for row in affordable])
    if min([row.seconds for row in lean]) > WORTH_MEMORY * best:
        lean = affordable
    best = min([row.seconds for row in lean])
    if any(row.name == "svd" and row.seconds <= best + QUICK_SECONDS for row in affordable):
        reason = "the table is small, so the most accurate method is fast enough"
        return SOLVERS["svd"], Verdict("svd", "small table", reason, evidence)
    first = next(row for row in lean if row.seconds <= TIE * best)
    solver = SOLVERS[first.name]
    if isinstance(solver, BlockKrylov):
        # Where passes are short, Ritz values as seldom as they are needed. Who names a solver sees
        # what came of every pass (`choices["stop"].evidence["errors"]`).
        solver = replace(fit_block_sizes(solver, problem), lazily=not is_read(problem))
    return solver, Verdict(first.name, "cost model", cost_reason(first, affordable), evidence)


def cost_reason(chosen: Estimate, affordable: list[Estimate]) -> str:
    others = sorted(row.seconds for row in affordable if row is not chosen)
    reason = f"predicted {seconds_in_words(chosen.seconds)} on one core"
    return reason + (f", the next best {seconds_in_words(others[0])}" if others else "")


def finer_solver(problem: Problem, tried: Solver) -> tuple[Solver, Verdict] | None:
    """The method that never squares the table, where it fits in memory and was not tried yet."""
    too_large = 24 * min(problem.shape) ** 2 > problem.budget_bytes
    if not problem.re_readable or tried.name == "svd" or too_large:
        return None
    reason = f"the rounding of {tried.name} hides the smallest eigenvalues asked for"
    return SOLVERS["svd"], Verdict("svd", "refinement", reason)


def solver_for_more(
    problem: Problem, tried: Solver, rank: int
) -> tuple[Problem, Solver, Verdict | None] | None:
    """For many more components than `tried` was chosen for; None where nothing would change.

    The same method gets other block sizes, and has no verdict of its own. What was done so far is
    not counted: a rule that wants more and more of them doubles their number each time.
    """
    if tried.forms_matrix or rank <= MANY_MORE * problem.rank:
        return None
    larger = replace(problem, rank=rank)
    if all(row.memory_bytes > problem.budget_bytes for row in estimates(larger)):
        return None
    solver, why = choose_solver(larger)
    if solver.name == tried.name:
        return larger, solver, None
    reason = f"{rank} components or more are needed, not {problem.rank}: {why.reason}"
    return larger, solver, replace(why, rule="more components", reason=reason)


def limit_to_budget(solver: Solver, problem: Problem) -> Solver:
    """The solver, with its workspace held to the budget; an error where that cannot be."""
    three_blocks = 24 * problem.shape[1] * (problem.rank + 10)  # solvers that keep one block
    known = {row.name: row.memory_bytes for row in estimates(problem)}
    least = known.get(solver.name, three_blocks)
    if least > problem.budget_bytes:
        raise MemoryBudgetError.too_small(problem.budget_bytes, least)
    return fit_block_sizes(solver, problem) if isinstance(solver, BlockKrylov) else solver


def fit_block_sizes(solver: BlockKrylov, problem: Problem) -> BlockKrylov:
    """With its block and its span fitted to the table and the budget, where they were left open."""
    size = column_length(problem.shape)
    width = solver.width or block_width(problem)
    columns = solver.max_columns
    if columns is None:
        fits = problem.budget_bytes // (8 * size) - SPARE_BLOCKS * width
        columns = max(min(fits, columns_kept(problem, width)), 1)
    return replace(solver, width=width, max_columns=columns)


def estimate_passes(solver: Solver, problem: Problem) -> int:
    """About how many passes it will make, for whoever waits."""
    few = {"covariance": 1, "dual": 3, "svd": 2}
    return few.get(solver.name, expected_passes(problem.accuracy) + 2)


def seconds_in_words(value: float) -> str:
    number, unit = (value * 1e3, "ms") if value < 1 else (value, "s")
    return f"{float(f'{number:.2g}'):g} {unit}"  # two digits, and never 1.2e+02
