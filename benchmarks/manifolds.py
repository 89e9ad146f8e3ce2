"""The 24 manifolds of the literature on intrinsic dimension, from their formulas.

Source   Hein and Audibert 2005 (M1 to M13), Campadelli, Casiraghi, Ceruti, Rozza 2015 (Mbeta, Mn1,
         Mn2, Mp1 to Mp3). Noise is Gaussian in every coordinate of the space they lie in, with the
         standard deviation asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["MANIFOLDS", "Manifold", "draw"]

Rng = np.random.Generator
Rows = np.ndarray
TAU = 2 * np.pi


@dataclass(frozen=True)
class Manifold:
    name: str
    dimension: int
    columns: int
    make: Callable[[int, Rng], Rows]


def draw(manifold: Manifold, n: int, noise: float, rng: Rng) -> Rows:
    rows = manifold.make(n, rng)
    return rows + noise * rng.standard_normal(rows.shape) if noise else rows


def sphere(d: int) -> Callable[[int, Rng], Rows]:
    def make(n: int, rng: Rng) -> Rows:
        rows = rng.standard_normal((n, d + 1))
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    return make


def affine_3_to_5(n: int, rng: Rng) -> Rows:
    directions = np.array(
        [
            [1.2, 0.5, -0.5, 0.4, 1.1],
            [-0.5, 0.9, -0.2, -0.9, -0.3],
            [0.0, 0.0, 1.0, -0.1, 0.0],
        ]
    )
    return rng.uniform(0, 4, (n, 3)) @ directions + np.array([3.0, -1.0, 0.0, 0.0, 8.0])


def concentrated_4_to_6(n: int, rng: Rng) -> Rows:
    a, b, c, d = rng.uniform(size=(4, n))
    return np.column_stack(
        [
            b**2 * np.cos(TAU * a),
            c**2 * np.sin(TAU * a),
            b + c + (b - d) ** 2,
            b - 2 * c + (a - d) ** 2,
            -b - 2 * c + (c - d) ** 2,
            a**2 - b**2 + c**2 - d**2,
        ]
    )


def circles_of_varying_size(d: int, copies: int) -> Callable[[int, Rng], Rows]:
    """Each number turns on a circle whose radius is the next number; repeated side by side."""

    def make(n: int, rng: Rng) -> Rows:
        angle = rng.uniform(size=(n, d))
        radius = np.roll(angle, -1, axis=1)
        turning = np.stack([np.cos(TAU * angle), np.sin(TAU * angle)], axis=2) * radius[:, :, None]
        return np.tile(turning.reshape(n, 2 * d), copies)

    return make


def helix(n: int, rng: Rng) -> Rows:
    t = rng.uniform(0, TAU, n)
    radius = 2 + np.cos(8 * t)
    return np.column_stack([radius * np.cos(t), radius * np.sin(t), np.sin(8 * t)])


def helicoid(n: int, rng: Rng) -> Rows:
    r, p = rng.uniform(0, 10 * np.pi, (2, n))
    return np.column_stack([r * np.cos(p), r * np.sin(p), 0.5 * p])


def roll(n: int, rng: Rng) -> Rows:
    t = 1.5 * np.pi * (1 + 2 * rng.uniform(size=n))
    return np.column_stack([t * np.cos(t), rng.uniform(0, 21, n), t * np.sin(t)])


def s_curve(n: int, rng: Rng) -> Rows:
    t = 3 * np.pi * rng.uniform(-0.5, 0.5, n)
    return np.column_stack([np.sin(t), rng.uniform(0, 2, n), np.sign(t) * (np.cos(t) - 1)])


def spiral(n: int, rng: Rng) -> Rows:
    t = rng.uniform(0, 10 * np.pi, n)
    rows = np.zeros((n, 13))
    rows[:, :3] = np.column_stack([100 * np.cos(t), 100 * np.sin(t), t])
    return rows


def moebius(n: int, rng: Rng) -> Rows:
    phi, width = rng.uniform(0, TAU, n), 0.5 * rng.uniform(-1, 1, n)
    radius = 1 + width * np.cos(5 * phi)
    return np.column_stack([radius * np.cos(phi), radius * np.sin(phi), width * np.sin(5 * phi)])


def box(d: int) -> Callable[[int, Rng], Rows]:
    return lambda n, rng: rng.uniform(-2.5, 2.5, (n, d))


def normal(d: int) -> Callable[[int, Rng], Rows]:
    return lambda n, rng: rng.standard_normal((n, d))


def surface_of_cube(d: int) -> Callable[[int, Rng], Rows]:
    def make(n: int, rng: Rng) -> Rows:
        rows = rng.uniform(size=(n, d + 1))
        side = rng.permutation(np.arange(n) % (2 * (d + 1)))
        rows[np.arange(n), side // 2] = side % 2
        return rows

    return make


def beta(n: int, rng: Rng) -> Rows:
    x = rng.beta(10, 0.5, (n, 10))
    one, two = x * np.sin(np.cos(TAU * x)), x * np.cos(np.sin(TAU * x))
    return np.hstack([one, two, one, two])


def tangled(d: int) -> Callable[[int, Rng], Rows]:
    def make(n: int, rng: Rng) -> Rows:
        x = rng.uniform(size=(n, d))
        y = x[:, ::-1]
        one, two = np.tan(x * np.cos(y)), np.arctan(y * np.sin(x))
        return np.hstack([one, two, one, two])

    return make


def paraboloid(d: int) -> Callable[[int, Rng], Rows]:
    """Over a multivariate Burr distribution: most rows crowd near one corner."""

    def make(n: int, rng: Rng) -> Rows:
        waits = rng.exponential(size=(n, d + 1))
        x = 1 / (1 + waits[:, 1:] / waits[:, :1])
        x = np.hstack([x, np.square(x).sum(axis=1, keepdims=True)])
        return np.hstack([x, np.sin(x), x**2])

    return make


MANIFOLDS = (
    Manifold("M1 sphere", 10, 11, sphere(10)),
    Manifold("M2 affine", 3, 5, affine_3_to_5),
    Manifold("M3 nonlinear", 4, 6, concentrated_4_to_6),
    Manifold("M4 nonlinear", 4, 8, circles_of_varying_size(4, 1)),
    Manifold("M5a helix", 1, 3, helix),
    Manifold("M5b helicoid", 2, 3, helicoid),
    Manifold("M6 nonlinear", 6, 36, circles_of_varying_size(6, 3)),
    Manifold("M7 roll", 2, 3, roll),
    Manifold("M8 nonlinear", 12, 72, circles_of_varying_size(12, 3)),
    Manifold("M9 affine", 20, 20, box(20)),
    Manifold("M10a cube", 10, 11, surface_of_cube(10)),
    Manifold("M10b cube", 17, 18, surface_of_cube(17)),
    Manifold("M10c cube", 24, 25, surface_of_cube(24)),
    Manifold("M10d cube", 70, 71, surface_of_cube(70)),
    Manifold("M11 Moebius", 2, 3, moebius),
    Manifold("M12 normal", 20, 20, normal(20)),
    Manifold("M13a S-curve", 2, 3, s_curve),
    Manifold("M13b spiral", 1, 13, spiral),
    Manifold("Mbeta", 10, 40, beta),
    Manifold("Mn1 nonlinear", 18, 72, tangled(18)),
    Manifold("Mn2 nonlinear", 24, 96, tangled(24)),
    Manifold("Mp1 paraboloid", 3, 12, paraboloid(3)),
    Manifold("Mp2 paraboloid", 6, 21, paraboloid(6)),
    Manifold("Mp3 paraboloid", 9, 30, paraboloid(9)),
)
