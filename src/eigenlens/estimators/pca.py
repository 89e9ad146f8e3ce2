"""PCA: scikit-learn's class on eigenlens, with a certificate."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from eigenlens.certificate.record import Certificate
from eigenlens.errors import NotCertified, WeightsError
from eigenlens.estimators.array_api import namespace_of, refuse_other_namespace, to_numpy
from eigenlens.estimators.attributes import set_fitted_attributes
from eigenlens.estimators.parameters import SKLEARN_NAMES, check_parameters
from eigenlens.estimators.plan import plan_from_parameters
from eigenlens.estimators.transform import (
    estimator_covariance,
    estimator_precision,
    lazy_rows_from_scores,
    map_collection,
    row_log_densities,
    rows_from_scores,
    score_rows,
    transform_rows,
)
from eigenlens.estimators.validation import (
    ValidatedRows,
    locating_bad_numbers,
    read_rows,
    restoring_attributes_on_failure,
)
from eigenlens.fit import fit
from eigenlens.model.dask_answers import is_dask_collection
from eigenlens.model.subspace import Subspace

__all__ = ["PCA"]


class PCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Principal component analysis that proves its answer, in the place of scikit-learn's class.

    Parameters
    ----------
    n_components : int, float in (0, 1), "mle" or None
        How many; the smallest number holding more than that share of the variance; by Minka's
        evidence; all. Each works with every solver and with sparse data. A rule of `eigenlens.fit`,
        such as "frobenius:0.9", works too.
    copy : ignored; the data are never written to.
    whiten : divide scores by their standard deviations.
    svd_solver : "auto", one of scikit-learn's names ("full", "covariance_eigh", "arpack",
        "randomized"), one of ours ("svd", "covariance", "dual", "lanczos", "krylov", "power",
        "orthogonal"), or an object of `eigenlens.solvers`.
    tol : of ARPACK, for "arpack"; 0 is the precision of the data.
    iterated_power : power iterations of "randomized"; "auto": as many as the proof needs. A number
        that is too small for it gives a `NotCertified` warning.
    n_oversamples : spare columns of "randomized".
    power_iteration_normalizer : ignored; every iteration is orthonormalized.
    random_state : int, RandomState or None; None is a fixed seed.
    scale : "std" to standardize the columns, or one positive number per column.
    tolerance : every eigenvalue certified within this relative error; None: until the numerical
        error is under 1 % of the sampling error.
    memory : bytes to use beside the data ("2GB"; a fraction of RAM; None: a quarter of it).
    missing : what to do about NaN: "error", "drop" (rows of the fit only), or "auto", "gaussian",
        "lowrank" to estimate them with their errors; `transform` then takes rows with NaN too.
    robust : what to do about outliers: None, "wrap", "rows", "cells", or an object of
        `eigenlens.robust`, as in `eigenlens.fit`.
    device : where products of the fit are made: None (where the data are), "cuda", "cuda:1", "cpu".

    Attributes
    ----------
    components_, explained_variance_, explained_variance_ratio_, singular_values_, mean_,
    n_components_, n_samples_, noise_variance_, n_features_in_, feature_names_in_
        As in scikit-learn. `noise_variance_` is what is left divided by min(n, d) - k, for every
        solver alike.
    model_ : the `eigenlens.Subspace`, in float64.
    certificate_ : the `eigenlens.Certificate`: what is proven about it.

    >>> import numpy as np
    >>> rows = np.random.default_rng(0).standard_normal((500, 8)) * [9, 5, 1, 1, 1, 1, 1, 1]
    >>> pca = PCA(0.9).fit(rows)
    >>> pca.n_components_, pca.certificate_.kind
    (2, 'deterministic')
    """

    model_: Subspace

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        copy: bool = True,
        whiten: bool = False,
        svd_solver: Any = "auto",
        tol: float = 0.0,
        iterated_power: int | str = "auto",
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
        scale: Any = None,
        tolerance: float | None = None,
        memory: Any = None,
        missing: Any = "error",
        robust: Any = None,
        device: Any = None,
    ) -> None:
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.scale = scale
        self.tolerance = tolerance
        self.memory = memory
        self.missing = missing
        self.robust = robust
        self.device = device

    @property
    def certificate_(self) -> Certificate:
        """What is proven about the model; computed when it is first asked for."""
        return self.model_.certificate

    # -- fit -------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PCA:
        """Find the components of `X`, an array, frame or sparse matrix. `y` is ignored.

        `sample_weight`: one number per row; whole numbers mean repeated rows.
        """
        self._learn(X, sample_weight)
        return self

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """The scores of `X` after fitting to it: those of `fit(X).transform(X)`."""
        rows = self._learn(X, sample_weight)
        return (
            self.transform(X)
            if is_dask_collection(X)
            else namespace_of(X).bring(transform_rows(self, rows))
        )

    def _learn(self, X: Any, weights: Any = None) -> ValidatedRows:
        check_parameters(self)
        with restoring_attributes_on_failure(self):
            return self._learned(X, weights)

    def _learned(self, X: Any, weights: Any) -> ValidatedRows:
        rows = read_rows(self, X, reset=True)
        if weights is not None:
            weights = np.asarray(to_numpy(weights), dtype=np.float64)
            if weights.ndim != 1:  # weights of cells are for `eigenlens.fit`
                raise WeightsError.wrong_length(weights.size, rows.source.shape[0])
        # All zero: `fit` says so, and better than a count of samples would.
        samples = None if weights is None else round(float(np.nansum(weights))) or None
        plan = plan_from_parameters(self, rows.source.shape, rows.dtype, samples)
        with locating_bad_numbers(self, rows):
            model = fit(
                rows.source,
                plan.k,
                scale=self.scale,
                weights=weights,
                solver=plan.solver,
                tolerance=self.tolerance,
                memory=self.memory,
                seed=plan.seed,
                missing=self.missing,
                robust=self.robust,
                device=self.device,
            )
        self._warn_if_not_proven(model)
        set_fitted_attributes(self, model, plan.count, rows.dtype, namespace_of(X))
        self.n_samples_ = model.n_rows
        solver = model.provenance["settings"]["solver"]
        self._fit_svd_solver = SKLEARN_NAMES.get(solver, solver)
        return rows

    def _warn_if_not_proven(self, model: Subspace) -> None:
        """What falls short of the default accuracy is not silent; a tolerance warns by itself."""
        stop = model.choices["stop"]
        if stop.rule == "limit" and self.tolerance is None:
            reached = model.certificate.relative_error
            NotCertified.stopped(stop.evidence["passes"], reached).warn()

    # -- encode, decode --------------------------------------------------------------------

    def transform(self, X: Any) -> Any:
        """Scores of `X`, (n, n_components_); whitened if asked for."""
        check_is_fitted(self)
        if is_dask_collection(X):
            return map_collection(self, X, self.transform, self.n_components_)
        refuse_other_namespace(self, X, "transform")
        return namespace_of(X).bring(transform_rows(self, read_rows(self, X, reset=False)))

    def inverse_transform(self, X: Any) -> Any:
        """The rows that have the scores `X`, in the units of the data."""
        check_is_fitted(self)
        if is_dask_collection(X):
            return lazy_rows_from_scores(self, X)
        refuse_other_namespace(self, X, "inverse_transform")
        return namespace_of(X).bring(rows_from_scores(self, X))

    # -- the probabilistic model -----------------------------------------------------------

    def get_covariance(self) -> Any:
        """The covariance of the probabilistic model, (d, d); whitening has no part in it."""
        check_is_fitted(self)
        return namespace_of(self.components_).bring(estimator_covariance(self))

    def get_precision(self) -> Any:
        """The inverse of the covariance, (d, d)."""
        check_is_fitted(self)
        return namespace_of(self.components_).bring(estimator_precision(self))

    def score_samples(self, X: Any) -> Any:
        """Log density of each row under the probabilistic model."""
        check_is_fitted(self)
        if is_dask_collection(X):
            return map_collection(self, X, self.score_samples, None)
        return namespace_of(X).bring(score_rows(self, read_rows(self, X, reset=False)))

    def score(self, X: Any, y: Any = None) -> float:
        """Average log density of the rows. `y` is ignored."""
        check_is_fitted(self)
        if is_dask_collection(X):
            return float(self.score_samples(X).mean())
        return float(row_log_densities(self, read_rows(self, X, reset=False)).mean())

    # -- for skl2onnx, which looks for these names -------------------------------------------

    def onnx_shape_calculator(self) -> Any:
        from eigenlens.estimators.onnx_operators import shape_calculator

        return shape_calculator

    def onnx_converter(self) -> Any:
        from eigenlens.estimators.onnx_operators import convert_pca

        return convert_pca

    # -- for scikit-learn ------------------------------------------------------------------

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.array_api_support = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
