"""Who takes part: eigenlens, and scikit-learn's PCA with each of its solvers.

A competitor fits rows and afterwards, outside the measured time, says what it found. Ours is timed
until its certificate has been read; scikit-learn's until `fit` returns.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.decomposition import PCA

import eigenlens

__all__ = ["OURS", "Answer", "Competitor", "competitors", "default_solver", "ours", "scikit_learn"]

OURS = "eigenlens"
# All eigenvectors of a 5000 x 5000 matrix, or an SVD of 20 000 x 2000, take half a minute each and
# are never the fastest; `full` takes part on small tables only.
MOST_COVARIANCE_COLUMNS = 2000
MOST_FULL_WORK = 4e9


@dataclass(frozen=True, eq=False)
class Answer:
    """What was found, and what it says about itself."""

    components: np.ndarray  # (k, d)
    eigenvalues: np.ndarray
    claims: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Competitor:
    name: str
    fit: Callable[[Any], Any]
    answer: Callable[[Any], Answer]
    is_default: bool = False  # scikit-learn's own choice when none is named

    @property
    def is_ours(self) -> bool:
        return self.name.startswith(OURS)


def competitors(rows: Any, rank: int, tolerance: float) -> list[Competitor]:
    """Ours, and every scikit-learn solver that can be expected to finish in good time."""
    is_sparse = not isinstance(rows, np.ndarray)
    n, d = rows.shape
    default = default_solver(rows.shape, rank, is_sparse)
    options: dict[str, dict[str, Any]] = {}
    if d <= MOST_COVARIANCE_COLUMNS:
        options["covariance_eigh"] = {}
    if not is_sparse:
        options["randomized"] = {}
        options["randomized, 15 iterations"] = {"iterated_power": 15}
        if n * d * min(n, d) <= MOST_FULL_WORK:
            options["full"] = {}
    options["arpack"] = {}
    peers = [
        scikit_learn(name.partition(",")[0], rank, name=name, is_default=name == default, **more)
        for name, more in options.items()
    ]
    return [ours(rank, tolerance), *peers]


def ours(rank: int, tolerance: float | None, name: str = OURS) -> Competitor:
    def fit(rows: Any) -> Any:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = eigenlens.fit(rows, rank, tolerance=tolerance)
            _ = model.certificate  # made when first read: its cost belongs to the fit
        met = not any(issubclass(one.category, eigenlens.NotCertified) for one in caught)
        return model, met

    return Competitor(name, fit, our_answer)


def our_answer(fitted: Any) -> Answer:
    model, met = fitted
    certificate = model.certificate
    claims = {
        "solver": str(model.choices["solver"].value),
        "passes": int(certificate.passes),
        "certificate": certificate.kind,
        "certified": met,
        "eigenvalue_bound": float(certificate.relative_error),
        "variance_bound": float(certificate.suboptimality),
    }
    return Answer(model.components, model.eigenvalues, claims)


def scikit_learn(
    solver: str, rank: int, name: str | None = None, is_default: bool = False, **options: Any
) -> Competitor:
    def fit(rows: Any) -> Any:
        return PCA(rank, svd_solver=solver, random_state=0, **options).fit(rows)

    def answer(fitted: Any) -> Answer:
        return Answer(fitted.components_, fitted.explained_variance_)

    return Competitor(name or solver, fit, answer, is_default)


def default_solver(shape: tuple[int, int], rank: int, is_sparse: bool) -> str:
    """What svd_solver="auto" means, as scikit-learn documents it since 1.5."""
    n, d = shape
    if is_sparse:
        return "arpack"
    if d <= 1000 and n >= 10 * d:
        return "covariance_eigh"
    if max(n, d) <= 500 or rank >= 0.8 * min(n, d):
        return "full"
    return "randomized"
