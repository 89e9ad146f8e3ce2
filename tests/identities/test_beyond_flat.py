"""The last chapters of the lecture notes: kernels, nonlinear codes, sparse signals."""

import numpy as np
import pytest

import eigenlens as el
from tests.distances import relative_error, subspace_distance
from tests.problems import make_table


@pytest.fixture
def rows():
    return make_table(60, 6, 1, decay="slow", offset=3.0)


def test_the_linear_kernel_is_pca_and_another_one_sees_circles(rows):
    linear = el.KernelPCA(3, kernel="linear").fit(rows)
    angles = np.linspace(0, 2 * np.pi, 80, endpoint=False)
    rings = np.concatenate([r * np.c_[np.cos(angles), np.sin(angles)] for r in (1.0, 3.0)])
    scores = el.KernelPCA(1, kernel="rbf", gamma=0.5).fit_transform(rings)[:, 0]

    pca = el.fit(rows, 3)
    assert relative_error(linear.eigenvalues_ / (len(rows) - 1), pca.eigenvalues) <= 1e-10
    assert scores[:80].max() < scores[80:].min() or scores[80:].max() < scores[:80].min()


def test_a_linear_autoencoder_finds_the_subspace_of_pca(rows):
    pytest.importorskip("torch")

    coder = el.autoencoder.LinearAutoencoder(2).fit(rows)

    pca = el.fit(rows, 2)
    found = np.linalg.qr(np.asarray(coder.components_).T)[0]
    assert subspace_distance(found, pca.components.T) <= 1e-4


def test_a_sparse_signal_comes_back_from_few_measurements():
    rng = np.random.default_rng(0)
    signal = np.zeros(60)
    signal[rng.choice(60, 4, replace=False)] = rng.standard_normal(4) + 3
    operator = el.sensing.measurement("gaussian", 30, (60,), seed=0)

    found = el.sensing.recover(operator, operator @ signal, method="basis_pursuit")

    assert np.abs(np.ravel(found.signal) - signal).max() <= 1e-6
