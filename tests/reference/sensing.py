"""Slow, obvious twins of the room `sensing`: loops, dense matrices, grids."""

import math

import numpy as np


def donoho_tanner_by_grid(delta):
    """The curve from its definition: the largest value of a function of z, on a fine grid."""
    best = 0.0
    for z in np.linspace(0, 8, 80_001):
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        tail = math.erfc(z / math.sqrt(2)) / 2
        t = (1 + z * z) * tail - z * density
        below = 1 + z * z - 2 * t
        if below > 0:
            best = max(best, (1 - 2 / delta * t) / below)
    return best


def lasso_objective(B, y, c, penalty):
    residual = B @ c - y
    return 0.5 * float(residual @ residual) + penalty * float(np.abs(c).sum())


def lasso_by_coordinates(B, y, penalty, sweeps=2000):
    """Coordinate descent, one exact minimization after another, until nothing moves."""
    c = np.zeros(B.shape[1])
    squares = np.square(B).sum(axis=0)
    residual = y.copy()
    for _ in range(sweeps):
        moved = 0.0
        for j in range(len(c)):
            before = c[j]
            pull = B[:, j] @ residual + squares[j] * before
            c[j] = math.copysign(max(abs(pull) - penalty, 0.0), pull) / squares[j]
            if c[j] != before:
                residual -= (c[j] - before) * B[:, j]
                moved = max(moved, abs(c[j] - before))
        if moved <= 1e-15 * max(1.0, float(np.abs(c).max())):
            break
    return c


def haar_matrix(n):
    """Analysis by the Haar wavelet, all levels, row by row from its definition."""
    rows = [np.full(n, 1 / math.sqrt(n))]
    width = n
    while width > 1:
        for start in range(0, n, width):
            row = np.zeros(n)
            row[start : start + width // 2] = 1 / math.sqrt(width)
            row[start + width // 2 : start + width] = -1 / math.sqrt(width)
            rows.append(row)
        width //= 2
    return np.array(rows)


def cosine_matrix(n):
    """The orthonormal DCT-II from its formula."""
    k, j = np.arange(n)[:, None], np.arange(n)
    matrix = np.cos(np.pi * k * (2 * j + 1) / (2 * n)) * math.sqrt(2 / n)
    matrix[0] /= math.sqrt(2)
    return matrix
