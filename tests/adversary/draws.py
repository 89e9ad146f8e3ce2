"""What kinds of attacks draw: shapes, tables of a given spectrum, solvers, options."""

import numpy as np

from eigenlens.solvers import (
    BlockKrylov,
    Covariance,
    Dual,
    Lanczos,
    OrthogonalIteration,
    PowerIteration,
    Randomized,
)
from tests.problems import Problem

SOLVERS = (
    "auto",
    "covariance",
    Covariance(all_below=3),
    "svd",
    "dual",
    Dual(all_below=3),
    "krylov",
    BlockKrylov(width=1, max_columns=5),
    OrthogonalIteration(max_passes=40),
    OrthogonalIteration(max_passes=40, extra=1),
    "randomized",
    "lanczos",
    PowerIteration(max_passes=40),
)
STOPPED = (
    BlockKrylov(max_passes=1),
    BlockKrylov(width=1, max_passes=2),
    OrthogonalIteration(max_passes=1),
    OrthogonalIteration(max_passes=2, extra=0),
    Randomized(power_passes=1, max_passes=1, oversamples=1),
    PowerIteration(max_passes=1),
    Lanczos(max_passes=2),
)


def pick(rng, several):
    return several[int(rng.integers(len(several)))]


def shape(rng, most_rows=40, most_columns=8):
    """Tall, square or wide, two rows and one column at the least."""
    return int(rng.integers(2, most_rows + 1)), int(rng.integers(1, most_columns + 1))


def table(rng, n, d):
    """Correlated normal columns: a mixture, so that no axis is an eigenvector."""
    mixed = rng.standard_normal((n, d)) @ rng.standard_normal((d, d))
    return mixed if rng.random() < 0.5 else rng.standard_normal((n, d))


def with_spectrum(rng, n, values):
    """Rows whose sample covariance has these eigenvalues, up to rounding; n > len(values)."""
    d = len(values)
    left = rng.standard_normal((n, d))
    left = np.linalg.qr(left - left.mean(axis=0))[0]
    right = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return left * np.sqrt((n - 1) * np.asarray(values)) @ right.T


def options(rng, stopped=0.25):
    """A solver, stopped early sometimes, and an accuracy."""
    solver = pick(rng, STOPPED if rng.random() < stopped else SOLVERS)
    return {
        "solver": solver,
        "tolerance": pick(rng, (None, None, 1e-2, 1e-6, 1e-12)),
        "seed": int(rng.integers(3)),
    }


def preparation(rng, d, std=0.3, given=0.3, raw=0.3):
    """center and scale; given scales reach over ten orders."""
    roll = rng.random()
    scale = None
    if roll < std:
        scale = "std"
    elif roll < std + given:
        scale = 10 ** rng.uniform(-5, 5, d)
    return {"center": bool(rng.random() >= raw), "scale": scale}


def rank(rng, problem):
    return int(rng.integers(1, problem.max_rank + 1))


def problem(rng, rows, **prepared):
    return Problem(rows, **prepared)
