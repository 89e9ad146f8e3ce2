"""explain.reconstruction: what is lost of each variable with k components."""

import numpy as np
import pytest
from hypothesis import given, settings

import eigenlens as el
from eigenlens.explain import reconstruction
from tests.explain.models import explained, small
from tests.explain.published import of
from tests.fit.words import answer, assert_says


def test_the_columns_are_variable_k_error_and_explained():
    model, rows = small(2)

    table = reconstruction(model, rows)

    assert list(table.columns) == ["variable", "k", "error", "explained"]
    assert table["variable"][:6] == ["(all)"] * 3 + ["x0"] * 3
    assert table["k"] == [0, 1, 2] * 4


@settings(max_examples=25)
@given(explained())
def test_errors_are_those_of_rows_rebuilt_from_k_scores(fitted):
    model, rows, weights = fitted
    heavy = np.ones(len(rows)) if weights is None else weights
    table = reconstruction(model, rows, weights=weights)

    for k in (1, model.n_components):
        cut = model.truncate(k)
        apart = rows - cut.reconstruct(cut.project(rows))
        expected = np.sqrt(heavy @ np.square(apart) / heavy.sum())
        found = [of(table, "error", variable=f"x{j}", k=k)[0] for j in range(rows.shape[1])]
        np.testing.assert_allclose(found, expected, atol=1e-9 * np.abs(rows).max())


@settings(max_examples=25)
@given(explained())
def test_explained_of_everything_is_the_cumulative_proportion(fitted):
    model, rows, weights = fitted

    found = of(reconstruction(model, rows, weights=weights), "explained", variable="(all)")

    expected = np.concatenate([[0], np.cumsum(model.explained_ratio)])
    np.testing.assert_allclose(found, expected, atol=1e-8)


@settings(max_examples=25)
@given(explained())
def test_a_further_component_never_explains_less_of_the_fitted_rows(fitted):
    model, rows, weights = fitted

    found = of(reconstruction(model, rows, weights=weights), "explained", variable="(all)")

    assert np.all(np.diff(found) >= -1e-12)


@settings(max_examples=25)
@given(explained())
def test_the_total_error_is_what_the_certificate_says(fitted):
    model, rows, weights = fitted
    heavy = len(rows) if weights is None else weights.sum()

    last = of(reconstruction(model, rows, weights=weights), "error", variable="(all)")[-1]

    claimed = model.certificate.reconstruction_error
    total = model.total_variance * heavy
    assert last**2 * heavy * model.n_features == pytest.approx(claimed, abs=1e-9 * total)


def test_new_rows_may_be_worse_off_than_at_the_center():
    rows = np.array([[1.0, 0], [-1, 0], [2, 0.1], [-2, -0.1]])
    model = el.fit(rows, 1)

    table = reconstruction(model, np.array([[5.0, 5.0], [4.0, -6.0]]))

    assert of(table, "explained", variable="x0", k=1)[0] > 0.9
    assert of(table, "explained", variable="x1", k=1)[0] < 0.1


def test_a_constant_variable_has_no_share_explained():
    rows = np.column_stack([np.random.default_rng(1).standard_normal((20, 2)), np.full(20, 0.1)])

    table = reconstruction(el.fit(rows, 1), rows)

    assert np.isnan(of(table, "explained", variable="x2")).all()
    assert of(table, "error", variable="x2") == pytest.approx([0, 0], abs=1e-12)


def test_rows_of_another_width_are_refused():
    model, rows = small(1)

    assert_says(answer(el.DataError, reconstruction, model, rows[:, :1]), "1 columns", "3")
