"""Rows for kernel problems, drawn by shape, seed and a few words; never by entries.

roll       a sheet rolled up in space             few landmarks see nearly everything
blobs      groups far apart, one row in twenty an outlier
gaussian   a round cloud: neighbors tell little in many dimensions
curve      a closed curve with noise
repeated   a few rows, each several times
far        a curve far from the origin
scaled     columns of very different units
"""

from dataclasses import dataclass

import numpy as np

KERNELS = ("linear", "rbf", "exponential", "laplacian", "poly", "cosine")


def roll(n, d, rng):
    angle = 1.5 * np.pi * (1 + 2 * rng.random(n))
    rows = np.column_stack([angle * np.cos(angle), 21 * rng.random(n), angle * np.sin(angle)])
    return np.hstack([rows, 0.1 * rng.standard_normal((n, max(d - 3, 0)))])[:, : max(d, 2)]


def blobs(n, d, rng):
    rows = rng.standard_normal((5, d))[rng.integers(5, size=n)] * 4 + rng.standard_normal((n, d))
    outliers = rng.random(n) < 0.05
    rows[outliers] = rng.uniform(-30, 30, (int(outliers.sum()), d))
    return rows


def gaussian(n, d, rng):
    return rng.standard_normal((n, d))


def curve(n, d, rng, noise=0.1):
    angle = rng.uniform(0, 2 * np.pi, n)
    rows = np.column_stack([np.cos(angle), np.sin(angle), np.cos(2 * angle), np.sin(2 * angle)])
    return rows @ rng.standard_normal((4, d)) + noise * rng.standard_normal((n, d))


def repeated(n, d, rng):
    few = rng.standard_normal((max(2, n // 7), d))
    which = rng.integers(len(few), size=n)
    which[:2] = 0, 1
    return few[which]


def far(n, d, rng):
    return curve(n, d, rng) + 1e5


def scaled(n, d, rng):
    return curve(n, d, rng) * 10.0 ** rng.uniform(-2, 2, d)


CLOUDS = {cloud.__name__: cloud for cloud in (roll, blobs, gaussian, curve, repeated, far, scaled)}


@dataclass(frozen=True)
class KernelProblem:
    cloud: str
    n: int
    d: int
    kernel: str
    gamma: float
    degree: int
    coef0: float
    landmarks: int
    rule: str
    k: int
    seed: int

    @property
    def rows(self):
        return CLOUDS[self.cloud](self.n, self.d, np.random.default_rng([3, self.seed]))

    @property
    def options(self):
        names = ("kernel", "gamma", "degree", "coef0")
        return {name: getattr(self, name) for name in names}


def nth_problem(index, seed=0):
    """Problem number `index` of a reproducible mix; kernels and clouds take turns."""
    rng = np.random.default_rng([5, seed, index])
    n = int(rng.choice([20, 60, 150, 400, 800], p=[0.2, 0.3, 0.3, 0.15, 0.05]))
    d = int(rng.choice([1, 2, 3, 10, 30]))
    problem = KernelProblem(
        cloud=list(CLOUDS)[index % len(CLOUDS)],
        n=n,
        d=d,
        kernel=KERNELS[index % len(KERNELS)],
        gamma=0.0,
        degree=int(rng.integers(1, 4)),
        coef0=float(rng.choice([0.0, 1.0])),
        landmarks=int(rng.integers(1, n + 1)) if rng.random() < 0.3 else int(rng.integers(1, 60)),
        rule=str(rng.choice(["rpcholesky", "uniform", "greedy"], p=[0.6, 0.2, 0.2])),
        k=int(rng.integers(1, 12)),
        seed=int(rng.integers(2**31)),
    )
    return KernelProblem(**{**vars(problem), "gamma": sensible(problem, rng)})


def sensible(problem, rng):
    """A bandwidth around the typical distance, or product, a factor of ten either way."""
    rows = problem.rows
    apart = np.linalg.norm(rows - rows[rng.permutation(len(rows))], axis=1)
    typical = float(np.median(apart)) or 1.0
    factor = 10.0 ** rng.uniform(-1, 1)
    if problem.kernel == "rbf":
        return factor / typical**2
    if problem.kernel == "poly":
        return factor / float(np.square(rows).sum(axis=1).mean())
    return factor / typical
