"""Sparse signals and measurements of them, drawn by seed."""

import numpy as np

import eigenlens as el


def sparse_signal(N, s, seed, law="signs"):
    """s entries of N are not zero: +1 or -1, or normal."""
    rng = np.random.default_rng([N, s, seed])
    x = np.zeros(N)
    places = rng.permutation(N)[:s]
    x[places] = rng.choice([-1.0, 1.0], s) if law == "signs" else rng.standard_normal(s)
    return x


def measured(N, m, s, seed, kind="gaussian", law="signs"):
    """(A, y, x)."""
    x = sparse_signal(N, s, seed, law)
    A = el.sensing.measurement(kind, m, N, seed=seed)
    return A, A @ x, x


def dense_problem(seed):
    """A small matrix, numbers with noise, and a penalty: everything drawn, also hard conditions."""
    rng = np.random.default_rng([7, seed])
    m, n = int(rng.integers(3, 30)), int(rng.integers(2, 40))
    B = rng.standard_normal((m, n)) * np.exp(rng.normal(0, rng.choice([0.0, 1.0]), n))
    if rng.random() < 0.3:  # columns that are nearly one another
        B[:, n // 2 :] = B[:, : n - n // 2] + 0.05 * B[:, n // 2 :]
    y = B @ sparse_signal(n, max(1, n // 5), seed) + 0.1 * rng.standard_normal(m)
    y *= 10.0 ** rng.integers(-6, 7)
    penalty = float(np.abs(B.T @ y).max() * 10 ** rng.uniform(-3, 0.1))
    return B, y, penalty
