"""explain: what the choice of a solver would be for given data, and why, without fitting."""

from __future__ import annotations

from numbers import Integral

from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.solvers.choose import choose_solver, seconds_in_words
from eigenlens.solvers.cost import estimates, problem_of
from eigenlens.sources.open import open_source
from eigenlens.table.budget import budget_bytes

__all__ = ["explain"]


def explain(data: object, k: int = 10, *, tolerance: float = 1e-6, memory: object = None) -> str:
    """The decision table for `data`, with times predicted for one core, and memory.

    >>> import numpy as np
    >>> print(explain(np.zeros((1000, 20)), 5).splitlines()[0])
    1000 x 20, 5 components, relative error 1e-06
    """
    source = open_source(data)
    if isinstance(k, bool) or not isinstance(k, Integral):
        # How many components a rule takes is known after a fit only.
        raise OptionError.needs(
            SetOption("k", k), "a whole number here", Phrase("pass {}", SetOption("k", 10))
        )
    if k < 1:
        raise RankError.not_positive(k)
    if k > min(source.shape):
        raise RankError.too_large(k, source.shape, centered=False)
    problem = problem_of(source, k, tolerance, budget_bytes(memory))
    _, verdict = choose_solver(problem)
    n, d = source.shape
    lines = [f"{n} x {d}, {k} components, relative error {tolerance:g}"]
    for row in sorted(estimates(problem), key=lambda row: row.seconds):
        fits = "" if row.memory_bytes <= problem.budget_bytes else "  does not fit the budget"
        chosen = "  <- chosen" if row.name == verdict.value else ""
        memory_text = f"{row.memory_bytes / 1e6:9.1f} MB"
        lines.append(
            f"  {row.name:<12}{seconds_in_words(row.seconds):>10}{memory_text}{fits}{chosen}"
        )
    return "\n".join([*lines, f"{verdict.rule}: {verdict.reason}"])
