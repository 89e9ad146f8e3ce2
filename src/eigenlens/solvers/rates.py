"""Rates: how fast one core of an ordinary processor does what solvers are made of, a fixed table.

Nothing is measured when a fit runs: the same problem gets the same solver on every machine and
under every load, so that the same seed gives the same bits. Only ratios matter for the choice, and
these differ little from machine to machine; measured with OpenBLAS on one core of a Xeon.

| work                          | counted as | rate, float64            | float32     |
|-------------------------------|------------|--------------------------|-------------|
| Gram matrix, d columns        | n d^2      | 48e9 d / (d + 40)        | 2 times     |
| products with some vectors    | 4 n d l    | 30e9                     | 2.1 times   |
| triangle (QR), d columns      | n d^2      | 20e9 d / (d + 350)       | the same    |
| all eigenvectors, size p      | p^3        | 8e9 p / (p + 400)        | -           |
| Cholesky factor, size p       | p^3 / 3    | 25e9 p / (p + 300)       | -           |
| reading memory                | bytes      | 8e9                      | -           |
"""

from __future__ import annotations

__all__ = [
    "READ_RATE",
    "cholesky_seconds",
    "eigen_seconds",
    "gram_seconds",
    "thin_seconds",
    "triangle_seconds",
]

GRAM_RATE, GRAM_HALF = 48e9, 40
THIN_RATE = 30e9
TRIANGLE_RATE, TRIANGLE_HALF = 20e9, 350
EIGEN_RATE, EIGEN_HALF = 8e9, 400
CHOLESKY_RATE, CHOLESKY_HALF = 25e9, 300
GRAM_GAIN, THIN_GAIN = 2.0, 2.1  # of float32 products
READ_RATE = 8e9


def gram_seconds(rows: float, columns: int, single: bool) -> float:
    """The Gram matrix of so many columns: half of the product, by symmetry."""
    gain = GRAM_GAIN if single else 1.0
    return rows * columns * (columns + GRAM_HALF) / (GRAM_RATE * gain)


def thin_seconds(entries: float, vectors: int, single: bool) -> float:
    """B'(BV): every entry is used twice for every vector."""
    return 4 * entries * vectors / (THIN_RATE * (THIN_GAIN if single else 1.0))


def triangle_seconds(rows: float, columns: int) -> float:
    return rows * columns * (columns + TRIANGLE_HALF) / TRIANGLE_RATE


def eigen_seconds(size: int) -> float:
    """All eigenvectors."""
    return size**2 * (size + EIGEN_HALF) / EIGEN_RATE


def cholesky_seconds(size: int) -> float:
    return size**2 * (size + CHOLESKY_HALF) / (3 * CHOLESKY_RATE)
