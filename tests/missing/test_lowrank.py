"""The low-rank engine: a factor law from the observed cells."""

import numpy as np
import pytest
from hypothesis import given, settings

from eigenlens.missing.lowrank import LowRank
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellReader, observe_cells
from eigenlens.missing.sums import sum_over
from eigenlens.sources.open import open_source
from tests.missing.drawn import draw_holes, draw_table, incomplete_tables


def read(rows):
    source = open_source(rows, None)
    return CellReader(source, observe_cells(source))


@settings(max_examples=25)
@given(incomplete_tables())
def test_the_lower_bound_never_falls(rows):
    learned = LowRank(rank=3, max_passes=40).learn(read(rows), 1e-9, 40)

    steps = np.diff(learned.trail)

    assert (steps >= -1e-9 * np.abs(learned.trail[:-1])).all()


def test_maximum_likelihood_on_a_complete_table_is_pca():
    rows = draw_table(80, 7, seed=1)
    reader = read(rows)

    law = LowRank(rank=2, prior=False, tolerance=1e-12).solve(reader, np.random.default_rng(0)).law

    units = (rows - reader.observed.center) / reader.observed.spread
    values, vectors = np.linalg.eigh(units.T @ units / len(rows))
    leading = vectors[:, -2:]
    assert law.noise == pytest.approx(values[:-2].mean(), rel=1e-10)
    outside = law.loadings - leading @ (leading.T @ law.loadings)
    assert np.linalg.norm(outside) <= 1e-6 * np.linalg.norm(law.loadings)


@settings(max_examples=25)
@given(incomplete_tables())
def test_a_factor_law_expects_what_the_same_normal_law_expects(rows):
    reader = read(rows)
    law = LowRank(rank=2).learn(reader, 1e-3, 10).law
    width = rows.shape[1]
    covariance = law.loadings @ law.loadings.T + law.noise * np.eye(width)

    one = sum_over(law, reader)
    other = sum_over(Normal(law.mean, covariance), reader)

    room = 1e-9 * np.linalg.cond(covariance) ** 0.5 * max(1.0, np.abs(other.second).max())
    assert np.abs(one.second - other.second).max() <= room
    assert one.deviance == pytest.approx(other.deviance, rel=1e-8, abs=1e-6)


def test_factors_that_are_not_needed_are_emptied():
    rng = np.random.default_rng(2)
    signs = rng.choice([-1.0, 1.0], (2, 30))  # columns of equal variance: standardized noise is too
    rows = rng.standard_normal((400, 2)) @ signs + 0.5 * rng.standard_normal((400, 30))
    rows = draw_holes(rows, 0.3, seed=3)

    loadings = LowRank(rank=8).learn(read(rows), 1e-6, 300).loadings

    sizes = np.sort(np.square(loadings.weights).sum(axis=0))[::-1]
    assert (sizes[2:] < 0.05 * sizes[1]).all()
