"""scikit-learn's own objects, as if fitted by scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import eigenlens as el
from tests.model.export.cases import EPS, every_case, rounding, rows


def table_for(model):
    return rows() if model.feature_names else rows().to_numpy()


@every_case
def test_transform_is_project(model):
    table = table_for(model)

    found = model.to_sklearn().transform(table)

    expected = model.project(table)
    assert found.shape == expected.shape
    assert np.abs(found - expected).max(initial=0.0) <= rounding(model, table)


@every_case
def test_inverse_transform_is_reconstruct(model):
    if not model.n_components:
        pytest.skip("scikit-learn refuses scores of no columns")
    scores = model.project(table_for(model))

    found = model.to_sklearn().inverse_transform(scores)

    expected = model.reconstruct(scores)
    assert np.abs(found - expected).max() <= 20 * EPS * np.abs(expected).max()


@every_case
def test_it_is_their_class(model):
    exported = model.to_sklearn()

    assert type(exported) is (PCA if model.scale is None else Pipeline)
    assert exported.get_params()
    assert clone(exported) is not exported


def test_every_attribute_that_their_fit_sets_is_there():
    table = rows()

    pca = el.fit(table, 3).to_sklearn()
    scaler = el.fit(table, 3, scale="std").to_sklearn()[0]

    assert set(vars(PCA(3).fit(table))) == set(vars(pca))
    assert set(vars(StandardScaler().fit(table))) == set(vars(scaler))


@pytest.mark.parametrize("shape", [(80, 7), (6, 7)])
def test_the_attributes_are_those_of_their_fit(shape):
    table = rows(*shape)
    theirs = PCA(3, svd_solver="full").fit(table)

    ours = el.fit(table, 3).to_sklearn()

    signs = np.sign(np.sum(ours.components_ * theirs.components_, axis=1))
    np.testing.assert_allclose(ours.components_, signs[:, None] * theirs.components_, atol=1e-10)
    for name in (
        "explained_variance_", "explained_variance_ratio_", "singular_values_", "mean_",
        "noise_variance_", "n_samples_", "n_features_in_", "n_components_",
    ):  # fmt: skip
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-10)
    np.testing.assert_allclose(ours.get_covariance(), theirs.get_covariance(), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(ours.score_samples(table), theirs.score_samples(table), rtol=1e-9)


def test_standard_deviations_are_ours_with_divisor_n_minus_1():
    table = rows()

    scaler = el.fit(table, 3, scale="std").to_sklearn()[0]

    np.testing.assert_allclose(scaler.scale_, table.std(ddof=1), rtol=1e-12)


def test_frames_come_out_with_names():
    pca = el.fit(rows(), 2).to_sklearn().set_output(transform="pandas")

    found = pca.transform(rows())

    assert isinstance(found, pd.DataFrame)
    assert list(found.columns) == ["pca0", "pca1"]


def test_other_columns_are_their_error():
    pca = el.fit(rows(), 2).to_sklearn()

    with pytest.raises(ValueError, match="feature names"):
        pca.transform(rows().rename(columns={"column a": "another"}))


def test_what_is_changed_there_stays_there():
    model = el.fit(rows(), 2)
    before = model.components.copy(), model.mean.copy()

    exported = model.to_sklearn()
    exported.components_[:], exported.mean_[:] = 0, 0

    assert np.array_equal(model.components, before[0])
    assert np.array_equal(model.mean, before[1])
