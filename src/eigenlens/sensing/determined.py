"""Judging: can these measurements settle so many coefficients?

The Donoho-Tanner curve counts measurements that all differ and see every coefficient. Where they
do not, it counts too many; one product with a random vector each shows that:

    repeated   rows of B that are another's, or 0, tell nothing new: equal entries of B g
    unseen     columns of B that are 0 leave their coefficients open: zeros in B'h
    accident   columns that match B g exactly too match whatever is measured: no evidence
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.document.verdict import Verdict
from eigenlens.sensing.problem import SparseProblem
from eigenlens.sensing.transition import donoho_tanner, measurements_needed

__all__ = ["Standing", "is_exact", "judge_determined", "least_squares", "misfit_of", "standing_of"]

TINY = 1e-15
EXACT = 1e-8
ZERO_SHARE = 1e-10  # of the largest coefficient: rounding of the fit
MOST_STEPS = 1000
ALIKE = 1e-13  # of the largest: rounding of a product


@dataclass(frozen=True)
class Standing:
    """What a problem has to offer, whatever the numbers were."""

    different: int  # measurements
    unseen: int  # coefficients
    limit: int  # how many coefficients the curve lets so many measurements settle


def standing_of(problem: SparseProblem, rng: np.random.Generator) -> Standing:
    m, count = problem.shape
    different = count_different(problem.forward(rng.standard_normal(count)))
    limit = count if different >= count else 0
    if different < count:
        limit = int(different * float(donoho_tanner(different / count)))
    return Standing(different, count_unseen(problem, rng.standard_normal(m)), limit)


def count_different(image: Float64Array) -> int:
    sizes = np.sort(np.abs(image))
    return int((np.diff(sizes, prepend=0.0) > ALIKE * sizes.max(initial=0.0)).sum())


def count_unseen(problem: SparseProblem, numbers: Float64Array) -> int:
    """A coefficient that is expected to be 0 is not open, if it is not seen."""
    seen = np.abs(problem.adjoint(numbers))
    largest = float(seen.max(initial=0.0))
    if largest == 0:
        return problem.shape[1]
    return int((seen < ALIKE * largest * problem.units / problem.units.max()).sum())


def judge_determined(
    problem: SparseProblem,
    coefficients: Float64Array,
    misfit: float,
    standing: Standing,
    rng: np.random.Generator,
) -> Verdict:
    """Whether these measurements settle as many coefficients as were found."""
    (m, count), support = problem.shape, np.flatnonzero(coefficients)
    found, limit, different = len(support), standing.limit, standing.different
    needed = measurements_needed(count, found)
    evidence = {
        "coefficients": found,
        "limit": limit,
        "measurements": m,
        "different": different,
        "unseen": standing.unseen,
        "needed": needed,
    }
    if standing.unseen:
        reason = (
            f"no measurement sees {standing.unseen} of {count} coefficients, which may be "
            f"anything; measure more, or of another kind"
        )
        return Verdict("doubtful", "unseen", reason, evidence)
    if found < min(different, count) and is_exact(misfit, problem):
        if not matches_anything(problem, support, rng):
            reason = (
                f"{found} coefficients match all {m} measurements exactly, which is no accident"
            )
            return Verdict("determined", "exact match", reason, evidence)
        limit = min(limit, found - 1)
    words = f"{found} of {count} coefficients are not zero"
    told = f"{m} measurements" if different == m else f"{different} different measurements of {m}"
    if found <= limit:
        reason = f"{words}, and {told} settle up to {limit}"
        return Verdict("determined", "donoho_tanner", reason, evidence)
    reason = (
        f"{words}, but {told} settle {limit} only, and what is beyond is a guess; {needed} would do"
    )
    return Verdict("doubtful", "donoho_tanner", reason, evidence)


def is_exact(misfit: float, problem: SparseProblem) -> bool:
    return misfit <= EXACT * float(np.linalg.norm(problem.numbers))


def misfit_of(problem: SparseProblem, coefficients: Float64Array) -> float:
    return float(np.linalg.norm(problem.forward(coefficients) - problem.numbers))


def matches_anything(problem: SparseProblem, support: IntArray, rng: np.random.Generator) -> bool:
    """Whether the columns found give the numbers of any signal: B has no more directions."""
    if len(support) == 0:
        return False
    image = problem.forward(rng.standard_normal(problem.shape[1]))
    fitted = least_squares(problem, support, image, np.zeros(len(support)))
    left = float(np.linalg.norm(problem.forward(fitted) - image))
    return left <= EXACT * float(np.linalg.norm(image))


def least_squares(
    problem: SparseProblem, support: IntArray, numbers: Float64Array, start: Float64Array
) -> Float64Array:
    """The coefficients on this support that give the numbers best, among all of them."""
    from scipy.sparse.linalg import LinearOperator, lsmr

    m, count = problem.shape
    part = LinearOperator(
        (m, len(support)),
        matvec=lambda values: problem.forward(place_on_support(values.ravel(), support, count)),
        rmatvec=lambda left: problem.adjoint(left.ravel())[support],
        dtype=np.float64,
    )
    limits = {"atol": TINY, "btol": TINY, "conlim": 1e12, "maxiter": MOST_STEPS}
    values = lsmr(part, numbers, x0=start, **limits)[0]
    values[np.abs(values) <= ZERO_SHARE * np.abs(values).max()] = 0.0
    return place_on_support(values, support, count)


def place_on_support(values: Float64Array, support: IntArray, count: int) -> Float64Array:
    found = np.zeros(count)
    found[support] = values
    return found
