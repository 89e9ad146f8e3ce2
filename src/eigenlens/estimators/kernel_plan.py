"""The plan of a kernel fit: scikit-learn's parameters, checked, as `fit_kernel` takes them.

| eigen_solver  | solver                                                              |
|---------------|---------------------------------------------------------------------|
| "auto"        | all eigenvectors of small matrices, block Krylov on larger ones     |
| "dense"       | `Covariance(all_below=n)`: all eigenvectors                         |
| "arpack"      | `Lanczos(tolerance=tol)`; `tol=0`: the precision of the data        |
| "randomized"  | `Randomized(...)`: iterated_power + 1 passes; "auto" until proven   |
| a solver      | the same, if it can do with the matrix                              |
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.estimators.parameters import (
    BOOL,
    Constraints,
    is_among,
    is_int_from,
    is_random_state,
    is_solver,
)
from eigenlens.estimators.plan import randomized_solver, read_seed
from eigenlens.kernel.catalogue import KERNELS
from eigenlens.kernel.fit import KERNEL_METHODS
from eigenlens.kernel.pivots import PIVOT_RULES
from eigenlens.kernel.preimage import PREIMAGES
from eigenlens.kernel.protocol import Kernel
from eigenlens.solvers.covariance import Covariance
from eigenlens.solvers.lanczos import Lanczos

__all__ = ["KERNEL_PCA", "options_from_parameters"]

SKLEARN_KERNEL_SOLVERS = ("auto", "dense", "arpack", "randomized")
EIGENLENS_SOLVERS = ("covariance", "krylov", "lanczos", "power", "orthogonal")
OVERSAMPLES = 10
LANCZOS_VECTORS = 20


def is_one_of(names: tuple[str, ...]) -> tuple[Any, str]:
    return (lambda value: isinstance(value, str) and value in names), is_among(names)


def is_number_from(low: float, closed: bool) -> Any:
    def satisfied(value: Any) -> bool:
        if not isinstance(value, Real) or isinstance(value, bool):
            return False
        number = float(value)
        return (low <= number if closed else low < number) and number < np.inf

    return satisfied


def is_components(value: Any) -> bool:
    fraction = isinstance(value, Real) and not isinstance(value, Integral) and 0 < float(value) < 1
    return value is None or fraction or is_int_from(1)(value)


def is_kernel(value: Any) -> bool:
    named = isinstance(value, str) and value in KERNELS
    return named or callable(value) or isinstance(value, Kernel)


def is_count_or(value: Any, words: tuple[Any, ...], least: int) -> bool:
    return (value is None and None in words) or value in words or is_int_from(least)(value)


KERNEL_PCA: Constraints = {
    "n_components": (
        is_components,
        "an int in the range [1, inf), a float in the range (0.0, 1.0) or None",
    ),
    "kernel": (
        is_kernel,
        f"{is_among(tuple(KERNELS))}, a callable or an object of eigenlens.kernel",
    ),
    "gamma": (
        lambda value: value is None or isinstance(value, str) or is_number_from(0, False)(value),
        "a float in the range (0.0, inf), a str among {'median', 'knn'} or None",
    ),
    "degree": (is_number_from(0, True), "a float in the range [0.0, inf)"),
    "coef0": (is_number_from(-np.inf, False), "a float in the range (-inf, inf)"),
    "kernel_params": (
        lambda value: value is None or isinstance(value, dict),
        "an instance of 'dict' or None",
    ),
    "alpha": (
        lambda value: value is None or is_number_from(0, True)(value),
        "a float in the range [0.0, inf) or None",
    ),
    "fit_inverse_transform": BOOL,
    "eigen_solver": (
        lambda value: (
            value in SKLEARN_KERNEL_SOLVERS + EIGENLENS_SOLVERS
            if isinstance(value, str)
            else is_solver(value)
        ),
        f"{is_among(SKLEARN_KERNEL_SOLVERS + EIGENLENS_SOLVERS)} or an object of eigenlens.solvers",
    ),
    "tol": (is_number_from(0, True), "a float in the range [0.0, inf)"),
    "max_iter": (
        lambda value: is_count_or(value, (None,), 1),
        "an int in the range [1, inf) or None",
    ),
    "iterated_power": (
        lambda value: value == "auto" if isinstance(value, str) else is_int_from(0)(value),
        "an int in the range [0, inf) or a str among {'auto'}",
    ),
    "remove_zero_eig": BOOL,
    "random_state": (
        is_random_state,
        "an int in the range [0, 4294967295], an instance of 'numpy.random.mtrand.RandomState' "
        "or None",
    ),
    "copy_X": BOOL,
    "n_jobs": (
        lambda value: value is None or (isinstance(value, Integral) and value != 0),
        "None or an instance of 'int' other than 0",
    ),
    "method": is_one_of(KERNEL_METHODS),
    "landmarks": is_one_of(tuple(PIVOT_RULES)),
    "preimage": is_one_of(PREIMAGES),
}


def options_from_parameters(
    estimator: Any, shape: tuple[int, int], dtype: np.dtype[Any]
) -> dict[str, Any]:
    """What `fit_kernel` is to be called with."""
    asked, n = estimator.n_components, shape[0]
    if isinstance(asked, Integral):
        asked = min(int(asked), n)
    return {
        "k": asked,
        "kernel": estimator.kernel,
        "gamma": estimator.gamma,
        "degree": estimator.degree,
        "coef0": estimator.coef0,
        "kernel_params": estimator.kernel_params,
        "method": estimator.method,
        "n_landmarks": estimator.n_landmarks,
        "landmarks": estimator.landmarks,
        "tolerance": estimator.tolerance,
        "solver": solver_from(estimator, shape, float(np.finfo(dtype).eps)),
        "keep_zeros": not estimator.remove_zero_eig,
        "preimage": estimator.preimage if estimator.fit_inverse_transform else None,
        "penalty": estimator.alpha,
        "memory": estimator.memory,
        "seed": read_seed(estimator),
        "threads": threads_of(estimator.n_jobs),
    }


def solver_from(estimator: Any, shape: tuple[int, int], eps: float) -> Any:
    """None: what `fit_kernel` takes by itself."""
    name, n = estimator.eigen_solver, shape[0]
    if name == "auto":
        return None
    if name in ("dense", "covariance"):
        return Covariance(all_below=n)
    if name in ("arpack", "lanczos"):
        vectors = max(2 * (resolve_components(estimator, n)) + 1, LANCZOS_VECTORS)
        passes = {} if estimator.max_iter is None else {"max_passes": estimator.max_iter * vectors}
        return Lanczos(tolerance=max(float(estimator.tol), eps, EPS), **passes)
    if name == "randomized":
        return randomized_solver(
            estimator.iterated_power, OVERSAMPLES, resolve_components(estimator, n), (n, n)
        )
    if isinstance(name, str):
        from eigenlens.solvers.catalogue import get_solver

        return get_solver(name)
    return name


def resolve_components(estimator: Any, n: int) -> int:
    asked = estimator.n_components
    return min(int(asked), n) if isinstance(asked, Integral) else n


def threads_of(n_jobs: int | None) -> int | None:
    """-1 is one per processor, as is None."""
    return None if n_jobs is None or n_jobs < 0 else int(n_jobs)
