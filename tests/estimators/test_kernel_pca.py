"""KernelPCA beside scikit-learn's: the same numbers, dtypes and signs, and the proof on top."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import make_circles
from sklearn.decomposition import KernelPCA as Theirs
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from eigenlens import KernelCertificate, KernelPCA, KernelSubspace, OptionError, solvers
from eigenlens.kernel import RBF

ROWS = np.random.default_rng(0).standard_normal((120, 5)) * [3, 2, 1.5, 1, 0.5]
NEW = np.random.default_rng(1).standard_normal((40, 5))
THEIRS = ["linear", "poly", "rbf", "cosine"]


@pytest.mark.parametrize("kernel", THEIRS)
@pytest.mark.parametrize("solver", ["auto", "dense", "arpack", "randomized"])
def test_values_and_scores_are_those_of_the_peer(kernel, solver):
    peer = Theirs(4, kernel=kernel, eigen_solver="dense").fit(ROWS)

    ours = KernelPCA(4, kernel=kernel, eigen_solver=solver, random_state=0, tolerance=1e-10)
    ours.fit(ROWS)

    assert_allclose(ours.eigenvalues_, peer.eigenvalues_, rtol=1e-9)
    size = np.abs(peer.transform(NEW)).max()
    assert_allclose(ours.transform(NEW), peer.transform(NEW), atol=2e-4 * size)
    exact = solver in ("auto", "dense")
    assert_allclose(
        ours.eigenvectors_, peer.eigenvectors_, atol=1e-10 if exact else 1e-4, rtol=1e-8
    )


@pytest.mark.parametrize("kernel", THEIRS)
def test_signs_are_those_of_the_peer(kernel):
    ours = KernelPCA(3, kernel=kernel).fit_transform(ROWS)

    assert_allclose(ours, Theirs(3, kernel=kernel, eigen_solver="dense").fit_transform(ROWS))


def test_a_laplacian_kernel_is_the_peers_function():
    from sklearn.metrics.pairwise import laplacian_kernel

    peer = Theirs(3, kernel="precomputed").fit(laplacian_kernel(ROWS, gamma=0.2))

    ours = KernelPCA(3, kernel="laplacian", gamma=0.2).fit(ROWS)

    assert_allclose(ours.eigenvalues_, peer.eigenvalues_, rtol=1e-10)


def test_a_precomputed_matrix_gives_the_same_scores():
    matrix, across = rbf_kernel(ROWS, gamma=0.1), rbf_kernel(NEW, ROWS, gamma=0.1)
    direct = KernelPCA(3, kernel="rbf", gamma=0.1).fit(ROWS)

    for options in ({}, {"n_landmarks": 120}):
        given = KernelPCA(3, kernel="precomputed", **options).fit(matrix)

        assert_allclose(given.eigenvalues_, direct.eigenvalues_, rtol=1e-9)
        assert_allclose(given.transform(across), direct.transform(NEW), atol=1e-7)


def test_a_function_and_its_parameters_are_a_kernel():
    def power(x, y, degree):
        return float(x @ y + 1) ** degree

    ours = KernelPCA(3, kernel=power, kernel_params={"degree": 2}).fit(ROWS)

    named = KernelPCA(3, kernel="poly", gamma=1.0, degree=2).fit(ROWS)
    assert_allclose(ours.eigenvalues_, named.eigenvalues_, rtol=1e-10)
    assert_allclose(ours.transform(NEW), named.transform(NEW), atol=1e-8)


def test_an_object_of_the_kernel_room_is_a_kernel():
    ours = KernelPCA(3, kernel=RBF(0.1)).fit(ROWS)

    assert_allclose(ours.eigenvalues_, KernelPCA(3, kernel="rbf", gamma=0.1).fit(ROWS).eigenvalues_)
    assert ours.gamma_ == 0.1


def test_a_solver_object_is_a_solver():
    ours = KernelPCA(2, kernel="rbf", eigen_solver=solvers.OrthogonalIteration()).fit(ROWS)

    assert ours.model_.choices["solver"].value == "orthogonal"


# -- what is published -----------------------------------------------------------------------


def test_attributes_of_exact_mode():
    kpca = KernelPCA(3, kernel="rbf", gamma="median", fit_inverse_transform=True).fit(ROWS)

    assert kpca.eigenvalues_.shape == (3,)
    assert kpca.eigenvectors_.shape == (120, 3)
    assert_allclose(np.linalg.norm(kpca.eigenvectors_, axis=0), 1)
    assert_array_equal(kpca.X_fit_, ROWS)
    assert kpca.X_transformed_fit_.shape == (120, 3)
    assert kpca.dual_coef_.shape == (120, 5)
    assert kpca.gamma_ == kpca.model_.choices["gamma"].value
    assert isinstance(kpca.model_, KernelSubspace)
    assert isinstance(kpca.certificate_, KernelCertificate)
    assert not hasattr(kpca, "landmarks_")


def test_attributes_of_landmark_mode():
    kpca = KernelPCA(3, kernel="rbf", n_landmarks=30).fit(ROWS)

    assert_array_equal(kpca.X_fit_, ROWS[kpca.landmarks_])
    assert len(kpca.landmarks_) == 30
    assert not hasattr(kpca, "eigenvectors_")
    again = kpca.set_params(n_landmarks=None).fit(ROWS)
    assert hasattr(again, "eigenvectors_")
    assert not hasattr(again, "landmarks_")


def test_shares_of_the_variance_lie_in_their_intervals():
    exact = KernelPCA(3, kernel="rbf").fit(ROWS)
    truth = exact.eigenvalues_ / exact.model_.total_variance

    seen = KernelPCA(3, kernel="rbf", n_landmarks=30).fit(ROWS)

    assert_allclose(exact.explained_variance_ratio_, truth)
    low, high = seen.explained_variance_ratio_bounds_.T
    assert ((low <= truth) & (truth <= high)).all()
    assert (seen.explained_variance_ratio_ <= truth).all()
    assert_array_equal(
        seen.explained_variance_ratio_bounds_, seen.certificate_.explained_ratio_bounds
    )


def test_bounds_are_in_the_units_of_the_eigenvalues():
    exact = KernelPCA(3, kernel="rbf").fit(ROWS).eigenvalues_

    for options in ({}, {"n_landmarks": 30}):
        low, high = KernelPCA(3, kernel="rbf", **options).fit(ROWS).certificate_.eigenvalue_bounds.T
        assert ((low <= exact) & (exact <= high)).all()
        assert (low > 0.5 * exact).all()


@pytest.mark.parametrize("options", [{}, {"n_landmarks": 30}])
def test_single_precision_stays_and_is_computed_in_double(options):
    single, double = (
        KernelPCA(3, kernel="rbf", fit_inverse_transform=True, **options).fit(ROWS.astype(dtype))
        for dtype in (np.float32, np.float64)
    )

    assert single.eigenvalues_.dtype == np.float32
    scores = single.transform(NEW.astype(np.float32))
    assert scores.dtype == single.inverse_transform(scores).dtype == np.float32
    assert single.model_.eigenvalues.dtype == np.float64
    assert_allclose(single.eigenvalues_, double.eigenvalues_, rtol=1e-6)


def test_frames_and_names_go_through():
    frame = pd.DataFrame(ROWS, columns=list("abcde"))
    kpca = KernelPCA(2, kernel="rbf").set_output(transform="pandas")

    scores = kpca.fit_transform(frame)

    assert scores.columns.tolist() == ["kernelpca0", "kernelpca1"]
    assert kpca.feature_names_in_.tolist() == list("abcde")
    with pytest.raises(ValueError, match="feature names should match"):
        kpca.transform(frame.rename(columns={"a": "z"}))


def test_it_works_in_a_pipeline_and_is_cloned():
    rows, labels = make_circles(300, factor=0.3, noise=0.05, random_state=0)
    pipeline = make_pipeline(StandardScaler(), KernelPCA(2, kernel="rbf", gamma=2, n_landmarks=60))

    scores = clone(pipeline).fit_transform(rows)

    means = [scores[labels == label].mean(axis=0) for label in (0, 1)]
    spread = max(scores[labels == label][:, 0].std() for label in (0, 1))
    assert np.abs(means[0] - means[1]).max() > 2 * spread


def test_sparse_rows_are_taken():
    rows = np.where(np.abs(ROWS) > 1, ROWS, 0)

    for options in ({}, {"n_landmarks": 30}):
        dense = KernelPCA(3, kernel="rbf", **options).fit(rows)
        sparse = KernelPCA(3, kernel="rbf", **options).fit(sp.csr_matrix(rows))
        assert_allclose(sparse.eigenvalues_, dense.eigenvalues_, rtol=1e-10)


def test_new_points_have_a_distance_from_what_the_model_sees():
    kpca = KernelPCA(2, kernel="rbf", gamma=0.1, n_landmarks=40).fit(ROWS)

    assert (kpca.novelty(NEW + 100) > 0.99).all()
    assert_allclose(kpca.novelty(ROWS[kpca.landmarks_]), 0, atol=1e-10)
    assert_allclose(kpca.novelty(ROWS).sum(), kpca.certificate_.residual_trace, rtol=1e-8)


@pytest.mark.parametrize("n_jobs", [1, 2, -1])
def test_threads_change_nothing(n_jobs):
    def fitted(jobs):
        return KernelPCA(3, kernel="rbf", n_landmarks=30, n_jobs=jobs).fit(ROWS).eigenvalues_

    assert_array_equal(fitted(n_jobs), fitted(None))


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_components": 0},
        {"n_components": 1.5},
        {"kernel": "gauss"},
        {"degree": -1},
        {"coef0": np.inf},
        {"kernel_params": 3},
        {"alpha": -1},
        {"fit_inverse_transform": "yes"},
        {"eigen_solver": "svd"},
        {"tol": -1},
        {"max_iter": 0},
        {"iterated_power": "many"},
        {"remove_zero_eig": 1},
        {"random_state": "x"},
        {"copy_X": None},
        {"n_jobs": 0},
        {"method": "nystroem"},
        {"landmarks": "kmeans"},
        {"preimage": "mika"},
    ],
    ids=str,
)
def test_a_wrong_parameter_is_named_with_what_it_may_be(parameters):
    (name, value), *_ = parameters.items()

    with pytest.raises(OptionError, match=f"{name!r} parameter of KernelPCA must be") as caught:
        KernelPCA(**parameters).fit(ROWS)

    assert f"Got {value!r} instead" in str(caught.value)
