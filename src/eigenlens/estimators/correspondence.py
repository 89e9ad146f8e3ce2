"""MCA, FAMD and CA as scikit-learn's classes, with the most used names of prince.

| prince                    | here                                                    |
|---------------------------|---------------------------------------------------------|
| fit, transform            | the same                                                |
| row_coordinates(X)        | the same as transform                                   |
| column_coordinates(X)     | an array, whose rows `level_names_` names               |
| eigenvalues_summary       | a table, with the bounds of the certificate             |
| eigenvalues_              | the same                                                |
| percentage_of_variance_   | the same                                                |
| total_inertia_            | the same                                                |
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.record import Certificate
from eigenlens.document.table import Table
from eigenlens.errors.categories import CategoryError
from eigenlens.estimators.plan import read_seed
from eigenlens.estimators.validation import restoring_attributes_on_failure
from eigenlens.fit import fit
from eigenlens.model.subspace import Subspace
from eigenlens.sources.categories.columns import mixed_table_of

__all__ = ["CA", "FAMD", "MCA"]


class Correspondence(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What the three have in common.

    Parameters
    ----------
    n_components : how many components, or a rule's name, as `k` of `eigenlens.fit`.
    rare : levels with a smaller share of the rows are merged into "other".
    missing : "error", "level" (a missing value is a level) or "drop".
    solver, tolerance : as those of `eigenlens.fit`.
    random_state : int, RandomState or None; None is a fixed seed.

    Attributes
    ----------
    model_, certificate_ : the model of `eigenlens.fit`, and what is proven about it.
    eigenvalues_, percentage_of_variance_, cumulative_percentage_of_variance_, total_inertia_ : the
        inertias and their shares.
    components_ : (n_components, n_features), axes of the indicator table.
    n_features_in_, feature_names_in_ : as in scikit-learn.
    """

    model_: Subspace

    def __init__(
        self,
        n_components: Any = 2,
        *,
        rare: float = 0.01,
        missing: str = "error",
        solver: Any = "auto",
        tolerance: float | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.rare = rare
        self.missing = missing
        self.solver = solver
        self.tolerance = tolerance
        self.random_state = random_state

    def categories_in(self, X: Any) -> Any:
        """What `categories` of `eigenlens.fit` is for this class."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Learn the axes of `X`. `y` is ignored."""
        with restoring_attributes_on_failure(self):
            self.model_ = fit(
                X,
                self.n_components,
                categories=self.categories_in(X),
                rare=self.rare,
                missing=self.missing,
                weights=sample_weight,
                solver=self.solver,
                tolerance=self.tolerance,
                seed=read_seed(self),
            )
            encoding = self.model_.categories
            names = () if encoding is None else encoding.column_names
            self.n_features_in_ = len(names)
            self.feature_names_in_ = np.array(names, dtype=object)
            self.components_ = self.model_.components
            self.eigenvalues_ = self.model_.eigenvalues
            self.total_inertia_ = self.model_.total_variance
            self.percentage_of_variance_ = 100 * self.model_.explained_ratio
            self.cumulative_percentage_of_variance_ = np.cumsum(self.percentage_of_variance_)
        return self

    def transform(self, X: Any) -> Float64Array:
        """The coordinates of the rows, (n, n_components)."""
        check_is_fitted(self)
        scores: Float64Array = self.model_.project(X)
        return scores

    def row_coordinates(self, X: Any) -> Float64Array:
        """The same as `transform`."""
        return self.transform(X)

    def column_coordinates(self, X: Any = None) -> Float64Array:
        """Coordinates of the levels, (levels, n_components), in the order of `level_names_`.

        In FAMD those of the numbers come first: their correlations with the components.
        """
        check_is_fitted(self)
        return level_coordinates(self.model_)

    @property
    def level_names_(self) -> list[str]:
        check_is_fitted(self)
        return list(self.model_.feature_names or ())

    @property
    def eigenvalues_summary(self) -> Table:
        """Eigenvalues, their shares in percent, and the bounds of the certificate."""
        check_is_fitted(self)
        low, high = self.certificate_.eigenvalue_bounds.T
        columns = {
            "component": list(range(self.model_.n_components)),
            "eigenvalue": self.eigenvalues_,
            "% of variance": self.percentage_of_variance_,
            "% of variance (cumulative)": self.cumulative_percentage_of_variance_,
            "low": low,
            "high": high,
        }
        return Table(columns)

    @property
    def certificate_(self) -> Certificate:
        check_is_fitted(self)
        return self.model_.certificate

    @property
    def _n_features_out(self) -> int:
        return self.model_.n_components

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.categorical = True
        return tags


def level_coordinates(model: Subspace) -> Float64Array:
    """By the formulas of `explain.categories` and `explain.variables`."""
    encoding = model.categories
    if encoding is None or model.mean is None:
        raise RuntimeError("these models have categories")
    vectors, share = model.components.T, encoding.is_share
    found: Float64Array = vectors * np.sqrt(model.eigenvalues)
    found[share] *= np.sqrt(encoding.divided_by / model.mean[share, None])
    if encoding.method == "famd":
        found[share] *= np.sqrt(model.eigenvalues)
    return found


class MCA(Correspondence):
    __doc__ = f"""Multiple correspondence analysis: every column of `X` holds categories.

    {Correspondence.__doc__}
    >>> import pandas
    >>> frame = pandas.DataFrame({{"a": list("xxyyzz"), "b": list("uuuvvv")}})
    >>> MCA(1).fit(frame).transform(frame).shape
    (6, 1)
    """

    def categories_in(self, X: Any) -> Any:
        table = mixed_table_of(X)
        if table is None:
            raise CategoryError.needs_table(type(X).__name__)
        return list(table.names)


class FAMD(Correspondence):
    __doc__ = f"""Factor analysis of mixed data: numbers and categories weigh alike.

    {Correspondence.__doc__}
    >>> import pandas
    >>> frame = pandas.DataFrame({{"a": list("xxyyzz"), "b": [1.0, 2.0, 2.5, 4.0, 3.0, 6.0]}})
    >>> FAMD(1).fit(frame).transform(frame).shape
    (6, 1)
    """

    def categories_in(self, X: Any) -> Any:
        return "auto"


class CA(Correspondence):
    __doc__ = f"""Correspondence analysis of a table of counts.

    {Correspondence.__doc__}
    >>> CA(1).fit([[10, 2, 3], [4, 8, 1], [2, 3, 9]]).transform([[10, 2, 3]]).shape
    (1, 1)
    """

    def categories_in(self, X: Any) -> Any:
        return "counts"
