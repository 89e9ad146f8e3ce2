"""scikit-learn's own tests that our classes do not pass, on purpose, each with its reason.

They run all the same and must fail; where only some of a test's cases can fail, `certain` is false.
What a user sees of each difference is in docs/differences.md.
"""

from dataclasses import dataclass

MOST = 8


@dataclass(frozen=True)
class Difference:
    function: str
    reason: str
    certain: bool = True
    module: str = "test_pca"


DIFFERENCES = [
    Difference(
        "test_sparse_pca_solver_error",
        "demands that 'full' and 'randomized' refuse sparse data; every solver of ours takes them.",
    ),
    Difference(
        "test_n_components_mle_error",
        "demands that 'arpack' and 'randomized' refuse n_components='mle'; ours find all "
        "eigenvalues when a rule needs them.",
    ),
    Difference(
        "test_pca_score",
        "demands that whitening lower the score of the same data, which follows from scikit-learn "
        "scaling unit components by their deviations a second time (its issue 13898).",
    ),
    Difference(
        "test_pca_svd_solver_auto",
        "demands scikit-learn's own rule for 'auto' by the name in _fit_svd_solver; ours predicts "
        "times, and may take a solver that scikit-learn has not got.",
        certain=False,
    ),
    Difference(
        "test_array_api_error_and_warnings_on_unsupported_params",
        "demands that 'arpack' and the normalizer 'LU' refuse arrays of other libraries; ours work "
        "on any of them.",
    ),
    Difference(
        "test_incremental_pca_sparse",
        "demands that partial_fit refuse sparse data, which fit takes; both of ours take them.",
        module="test_incremental_pca",
    ),
    Difference(
        "test_kernel_pca_precomputed_non_symmetric",
        "demands that a matrix that is not symmetric pass for a kernel's; ours says where it is "
        "not.",
        module="test_kernel_pca",
    ),
    Difference(
        "test_remove_zero_eig",
        "demands components of points that are all equal; ours says that nothing varies there.",
        module="test_kernel_pca",
    ),
]
