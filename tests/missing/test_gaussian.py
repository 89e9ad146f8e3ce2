"""The Gaussian engine against stored values, and what must hold for every table."""

import numpy as np
from hypothesis import given, settings

from eigenlens.missing.choose import expect_rows
from eigenlens.missing.gaussian import Gaussian
from eigenlens.missing.observed import CellReader, observe_cells
from eigenlens.sources.open import open_source
from tests.missing.drawn import draw_holes, draw_table, incomplete_tables
from tests.missing.tables import wine


def expect(rows, seed=0, weights=None, **options):
    source = open_source(rows, None)
    reader = CellReader(source, observe_cells(source, weights), weights)
    return expect_rows(reader, Gaussian(**options), np.random.default_rng(seed))


def correlation_eigenvalues(moments):
    sizes = np.sqrt(np.diag(moments.scatter))
    return np.linalg.eigvalsh(moments.scatter / np.outer(sizes, sizes))[::-1]


@settings(max_examples=30)
@given(incomplete_tables())
def test_the_likelihood_never_falls(rows):
    trail = expect(rows, prior=rows.shape[1] / 4).fixed_point.trail

    assert (np.diff(trail) >= 0).all()


@settings(max_examples=20)
@given(incomplete_tables())
def test_shifting_and_scaling_columns_commutes(rows):
    rng = np.random.default_rng(0)
    factors = 2.0 ** rng.integers(-6, 7, rows.shape[1])
    moved = rows * factors + 100.0 * rng.standard_normal(rows.shape[1])
    options = {"prior": 2.0, "tolerance": 1e-11}

    one, other = expect(rows, **options).moments, expect(moved, **options).moments

    sizes = np.sqrt(np.diag(one.scatter))
    apart = np.abs(other.scatter / np.outer(factors, factors) - one.scatter)
    assert (apart / np.outer(sizes, sizes)).max() <= 1e-7


@settings(max_examples=20)
@given(incomplete_tables())
def test_the_order_of_rows_and_columns_does_not_matter(rows):
    rng = np.random.default_rng(0)
    down, across = rng.permutation(len(rows)), rng.permutation(rows.shape[1])
    options = {"prior": 2.0, "tolerance": 1e-11}

    one = expect(rows, **options).moments
    other = expect(rows[np.ix_(down, across)], **options).moments

    sizes = np.sqrt(np.diag(one.scatter))
    apart = np.abs(other.scatter - one.scatter[np.ix_(across, across)])
    assert (apart / np.outer(sizes, sizes)[np.ix_(across, across)]).max() <= 1e-7
    assert (np.abs(other.mean - one.mean[across]) / sizes[across]).max() <= 1e-7


def test_an_answer_at_rest_is_a_fixed_point():
    found = expect(wine(), prior=4.0, tolerance=1e-12).fixed_point

    assert found.at_rest
    assert found.defect <= 1e-11


def test_hidden_cells_are_predicted_better_than_by_the_mean():
    rows = draw_holes(draw_table(300, 10, seed=5), 0.2, seed=6)

    hidden = expect(rows).hidden

    assert hidden.error < 0.7
    assert (hidden.calibration >= 1).all()


def test_a_column_hidden_where_another_is_large_keeps_its_mean():
    rng = np.random.default_rng(0)
    first = rng.standard_normal(5000)
    rows = np.column_stack([first, 0.9 * first + 0.4 * rng.standard_normal(5000)])
    rows[first > 0, 1] = np.nan

    mean = expect(rows).moments.mean

    assert abs(mean[1]) < 0.06
