"""Robust fits and weights per cell: what is certified is the table they end with."""

import numpy as np

import eigenlens as el
from eigenlens.missing.cell_weights import read_cell_weights
from eigenlens.missing.graded import expect_graded
from eigenlens.robust.cells import fit_cells
from eigenlens.robust.wrap import learn_wrapping, wrap_cells
from eigenlens.sources.open import open_source
from tests.adversary import draws
from tests.adversary.registry import Attack, attack
from tests.problems import Problem


def fill_value(rng):
    return draws.pick(rng, (1e15, 1e20, 9.96921e36, 10 ** rng.uniform(12, 38)))


def spoiled(rng, least=12, most_columns=7):
    """Rows with outlying cells and rows, far from the origin, of any size."""
    n, d = int(rng.integers(least, 60)), int(rng.integers(1, most_columns))
    rows = draws.table(rng, n, d)
    bad = rng.random(rows.shape) < rng.choice([0.0, 0.02, 0.2])
    rows = np.where(bad, rows * 10 ** rng.uniform(0, 4) + 5, rows)
    rows[: int(rng.integers(0, 3))] += 10 ** rng.uniform(0, 3)
    rows = rows * 10 ** rng.uniform(-6, 6) + 10 ** rng.uniform(-3, 6) * rng.choice([0, 1])
    if rng.random() < 0.3:  # what stands for a missing cell in many files, 1e20 for example
        rows[int(rng.integers(n)), int(rng.integers(d))] = rng.choice([-1, 1]) * fill_value(rng)
    return rows


@attack("wrapping")
def wrapped_cells(rng):
    """The PCA of the wrapped table, float32 too."""
    raw = spoiled(rng).astype(draws.pick(rng, (np.float64, np.float64, np.float32)))
    source = open_source(raw)
    wrapping = learn_wrapping(np.asarray(source.sample(np.arange(len(raw)))))
    rows = np.concatenate(list(wrap_cells(source, wrapping).blocks(17)))
    problem = Problem(rows, center=bool(rng.random() < 0.8))
    options = draws.options(rng)

    def make(problem, k, options):
        return el.fit(raw, k, robust="wrap", center=problem.center, **options)

    return Attack(problem, draws.rank(rng, problem), options, make)


@attack("rows left out")
def outlying_rows(rng):
    """The fit with weights of 0 and 1."""
    raw = spoiled(rng)
    scale = draws.pick(rng, (None, None, "std"))
    most = min(len(raw) - 1, raw.shape[1])
    k = int(rng.integers(1, most + 1))
    kept = el.fit(raw, k, robust="rows", scale=scale).robust.kept
    problem = Problem(raw, weights=kept.astype(float), scale=scale)

    def make(problem, k, options):
        return el.fit(raw, k, robust="rows", scale=scale, **options)

    return Attack(problem, k, {"solver": draws.pick(rng, draws.SOLVERS)}, make)


def table_of_moments(moments):
    """Rows that have these moments: any such table has the eigenvalues that are certified."""
    n, d = int(moments.weight), len(moments.mean)
    base = np.linalg.qr(np.column_stack([np.ones(n), np.eye(n)[:, :d]]))[0][:, 1:]
    values, vectors = np.linalg.eigh(moments.scatter)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return base.astype(np.longdouble) @ root.T.astype(np.longdouble)


@attack("expected moments of kept cells")
def outlying_cells(rng):
    raw = spoiled(rng, least=25)
    found = fit_cells(open_source(raw), 0.25, True, np.random.default_rng(0))
    problem = Problem(table_of_moments(found.expectation.moments))

    def make(problem, k, options):
        return el.fit(raw, k, robust="cells", **options)

    return Attack(problem, int(rng.integers(1, raw.shape[1] + 1)), {"seed": 0}, make)


@attack("weights per cell, proportional")
def proportional_weights(rng):
    """Weights of rows and scales of columns."""
    n, d = draws.shape(rng)
    raw = draws.table(rng, n, d) * 10 ** rng.uniform(-6, 6)
    cells = np.outer(10 ** rng.uniform(-2, 2, n) + 1, 10 ** rng.uniform(-2, 2, d))
    read = read_cell_weights(open_source(raw), cells, None, None)
    problem = Problem(raw, weights=read.rows, scale=read.scale)

    def make(problem, k, options):
        return el.fit(raw, k, weights=cells, **options)

    return Attack(problem, draws.rank(rng, problem), draws.options(rng), make)


@attack("weights per cell, graded")
def graded_weights(rng):
    raw = spoiled(rng, least=25)
    cells = 10 ** rng.uniform(-2, 2, raw.shape)
    source = open_source(raw)
    read = read_cell_weights(source, cells, None, None)
    if read.cells is None:  # one column: weights of rows
        problem = Problem(raw, weights=read.rows, scale=read.scale)
    else:
        problem = Problem(table_of_moments(expect_graded(source, read)[0].moments))

    def make(problem, k, options):
        return el.fit(raw, k, weights=cells, **options)

    return Attack(problem, int(rng.integers(1, raw.shape[1] + 1)), {}, make)
