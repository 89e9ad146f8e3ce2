"""Measurements with structure: problems on which counting measurements is not enough.

blocks        few rows see half of the columns, the others the rest
mixed blocks  the same after a rotation of the rows: no zeros are seen
half row      one row alone sees half of the columns
equal         pairs of equal columns
sum           a column is the sum of two others, which are measured
dependent     a column is a combination of three to five others, which are measured
repeated      rows are repeated
low rank      rows are combinations of fewer rows
low pass      the lowest frequencies
smooth        Gaussian bumps
zeros, ones   few ones per row
random        normal numbers
"""

from __future__ import annotations

import numpy as np

__all__ = ["KINDS", "structured_problem"]

KINDS = (
    "blocks",
    "mixed blocks",
    "half row",
    "equal",
    "sum",
    "dependent",
    "repeated",
    "low rank",
    "low pass",
    "smooth",
    "zeros, ones",
    "random",
)
Rng = np.random.Generator


def structured_problem(kind: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The matrix and the signal that is measured."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    count = int(rng.choice([60, 100, 160]))
    m = int(rng.integers(count // 4, count // 2))
    matrix = rng.standard_normal((m, count))
    signal = np.zeros(count)
    places = rng.permutation(count)[: int(rng.integers(1, max(2, m // 5)))]
    if kind in ("blocks", "mixed blocks", "half row"):
        matrix, places = blocks(matrix, kind, places, rng)
    elif kind == "equal":
        pairs = rng.permutation(count)[: 2 * int(rng.integers(1, count // 4))].reshape(2, -1)
        matrix[:, pairs[0]] = matrix[:, pairs[1]]
        places = np.union1d(places, pairs[:, 0])
    elif kind in ("sum", "dependent"):
        return combined(matrix, places, 2 if kind == "sum" else int(rng.integers(3, 6)), rng)
    elif kind == "repeated":
        kept = int(rng.integers(2, m // 2 + 1))
        matrix = matrix[np.arange(m) % kept]
    elif kind == "low rank":
        kept = int(rng.integers(2, m))
        matrix = rng.standard_normal((m, kept)) @ matrix[:kept]
    else:
        matrix = smooth_or_sparse(matrix, kind, rng)
    signal[places] = values(len(places), rng)
    return matrix, signal


def values(count: int, rng: Rng) -> np.ndarray:
    """Signs, small whole numbers or normal numbers: some cancel, some do not."""
    law = rng.integers(3)
    if law == 0:
        return rng.choice([-1.0, 1.0], count)
    return rng.standard_normal(count) if law == 1 else rng.choice([1.0, 2.0, -1.0, 0.5], count)


def blocks(
    matrix: np.ndarray, kind: str, places: np.ndarray, rng: Rng
) -> tuple[np.ndarray, np.ndarray]:
    m, count = matrix.shape
    few, half = 1 if kind == "half row" else int(rng.integers(1, 8)), count // 2
    matrix[: m - few, half:] = 0
    matrix[m - few :, :half] = 0
    if kind == "mixed blocks":
        matrix = np.linalg.qr(rng.standard_normal((m, m)))[0] @ matrix
    if rng.random() < 0.5:
        places = half + rng.permutation(count - half)[: len(places)]
    return matrix, places


def combined(
    matrix: np.ndarray, places: np.ndarray, terms: int, rng: Rng
) -> tuple[np.ndarray, np.ndarray]:
    """A signal that the column made of `terms` others gives as well, all by itself."""
    signal = np.zeros(matrix.shape[1])
    whole, *parts = rng.permutation(len(signal))[: terms + 1]
    weights = np.ones(terms) if terms == 2 else values(terms, rng)
    matrix[:, whole] = matrix[:, parts] @ weights
    if rng.random() < 0.5:
        signal[places] = values(len(places), rng)
    signal[parts] = weights
    return matrix, signal


def smooth_or_sparse(matrix: np.ndarray, kind: str, rng: Rng) -> np.ndarray:
    from scipy.fft import dct

    m, count = matrix.shape
    if kind == "low pass":
        return np.asarray(dct(np.eye(count), norm="ortho", axis=0)[:m])
    if kind == "smooth":
        width = float(rng.choice([0.02, 0.05, 0.2]))
        apart = np.linspace(0, 1, m)[:, None] - np.linspace(0, 1, count)
        return np.asarray(np.exp(-((apart / width) ** 2)))
    if kind == "zeros, ones":
        return (rng.random((m, count)) < rng.choice([0.05, 0.1, 0.3])).astype(float)
    return matrix
