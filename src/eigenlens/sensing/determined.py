"""Judging: do these measurements allow one sparse signal only?

"determined" is said where all of the following hold, else "doubtful" with the rule that failed:

    unseen         every coefficient is seen by a measurement: no zeros in B'h for a random h
    donoho_tanner  the coefficients match the measurements exactly and are fewer than these, or
                   they are as few as the Donoho-Tanner curve allows for as many random ones.
                   Measurements that repeat another's, or are 0, are not counted: equal entries of
                   B g for a random g
    unexplained    the residual is small, and no column explains it better than chance would
    replaceable    no column outside the support lies in its span (`dependence.py`), and its own
                   columns are independent
    dependent      no small dependent set of columns was found: values that cancel cannot hide there

The curve holds for measurements in general position; the last two rules are what tells whether
these are. Nothing is claimed about signals with more coefficients than the curve allows: every
signal has such others with the same measurements.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.document.verdict import Verdict
from eigenlens.sensing.dependence import Dependence, find_dependence
from eigenlens.sensing.problem import SparseProblem
from eigenlens.sensing.transition import donoho_tanner, measurements_needed

__all__ = [
    "Standing",
    "is_exact",
    "judge_determined",
    "least_squares",
    "misfit_of",
    "standing_of",
]

TINY = 1e-15
EXACT = 1e-8
ZERO_SHARE = 1e-10  # of the largest coefficient: rounding of the fit
MOST_STEPS = 1000
ALIKE = 1e-13  # of the largest: rounding of a product
# What is left of a column that counts as nothing, relative to its length: where the measurements
# are matched exactly, and where noise hides as much.
NEAR, NEAR_IN_NOISE = 1e-3, 0.1
LEAST_CONDITIONING = 1e-6
CHANCE = 0.1  # that noise alone gives a residual that some column explains
MOST_NOISE = 0.3  # of |y|
MARGIN = 2  # columns more are searched for than the claim needs


@dataclass(frozen=True)
class Standing:
    """What a problem has to offer, whatever the numbers were."""

    different: int  # measurements
    unseen: int  # coefficients
    limit: int  # how many coefficients the curve lets so many measurements determine


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
    """Whether another signal with few coefficients could have given these measurements."""
    (m, count), support = problem.shape, np.flatnonzero(coefficients)
    found, limit, different = len(support), standing.limit, standing.different
    exact = is_exact(misfit, problem)
    evidence: dict[str, Any] = {
        "coefficients": found,
        "limit": limit,
        "measurements": m,
        "different": different,
        "unseen": standing.unseen,
        "needed": measurements_needed(count, found),
        "exact": exact,
    }
    if standing.unseen:
        reason = (
            f"no measurement sees {standing.unseen} of {count} coefficients, which may be "
            f"anything; measure more, or of another kind"
        )
        return Verdict("doubtful", "unseen", reason, evidence)
    if found > (max(limit, different - 1) if exact else limit):
        counted = f"{m} measurements"
        if different < m:
            counted = f"{different} different measurements of {m}"
        reason = (
            f"{found} of {count} coefficients are not zero, but {counted} determine {limit} only; "
            f"{evidence['needed']} measurements would do"
        )
        return Verdict("doubtful", "donoho_tanner", reason, evidence)
    if not exact and leaves_a_column(problem, support):
        reason = (
            f"{found} coefficients leave a residual that is large, or that further columns explain "
            f"better than chance would; allow more coefficients or a smaller penalty"
        )
        return Verdict("doubtful", "unexplained", reason, evidence)
    near = NEAR if exact else NEAR_IN_NOISE
    # Signals with as many coefficients as found, and as the curve allows, differ by no more.
    largest = min(different // 2 + 1, found + limit + MARGIN)
    dependence = find_dependence(problem, support, largest, near, rng)
    return judge_dependence(dependence, evidence)


def judge_dependence(dependence: Dependence | None, evidence: dict[str, Any]) -> Verdict:
    found, m = evidence["coefficients"], evidence["measurements"]
    if dependence is None:
        reason = f"{found} coefficients match, but they are too many to show that no others do"
        return Verdict("doubtful", "unchecked", reason, evidence)
    evidence |= {
        "replaceable": dependence.replaceable,
        "smallest_circuit": dependence.smallest_circuit,
        "columns_searched": dependence.columns_searched,
        "circuits_up_to": dependence.largest_searched,
        "conditioning": dependence.conditioning,
    }
    if dependence.replaceable or dependence.conditioning < LEAST_CONDITIONING:
        what = f"{dependence.replaceable} other coefficients could stand in for them"
        if not dependence.replaceable:
            what = "their columns are nearly dependent, so their values are not known"
        reason = f"{found} coefficients match the measurements, but {what}; measure differently"
        return Verdict("doubtful", "replaceable", reason, evidence)
    if dependence.smallest_circuit is not None:
        reason = (
            f"{found} coefficients match the measurements, but uniqueness is not shown: "
            f"{dependence.smallest_circuit} columns of the measurements depend on each other, so "
            f"other signals with few coefficients give the same numbers"
        )
        return Verdict("doubtful", "dependent", reason, evidence)
    if evidence["exact"]:
        reason = (
            f"{found} coefficients match all {m} measurements exactly, no other coefficient could "
            f"stand in for one of them, and no small dependent set of columns was found"
        )
        return Verdict("determined", "exact match", reason, evidence)
    reason = (
        f"{found} coefficients are not zero, {evidence['different']} different measurements "
        f"determine up to {evidence['limit']}, and no small dependent set of columns was found"
    )
    return Verdict("determined", "donoho_tanner", reason, evidence)


def is_exact(misfit: float, problem: SparseProblem) -> bool:
    return misfit <= EXACT * float(np.linalg.norm(problem.numbers))


def misfit_of(problem: SparseProblem, coefficients: Float64Array) -> float:
    return float(np.linalg.norm(problem.forward(coefficients) - problem.numbers))


def leaves_a_column(problem: SparseProblem, support: IntArray) -> bool:
    """Whether the residual of a least-squares fit is large, or a column explains part of it.

    The product of white noise with a column at unit length is normal, with |residual|^2 / (m - s)
    as its variance; the largest of N exceeds the bound with probability CHANCE at most.
    """
    m, count = problem.shape
    residual = problem.numbers
    if len(support):
        fitted = least_squares(problem, support, problem.numbers, np.zeros(len(support)))
        residual = problem.numbers - problem.forward(fitted)
    if np.linalg.norm(residual) > MOST_NOISE * np.linalg.norm(problem.numbers):
        return True
    size = float(np.linalg.norm(residual)) / max(1, m - len(support)) ** 0.5
    rng = np.random.default_rng(0)
    images = np.stack([problem.adjoint(rng.standard_normal(m)) for _ in range(32)])
    lengths = np.sqrt(np.square(images).mean(axis=0))
    match = np.abs(problem.adjoint(residual)) / np.maximum(lengths, 1e-300)
    return bool(match.max() > np.sqrt(2 * np.log(2 * count / CHANCE)) * size)


def least_squares(
    problem: SparseProblem, support: IntArray, numbers: Float64Array, start: Float64Array
) -> Float64Array:
    """The coefficients on this support that give the numbers best, among all of them."""
    from scipy.sparse.linalg import LinearOperator, lsmr

    m, count = problem.shape
    part = LinearOperator(
        (m, len(support)),
        matvec=lambda values: problem.forward(place_values(values.ravel(), support, count)),
        rmatvec=lambda left: problem.adjoint(left.ravel())[support],
        dtype=np.float64,
    )
    limits = {"atol": TINY, "btol": TINY, "conlim": 1e12, "maxiter": MOST_STEPS}
    values = lsmr(part, numbers, x0=start, **limits)[0]
    values[np.abs(values) <= ZERO_SHARE * np.abs(values).max()] = 0.0
    return place_values(values, support, count)


def place_values(values: Float64Array, support: IntArray, count: int) -> Float64Array:
    found = np.zeros(count)
    found[support] = values
    return found
