"""Ways to a model other than one fit of an array: merges, streams, budgets, taken up again."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse

import eigenlens as el
from tests.adversary import draws
from tests.adversary.interrupted import Interrupted
from tests.adversary.registry import Attack, attack
from tests.problems import Problem


@attack("merge")
def merged_models(rng):
    """Two to four parts, far from the origin, merged one after the other."""
    d = int(rng.integers(1, 6))
    parts = int(rng.integers(2, 5))
    n = parts * int(rng.integers(d + 2, 20))
    spread = 10 ** rng.uniform(-6, 2)
    rows = spread * draws.table(rng, n, d) + 10 ** rng.uniform(-2, 9) * rng.choice([0, 1])
    rows += spread * rng.uniform(0, 5) * (np.arange(n) // (n // parts))[:, None]
    scale = draws.pick(rng, (None, None, "std"))
    problem = Problem(rows, center=bool(rng.random() < 0.8), scale=scale)
    solver = draws.pick(rng, ("covariance", "svd", "auto"))

    def make(problem, k, options):
        pieces = np.split(problem.rows, parts)
        settings = {"center": problem.center, "scale": problem.scale, "solver": solver}
        models = [el.fit(piece, d, **settings) for piece in pieces]
        whole = models[0]
        for model in models[1:]:
            whole = whole.merge(model)
        return whole.truncate(k)

    return Attack(problem, int(rng.integers(1, d + 1)), {}, make)


@attack("streams")
def read_once(rng):
    """Blocks of an iterator, gone once they were read."""
    n, d = draws.shape(rng)
    rows = draws.table(rng, n, d) * 10 ** rng.uniform(-8, 8) + 10 ** rng.uniform(-3, 9)
    rows = rows.astype(draws.pick(rng, (np.float32, np.float64)))
    step = int(rng.integers(1, n + 1))
    problem = Problem(rows, center=bool(rng.random() < 0.8))

    def make(problem, k, options):
        blocks = (problem.rows[i : i + step] for i in range(0, len(problem.rows), step))
        return el.fit(blocks, k, center=problem.center, **options)

    solver = draws.pick(rng, ("auto", "covariance", "krylov", "orthogonal"))
    return Attack(problem, draws.rank(rng, problem), {"solver": solver}, make)


@attack("budgets")
def tiny_budgets(rng):
    """As little memory as a fit can do with, and less."""
    n, d = draws.shape(rng, most_rows=80)
    rows = draws.table(rng, n, d).astype(draws.pick(rng, (np.float32, np.float64)))
    problem = Problem(rows, **draws.preparation(rng, d, given=0.1))
    memory = int(10 ** rng.uniform(3, 7))
    return Attack(problem, draws.rank(rng, problem), draws.options(rng) | {"memory": memory})


@attack("resumed fits")
def taken_up_again(rng):
    """Interrupted in some pass, and gone on with from the checkpoint."""
    n, d = draws.shape(rng)
    rows = draws.table(rng, n, d) + draws.pick(rng, (0.0, 1e5))
    problem = Problem(rows, center=bool(rng.random() < 0.8))
    stop_after = int(rng.integers(1, 6))

    def make(problem, k, options):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.ckpt"
            source = Interrupted(problem.rows, stop_after)
            settings = {"center": problem.center, **options}
            checkpoint = el.Checkpoint(path, every_seconds=0)
            try:
                return el.fit(source, k, checkpoint=checkpoint, **settings)
            except KeyboardInterrupt:
                return el.fit(source, k, checkpoint=checkpoint, **settings)

    return Attack(problem, draws.rank(rng, problem), draws.options(rng), make)


ELSEWHERE = ("pandas", "polars", "arrow", "csv", "npy", "sparse", "objects", "blocks")


def store_elsewhere(kind, rows, names, folder):
    """The same whole numbers in anything but an array."""
    if kind == "pandas":
        return pd.DataFrame(rows, columns=names)
    if kind == "polars":
        return pl.DataFrame(rows, schema=names)
    if kind == "arrow":
        return pa.table(list(rows.T), names=names)
    if kind == "csv":
        pd.DataFrame(rows, columns=names).to_csv(folder / "rows.csv", index=False)
        return folder / "rows.csv"
    if kind == "npy":
        np.save(folder / "rows.npy", rows)
        return folder / "rows.npy"
    if kind == "sparse":
        return scipy.sparse.csr_array(rows)
    if kind == "objects":
        return rows.astype(object)
    return iter(np.array_split(rows, 3))


@attack("reading")
def wide_numbers_elsewhere(rng):
    """Whole numbers beyond 2^53 in frames, files, sparse matrices and streams; also merged."""
    n, d = draws.shape(rng, most_rows=60)
    rows = rng.integers(0, 2 ** int(rng.integers(3, 60)), (n, d)) + 2 ** int(rng.integers(48, 62))
    scale = "std" if rng.random() < 0.3 else None
    problem = Problem(rows, center=bool(rng.random() < 0.8), scale=scale)
    merges, kind = bool(rng.random() < 0.3) and n >= 8, draws.pick(rng, ELSEWHERE)

    def make(problem, k, options):
        settings = {"center": problem.center, "scale": problem.scale}
        columns = [f"c{i}" for i in range(d)]
        with tempfile.TemporaryDirectory() as folder:
            if merges:
                halves = (pd.DataFrame(half, columns=columns) for half in np.split(rows, [n // 2]))
                settings |= {"k": min(d, n // 2 - 1), "columns": columns}
                one, two = (el.fit(half, **settings) for half in halves)
                return one.merge(two).truncate(k)
            data = store_elsewhere(kind, rows, columns, Path(folder))
            # Named, columns are analyzed whatever role their numbers suggest.
            named = kind in ("pandas", "polars", "arrow", "csv")
            settings["columns"] = columns if named else None
            return el.fit(data, k, **settings, **options)

    return Attack(problem, draws.rank(rng, problem), draws.options(rng), make)
