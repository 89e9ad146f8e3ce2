"""Rows with and without something to gain."""

import numpy as np


def lecture_curve(n=90, seed=0):
    """(t, t^2, t + t^2): rank 2, dimension 1."""
    t = np.random.default_rng(seed).uniform(-1, 1, n)
    return np.column_stack([t, t**2, t + t**2])


def flat_gaussian(seed, n=200, d=8):
    """Normal rows whose deviations fall as 1, 1/2, 1/3, ..."""
    rng = np.random.default_rng([3, seed])
    turn = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return (rng.standard_normal((n, d)) / np.arange(1, d + 1)) @ turn + 10


def reconstructed(coder, rows):
    return coder.inverse_transform(coder.transform(rows))
