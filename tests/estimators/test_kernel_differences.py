"""Deliberate differences from scikit-learn's KernelPCA: claims of docs/differences.md, shown."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.decomposition import KernelPCA as Theirs

from eigenlens import KernelError, KernelPCA, NotCertified, OptionError
from tests.estimators.tables import table


def test_many_rows_are_seen_from_landmarks():
    rows = np.random.default_rng(0).standard_normal((2000, 3))

    found = KernelPCA(2, kernel="rbf", memory="50MB").fit(rows)

    assert found.model_.method == "nystrom"
    assert_array_equal(found.X_fit_, rows[found.landmarks_])
    assert not hasattr(found, "eigenvectors_")
    assert Theirs(2, kernel="rbf").fit(rows).eigenvectors_.shape == (2000, 2)


def test_kernel_components_have_shares_of_the_variance():
    found = KernelPCA(2, kernel="rbf").fit(table())

    assert 0 < found.explained_variance_ratio_.sum() < 1
    assert not hasattr(Theirs(2, kernel="rbf").fit(table()), "explained_variance_ratio_")


def test_the_linear_kernel_brings_rows_and_mean_back():
    rows = table() + 5

    def error(one):
        kpca = one(6, fit_inverse_transform=True)
        return np.abs(kpca.inverse_transform(kpca.fit_transform(rows)) - rows).max()

    assert error(KernelPCA) < 1e-10
    assert error(Theirs) > 1


def test_the_way_back_is_climbed_and_its_penalty_chosen():
    rows = table()

    found = KernelPCA(4, kernel="rbf", gamma="median", fit_inverse_transform=True).fit(rows)
    peer = Theirs(4, kernel="rbf", gamma=found.gamma_, fit_inverse_transform=True).fit(rows)

    def error(one):
        return np.linalg.norm(one.inverse_transform(one.transform(rows)) - rows)

    assert found.alpha is None
    assert peer.alpha == 1.0
    assert error(found) < 0.8 * error(peer)


def test_a_matrix_that_is_not_symmetric_is_an_error():
    matrix = [[1, 2], [3, 40]]

    with pytest.raises(KernelError, match="symmetric"):
        KernelPCA(1, kernel="precomputed").fit(matrix)
    Theirs(1, kernel="precomputed").fit(matrix)


def test_equal_points_are_an_error():
    with pytest.raises(KernelError, match="all 5 points are equal"):
        KernelPCA(1, kernel="rbf").fit(np.ones((5, 3)))
    assert Theirs(1, kernel="rbf").fit(np.ones((5, 3))).eigenvalues_.tolist() == [0]


def test_gamma_of_zero_is_an_error():
    with pytest.raises(OptionError, match="gamma"):
        KernelPCA(1, kernel="rbf", gamma=0).fit(table())
    Theirs(1, kernel="poly", gamma=0).fit(table())


def test_an_indefinite_matrix_is_told_of():
    matrix = np.diag([5.0, 4.0, 3.0, -3.0]) - 0.5

    with pytest.warns(NotCertified, match="is negative"):
        KernelPCA(1, kernel="precomputed").fit(matrix)
    Theirs(1, kernel="precomputed").fit(matrix)
