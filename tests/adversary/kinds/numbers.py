"""Sizes, offsets and types of the stored numbers: conversion, shift, products, underflow, scale."""

import numpy as np
import scipy.sparse

from tests.adversary import draws
from tests.adversary.registry import Attack, attack
from tests.problems import Problem


def finish(rng, rows, **prepared):
    problem = Problem(rows, **prepared)
    return Attack(problem, draws.rank(rng, problem), draws.options(rng))


@attack("underflow")
def single_column_sizes(rng):
    """float32 columns from subnormal to the largest, with and without scales."""
    n, d = draws.shape(rng)
    sizes = 10 ** rng.uniform(*draws.pick(rng, ((-44, 37), (-26, -18), (-3, 3), (-44, -38))), d)
    rows = (draws.table(rng, n, d) * sizes).astype(np.float32)
    prepared = draws.preparation(rng, d)
    if prepared["scale"] is not None and not isinstance(prepared["scale"], str):
        prepared["scale"] = sizes * 10 ** rng.uniform(-2, 2, d)
    return finish(rng, rows, **prepared)


@attack("underflow")
def double_column_sizes(rng):
    """float64 columns from 1e-300 to 1e300."""
    n, d = draws.shape(rng)
    ranges = ((-300, 300), (-165, -150), (-110, 110), (-320, -290), (140, 150))
    sizes = 10.0 ** rng.uniform(*draws.pick(rng, ranges), d)
    rows = draws.table(rng, n, d) * sizes
    prepared = draws.preparation(rng, d, std=0.4, given=0.4)
    if prepared["scale"] is not None and not isinstance(prepared["scale"], str):
        prepared["scale"] = np.maximum(sizes, 1e-307) * 10 ** rng.uniform(-2, 2, d)
    if rng.random() < 0.2:
        rows = scipy.sparse.csr_array(rows)
    return finish(rng, rows, **prepared)


@attack("shift")
def offsets(rng):
    """Means many deviations away, in all columns or in one."""
    n, d = draws.shape(rng)
    single = rng.random() < 0.4
    far = 10 ** rng.uniform(0, 6 if single else 15, d) * rng.choice([-1, 1], d)
    if rng.random() < 0.5:
        far *= np.arange(d) == rng.integers(d)
    rows = draws.table(rng, n, d) + far
    rows = rows.astype(np.float32) if single else rows
    return finish(rng, rows, **draws.preparation(rng, d, given=0.1))


@attack("correction")
def sparse_means(rng):
    """Sparse tables with full columns far from 0."""
    n, d = draws.shape(rng)
    rows = draws.table(rng, n, d) * (rng.random((n, d)) < rng.uniform(0.1, 0.9))
    full = rng.random(d) < 0.4
    rows[:, full] += 10 ** rng.uniform(0, 10) + rng.standard_normal((n, int(full.sum())))
    rows = rows.astype(draws.pick(rng, (np.float32, np.float64, np.float64)))
    form = draws.pick(rng, ("csr", "csc", "coo"))
    return finish(rng, scipy.sparse.coo_array(rows).asformat(form), **draws.preparation(rng, d))


@attack("conversion")
def whole_numbers(rng):
    """Integers of every width, also beyond 2^53, and long doubles."""
    n, d = draws.shape(rng)
    kind = draws.pick(rng, (np.int64, np.uint64, np.longdouble, np.int8, np.uint8, bool, np.int32))
    if kind is np.longdouble:
        far = np.longdouble(10) ** int(rng.integers(0, 18))
        rows = rng.standard_normal((n, d)).astype(np.longdouble) + far
    elif kind in (np.int64, np.uint64):
        reach = 2 ** int(rng.integers(1, 62))
        rows = rng.integers(0, reach, (n, d)).astype(kind)
        rows += kind(2 ** int(rng.integers(0, 62)))
    else:
        rows = rng.integers(0, 2 if kind is bool else 100, (n, d)).astype(kind)
    prepared = draws.preparation(rng, d, std=0.2, given=0.2, raw=0.2)
    return finish(rng, rows, **prepared)


@attack("products")
def coherent_columns(rng):
    """Two-valued, one-hot or repeated columns: every rounding error has the same sign."""
    n, d = int(rng.choice([40, 300, 700])), int(rng.integers(2, 7))
    size = rng.uniform(0.3, 3)
    signs = np.where(rng.random(n) < rng.choice([0.1, 0.5, 0.9]), size, -size)
    rows = draws.pick(
        rng,
        (
            np.repeat(signs[:, None], d, axis=1),
            size * np.eye(d)[rng.integers(0, d, n)],
            size * (rng.random((n, d)) < rng.uniform(0.1, 0.9)),
            np.repeat(rng.standard_normal((n, 1)), d, axis=1),
            np.full((n, d), size) + 1e-3 * rng.standard_normal((n, d)),
        ),
    )
    rows = rows.astype(draws.pick(rng, (np.float32, np.float64)))
    return finish(rng, rows, center=bool(rng.random() < 0.7))


@attack("the basis of a product")
def one_huge_column(rng):
    """A constant or much larger column that basis vectors reach into and Ritz vectors avoid."""
    n, d = draws.shape(rng, most_rows=60, most_columns=14)
    rows = rng.standard_normal((n, d))
    huge = 10 ** rng.uniform(3, 7)
    column = int(rng.integers(d))
    if rng.random() < 0.5:
        rows[:, column] = huge
    else:
        rows[:, column] *= huge
    rows = rows.astype(draws.pick(rng, (np.float32, np.float64)))
    return finish(rng, rows, center=bool(rng.random() < 0.4))


@attack("units")
def one_outlying_row(rng):
    """A row far beyond what a sample shows."""
    n, d = int(rng.choice([30, 600])), int(rng.integers(1, 6))
    rows = draws.table(rng, n, d)
    rows[int(rng.integers(n))] *= 10 ** rng.uniform(3, 152)
    scale = draws.pick(rng, (None, None, "std", np.full(d, 10 ** rng.uniform(-8, 8))))
    return finish(rng, rows, center=bool(rng.random() < 0.8), scale=scale)


@attack("units")
def scales_far_from_sizes(rng):
    """Rows divided by their scale are far larger, or smaller, than float32 holds squares of."""
    n, d = draws.shape(rng, most_columns=20)
    spread = 10 ** rng.uniform(-1, 1, d)
    rows = (
        draws.table(rng, n, d) * spread * 10 ** rng.uniform(*draws.pick(rng, ((-3, 3), (-18, 18))))
    )
    rows = rows.astype(draws.pick(rng, (np.float32, np.float32, np.float64)))
    scale = spread ** rng.integers(2) * 10 ** rng.uniform(-38, 38)
    return finish(rng, rows, center=bool(rng.random() < 0.7), scale=scale)


@attack("degenerate shapes")
def few_and_equal(rng):
    """Two or three rows, one column, repeated rows and columns, constant columns."""
    n, d = draws.shape(rng, most_rows=4, most_columns=4)
    rows = np.round(rng.standard_normal((n, d)), int(rng.integers(0, 3)))
    if rng.random() < 0.5:
        rows = np.repeat(rows, 2, axis=int(rng.integers(2)))
    if rng.random() < 0.3:
        rows[:, 0] = rng.integers(-3, 3)
    rows *= 10.0 ** rng.integers(-20, 20)
    rows = rows.astype(draws.pick(rng, (np.float32, np.float64)))
    return finish(rng, rows, **draws.preparation(rng, rows.shape[1], std=0.2, given=0.2))
