"""Models from models: merged, they are the model of all rows; truncated, the smaller model."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import eigenlens as el
from tests.distances import subspace_distance
from tests.problems import make_table
from tests.reference import exact_spectrum
from tests.strategies import problems, tables

EPS = np.finfo(np.float64).eps
seeds = st.integers(0, 1000)


def size_of(rows):
    return float(np.linalg.norm(rows, axis=1).max())


@given(tables(dtypes=("float64",)), st.data())
def test_two_models_of_disjoint_rows_merge_into_the_model_of_all(rows, data):
    cut = data.draw(st.integers(2, max(2, len(rows) - 2)))
    assume(len(rows) - cut >= 2)
    options = {"solver": "covariance", "k": 1}
    options |= data.draw(
        st.sampled_from([{}, {"center": False}, {"scale": np.arange(1.0, rows.shape[1] + 1)}])
    )

    merged = el.fit(rows[:cut], **options).merge(el.fit(rows[cut:], **options))

    whole = el.fit(rows, **options)
    assert_same_model(merged, whole, rows)


@given(tables(dtypes=("float64",)), st.data())
def test_standardized_models_merge_by_the_deviations_of_all_rows(rows, data):
    cut = data.draw(st.integers(2, max(2, len(rows) - 2)))
    assume(len(rows) - cut >= 2)
    options = {"solver": "covariance", "k": 1, "scale": "std"}

    merged = el.fit(rows[:cut], **options).merge(el.fit(rows[cut:], **options))

    whole = el.fit(rows, **options)
    # Deviations are found from shifted rows: relative to them, means matter by their own rounding.
    far = size_of(rows) / whole.scale.min()
    slack = 20 * len(rows) * EPS * far
    np.testing.assert_allclose(merged.scale, whole.scale, rtol=slack)
    np.testing.assert_allclose(
        merged.eigenvalues, whole.eigenvalues, rtol=0, atol=4 * slack * rows.shape[1]
    )


@given(tables(dtypes=("float64",), max_columns=8), seeds, st.data())
def test_weighted_models_merge_too(rows, seed, data):
    assume(len(rows) >= 6)
    weights = np.random.default_rng(seed).exponential(2, len(rows)) + 1
    cut = data.draw(st.integers(3, len(rows) - 3))

    parts = [
        el.fit(rows[part], 1, weights=weights[part], solver="covariance")
        for part in (slice(cut), slice(cut, None))
    ]
    merged = parts[0].merge(parts[1])

    assert_same_model(merged, el.fit(rows, 1, weights=weights, solver="covariance"), rows)


@pytest.mark.parametrize("power", [-465, -330, 330, 465])
def test_very_large_and_very_small_numbers_merge_like_others(power):
    # A power of two changes no digit: 2^465 is about 1e140.
    rows = make_table(40, 5, 1, decay="slow")
    plain, scaled = (
        el.fit(table[:20], 2, solver="covariance").merge(el.fit(table[20:], 2, solver="covariance"))
        for table in (rows, rows * 2.0**power)
    )

    np.testing.assert_allclose(scaled.eigenvalues / 4.0**power, plain.eigenvalues, rtol=100 * EPS)
    for name in ("subspace_angle", "suboptimality", "relative_error", "captured_ratio"):
        ours, theirs = (getattr(model.certificate, name) for model in (scaled, plain))
        assert ours == pytest.approx(theirs, rel=0.01, abs=EPS)


@given(tables(dtypes=("float64",), max_rows=30, max_columns=6))
def test_full_models_of_any_solver_merge(rows):
    assume(len(rows) >= 16)
    half = len(rows) // 2
    k = rows.shape[1]

    merged = el.fit(rows[:half], k, solver="svd").merge(el.fit(rows[half:], k, solver="svd"))

    assert_same_model(merged, el.fit(rows, k, solver="svd"), rows)


def assert_same_model(one, two, rows):
    """Eigenvalues, mean, total; and the subspace where both have proven where it lies."""
    far = size_of(rows)
    slack = (
        100 * len(rows) * EPS * (far**2 if two.mean is None else far * np.sqrt(two.total_variance))
    )
    slack /= np.min(two.scale) ** 2 if two.scale is not None else 1
    slack += float(two.certificate.rounding.max())
    assert one.n_rows == two.n_rows
    np.testing.assert_allclose(one.eigenvalues, two.eigenvalues, rtol=0, atol=slack)
    assert one.total_variance == pytest.approx(two.total_variance, abs=one.n_features * slack)
    if two.mean is not None:
        np.testing.assert_allclose(one.mean, two.mean, rtol=0, atol=100 * EPS * far)
    bound = one.certificate.subspace_angle + two.certificate.subspace_angle
    assert bound >= 1 or subspace_distance(one.components.T, two.components.T) <= bound


@given(problems(max_rows=30, max_columns=20), st.data())
def test_a_truncated_model_is_the_smaller_model(problem, data):
    many = data.draw(st.integers(1, problem.max_rank))
    few = data.draw(st.integers(1, many))
    model = el.fit(
        problem.rows,
        many,
        center=problem.center,
        scale=problem.scale,
        weights=problem.weights,
        solver="svd",
    )

    small = model.truncate(few)

    truth = exact_spectrum(problem)
    np.testing.assert_array_equal(small.components, model.components[:few])
    np.testing.assert_array_equal(small.eigenvalues, model.eigenvalues[:few])
    bounds = small.certificate.eigenvalue_bounds
    slack = 4 * EPS * truth.eigenvalues[0]
    assert np.all(bounds[:, 0] - slack <= truth.eigenvalues[:few])
    assert np.all(truth.eigenvalues[:few] <= bounds[:, 1] + slack)
    assert small.certificate.reconstruction_error >= model.certificate.reconstruction_error
    assert small.choices["k"].rule == "truncate"


def test_a_model_stopped_before_it_held_everything_cannot_be_merged():
    rows = np.random.default_rng(0).standard_normal((12, 60))
    stopped = el.fit(rows, 11, solver=el.solvers.OrthogonalIteration(max_passes=1))

    with pytest.raises(el.OptionError, match="moments"):
        stopped.merge(stopped)
