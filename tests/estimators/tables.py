"""Small tables for the estimators, and the names of all solvers."""

import numpy as np

SKLEARN_SOLVERS = ["full", "covariance_eigh", "arpack", "randomized"]
OUR_SOLVERS = ["svd", "covariance", "dual", "lanczos", "krylov", "power", "orthogonal"]
SOLVERS = ["auto", *SKLEARN_SOLVERS, *OUR_SOLVERS]


def table(n=80, d=6, *, signal=3, offset=2.0, seed=0, dtype=np.float64):
    """`signal` strong directions along no axis, the others noise, around a mean that is not 0."""
    rng = np.random.default_rng(seed)
    rotation, _ = np.linalg.qr(rng.standard_normal((d, d)))
    deviations = np.append(np.arange(signal, 0, -1) * 3.0, np.full(d - signal, 0.5))
    rows = rng.standard_normal((n, d)) * deviations @ rotation.T + offset
    return rows.astype(dtype)
