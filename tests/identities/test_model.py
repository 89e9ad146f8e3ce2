"""The model: encoding, decoding, errors, likelihood.

Scores and rows are products with k orthonormal vectors: allowed are a few eps times the number of
columns times the longest row, unless said otherwise.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

import eigenlens as el
from tests.fitting import fit
from tests.problems import make_table
from tests.reference import divisor, exact_rows, exact_spectrum
from tests.strategies import problems, tables

EPS = np.finfo(np.float64).eps
seeds = st.integers(0, 1000)


@st.composite
def fits(draw):
    """A problem, its model of some rank, and the prepared rows without weights."""
    problem = draw(problems(max_rows=30, max_columns=20))
    k = draw(st.integers(1, problem.max_rank))
    model = fit(problem, k, solver=draw(st.sampled_from(["svd", "covariance", "krylov"])))
    rows = exact_rows(problem.rows, None, center=False)
    shift = 0 if model.mean is None else model.mean
    scale = 1 if model.scale is None else model.scale
    return problem, model, ((rows - shift) / scale).astype(np.float64)


def size_of(rows):
    return float(np.linalg.norm(rows, axis=1).max())


def allowed(model, prepared):
    """What centering in float64 and a product of d terms may move in one score."""
    far = (
        0.0
        if model.mean is None
        else np.abs(model.mean / (1 if model.scale is None else model.scale)).max()
    )
    return 8 * model.n_features * EPS * (size_of(prepared) + far)


@given(fits(), seeds)
def test_scores_come_back_from_the_rows_made_of_them(fitted, seed):
    _, model, prepared = fitted
    scores = np.random.default_rng(seed).standard_normal((7, model.n_components))

    again = model.project(model.reconstruct(scores))

    far = allowed(model, prepared) + 8 * model.n_features * EPS * size_of(scores)
    np.testing.assert_allclose(again, scores, rtol=0, atol=far)


@given(fits())
def test_reconstructing_twice_changes_nothing_more(fitted):
    problem, model, prepared = fitted

    once = model.reconstruct(model.project(problem.rows))
    twice = model.reconstruct(model.project(once))

    scale = 1 if model.scale is None else model.scale
    assert np.all(np.abs(twice - once) / scale <= 4 * allowed(model, prepared))


@given(fits())
def test_pythagoras_a_row_is_its_scores_and_its_residual(fitted):
    problem, model, prepared = fitted

    scores, residuals = model.project(problem.rows), model.residual(problem.rows)

    lengths = np.square(prepared).sum(axis=1)
    slack = 8 * size_of(prepared) * allowed(model, prepared)
    assert np.all(residuals >= 0)
    np.testing.assert_allclose(
        np.square(scores).sum(axis=1) + residuals, lengths, rtol=0, atol=slack
    )


@given(fits())
def test_the_residual_is_the_distance_to_the_reconstruction(fitted):
    problem, model, prepared = fitted

    rebuilt = model.reconstruct(model.project(problem.rows))

    scale = 1 if model.scale is None else model.scale
    shift = 0 if model.mean is None else model.mean
    apart = prepared - (rebuilt - shift) / scale
    slack = 8 * size_of(prepared) * allowed(model, prepared)
    np.testing.assert_allclose(
        np.square(apart).sum(axis=1), model.residual(problem.rows), rtol=0, atol=slack
    )


@given(fits())
def test_the_total_error_is_what_the_certificate_says(fitted):
    problem, model, prepared = fitted
    weights = np.ones(len(prepared)) if problem.weights is None else problem.weights

    total = float(weights @ model.residual(problem.rows))

    claimed = model.certificate.reconstruction_error
    spread = float(divisor(problem)) * (
        float(model.certificate.rounding.sum())
        + 4 * model.proof.facts.roundoff * model.certificate.hazard * model.total_variance
    )
    rows = float(weights.sum()) * 8 * size_of(prepared) * allowed(model, prepared)
    assert abs(total - claimed) <= 2 * spread + rows


@given(fits())
def test_the_total_error_is_the_sum_of_the_dropped_eigenvalues(fitted):
    problem, model, _ = fitted
    truth = exact_spectrum(problem)

    dropped = truth.eigenvalues[model.n_components :].sum() * float(divisor(problem))

    # A subspace that is not the best one misses that much more, by at most its suboptimality.
    missed = model.certificate.suboptimality * truth.eigenvalues[: model.n_components].sum()
    slack = float(model.certificate.rounding.sum()) + (
        4 * model.proof.facts.roundoff * model.certificate.hazard * truth.total
    )
    least = model.certificate.reconstruction_error - (missed + 2 * slack) * float(divisor(problem))
    most = model.certificate.reconstruction_error + 2 * slack * float(divisor(problem))
    assert least <= dropped <= most


@given(fits(), seeds)
def test_most_variance_is_least_error(fitted, seed):
    # For any subspace captured + error = total, so the one that wins in one wins in the other.
    problem, model, prepared = fitted
    weights = np.ones(len(prepared)) if problem.weights is None else problem.weights
    other = np.linalg.qr(
        np.random.default_rng(seed).standard_normal((model.n_features, model.n_components))
    )[0]

    scores = prepared @ other
    error = float(weights @ np.square(prepared - scores @ other.T).sum(axis=1))
    held = float(weights @ np.square(scores).sum(axis=1))

    total = float(weights @ np.square(prepared).sum(axis=1))
    assert error + held == pytest.approx(total, rel=1e-10)
    ours = model.certificate.reconstruction_error
    slack = (
        2 * float(divisor(problem)) * float(model.certificate.rounding.sum())
        + model.certificate.suboptimality * total
        + 4 * model.proof.facts.roundoff * model.certificate.hazard * total
        + float(weights.sum()) * 8 * size_of(prepared) * allowed(model, prepared)
    )
    assert ours <= error + slack


@given(fits())
def test_scores_are_uncorrelated_and_have_the_eigenvalues_as_variances(fitted):
    problem, model, prepared = fitted
    weights = np.ones(len(prepared)) if problem.weights is None else problem.weights
    scores = model.project(problem.rows)

    spread = scores.T @ (weights[:, None] * scores) / float(divisor(problem))

    # Off the diagonal is what Rayleigh-Ritz left: rounding of the products, and of these scores.
    rounding = 4 * model.proof.facts.roundoff * model.certificate.hazard * model.total_variance
    total = float(weights.sum()) / float(divisor(problem))
    slack = (
        rounding
        + float(model.certificate.rounding.max())
        + (8 * total * size_of(prepared) * allowed(model, prepared))
    )
    np.testing.assert_allclose(spread, np.diag(model.eigenvalues), rtol=0, atol=slack)


@given(problems(max_rows=30, max_columns=20), seeds)
def test_the_frobenius_norm_of_the_covariance_is_that_of_its_eigenvalues(problem, seed):
    model = fit(problem, problem.max_rank, solver="covariance")

    rows = exact_rows(problem.rows, problem.weights, problem.center, problem.scale)
    matrix = rows.T @ rows / divisor(problem)

    norm = float(np.square(matrix).sum())
    slack = 4 * model.proof.facts.roundoff * model.certificate.hazard * model.total_variance**2
    allowance = 2 * float(model.certificate.rounding.sum()) * model.total_variance
    assert abs(np.square(model.eigenvalues).sum() - norm) <= slack + allowance + 1e-12 * norm


@given(tables(dtypes=("float64",)), seeds)
def test_whole_weights_are_repeated_rows(rows, seed):
    weights = np.random.default_rng(seed).integers(0, 4, len(rows))
    weights[:2] = 2, 1
    k = min(2, rows.shape[1], int(np.count_nonzero(weights)) - 1)

    one = el.fit(rows, k, weights=weights)
    two = el.fit(np.repeat(rows, weights, axis=0), k)

    slack = float(max(m.certificate.rounding.max() for m in (one, two)))
    width = np.ptp(one.certificate.eigenvalue_bounds, axis=1) + slack
    assert np.all(np.abs(one.eigenvalues - two.eigenvalues) <= width + slack)
    far = np.abs(one.mean).max()
    np.testing.assert_allclose(one.mean, two.mean, rtol=0, atol=100 * EPS * (far + size_of(rows)))
    assert one.certificate.reconstruction_error == pytest.approx(
        two.certificate.reconstruction_error,
        abs=4 * len(rows) * weights.sum() * (slack + EPS * one.total_variance),
    )


def likelihood_slack(model, rows):
    """Squared lengths over the smallest variance, each good to d eps of the farthest row."""
    smallest = min(float(model.eigenvalues[-1]), model.noise_variance or np.inf)
    units = 1 if model.scale is None else model.scale
    longest = size_of((rows - model.mean) / units) + size_of(rows / units)
    return 100 * model.n_features * EPS * longest**2 / smallest


@given(seeds, st.integers(1, 4), st.sampled_from([None, "std"]), st.sampled_from([0.0, 50.0]))
def test_the_likelihood_is_that_of_the_gaussian_model(seed, k, scale, offset):
    rows = make_table(60, 5, seed, decay="slow", offset=offset)
    model = el.fit(rows, k, scale=scale, solver="svd")
    units = np.ones(5) if model.scale is None else model.scale
    leading = (model.components.T * (model.eigenvalues - model.noise_variance)) @ model.components
    covariance = (leading + model.noise_variance * np.eye(5)) * np.outer(units, units)

    density = model.log_likelihood(rows)

    expected = multivariate_normal(model.mean, covariance).logpdf(rows)
    np.testing.assert_allclose(density, expected, rtol=0, atol=likelihood_slack(model, rows))


@given(seeds)
def test_the_likelihood_of_all_components_is_that_of_the_sample_covariance(seed):
    rows = make_table(60, 4, seed, decay="slow")
    model = el.fit(rows, 4)

    density = model.log_likelihood(rows)

    expected = multivariate_normal(rows.mean(axis=0), np.cov(rows.T)).logpdf(rows)
    np.testing.assert_allclose(density, expected, rtol=0, atol=likelihood_slack(model, rows))


@given(seeds, st.integers(1, 4))
def test_noise_is_the_average_variance_left_out(seed, k):
    rows = make_table(50, 6, seed, decay="slow")
    values = np.linalg.eigvalsh(np.cov(rows.T))[::-1]

    model = el.fit(rows, k)

    slack = 100 * len(rows) * EPS * values[0] / values[-1]
    assert model.noise_variance == pytest.approx(values[k:].mean(), rel=slack)
    np.testing.assert_allclose(model.explained_ratio, values[:k] / values.sum(), rtol=slack)
