"""explain.rotate: the same subspace, other axes."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.explain import rotate, variables
from eigenlens.explain.rotation_criteria import Oblimin, Orthomax
from tests.distances import assert_same_subspace
from tests.explain import published as they
from tests.explain.classics import DECATHLON
from tests.explain.models import explained, small
from tests.explain.published import assert_prints
from tests.fit.words import answer, assert_says

METHODS = ("varimax", "quartimax", "oblimin")
methods = st.sampled_from(METHODS)


def strong(fitted):
    """A model of two components or more, all of which hold something."""
    model = fitted[0]
    assume(model.n_components >= 2)
    assume(model.eigenvalues[-1] > 1e-6 * model.eigenvalues[0])
    return model


def plain_loadings(model):
    return model.components.T * np.sqrt(model.eigenvalues)


def varimax_of(loadings):
    return np.square(loadings).var(axis=0).sum()


@settings(max_examples=20)
@given(explained(), methods, st.booleans())
def test_the_subspace_and_the_captured_variance_are_kept(fitted, method, normalize):
    model = strong(fitted)

    found = rotate(model, method, normalize=normalize)

    assert_same_subspace(np.linalg.qr(found.loadings)[0], model.components.T, 1e-6)
    np.testing.assert_allclose(found.variances.sum(), model.eigenvalues.sum(), rtol=1e-9)
    plain = np.square(plain_loadings(model)).sum(axis=1)
    np.testing.assert_allclose(found.communalities, plain, rtol=1e-7, atol=1e-9 * plain.max())


@settings(max_examples=20)
@given(explained(), methods)
def test_the_matrices_are_what_they_are_said_to_be(fitted, method):
    model = strong(fitted)

    found = rotate(model, method)

    size = np.abs(found.loadings).max()
    np.testing.assert_allclose(
        plain_loadings(model) @ found.matrix, found.loadings, atol=1e-10 * size
    )
    np.testing.assert_allclose(np.diag(found.component_correlations), 1, atol=1e-10)
    if method != "oblimin":
        np.testing.assert_allclose(found.matrix, found.axes, atol=1e-9)
        np.testing.assert_allclose(found.component_correlations, np.eye(len(found.axes)), atol=1e-9)


@settings(max_examples=20)
@given(explained(), methods)
def test_rotated_scores_correlate_as_stated(fitted, method):
    model = strong(fitted)
    _, rows, weights = fitted
    heavy = np.ones(len(rows)) if weights is None else weights

    found = rotate(model, method)
    scores = found.project(rows)

    divisor = heavy.sum() - (model.mean is not None)
    moments = scores.T @ (heavy[:, None] * scores) / divisor
    np.testing.assert_allclose(moments, found.component_correlations, atol=1e-6)


@settings(max_examples=20)
@given(explained(), st.integers(0, 100))
def test_no_random_rotation_beats_a_step_from_varimax(fitted, seed):
    # A local optimum: every small turn makes the criterion worse, up to rounding.
    model = strong(fitted)
    found = rotate(model, "varimax", normalize=False)
    skew = np.random.default_rng(seed).standard_normal((model.n_components,) * 2)
    turn = np.linalg.qr(np.eye(model.n_components) + 1e-3 * (skew - skew.T))[0]

    best = varimax_of(found.loadings)

    assert found.converged
    assert varimax_of(found.loadings @ turn) <= best * (1 + 1e-9)


@settings(max_examples=20)
@given(explained())
def test_varimax_is_never_worse_than_no_rotation(fitted):
    model = strong(fitted)

    found = rotate(model, "varimax", normalize=False)

    assert varimax_of(found.loadings) >= varimax_of(plain_loadings(model)) * (1 - 1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_the_decathlon_is_rotated_as_by_factor_analyzer(method):
    model = el.fit(DECATHLON.frame(10), 3, scale="std")

    found = rotate(model, method, normalize=method == "varimax")

    for column, printed in zip(found.loadings.T, they.DECATHLON_ROTATED[method], strict=True):
        assert_prints(column, printed)


def test_oblique_components_of_the_decathlon_correlate_as_by_factor_analyzer():
    model = el.fit(DECATHLON.frame(10), 3, scale="std")

    found = rotate(model, "oblimin", normalize=False).component_correlations

    assert_prints(found[np.triu_indices(3, 1)], they.OBLIMIN_CORRELATIONS)


def test_components_come_by_falling_variance_and_with_their_largest_loading_positive():
    found = rotate(el.fit(DECATHLON.frame(10), 4, scale="std"))

    assert list(found.variances) == sorted(found.variances, reverse=True)
    assert all(column[np.abs(column).argmax()] > 0 for column in found.loadings.T)


def test_the_tables_hold_loadings_and_variances():
    model, _ = small(3, scale="std")

    found = rotate(model, "oblimin", k=2)

    assert list(found.table().columns) == (
        ["variable", "component", "loading", "correlation", "communality"]
    )
    assert found.components()["component"] == ["RC1", "RC2"]
    assert found.components()["RC2"][0] == pytest.approx(found.component_correlations[0, 1])
    assert "RC1" not in rotate(model, "varimax").components().columns
    assert "oblimin, 2 components" in str(found)
    assert "<table>" in found._repr_html_()


def test_correlations_of_an_unscaled_model_are_correlations():
    model, rows = small(2)

    found = rotate(model, "oblimin")

    scores = found.project(rows)
    expected = [[np.corrcoef(x, s)[0, 1] for s in scores.T] for x in rows.T]
    np.testing.assert_allclose(found.correlations, expected, atol=1e-9)


def test_the_result_is_frozen():
    found = rotate(small(2)[0])

    with pytest.raises(ValueError, match="read-only"):
        found.loadings[0, 0] = 1
    with pytest.raises(AttributeError):
        found.method = "oblimin"


def test_equal_entries_leave_the_axes_alone():
    assert Orthomax().turn(np.eye(3)).converged
    np.testing.assert_array_equal(Orthomax().turn(np.eye(3)).axes, np.eye(3))


def test_a_search_that_was_given_up_says_so():
    loadings = np.random.default_rng(0).standard_normal((12, 4))

    assert not Oblimin(max_steps=1).turn(loadings).converged
    assert not Orthomax(max_sweeps=1).turn(loadings).converged


def test_a_variable_without_variance_does_not_disturb():
    rows = np.column_stack([np.random.default_rng(1).standard_normal((20, 3)), np.full(20, 2.0)])

    found = rotate(el.fit(rows, 2))

    assert np.isnan(found.correlations[3]).all()
    assert np.isfinite(found.loadings).all()


def test_factominer_divides_by_n():
    model, _ = small(2)

    plain, theirs = rotate(model), rotate(model, convention="factominer")

    np.testing.assert_allclose(theirs.loadings, plain.loadings * np.sqrt(7 / 8))
    np.testing.assert_allclose(theirs.correlations, plain.correlations)
    np.testing.assert_allclose(theirs.variances, plain.variances * 7 / 8)
    np.testing.assert_allclose(theirs.components()["proportion"], plain.components()["proportion"])


def test_an_unknown_method_names_the_nearest():
    message = answer(el.OptionError, rotate, small(2)[0], "varimx")

    assert_says(message, "'varimx'", "oblimin", "Did you mean 'varimax'?")


def test_more_components_than_there_are_is_refused():
    assert_says(answer(el.RankError, rotate, small(2)[0], k=5), "5 components", "has 2", "k=5")


def test_components_without_variance_are_not_rotated():
    rows = np.random.default_rng(1).standard_normal((20, 2))
    flat = el.fit(np.column_stack([rows, rows.sum(axis=1), rows[:, 0] - rows[:, 1]]), 4)

    message = answer(el.RankError, rotate, flat)

    assert_says(message, "rotating 4 components", "only 2", "k=2")


def test_a_single_component_cannot_be_rotated():
    message = answer(el.RankError, rotate, small(2)[0], k=1)

    assert_says(message, "1 component", "2 or more", "k=2")


def test_a_gamma_that_lets_axes_collapse_is_refused():
    assert_says(answer(el.OptionError, Oblimin, gamma=0.5), "gamma=0.5", "0 or less", "gamma=0")


def test_unrotated_loadings_are_those_of_variables():
    model, _ = small(2)

    found = rotate(model)

    plain = np.reshape(variables(model)["loading"], (3, 2))
    np.testing.assert_allclose(found.loadings, plain @ found.matrix, atol=1e-12)
