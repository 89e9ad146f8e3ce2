"""explain.variables: the five columns, against the data themselves."""

import numpy as np
import pytest
from hypothesis import given, settings

import eigenlens as el
from eigenlens.explain import variables
from tests.explain.models import explained, small


def square(table, name, model):
    return np.reshape(table[name], (model.n_features, model.n_components))


def test_the_columns_are_those_promised():
    model, _ = small()

    assert list(variables(model).columns) == (
        ["variable", "component", "eigenvector", "loading", "correlation", "cos2", "contribution"]
    )


def test_lines_are_by_variable_then_component():
    model, _ = small()

    table = variables(model)

    assert table["variable"] == ["x0", "x0", "x1", "x1", "x2", "x2"]
    assert table["component"] == ["PC1", "PC2"] * 3


@settings(max_examples=25)
@given(explained(whole=True))
def test_cos2_of_a_variable_sums_to_one_over_all_components(fitted):
    model = fitted[0]

    sums = square(variables(model), "cos2", model).sum(axis=1)

    np.testing.assert_allclose(sums, 1, atol=1e-8)


@settings(max_examples=25)
@given(explained())
def test_contributions_sum_to_a_hundred_per_component(fitted):
    model = fitted[0]

    sums = square(variables(model), "contribution", model).sum(axis=0)

    np.testing.assert_allclose(sums, 100, atol=1e-9)


@settings(max_examples=25)
@given(explained())
def test_correlations_are_those_of_the_data_with_the_scores(fitted):
    model, rows, weights = fitted
    heavy = np.ones(len(rows)) if weights is None else weights
    prepared = rows if model.mean is None else rows - model.mean
    scores = model.project(rows)

    # About the origin where nothing was centered, as the model itself.
    lengths = np.sqrt(heavy @ np.square(prepared))
    expected = prepared.T @ (heavy[:, None] * scores)
    expected /= lengths[:, None] * np.sqrt(heavy @ np.square(scores))

    found = square(variables(model), "correlation", model)
    strong = model.eigenvalues > 1e-6 * model.eigenvalues[0]
    np.testing.assert_allclose(found[:, strong], expected[:, strong], atol=1e-6)


@settings(max_examples=25)
@given(explained())
def test_loadings_are_eigenvectors_times_deviations_along_them(fitted):
    model = fitted[0]
    table = variables(model)

    found = square(table, "loading", model)

    vectors = square(table, "eigenvector", model)
    np.testing.assert_allclose(found, vectors * np.sqrt(model.eigenvalues), rtol=1e-12)
    np.testing.assert_array_equal(vectors, model.components.T)


def test_a_constant_variable_has_no_correlation_and_contributes_nothing():
    rows = np.column_stack([np.random.default_rng(1).standard_normal((20, 3)), np.full(20, 0.1)])
    table = variables(el.fit(rows, 2))

    last = [line for line in table.lines() if line["variable"] == "x3"]

    assert all(np.isnan(line["correlation"]) and np.isnan(line["cos2"]) for line in last)
    assert [line["contribution"] for line in last] == pytest.approx([0, 0], abs=1e-20)


def test_a_spread_far_from_the_origin_is_not_taken_for_constant():
    rows = np.random.default_rng(1).standard_normal((50, 3)) + 1e7
    model = el.fit(rows, 3)

    np.testing.assert_allclose(square(variables(model), "cos2", model).sum(axis=1), 1, atol=1e-6)


def test_names_come_from_the_frame():
    import polars

    frame = polars.DataFrame({"a": [1.0, 2.0, 4.0], "b": [3.0, 1.0, 5.0]})

    assert variables(el.fit(frame, 1))["variable"] == ["a", "b"]


def test_factominer_calls_them_coord_cor_and_contrib():
    model, _ = small(2)
    table = variables(model, convention="factominer")

    np.testing.assert_allclose(
        square(table, "coord", model),
        square(variables(model), "loading", model) * np.sqrt(7 / 8),
    )
    assert {"cor", "cos2", "contrib"} <= set(table.columns)
