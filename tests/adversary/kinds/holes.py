"""Missing cells: the certificate of the covariance matrix expected given the observed cells."""

import numpy as np

from tests.adversary import draws
from tests.adversary.registry import Attack, attack
from tests.problems import Problem
from tests.reference.expected_rows import expected_rows

ENGINES = ("gaussian", "auto", "lowrank")


def punch(rng, rows, share):
    """Holes one by one or in few patterns; every column keeps some cells, every row one."""
    holes = rng.random(rows.shape) < share
    if rng.random() < 0.3:
        holes = holes[rng.integers(4, size=len(rows))]
    holes[rng.permutation(len(rows))[: max(2, len(rows) // 5)]] = False
    holes[np.arange(len(rows)), rng.integers(rows.shape[1], size=len(rows))] = False
    return np.where(holes, rows.dtype.type(np.nan), rows)


def judged_rows(problem, model):
    return None if not model.missing.cells else expected_rows(problem, model)


@attack("products")
def missing_cells(rng):
    """Holes up to 60 %, means far away, float32, uneven weights, columns that nearly repeat."""
    large = rng.random() < 0.1
    n, d = int(rng.integers(5, 201 if large else 61)), int(rng.integers(2, 31 if large else 11))
    rows = draws.table(rng, n, d)
    if rng.random() < 0.3:  # the systems solved for the holes are ill conditioned then
        rows = rng.standard_normal((n, 2)) @ rng.standard_normal((2, d))
        rows += 10 ** rng.uniform(-9, -1) * rng.standard_normal((n, d))
    rows *= 10 ** rng.uniform(-3, 3, d)
    single = rng.random() < 0.3
    rows += 10 ** rng.uniform(0, 3 if single else 6) * rng.choice([-1, 0, 1], d)
    rows = punch(rng, rows.astype(np.float32) if single else rows, rng.uniform(0, 0.6))
    weights = uneven_weights(rng, n) if rng.random() < 0.3 else None
    problem = Problem(rows, weights, **draws.preparation(rng, d, given=0.2, raw=0.2))
    options = {"missing": draws.pick(rng, ENGINES), "seed": int(rng.integers(3))}
    if rng.random() < 0.3:
        options["tolerance"] = draws.pick(rng, (1e-2, 1e-6, 1e-10))
    return Attack(problem, draws.rank(rng, problem), options, rows=judged_rows)


def uneven_weights(rng, n):
    """Over five orders, some of them 0; or of a sum that is little more than 1."""
    if rng.random() < 0.3:
        weights = rng.uniform(0.5, 1, n)
        return weights * ((1 + 10 ** rng.uniform(-12, -1)) / weights.sum())
    weights = 10 ** rng.uniform(-2, 3, n)
    weights[n // 2 :: 5] = 0.0
    return weights * (2 * n / weights.sum())
