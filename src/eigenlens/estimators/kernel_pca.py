"""KernelPCA: scikit-learn's class, with landmarks where rows are many, and a proof."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_array, check_is_fitted

from eigenlens.errors import NotCertified
from eigenlens.estimators.array_api import to_numpy
from eigenlens.estimators.attributes import cast_if_representable
from eigenlens.estimators.kernel_plan import KERNEL_PCA, options_from_parameters
from eigenlens.estimators.parameters import check_parameters
from eigenlens.estimators.validation import ValidatedRows, locating_bad_numbers, read_rows
from eigenlens.kernel.certificate import KernelCertificate
from eigenlens.kernel.fit import fit_kernel
from eigenlens.kernel.subspace import KernelSubspace

__all__ = ["KernelPCA"]


class KernelPCA(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Components in the space of a kernel, exact or seen from landmarks, with what is proven.

    Parameters
    ----------
    n_components : int, a fraction of the variance in (0, 1), or None: all that are not zero.
    kernel : "linear", "rbf", "exponential" (exp(-gamma |x - y|)), "laplacian", "poly", "cosine",
        "sigmoid", "precomputed", a function of two rows, or an object of `eigenlens.kernel`.
    gamma : a number; "median" or "knn" to take it from the distances of the rows; None: 1 / number
        of columns, as in scikit-learn.
    degree, coef0, kernel_params : of the kernel, as in scikit-learn.
    alpha : penalty of the ridge that turns scores back into rows; None: the best on held-out rows.
    fit_inverse_transform : whether `inverse_transform` will be asked for.
    eigen_solver : scikit-learn's names ("auto", "dense", "arpack", "randomized"), "krylov",
        "power", "orthogonal", or an object of `eigenlens.solvers`. For exact mode.
    tol, max_iter : of "arpack"; iterated_power : of "randomized".
    remove_zero_eig : leave out components whose eigenvalue is zero.
    random_state : int, RandomState or None; None is a fixed seed.
    copy_X : ignored; the model keeps rows of its own, and the data are never written to.
    n_jobs : threads for kernel values and products; None or -1: one per processor.
    method : "exact", "nystrom", or "auto": exact while a few n x n matrices fit `memory`.
    n_landmarks : of "nystrom"; None: at most 1000, fewer where they see enough.
    landmarks : how they are chosen: "rpcholesky", "uniform" or "greedy".
    preimage : "fixed_point", or "ridge", which is faster.
    tolerance : exact: relative error of eigenvalues to be certified. nystrom: the share of the
        variance that landmarks may leave unseen.
    memory : bytes to use beside the data ("2GB"; a fraction of RAM; None: a quarter of it).

    Attributes
    ----------
    eigenvalues_, gamma_, n_features_in_, feature_names_in_, X_fit_
        As in scikit-learn. With landmarks, `X_fit_` holds them: the rows that `transform` uses.
    eigenvectors_ : of the centered kernel matrix; exact mode only.
    landmarks_ : which rows are landmarks; with "nystrom" only.
    X_transformed_fit_, dual_coef_ : what the ridge of `inverse_transform` was learned from.
    explained_variance_ratio_ : shares of the variance, at least.
    explained_variance_ratio_bounds_ : (n_components, 2), between which the true ones lie.
    model_ : the `eigenlens.KernelSubspace`, in float64.
    certificate_ : what is proven: intervals for eigenvalues, captured and total variance.

    >>> import numpy as np
    >>> angle = np.random.default_rng(0).uniform(0, 6, 500)
    >>> rows = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> kpca = KernelPCA(2, kernel="rbf", gamma="median").fit(rows)
    >>> kpca.transform(rows).shape, kpca.certificate_.kind
    ((500, 2), 'deterministic')
    """

    model_: KernelSubspace
    certificate_: KernelCertificate

    def __init__(
        self,
        n_components: int | float | None = None,
        *,
        kernel: Any = "linear",
        gamma: float | str | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alpha: float | None = None,
        fit_inverse_transform: bool = False,
        eigen_solver: Any = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        iterated_power: int | str = "auto",
        remove_zero_eig: bool = False,
        random_state: Any = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
        method: str = "auto",
        n_landmarks: int | None = None,
        landmarks: str = "rpcholesky",
        preimage: str = "fixed_point",
        tolerance: float | None = None,
        memory: Any = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs
        self.method = method
        self.n_landmarks = n_landmarks
        self.landmarks = landmarks
        self.preimage = preimage
        self.tolerance = tolerance
        self.memory = memory

    # -- fit -------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> KernelPCA:
        """Find the components of `X`: an array, frame, sparse matrix, path or source.

        With kernel="precomputed", the matrix of all pairs. `y` is ignored.
        """
        self._learn(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **params: Any) -> Any:
        """The scores of `X` after fitting to it. `y` is ignored."""
        rows = self._learn(X)
        if self.model_.method == "exact":
            return np.array(self.model_.anchor_scores, dtype=rows.dtype)
        return self._scores(rows)

    def _learn(self, X: Any) -> ValidatedRows:
        check_parameters(self, KERNEL_PCA)
        rows = read_rows(self, X, reset=True)
        options = options_from_parameters(self, rows.source.shape, rows.dtype)
        with locating_bad_numbers(self, rows):
            model = fit_kernel(rows.source, **options)
        stop = model.choices.get("stop")
        if stop is not None and stop.rule == "limit" and self.tolerance is None:
            reached = model.certificate.relative_error
            NotCertified.stopped(stop.evidence["passes"], reached).warn()
        self._publish(model, rows.dtype)
        return rows

    def _publish(self, model: KernelSubspace, dtype: np.dtype[Any]) -> None:
        for name in ("eigenvectors_", "landmarks_", "X_fit_", "X_transformed_fit_", "dual_coef_"):
            self.__dict__.pop(name, None)
        self.model_, self.certificate_ = model, model.certificate
        self.gamma_ = model.gamma
        self.eigenvalues_ = cast_if_representable(model.eigenvalues, dtype)
        self.explained_variance_ratio_ = cast_if_representable(model.explained_ratio, dtype)
        self.explained_variance_ratio_bounds_ = model.certificate.explained_ratio_bounds
        if model.anchor_rows is not None:
            self.X_fit_ = model.anchor_rows
        if model.method == "exact":
            self.eigenvectors_ = cast_if_representable(model.directions, dtype)
        else:
            self.landmarks_ = model.anchor_numbers
        if model.preimage is not None:
            self.X_transformed_fit_, self.dual_coef_ = model.preimage.learned_from(model)

    # -- encode, decode --------------------------------------------------------------------

    def transform(self, X: Any) -> Any:
        """Scores of `X`, (n, n_components)."""
        check_is_fitted(self)
        return self._scores(read_rows(self, X, reset=False))

    def _scores(self, rows: ValidatedRows) -> Any:
        with locating_bad_numbers(self, rows):
            scores = np.asarray(self.model_.project(rows.source))
        return scores.astype(np.result_type(rows.dtype, self.eigenvalues_.dtype), copy=False)

    def inverse_transform(self, X: Any) -> Any:
        """Rows whose scores come near `X`: pre-images."""
        if not self.fit_inverse_transform:
            raise NotFittedError(
                "The fit_inverse_transform parameter was not set to True when instantiating and "
                "hence the inverse transform is not available. Fit anew with "
                "fit_inverse_transform=True."
            )
        check_is_fitted(self)
        scores = check_array(to_numpy(X), input_name="X", dtype=[np.float64, np.float32])
        return self.model_.reconstruct(scores).astype(scores.dtype, copy=False)

    def novelty(self, X: Any) -> Any:
        """Squared distance of each row, in the kernel's space, from all that the model can see.

        0: it sees all of it. For kernels of distances 1 means that it sees nothing of it.
        """
        check_is_fitted(self)
        rows = read_rows(self, X, reset=False)
        with locating_bad_numbers(self, rows):
            return self.model_.novelty(rows.source)

    # -- for scikit-learn ------------------------------------------------------------------

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags
