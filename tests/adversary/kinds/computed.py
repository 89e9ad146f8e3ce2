"""Numbers that are computed before they are multiplied; tables of which only moments are left."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import scipy.sparse

import eigenlens as el
from tests.adversary import draws
from tests.adversary.registry import Attack, attack
from tests.problems import Problem
from tests.reference.exact import dense, exact_rows

LONG = np.longdouble


@dataclass(frozen=True, eq=False)
class ComputedProblem(Problem):
    """`given`: the table of which `rows`, in extended precision, are made."""

    given: object = None
    is_root: bool = False  # the matrix is rows' rows

    def exact_rows(self):
        if self.is_root:
            return dense(self.rows)
        return exact_rows(self.rows, self.weights, self.center, self.scale)

    def exact_divisor(self):
        n = LONG(len(self.rows))
        return LONG(1) if self.is_root else n - 1 if self.center else n


@attack("division of rows by their length")
def unit_rows(rng):
    """Of any size, nearly alike, some of them zero; float32, sparse."""
    n, d = draws.shape(rng, most_rows=60)
    sizes = 10 ** rng.uniform(*draws.pick(rng, ((-3, 3), (-200, 200), (-300, -290), (285, 300))), n)
    if rng.random() < 0.5:
        sizes = sizes[:1]
    rows = draws.table(rng, n, d) + draws.pick(rng, (0, 0, 1e3, 1e6))
    rows[rng.random(n) < draws.pick(rng, (0, 0, 0.1))] = 0
    kind = draws.pick(rng, (np.float64, np.float64, np.float32))
    given = (rows * np.broadcast_to(sizes if kind is np.float64 else 1, (n,))[:, None]).astype(kind)
    lengths = np.sqrt((LONG(given) ** 2).sum(axis=1))
    unit = LONG(given) / np.where(lengths > 0, lengths, 1)[:, None]
    given = scipy.sparse.csr_array(given) if rng.random() < 0.3 else given
    problem = ComputedProblem(unit, given=given, **draws.preparation(rng, d, given=0.1))

    def make(problem, k, options):
        settings = {"center": problem.center, "scale": problem.scale}
        return el.fit(problem.given, k, normalize="l2", **settings, **options)

    return Attack(problem, draws.rank(rng, problem), draws.options(rng), make)


@attack("sums of repeated entries")
def repeated_entries(rng):
    """Every entry in several parts, which cancel but for what is left."""
    n, d = draws.shape(rng, most_rows=60)
    left = draws.table(rng, n, d) * 10 ** rng.uniform(-8, 8)
    parts = int(rng.integers(1, 4))
    large = 10 ** rng.uniform(-5, 25) * rng.standard_normal((parts, n * d))
    places = np.tile(np.indices((n, d)).reshape(2, -1), 2 * parts + 1)
    order = rng.permutation(places.shape[1])
    entries = np.concatenate([large.ravel(), left.ravel(), -large.ravel()])
    given = scipy.sparse.coo_array((entries[order], places[:, order]), (n, d))
    problem = ComputedProblem(LONG(left), given=given, **draws.preparation(rng, d, given=0.1))

    def make(problem, k, options):
        settings = {"center": problem.center, "scale": problem.scale}
        return el.fit(problem.given, k, **settings, **options)

    return Attack(problem, draws.rank(rng, problem), draws.options(rng), make)


@attack("matrices in the place of rows")
def given_matrices(rng):
    """Graded, of any size, of less than full rank: roots of few bits, whose squares are exact."""
    d = int(rng.integers(1, 8))
    root = rng.integers(-99, 100, (int(rng.integers(1, d + 3)), d)).astype(np.float64)
    root *= 2.0 ** int(rng.integers(-400, 400))
    if rng.random() < 0.3:
        root *= 2.0 ** rng.integers(-3, 4, d)
    problem = ComputedProblem(root, given=root.T @ root, is_root=True)

    def make(problem, k, options):
        return el.fit_covariance(problem.given, k, **options)

    options = draws.options(rng, stopped=0.1)
    return Attack(problem, int(rng.integers(1, d + 1)), options, make)


@attack("moments of batches")
def batches(rng):
    """IncrementalPCA, and a stream of Arrow batches, some of them empty."""
    n, d = draws.shape(rng, most_rows=60)
    rows = draws.table(rng, n, d) * 10 ** rng.uniform(-8, 8) + 10 ** rng.uniform(-3, 12)
    rows = rows.astype(draws.pick(rng, (np.float32, np.float64)))
    problem = Problem(rows)
    pieces = np.array_split(rows, int(rng.integers(1, n + 1)))

    def by_batches(problem, k, options):
        found = el.IncrementalPCA(k)
        for piece in pieces:
            found.partial_fit(piece)
        try:
            return found.model_
        except AttributeError as nothing_yet:
            raise nothing_yet.__cause__ from None

    def by_stream(problem, k, options):
        names = [f"c{place}" for place in range(d)]
        parts = [pa.record_batch(list(piece.T), names) for piece in [rows[:0], *pieces, rows[:0]]]
        reader = pa.RecordBatchReader.from_batches(parts[0].schema, parts)
        return el.fit(reader, k, columns=names, **options)

    way = draws.pick(rng, (by_batches, by_stream))
    return Attack(problem, draws.rank(rng, problem), {"solver": "covariance"}, way)
