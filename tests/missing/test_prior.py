"""What a normal law is drawn to: independent columns, or factors with noise of every column."""

import numpy as np
import pytest
from hypothesis import given, settings

import eigenlens as el
from eigenlens.explain.incomplete_sampling import can_leave_out_groups
from eigenlens.missing.column_noise import learn_column_factors
from eigenlens.missing.gaussian import Gaussian
from eigenlens.missing.lowrank import LowRank
from eigenlens.missing.prior import Prior
from tests.adversary.judge import violations
from tests.adversary.registry import load_kinds
from tests.adversary.truth import truth_of
from tests.missing.drawn import draw_holes, draw_table, incomplete_tables
from tests.missing.test_gaussian import expect
from tests.missing.test_intervals import reader_of
from tests.reference.expected_rows import expected_rows
from tests.reference.normal import observed_deviance


@settings(max_examples=15)
@given(incomplete_tables())
def test_the_likelihood_never_falls_toward_factors(rows):
    found = expect(rows, prior=rows.shape[1] / 2, toward_factors=True).fixed_point

    assert (np.diff(found.trail) >= 0).all()


def test_the_law_at_rest_maximizes_what_it_says():
    rows = draw_holes(draw_table(40, 5, 3), 0.25, 3)
    reader = reader_of(rows)
    units = (rows - reader.observed.center) / reader.observed.spread
    prior = Prior(4.0, learn_column_factors(reader).covariance)

    def objective(mean, covariance):
        inverse = np.linalg.inv(covariance)
        cost = np.linalg.slogdet(covariance)[1] + np.trace(prior.covariance @ inverse)
        return observed_deviance(units, mean, covariance) + prior.rows * cost

    law = expect(rows, prior=4.0, toward_factors=True, tolerance=1e-10).fixed_point.law

    least = objective(law.mean, law.covariance)
    rng = np.random.default_rng(0)
    for _ in range(40):
        turn = rng.standard_normal((5, 5))
        apart = 1e-3 * (turn + turn.T)
        assert objective(law.mean, law.covariance + apart) > least
        assert objective(law.mean + 1e-3 * turn[0], law.covariance) > least


def test_noise_of_each_column_is_nearer_the_truth_than_one_noise_for_all():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        loadings, noise = rng.standard_normal((30, 2)), rng.uniform(0.2, 2.0, 30)
        rows = rng.standard_normal((50, 2)) @ loadings.T + rng.standard_normal((50, 30)) * noise
        reader = reader_of(draw_holes(rows, 0.2, 1))
        spread = reader.observed.spread
        truth = (loadings @ loadings.T + np.diag(noise**2)) / np.outer(spread, spread)

        found = learn_column_factors(reader).covariance

        law = LowRank().learn(reader, 1e-3, 60).law
        usual = law.loadings @ law.loadings.T + law.noise * np.eye(30)
        assert np.linalg.norm(found - truth) < 0.96 * np.linalg.norm(usual - truth)


def test_few_factors_of_many_columns_keep_their_share():
    rng = np.random.default_rng(4)
    rows = rng.standard_normal((40, 3)) @ rng.standard_normal((3, 60))
    rows += rng.standard_normal(rows.shape) * rng.uniform(0.2, 1.0, 60)
    complete = el.fit(rows, 2, scale="std").explained_ratio.sum()
    lacking = draw_holes(rows, 0.3, 1)

    model = el.fit(lacking, 2, scale="std", missing="auto")

    assert "prior_factors" in model.choices["missing"].evidence
    assert abs(model.explained_ratio.sum() - complete) <= 0.03
    assert can_leave_out_groups(model)
    columns = el.fit(lacking, 2, scale="std", missing=Gaussian(prior=120.0))
    assert abs(columns.explained_ratio.sum() - complete) > 0.03


def test_an_own_prior_is_toward_independent_columns():
    rows = draw_holes(draw_table(40, 6, 2), 0.2, 2)

    evidence = el.fit(rows, 2, missing=Gaussian(prior=3.0)).choices["missing"].evidence

    assert evidence["prior_rows"] == 3.0
    assert "prior_factors" not in evidence


def test_without_hidden_cells_the_gaussian_engine_has_a_careful_prior():
    rows = np.array([[np.nan, 1.0], [2.0, 3.0], [4.0, 2.5]])

    choice = el.fit(rows, 1, missing="auto").choices["missing"]

    assert choice.value == "gaussian"
    assert choice.rule == "no hidden cells"


@pytest.mark.parametrize("place", [(5, 114), (20261116, 2636)])
def test_factors_that_leave_columns_no_noise_are_no_prior(place):
    """All but two directions vanish: completions are rounded to a matrix that is indefinite."""
    attack = load_kinds()["missing_cells"].draw(np.random.default_rng(place))

    model = attack.run()

    truth = truth_of(attack.problem, expected_rows(attack.problem, model))
    assert violations(model, truth) == []


def test_columns_that_nearly_repeat_leave_the_law_positive_definite():
    for seed in range(6):
        rng = np.random.default_rng(seed)
        rows = rng.standard_normal((32, 2)) @ rng.standard_normal((2, 7))
        rows += 1e-9 * rng.standard_normal(rows.shape)
        reader = reader_of(draw_holes(rows, 0.33, seed))

        factors = learn_column_factors(reader).covariance
        found = el.fit(draw_holes(rows, 0.33, seed), 2, missing="auto")

        assert np.linalg.eigvalsh(factors)[0] > 0.9e-6
        assert (np.diff(found.missing.trail) >= 0).all()
