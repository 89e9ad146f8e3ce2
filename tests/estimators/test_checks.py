"""scikit-learn's checks of any estimator, on ours."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from eigenlens import PCA, Imputer, IncrementalPCA, KernelPCA

SOLVERS = ["full", "covariance_eigh", "arpack", "randomized", "krylov", "dual"]


@pytest.fixture(autouse=True)
def other_libraries_take_part(monkeypatch):
    """Without this scikit-learn leaves out its checks with arrays of other libraries."""
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")


@parametrize_with_checks(
    [
        PCA(),
        PCA(whiten=True),
        PCA(n_components=0.9),
        PCA(n_components=1, scale="std"),
        *[PCA(n_components=1, svd_solver=solver) for solver in SOLVERS],
        IncrementalPCA(),
        IncrementalPCA(n_components=1, whiten=True, batch_size=7),
        Imputer(),
        PCA(n_components=1, missing="auto"),
        KernelPCA(fit_inverse_transform=True),
        KernelPCA(n_components=1, kernel="rbf", gamma="median", fit_inverse_transform=True),
        KernelPCA(1, kernel="rbf", method="nystrom", n_landmarks=5, fit_inverse_transform=True),
    ]
)
def test_every_check_of_scikit_learn_passes(estimator, check):
    check(estimator)


NEEDS_SAMPLES = dict.fromkeys(
    ("check_sample_weight_equivalence_on_dense_data",
     "check_sample_weight_equivalence_on_sparse_data"),
    "its 27 repeated samples of 30 features are too few for n_components='mle', as in scikit-learn",
)  # fmt: skip


@parametrize_with_checks(
    [PCA(n_components="mle")], expected_failed_checks=lambda estimator: NEEDS_SAMPLES
)
def test_every_check_with_enough_samples_passes(estimator, check):
    check(estimator)


NEEDS_ROWS = {
    "check_array_api_input": "asks for rows from scores, which a matrix of pairs does not know; "
    "scikit-learn runs it with fit_inverse_transform=True only"
}


@parametrize_with_checks(
    [KernelPCA(n_components=1, kernel="precomputed")],
    expected_failed_checks=lambda estimator: NEEDS_ROWS,
)
def test_every_check_that_needs_no_rows_passes(estimator, check):
    check(estimator)
