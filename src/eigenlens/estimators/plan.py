"""The plan of a fit: scikit-learn's parameters in the words of `eigenlens.fit`.

| n_components      | k                            | components published                   |
|-------------------|------------------------------|----------------------------------------|
| int               | the same, at most n - 1      | as asked: one of variance 0 may follow |
| 0                 | 1                            | none                                   |
| float             | the next larger float        | as many as found (strictly more than)  |
| "mle"             | "minka"                      | as many as found                       |
| None              | min(n, d)                    | min(n, d), one less under "arpack"     |

| svd_solver        | solver                                                                  |
|-------------------|-------------------------------------------------------------------------|
| "full"            | `SVD()`                                                                 |
| "covariance_eigh" | `Covariance()`                                                          |
| "arpack"          | `Lanczos(tolerance=tol)`; `tol=0`: the precision of the data            |
| "randomized"      | `Randomized(...)`: iterated_power + 1 passes; "auto" until it is proven |
| anything else     | the same                                                                |
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from eigenlens.algebra.precision import EPS
from eigenlens.errors import RankError
from eigenlens.rank.minka import Minka
from eigenlens.rank.rule import Rule
from eigenlens.solvers.covariance import Covariance
from eigenlens.solvers.lanczos import Lanczos
from eigenlens.solvers.randomized import Randomized
from eigenlens.solvers.svd import SVD

__all__ = ["FitPlan", "plan_from_parameters"]


@dataclass(frozen=True)
class FitPlan:
    """`count` components are published; None: as many as the fit finds."""

    k: int | float | str | Rule
    count: int | None
    solver: Any
    seed: int


def plan_from_parameters(
    estimator: Any, shape: tuple[int, int], dtype: np.dtype[Any], samples: int | None = None
) -> FitPlan:
    """`samples`: how many the rows stand for, where weights say so."""
    counted = (shape[0] if samples is None else samples, shape[1])
    asked = resolve_n_components(estimator, counted)
    k: int | float | str | Rule = asked
    count = None
    if isinstance(asked, int):
        k, count = min(max(asked, 1), max(shape[0] - 1, 1)), asked
    elif isinstance(asked, float):
        # Strictly more than asked for, as in scikit-learn: the share is a sum of ratios, and one
        # that equals the threshold but for its last digits does not exceed it.
        k = min(asked + 8 * EPS, float(np.nextafter(1.0, 0.0)))
    elif asked == "mle":
        k = Minka(empty_is_noise=True)
    eps = float(np.finfo(dtype).eps)
    return FitPlan(
        k, count, solver_from_parameters(estimator, asked, shape, eps), read_seed(estimator)
    )


def resolve_n_components(estimator: Any, shape: tuple[int, int]) -> int | float | str:
    """`n_components`, with None resolved; what scikit-learn refuses by design is refused here."""
    asked, solver, most = estimator.n_components, estimator.svd_solver, min(shape)
    if asked is None:
        return most - 1 if solver == "arpack" and most > 1 else most
    if isinstance(asked, str):
        if asked == "mle" and shape[0] < shape[1]:
            raise RankError(
                "n_components='mle' is only supported if n_samples >= n_features", given=asked
            )
        return asked
    if not isinstance(asked, Integral):
        return float(asked)
    count = int(asked)
    least = 1 if solver in ("arpack", "randomized") else 0
    limit = (
        f"min(n_samples, n_features)={most} with svd_solver="
        f"{'full' if solver == 'auto' else solver!r} (n_samples={shape[0]}, n_features={shape[1]})"
    )
    if not least <= count <= most:
        raise RankError(f"n_components={count} must be between {least} and {limit}")
    if solver == "arpack" and count == most:
        raise RankError(f"n_components={count} must be strictly less than {limit}")
    return count


def solver_from_parameters(
    estimator: Any, asked: int | float | str, shape: tuple[int, int], eps: float
) -> Any:
    solver = estimator.svd_solver
    if solver == "full":
        return SVD()
    if solver == "covariance_eigh":
        return Covariance()
    if solver == "arpack":
        return Lanczos(tolerance=max(float(estimator.tol), eps))
    if solver == "randomized":
        return randomized_solver(estimator.iterated_power, estimator.n_oversamples, asked, shape)
    return solver


def randomized_solver(
    iterated_power: int | str, oversamples: int, asked: int | float | str, shape: tuple[int, int]
) -> Randomized:
    """One pass more than iterations: scikit-learn multiplies once more when it reads out."""
    if not isinstance(iterated_power, str):
        passes = int(iterated_power) + 1
        return Randomized(int(oversamples), passes, max_passes=passes)
    few = isinstance(asked, int) and asked < 0.1 * min(shape)
    return Randomized(int(oversamples), 8 if few else 5)


def read_seed(estimator: Any) -> int:
    """None is a seed like any other: the same data give the same answer."""
    state = estimator.random_state
    if state is None:
        return 0
    if isinstance(state, Integral):
        return int(state)
    return int(check_random_state(state).randint(np.iinfo(np.int32).max))
