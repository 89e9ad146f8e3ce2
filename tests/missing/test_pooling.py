"""The prior of a small table is pooled over several, by their errors on hidden cells."""

import numpy as np
import pytest
from hypothesis import given, settings

import eigenlens as el
from eigenlens.errors import OptionError
from eigenlens.missing.gaussian import TRIED, Gaussian
from eigenlens.missing.pooling import weigh_by_errors
from tests.missing.drawn import draw_holes, draw_table, incomplete_tables
from tests.missing.test_gaussian import expect


def test_equal_errors_have_equal_weights():
    errors = np.random.default_rng(0).standard_normal(50)

    assert weigh_by_errors([errors, -errors, errors]) == pytest.approx(1 / 3)


def test_smaller_errors_have_more_weight_and_many_cells_decide():
    errors = np.random.default_rng(1).standard_normal(2000)

    few = weigh_by_errors([errors[:50], 1.1 * errors[:50]])
    many = weigh_by_errors([errors, 1.1 * errors])

    assert 0.5 < few[0] < 0.95
    assert many[0] > 0.99


def test_one_outlying_cell_does_not_decide():
    errors = np.random.default_rng(2).standard_normal(100)
    spoiled = 0.7 * errors
    spoiled[0] = 8.0

    assert (spoiled**2).mean() > (errors**2).mean()
    assert weigh_by_errors([errors, spoiled])[1] > 0.5


def test_exact_predictions_share_the_weight():
    assert weigh_by_errors([np.zeros(30), np.zeros(30)]) == pytest.approx(0.5)


@settings(max_examples=10, deadline=None)
@given(incomplete_tables())
def test_the_pooled_prior_lies_between_those_tried(rows):
    found = expect(rows)

    width = rows.shape[1]
    parts = [part for part, _ in TRIED]
    assert min(parts) * width <= found.engine.prior * (1 + 1e-12)
    assert found.engine.prior <= max(parts) * width * (1 + 1e-12)
    assert 0 <= found.engine.toward_factors <= 1


def test_the_choice_shows_every_prior_tried():
    rows = draw_holes(draw_table(40, 5, 3), 0.25, 3)

    evidence = el.fit(rows, 2, missing="gaussian").choices["missing"].evidence

    assert len(evidence["errors"]) == len(TRIED) + 1
    assert 0 < evidence["prior_share_of_factors"] <= 1


def test_an_own_share_of_factors_is_kept():
    rows = draw_holes(draw_table(40, 5, 3), 0.25, 3)

    assert expect(rows, toward_factors=0.25).engine.toward_factors == pytest.approx(0.25)
    assert expect(rows, prior=3.0).engine.toward_factors == 0


def test_a_share_beyond_one_is_refused():
    with pytest.raises(OptionError, match="toward_factors"):
        Gaussian(toward_factors=1.5)
