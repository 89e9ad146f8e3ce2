"""Several options at once: what each of them does to the rounding, and all of them together."""

import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse
import torch

import eigenlens as el
from tests.adversary import draws
from tests.adversary.interrupted import Interrupted
from tests.adversary.kinds.computed import ComputedProblem
from tests.adversary.kinds.weights import drawn
from tests.adversary.registry import Attack, attack

LONG = np.longdouble


class WeightedProblem(ComputedProblem):
    """The rows of a computed problem, centered by weighted means and divided by their weights."""

    def exact_divisor(self):
        total = LONG(len(self.rows)) if self.weights is None else LONG(self.weights).sum()
        return total - 1 if self.center else total


def stored_rows(rng, n, d):
    """Numbers of every type and size: near and far from the origin, graded, half precision."""
    kind = draws.pick(rng, ("f2", "bf", "f4", "f8", "f8", "i2", "i8"))
    rows = draws.table(rng, n, d)
    if kind in ("f4", "f8"):
        rows *= 10.0 ** rng.uniform(*draws.pick(rng, ((-1, 1), (-8, 8))), d)
        rows += draws.pick(rng, (0.0, 0.0, 1e2, 1e4)) * rng.choice([-1, 0, 1], d)
    if kind in ("i2", "i8"):
        return np.rint(rows * draws.pick(rng, (2.0, 1e3))).astype(kind)
    if kind == "bf":
        return torch.from_numpy(rows + draws.pick(rng, (0.0, 30.0))).bfloat16().float().numpy()
    return rows.astype(kind)


WAYS = ("array", "array", "fortran", "sparse", "tensor", "cpu", "callable", "npy", "resumed")


def hand_over(way, rows, folder):
    """The same numbers in another place, and the arguments that it takes."""
    if way == "fortran":
        return np.asfortranarray(rows), {}
    if way == "sparse":
        return scipy.sparse.csr_array(rows.astype("f4") if rows.dtype == "f2" else rows), {}
    if way in ("tensor", "cpu"):
        return torch.from_numpy(rows), {"device": "cpu"} if way == "cpu" else {}
    if way == "callable":
        return (lambda: iter(np.array_split(rows, 3))), {}
    if way == "npy":
        np.save(folder / "rows.npy", rows)
        return folder / "rows.npy", {}
    return rows, {}


def fit_resumed(rows, k, stop_after, folder, settings):
    """Interrupted in some pass and resumed, where it has so many passes."""
    source = Interrupted(rows, stop_after)
    settings["checkpoint"] = el.Checkpoint(folder / "run.ckpt", every_seconds=0)
    try:
        return el.fit(source, k, **settings)
    except KeyboardInterrupt:
        return el.fit(source, k, **settings)


@attack("several options at once")
def options_together(rng):
    """Types, places, weights, scales and unit lengths, one with the other."""
    n, d = draws.shape(rng, most_rows=60)
    given, unit = stored_rows(rng, n, d), bool(rng.random() < 0.3)
    rows = LONG(given)
    if unit:
        lengths = np.sqrt((rows**2).sum(axis=1))
        rows = rows / np.where(lengths > 0, lengths, 1)[:, None]
    weights = drawn(rng, n) if rng.random() < 0.5 else None
    prepared = draws.preparation(rng, d, given=0.2)
    problem = WeightedProblem(rows, weights, given=given, **prepared)
    way, stop_after = draws.pick(rng, WAYS), int(rng.integers(1, 6))

    def make(problem, k, options):
        settings = {"center": problem.center, "scale": problem.scale, "weights": problem.weights}
        settings |= {"normalize": "l2" if unit else None} | options
        with tempfile.TemporaryDirectory() as folder:
            if way == "resumed":
                floats = given if given.dtype in (np.float32, np.float64) else given.astype(float)
                return fit_resumed(floats, k, stop_after, Path(folder), settings)
            data, more = hand_over(way, given, Path(folder))
            return el.fit(data, k, **settings, **more)

    return Attack(problem, draws.rank(rng, problem), draws.options(rng), make)


@attack("merge of several options at once")
def merged_options(rng):
    """Parts of other sizes, of weights and unit lengths, merged and cut."""
    d, parts = int(rng.integers(1, 6)), int(rng.integers(2, 5))
    n = parts * int(rng.integers(d + 2, 20))
    given, unit = stored_rows(rng, n, d), bool(rng.random() < 0.3)
    steps = 10 ** rng.uniform(-3, 3) * np.arange(parts).repeat(n // parts)[:, None]
    given = (given + steps).astype(given.dtype)
    rows = LONG(given)
    if unit:
        lengths = np.sqrt((rows**2).sum(axis=1))
        rows = rows / np.where(lengths > 0, lengths, 1)[:, None]
    weights = None
    if rng.random() < 0.5:
        weights = draws.pick(rng, (rng.integers(1, 4, n) * 1.0, 10 ** rng.uniform(-3, 3, n) + 1))
    scale = draws.pick(rng, (None, None, "std", 10 ** rng.uniform(-3, 3, d)))
    problem = WeightedProblem(rows, weights, bool(rng.random() < 0.8), scale, given=given)
    solvers = [draws.pick(rng, ("covariance", "svd", "auto")) for _ in range(parts)]

    def make(problem, k, options):
        settings = {"center": problem.center, "scale": problem.scale}
        settings["normalize"] = "l2" if unit else None
        cuts = np.split(np.arange(n), parts)
        models = [
            el.fit(
                given[rows], d, solver=solver, weights=None if weights is None else weights[rows],
                **settings,
            )
            for rows, solver in zip(cuts, solvers, strict=True)
        ]  # fmt: skip
        whole = models[0]
        for model in models[1:]:
            whole = whole.merge(model)
        return whole.truncate(k)

    return Attack(problem, int(rng.integers(1, d + 1)), {}, make)
