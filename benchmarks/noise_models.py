"""Nine kinds of noise with a known number of components in them.

    X = U diag(s) V' + E,   s = strengths * (n d)^(1/4),   E of variance 1 on average

U and V are random and orthonormal, U also centered. Strength 1 is the detection limit of white
noise: below it no method finds anything.

| name        | noise                                                  | strengths        |
|-------------|--------------------------------------------------------|------------------|
| strong      | white                                                  | 6 ... 3          |
| weak        | white; only some components are worth their noise      | 3, 2, 1.6, 1.2, 1|
| columns     | variances from 1 to 16 among the columns               | 8 ... 4.5        |
| rows        | variances from 1 to 256 among the rows                 | 8 ... 4.5        |
| serial      | every column an autoregression, 0.9 of the row before  | 14 ... 8         |
| heavy       | Student's t with 3 degrees of freedom                  | 9 ... 5.5        |
| noise       | white, nothing in it                                   | none             |
| wide        | white, 100 rows and 1000 columns                       | 6 ... 3          |
| shadow      | white, 300 columns, one giant                          | 60, 6, 5         |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eigenlens.rank.spectrum import Spectrum

__all__ = ["MODELS", "Draw", "NoiseModel", "drawn", "spectrum_of", "truncation_errors", "white"]

Noise = Callable[[tuple[int, int], np.random.Generator], np.ndarray]


@dataclass(frozen=True)
class NoiseModel:
    name: str
    shape: tuple[int, int]
    strengths: tuple[float, ...]
    noise: Noise

    @property
    def rank(self) -> int:
        return len(self.strengths)


@dataclass(frozen=True, eq=False)
class Draw:
    """`rows` as a user has them, and the `signal` that is in them, centered."""

    rows: np.ndarray
    signal: np.ndarray


def white(shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    return rng.standard_normal(shape)


def unequal(count: int, spread: float, rng: np.random.Generator) -> np.ndarray:
    """Standard deviations, of variances even on the logarithmic scale from 1 to `spread`."""
    variances = rng.permutation(np.geomspace(1, spread, count))
    return np.sqrt(variances / variances.mean())


def by_column(shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    return rng.standard_normal(shape) * unequal(shape[1], 16, rng)


def by_row(shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    return rng.standard_normal(shape) * unequal(shape[0], 256, rng)[:, None]


def serial(shape: tuple[int, int], rng: np.random.Generator, memory: float = 0.9) -> np.ndarray:
    rows = rng.standard_normal(shape)
    rows[1:] *= np.sqrt(1 - memory**2)
    for index in range(1, shape[0]):
        rows[index] += memory * rows[index - 1]
    return rows


def heavy(shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    return rng.standard_t(3, shape) / np.sqrt(3)


def even(first: float, last: float) -> tuple[float, ...]:
    return tuple(float(one) for one in np.linspace(first, last, 5))


MODELS = (
    NoiseModel("strong", (500, 100), even(6, 3), white),
    NoiseModel("weak", (500, 100), (3.0, 2.0, 1.6, 1.2, 1.0), white),
    NoiseModel("columns", (500, 100), even(8, 4.5), by_column),
    NoiseModel("rows", (500, 100), even(8, 4.5), by_row),
    NoiseModel("serial", (500, 100), even(14, 8), serial),
    NoiseModel("heavy", (500, 100), even(9, 5.5), heavy),
    NoiseModel("noise", (500, 100), (), white),
    NoiseModel("wide", (100, 1000), even(6, 3), white),
    NoiseModel("shadow", (500, 300), (60.0, 6.0, 5.0), white),
)


def drawn(model: NoiseModel, rng: np.random.Generator) -> Draw:
    n, d = model.shape
    scores = rng.standard_normal((n, model.rank))
    left = np.linalg.qr(scores - scores.mean(axis=0))[0]
    right = np.linalg.qr(rng.standard_normal((d, model.rank)))[0]
    signal = left * (np.array(model.strengths) * (n * d) ** 0.25) @ right.T
    return Draw(signal + model.noise(model.shape, rng), signal)


def spectrum_of(rows: np.ndarray, listed: int | None = None) -> Spectrum:
    """All that rules may know of centered rows, or only the `listed` largest eigenvalues."""
    n, d = rows.shape
    centered = rows - rows.mean(axis=0)
    gram = centered.T @ centered if d < n else centered @ centered.T
    most = min(n - 1, d)
    values = np.maximum(np.linalg.eigvalsh(gram)[::-1][:most] / (n - 1), 0.0)
    variances = np.square(centered).sum(axis=0) / (n - 1)
    total = float(variances.sum())
    return Spectrum(values[:listed], total, most, n, d, variances=variances, rounding=1e-12)


def truncation_errors(draw: Draw) -> np.ndarray:
    """|X_k - S|^2 for k = 0, 1, ...: what each number of components would cost."""
    centered = draw.rows - draw.rows.mean(axis=0)
    left, sizes, right = np.linalg.svd(centered, full_matrices=False)
    agreement = np.einsum("ik,ik->k", left, draw.signal @ right.T)
    steps = np.square(sizes) - 2 * sizes * agreement
    return float(np.square(draw.signal).sum()) + np.append(0.0, np.cumsum(steps))
