"""Weights: the divisor, their roots, and deviations that they make uneven."""

import numpy as np

from tests.adversary import draws
from tests.adversary.registry import Attack, attack
from tests.problems import Problem


def drawn(rng, n):
    """Over thirty orders, normalized, one heavy row, many zeros, or very large and small ones."""
    story = int(rng.integers(6))
    weights = 10 ** rng.uniform(-15, 15, n)
    if story == 1:
        weights = rng.uniform(0.5, 2, n)
        weights /= weights.sum()
        weights *= draws.pick(rng, (1.0, 1 + 1e-13, 1 + 1e-9, 1.01, float(n)))
    elif story == 2:
        weights = np.ones(n)
        weights[int(rng.integers(n))] = 10 ** rng.uniform(0, 16)
    elif story == 3:
        weights = rng.integers(0, 3, n).astype(float)
        weights[:2] = 1.0
    elif story == 4:
        weights = rng.uniform(1, 2, n) * 10.0 ** rng.integers(-200, 200)
    elif story == 5:
        weights = rng.integers(1, 4, n).astype(float)
    return weights


@attack("weights, divisor")
def uneven_weights(rng):
    n, d = draws.shape(rng)
    rows = draws.table(rng, n, d) + draws.pick(rng, (0.0, 3.0, 1e4))
    weights = drawn(rng, n)
    rows = rows.astype(draws.pick(rng, (np.float32, np.float64, np.float64)))
    problem = Problem(rows, weights=weights, **draws.preparation(rng, d, std=0.4, given=0.1))
    return Attack(problem, draws.rank(rng, problem), draws.options(rng))


@attack("weights, shift")
def rows_that_weigh_nothing(rng):
    """Rows of weight 0 lie elsewhere: nothing may be learned from them."""
    n, d = draws.shape(rng)
    rows = draws.table(rng, n, d)
    weights = np.where(rng.random(n) < 0.5, 0.0, rng.uniform(0.5, 2, n))
    weights[:2] = 2.0
    rows[weights > 0] += 10 ** rng.uniform(0, 10)
    problem = Problem(rows, weights=weights, **draws.preparation(rng, d, std=0.3, given=0.0))
    return Attack(problem, draws.rank(rng, problem), draws.options(rng))


@attack("weights, scale")
def light_rows_where_the_sample_looks(rng):
    """The sample holds light rows only, far from the others: deviations are summed about them."""
    samples, each, d = 256, draws.pick(rng, (3, 5)), int(rng.integers(1, 5))
    weights = np.ones((samples, each))
    weights[:, each // 2] = 10 ** rng.uniform(-16, -3)
    rows = rng.standard_normal((samples * each, d))
    rows[each // 2 :: each] += 10 ** rng.uniform(0, 8)
    center = bool(rng.random() < 0.4)
    scale = draws.pick(rng, ("std", "std", None))
    problem = Problem(rows, weights=weights.ravel(), center=center, scale=scale)
    return Attack(problem, draws.rank(rng, problem), draws.options(rng))
