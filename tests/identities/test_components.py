"""Components and eigenvalues: what determines them, what does not change them."""

import numpy as np
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import eigenlens as el
from tests.distances import assert_orthonormal, subspace_distance
from tests.problems import make_table
from tests.strategies import tables

EPS = np.finfo(np.float64).eps
seeds = st.integers(0, 1000)


def size_of(rows):
    return float(np.linalg.norm(rows, axis=1).max())


@given(seeds, st.integers(2, 4))
def test_of_equal_eigenvalues_only_the_span_is_determined(seed, ties):
    table = make_table(60, 3 * ties, seed, decay="fast", ties=ties)

    models = [el.fit(table, ties, solver=solver, seed=seed) for solver in ("covariance", "svd")]

    for model in models:
        assert model.certificate.clusters == (tuple(range(ties)),)
        assert np.all(model.certificate.angle_bounds == 1)
        assert model.certificate.subspace_angle < 1e-6
        assert f"PC1 to PC{ties}" in str(model.certificate)
    bound = sum(model.certificate.subspace_angle for model in models)
    spans = [model.components.T for model in models]
    assert subspace_distance(*spans) <= bound


@given(seeds)
def test_degrees_celsius_and_fahrenheit_tell_the_same_story_once_standardized(seed):
    celsius = 20 + make_table(40, 3, seed, decay="slow")
    mixed = celsius * [1.0, 1.8, 1.8] + [0.0, 32.0, 32.0]

    same = [el.fit(rows, 2, scale="std") for rows in (celsius, mixed)]
    other = [el.fit(rows, 2) for rows in (celsius, mixed)]

    # 1.8 x + 32 is rounded: eps of a temperature near 70 over a deviation near 1, squared.
    slack = 1000 * len(celsius) * EPS / mixed.std(axis=0).min()
    np.testing.assert_allclose(same[0].eigenvalues, same[1].eigenvalues, rtol=0, atol=slack)
    assert np.abs(other[0].explained_ratio - other[1].explained_ratio).max() > 1e-3
    np.testing.assert_allclose(same[0].total_variance, 3, rtol=1e-12)


@given(tables(dtypes=("float64",)), st.data())
def test_a_sparse_row_is_projected_like_a_dense_one(rows, data):
    k = data.draw(st.integers(1, min(len(rows) - 1, rows.shape[1])))
    model = el.fit(rows, k)

    dense, sparse = model.project(rows), model.project(scipy.sparse.csr_array(rows))

    slack = 100 * model.n_features * EPS * (size_of(rows) + np.abs(model.mean).max())
    np.testing.assert_allclose(dense, sparse, rtol=0, atol=slack)


@given(tables(dtypes=("float64",)))
def test_every_component_obeys_the_sign_rule(rows):
    model = el.fit(rows, min(len(rows) - 1, rows.shape[1]))

    largest = np.argmax(np.abs(model.components), axis=1)
    assert np.all(model.components[np.arange(model.n_components), largest] > 0)
    assert_orthonormal(model.components.T, 8 * EPS * max(rows.shape))


@given(tables(dtypes=("float64",)), st.integers(-450, 450))
def test_scaling_all_data_scales_the_eigenvalues_and_nothing_else(rows, power):
    factor = 2.0**power

    one, two = el.fit(rows, 1), el.fit(rows * factor, 1)

    np.testing.assert_array_equal(one.components, two.components)
    np.testing.assert_array_equal(one.eigenvalues * factor**2, two.eigenvalues)
    assert one.certificate.captured_ratio == two.certificate.captured_ratio
