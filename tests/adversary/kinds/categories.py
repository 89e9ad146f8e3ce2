"""Indicator tables and counts: rare, tied and single levels, weights, numbers far away, files."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

import eigenlens as el
from tests.adversary import draws
from tests.adversary.registry import Attack, attack
from tests.problems import Problem
from tests.reference.expected_rows import expected_memberships

LONG = np.longdouble


@dataclass(frozen=True, eq=False)
class CategoryProblem(Problem):
    """`features` (n, d): what `table` stands for; those `is_share` have a share as their mean."""

    table: object = None
    features: np.ndarray | None = None
    is_share: np.ndarray | None = None
    divided_by: int = 1

    @property
    def heavy(self):
        return np.ones(len(self.features), LONG) if self.weights is None else LONG(self.weights)

    def exact_divisor(self):
        return self.heavy.sum()

    def exact_rows(self):
        """A in extended precision, by the definition."""
        rows, heavy = LONG(self.features), self.heavy
        near = rows - rows[0]  # exact: far from the origin a mean has too few digits
        step = heavy @ near / heavy.sum()
        apart = near - step
        # The share of a rare level that the first row has would lose its digits to the 1 of it.
        mean = np.where(self.is_share, heavy @ rows / heavy.sum(), rows[0] + step)
        variance = heavy @ (apart * apart) / heavy.sum()
        scale = np.sqrt(np.where(self.is_share, mean * self.divided_by, variance))
        return np.sqrt(heavy)[:, None] * apart / scale


def levels(rng, n):
    """A column of levels: even, rare ones, tied, or two columns' worth of one."""
    count = int(rng.integers(1 if rng.random() < 0.05 else 2, 6))
    roll = rng.random()
    if roll < 0.3:
        shares = 10.0 ** -rng.uniform(0, 3, count)
        codes = rng.choice(count, n, p=shares / shares.sum())
    elif roll < 0.5:
        codes = rng.permutation(np.arange(n) % count)  # tied
    else:
        codes = rng.integers(count, size=n)
    return np.array([f"l{code}" for code in codes], dtype=object)


def mixed_table(rng, n):
    columns = {f"c{place}": levels(rng, n) for place in range(int(rng.integers(1, 4)))}
    if rng.random() < 0.2:
        columns["copy"] = columns["c0"].copy()  # the same column twice: eigenvalues of 2
    numbers = int(rng.integers(0, 3))
    far = draws.pick(rng, (0.0, 0.0, 1e3, 1e8))
    for place in range(numbers):
        columns[f"x{place}"] = far + draws.pick(rng, (1.0, 1e-6, 1e6)) * rng.standard_normal(n)
    return pd.DataFrame(columns), numbers


def categorical_problem(rng, weighted=0.4):
    n = int(rng.integers(4, 41))
    table, numbers = mixed_table(rng, n)
    names = [name for name in table if name.startswith("x")]
    groups = [name for name in table if not name.startswith("x")]
    weights = None
    if rng.random() < weighted:
        weights = draws.pick(rng, (rng.integers(1, 4, n) * 1.0, 10 ** rng.uniform(-4, 4, n)))
    blocks = [LONG(table[names].to_numpy(float)).reshape(n, numbers)]
    for name in groups:
        blocks.append(LONG(table[name].to_numpy()[:, None] == np.unique(table[name])))
    features = np.hstack(blocks)
    shares = np.arange(features.shape[1]) >= numbers
    return CategoryProblem(
        features.astype(float), weights, table=table, features=features, is_share=shares,
        divided_by=1 if numbers else len(groups),
    ), groups  # fmt: skip


def fit_table(groups, way):
    def make(problem, k, options):
        given = {"categories": groups, "rare": 0, "weights": problem.weights, **options}
        if way == "frame":
            return el.fit(problem.table, k, **given)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"table.{way}"
            write = problem.table.to_csv if way == "csv" else problem.table.to_parquet
            write(path, index=False)
            return el.fit(path, k, **given)

    return make


@attack("shares as scales of indicator columns, and their dependence")
def categories(rng):
    problem, groups = categorical_problem(rng)
    way = draws.pick(rng, ("frame",) * 6 + ("csv", "parquet"))
    most = min(len(problem.features) - 1, problem.features.shape[1])
    k = int(rng.integers(1, most + 1))
    return Attack(problem, k, draws.options(rng), fit_table(groups, way))


def punch_table(rng, problem, groups):
    """The table with holes in all kinds of columns; a few rows are kept whole."""
    table = problem.table.copy()
    holes = rng.random(table.shape) < rng.uniform(0, 0.5)
    holes[rng.permutation(len(table))[: max(3, len(table) // 4)]] = False
    holes[np.arange(len(table)), rng.integers(table.shape[1], size=len(table))] = False
    features, first = problem.features.copy(), table.shape[1] - len(groups)
    numbers = [name for name in table if name not in groups]
    lacking = {name: holes[:, place] for place, name in enumerate(table)}
    for place, name in enumerate(numbers):
        features[lacking[name], place] = np.nan
    for name in groups:
        count = table[name].nunique()
        features[lacking[name], first : first + count] = np.nan
        first += count
    table = table.mask(holes)
    kept = np.array([np.nansum(column) > 0 for column in features.T]) | ~problem.is_share
    shares = problem.is_share[kept]
    return replace(problem, table=table, features=features[:, kept], is_share=shares)


@attack("memberships of missing categories, from contrasts")
def missing_categories(rng):
    problem, groups = categorical_problem(rng)
    problem = punch_table(rng, problem, groups)
    options = {"missing": draws.pick(rng, ("auto", "gaussian", "lowrank"))}
    if rng.random() < 0.3:
        options["tolerance"] = draws.pick(rng, (1e-2, 1e-6, 1e-10))
    most = min(len(problem.features) - 1, problem.features.shape[1])
    k, way = int(rng.integers(1, most + 1)), draws.pick(rng, ("frame",) * 6 + ("csv", "parquet"))

    def rows(problem, model):
        return expected_memberships(problem, model) if model.missing.cells else None

    return Attack(problem, k, options, fit_table(groups, way), rows)


@attack("profiles of counts, weighted by their sums")
def counts(rng):
    n, d = int(rng.integers(2, 30)), int(rng.integers(2, 8))
    rows = rng.poisson(draws.pick(rng, (0.3, 3.0, 100.0)), (n, d)) * 1.0
    rows[np.arange(n), rng.integers(d, size=n)] += 1
    rows[rng.integers(n, size=d), np.arange(d)] += draws.pick(rng, (1, 1e6))
    sums = rows.sum(axis=1)
    profiles = LONG(rows) / LONG(sums)[:, None]
    problem = CategoryProblem(
        rows, sums, table=rows, features=profiles, is_share=np.ones(d, dtype=bool)
    )

    def make(problem, k, options):
        return el.fit(problem.table, k, categories="counts", **options)

    return Attack(problem, int(rng.integers(1, min(n - 1, d) + 1)), draws.options(rng), make)
