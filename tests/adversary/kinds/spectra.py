"""Spectra and starts: what a solver may miss, and what bounds rest on."""

import numpy as np

import eigenlens as el
from tests.adversary import draws
from tests.adversary.prepared import WatchedRows, hide_direction
from tests.adversary.registry import Attack, attack
from tests.problems import Problem


@attack("LAPACK, graded values")
def graded(rng):
    """Eigenvalues that fall over up to thirty orders."""
    d = int(rng.integers(2, 9))
    n = d + 1 + int(rng.integers(1, 20))
    values = 10 ** (-np.arange(d) * rng.uniform(0, 30) / d)
    rows = draws.with_spectrum(rng, n, values)
    if rng.random() < 0.5:  # graded by columns, not by a rotation
        rows = rng.standard_normal((n, d)) * np.sqrt(values)
    rows = rows.astype(draws.pick(rng, (np.float32, np.float64, np.float64)))
    problem = Problem(rows, center=bool(rng.random() < 0.8))
    return Attack(problem, draws.rank(rng, problem), draws.options(rng))


@attack("units")
def subnormal_eigenvalues(rng):
    """The largest near the least that is not refused, the others beyond the normal floats."""
    d = int(rng.integers(2, 5))
    sizes = 10.0 ** -np.append(rng.uniform(151.5, 152.3), rng.uniform(152, 162, d - 1))
    rows = rng.standard_normal((d + 1 + int(rng.integers(1, 12)), d))
    if rng.random() < 0.5:
        rows = np.linalg.qr(rows - rows.mean(axis=0))[0]
    problem = Problem(rows * sizes, center=bool(rng.random() < 0.7))
    return Attack(problem, draws.rank(rng, problem), draws.options(rng))


@attack("gaps")
def clusters_at_the_cut(rng):
    """Eigenvalues tied, or nearly so, on both sides of the last one asked for."""
    d = int(rng.integers(3, 10))
    n = d + 1 + int(rng.integers(1, 20))
    k = int(rng.integers(1, d))
    values = np.sort(rng.uniform(0.1, 2, d))[::-1]
    tied = slice(max(k - 2, 0), k + 1)
    values[tied] = values[k] * (
        1 + 10 ** rng.uniform(-17, -2) * rng.standard_normal(len(values[tied]))
    )
    rows = draws.with_spectrum(rng, n, np.abs(values))
    rows = rows.astype(draws.pick(rng, (np.float32, np.float64, np.float64)))
    return Attack(Problem(rows), k, draws.options(rng, stopped=0.5))


@attack("early stops")
def stopped_early(rng):
    n, d = draws.shape(rng, most_rows=60, most_columns=30)
    values = draws.pick(rng, (1 / np.arange(1, d + 1), np.arange(1, d + 1) ** -0.5, np.ones(d)))
    rows = rng.standard_normal((n, d)) * np.sqrt(values)
    problem = Problem(rows.astype(draws.pick(rng, (np.float32, np.float64))))
    k = int(rng.integers(1, min(problem.max_rank, 6) + 1))
    return Attack(problem, k, draws.options(rng, stopped=1.0))


@attack("starts and probes")
def hidden_direction(rng):
    """The largest variance lies where neither the rows nor the vectors reach that a fit draws."""
    n, d, k = int(rng.integers(500, 700)), int(rng.integers(60, 80)), int(rng.integers(1, 3))
    sizes = np.r_[10, 7, np.ones(d - 2)] * 10 ** rng.uniform(-3, 3)
    table = rng.standard_normal((n, d)) * sizes
    options = {
        "solver": draws.pick(rng, ("krylov", "orthogonal", "randomized", "lanczos", "power")),
        "tolerance": draws.pick(rng, (0.3, 0.1, 0.03)),  # a matrix and the trace need no probes
        "seed": int(rng.integers(3)),
    }
    size = sizes[0] * rng.uniform(1.1, 5)
    hidden, _ = hide_direction(rng, table, k, options, size)

    def make(problem, k, options):
        return el.fit(WatchedRows(problem.rows), k, **options)

    return Attack(Problem(hidden), k, options, make)
