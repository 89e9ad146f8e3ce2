"""Clouds and sheets of known dimension for the tests of geometry."""

import numpy as np


def plane(n, d, columns, seed, kind="normal"):
    """A flat d-dimensional cloud, turned into `columns` dimensions."""
    rng = np.random.default_rng(seed)
    inside = rng.standard_normal((n, d)) if kind == "normal" else rng.uniform(-1, 1, (n, d))
    turn, _ = np.linalg.qr(rng.standard_normal((columns, columns)))
    return inside @ turn[:d]


def lecture_curve(n, seed):
    """A curve in a plane of three-dimensional space: rank 2, dimension 1."""
    t = np.random.default_rng(seed).uniform(-1, 1, n)
    return np.column_stack([t, t**2, t + t**2])


def roll(n, seed, noise=0.0, columns=3):
    rng = np.random.default_rng(seed)
    t = 1.5 * np.pi * (1 + 2 * rng.uniform(size=n))
    rows = np.zeros((n, columns))
    rows[:, :3] = np.column_stack([t * np.cos(t), rng.uniform(0, 21, n), t * np.sin(t)])
    return rows + noise * rng.standard_normal(rows.shape)
