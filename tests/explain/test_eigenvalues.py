"""explain.eigenvalues: columns, conventions, bounds; and no explanation changes the model."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings

import eigenlens as el
from eigenlens import explain
from tests.explain.models import explained, small
from tests.fit.words import answer, assert_says

FACTOMINER, PRCOMP = {"convention": "factominer"}, {"convention": "prcomp"}


def test_the_columns_are_those_promised():
    model, _ = small()

    assert list(explain.eigenvalues(model).columns) == (
        ["component", "eigenvalue", "difference", "proportion", "cumulative", "low", "high"]
    )


@settings(max_examples=25)
@given(explained(whole=True))
def test_all_components_together_hold_everything(fitted):
    table = explain.eigenvalues(fitted[0])

    assert table["cumulative"][-1] == pytest.approx(1, abs=1e-9)


@settings(max_examples=25)
@given(explained())
def test_differences_add_up_to_the_first_less_the_last(fitted):
    values, steps = (explain.eigenvalues(fitted[0])[name] for name in ("eigenvalue", "difference"))

    assert np.isnan(steps[-1])
    assert np.nansum(steps) == pytest.approx(values[0] - values[-1], abs=1e-12 * values[0])


@settings(max_examples=25)
@given(explained())
def test_every_eigenvalue_lies_between_its_bounds(fitted):
    table = explain.eigenvalues(fitted[0])

    assert np.all(table["low"] <= table["eigenvalue"])
    assert np.all(table["eigenvalue"] <= table["high"])


@settings(max_examples=25)
@given(explained())
def test_factominer_divides_by_n(fitted):
    model, rows, weights = fitted
    heavy = np.ones(len(rows)) if weights is None else weights
    mean = 0 if model.mean is None else model.mean
    ours = 1 if model.scale is None else model.scale
    if model.provenance["settings"]["scale"] == "std":  # theirs divides by n as well
        ours = ours * np.sqrt((heavy.sum() - 1) / heavy.sum())
    prepared = (rows - mean) / ours

    values = explain.eigenvalues(model, **FACTOMINER)["eigenvalue"]

    squares = np.square(prepared @ model.components.T)
    np.testing.assert_allclose(values, heavy @ squares / heavy.sum(), rtol=1e-6)


def test_factominer_gives_percent_and_prcomp_deviations():
    model, _ = small(3)

    theirs, others = explain.eigenvalues(model, **FACTOMINER), explain.eigenvalues(model, **PRCOMP)

    assert theirs["component"] == ["Dim.1", "Dim.2", "Dim.3"]
    assert theirs["cumulative percentage of variance"][-1] == pytest.approx(100)
    np.testing.assert_allclose(others["Standard deviation"] ** 2, model.eigenvalues)
    assert others["low"][0] <= others["Standard deviation"][0] <= others["high"][0]


def test_a_model_without_components_has_an_empty_table():
    model = el.fit(np.random.default_rng(0).standard_normal((100, 5)), "dpa")

    assert model.n_components == 0
    assert len(explain.eigenvalues(model)) == len(explain.variables(model)) == 0


def test_an_estimator_is_as_good_as_its_model():
    _, rows = small()
    estimator = el.PCA(2).fit(rows)

    table = explain.eigenvalues(estimator)

    np.testing.assert_array_equal(table["eigenvalue"], estimator.model_.eigenvalues)


def test_what_is_not_a_model_is_refused():
    message = answer(el.OptionError, explain.eigenvalues, [[1, 2], [3, 4]])

    assert_says(message, "list", "to be fitted", "eigenlens.fit(data)")


def test_an_unknown_convention_names_the_nearest():
    model, _ = small()

    message = answer(el.OptionError, explain.eigenvalues, model, convention="factomineR")

    assert_says(message, "factomineR", "prcomp", "Did you mean 'factominer'?")


def test_a_function_keeps_its_name_after_its_file_was_imported():
    from eigenlens.explain.rows import rows

    assert explain.rows is rows
    assert sys.modules["eigenlens.explain.rows"].rows is rows


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_table"):
        _ = explain.no_such_table
