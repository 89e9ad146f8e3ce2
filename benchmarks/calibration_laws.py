"""Laws that the claims of `calibration.py` are tried on: kind, skewed, heavy-tailed, thin ones.

Every law draws a table from a generator; shapes are part of the law where they matter.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.flatness import SETS

__all__ = [
    "CURVED_LAWS",
    "DIMENSION_LAWS",
    "FLAT_LAWS",
    "LIMIT_TABLES",
    "NOISE_LAWS",
    "RESAMPLED_LAWS",
]

Rng = np.random.Generator
Law = Callable[[Rng], np.ndarray]
Shaped = Callable[[tuple[int, int], Rng], np.ndarray]


def ball(n: int, d: int, rng: Rng) -> np.ndarray:
    rows = rng.standard_normal((n, d))
    return rows / np.linalg.norm(rows, axis=1)[:, None] * rng.random((n, 1)) ** (1 / d)


FLAT_LAWS: dict[str, Law] = {
    "triangle": lambda rng: rng.dirichlet(np.ones(3), 400),
    "simplex, 7 parts": lambda rng: rng.dirichlet(np.ones(7), 400),
    "simplex, 12 parts": lambda rng: rng.dirichlet(np.ones(12), 400),
    "crowded simplex, 5 parts": lambda rng: rng.dirichlet(np.full(5, 0.5), 500),
    "uneven parts": lambda rng: rng.dirichlet([0.3, 1, 2, 5, 1], 400),
    "corner of a cube": lambda rng: rng.dirichlet(np.ones(7), 400)[:, :6],
    "exponential, 6": lambda rng: rng.exponential(size=(400, 6)),
    "lognormal, 3": lambda rng: rng.lognormal(size=(400, 3)),
    "mixed gammas": lambda rng: rng.gamma(0.5, size=(400, 4)) @ rng.standard_normal((4, 6)),
    "beta square": lambda rng: rng.beta(0.5, 0.5, (400, 2)),
    "ball, 5": lambda rng: ball(400, 5, rng),
    "normal, 6": lambda rng: rng.standard_normal((400, 6)),
    "unequal deviations": lambda rng: rng.standard_normal((400, 5)) * [1, 0.1, 0.1, 0.05, 0.01],
    "Student t3, 4": lambda rng: rng.standard_t(3, (400, 4)),
    "50 rows": lambda rng: rng.dirichlet(np.ones(4), 50),
}


def curved(make: Callable[[int, Rng], np.ndarray]) -> Law:
    return lambda rng: make(1000, rng)


CURVED_LAWS: dict[str, Law] = {
    one.name: curved(one.make)
    for one in SETS
    if one.truth == "curved" and one.name in ("roll", "S-curve", "torus", "hollow sphere, 2 in 3")
}


def plane(deviations: tuple[float, ...]) -> Law:
    def law(rng: Rng) -> np.ndarray:
        turn = np.linalg.qr(rng.standard_normal((5, 5)))[0]
        inside = rng.standard_normal((1000, len(deviations))) * deviations
        return np.asarray(inside @ turn[: len(deviations)])

    return law


# The law, its dimension, and whether the error is claimed to hold.
DIMENSION_LAWS: dict[str, tuple[Law, int, bool]] = {
    "normal plane": (plane((1.0, 1.0)), 2, True),
    "uniform box, 3": (lambda rng: rng.uniform(size=(1000, 3)), 3, True),
    "simplex, 4 parts": (lambda rng: rng.dirichlet(np.ones(4), 1000), 3, True),
    "exponential, 3": (lambda rng: rng.exponential(size=(1000, 3)), 3, True),
    "deviations 1, 0.3": (plane((1.0, 0.3)), 2, False),
    "deviations 1, 0.1": (plane((1.0, 0.1)), 2, False),
    "deviations 1, 0.5, 0.1": (plane((1.0, 0.5, 0.1)), 3, False),
    "beta square": (lambda rng: rng.beta(0.5, 0.5, (1000, 2)), 2, False),
}


def spiked(k: int, strength: float) -> Shaped:
    """k components whose deviations are `strength` times what stands clear of the noise."""

    def make(shape: tuple[int, int], rng: Rng) -> np.ndarray:
        d = shape[1]
        deviations = np.ones(d)
        deviations[:k] = strength * np.sqrt(d) * np.linspace(3, 2, k)
        return rng.standard_normal(shape) * deviations

    return make


def heavy(shape: tuple[int, int], rng: Rng) -> np.ndarray:
    deviations = np.r_[15, 10, np.ones(shape[1] - 2)]
    return rng.standard_t(5, shape) * deviations


# Shape of the fit, components, the law, and whether the limits are claimed to hold.
LIMIT_TABLES: dict[str, tuple[tuple[int, int], int, Shaped, bool]] = {
    f"{n} × {d}, k = {k}": ((n, d), k, spiked(k, 1.0), True)
    for n, d, k in (
        (30, 200, 3),
        (50, 500, 3),
        (100, 1000, 3),
        (30, 1000, 3),
        (100, 200, 5),
        (40, 10, 2),
        (20, 50, 2),
    )
} | {"Student t5, 100 × 10, k = 2": ((100, 10), 2, heavy, False)}

# Unit variances; and whether the intervals are claimed to hold.
RESAMPLED_LAWS: dict[str, tuple[Shaped, bool]] = {
    "normal": (lambda shape, rng: rng.standard_normal(shape), True),
    "uniform": (lambda shape, rng: rng.uniform(-(3**0.5), 3**0.5, shape), True),
    "Student t5": (lambda shape, rng: rng.standard_t(5, shape) / (5 / 3) ** 0.5, False),
    "exponential": (lambda shape, rng: rng.exponential(size=shape) - 1, False),
}

NOISE_LAWS: dict[str, Law] = {
    "100 × 10": lambda rng: rng.standard_normal((100, 10)),
    "500 × 100": lambda rng: rng.standard_normal((500, 100)),
    "60 × 300": lambda rng: rng.standard_normal((60, 300)),
    "20 × 5": lambda rng: rng.standard_normal((20, 5)),
}
