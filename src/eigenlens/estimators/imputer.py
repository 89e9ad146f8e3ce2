"""Imputer: missing cells filled with what is expected given the others, for pipelines."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from eigenlens.errors.options import refuse_unknown
from eigenlens.estimators.plan import read_seed
from eigenlens.estimators.validation import read_rows, restoring_attributes_on_failure
from eigenlens.missing.choose import expect_rows
from eigenlens.missing.completer import Completer
from eigenlens.missing.gaussian import Gaussian
from eigenlens.missing.lowrank import LowRank
from eigenlens.missing.observed import CellReader, cell_blocks, observe_cells

__all__ = ["Imputer"]

ENGINES = ("auto", "gaussian", "lowrank")


class Imputer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Fill missing cells with their expected values, and say how uncertain they are.

    A multivariate normal law (or one of low rank) is learned from the observed cells; a missing
    cell gets its mean given the observed cells of its row.

    Parameters
    ----------
    engine : "auto" (hidden cells decide), "gaussian", "lowrank", or an object of
        `eigenlens.missing`.
    random_state : int, RandomState or None; None is a fixed seed. It draws the hidden cells.

    Attributes
    ----------
    completer_ : what is known about the columns.
    choice_ : a `Verdict`: which engine was chosen, and how well it predicts hidden cells.
    n_features_in_, feature_names_in_ : as in scikit-learn.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> rows = np.outer(rng.standard_normal(200), [1.0, 2.0, -1.0])
    >>> rows += 0.1 * rng.standard_normal(rows.shape)
    >>> rows[5, 1] = np.nan
    >>> filled, errors = Imputer().fit(rows).transform(rows, return_std=True)
    >>> bool(abs(filled[5, 1] - 2 * rows[5, 0]) < 1), bool(0 < errors[5, 1] < 0.5)
    (True, True)
    """

    completer_: Completer

    def __init__(self, engine: Any = "auto", *, random_state: Any = None) -> None:
        self.engine = engine
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Imputer:
        """Learn the law of the rows. `y` is ignored."""
        if not isinstance(self.engine, Gaussian | LowRank):
            refuse_unknown("engine", self.engine, ENGINES)
        with restoring_attributes_on_failure(self):
            source = read_rows(self, X, reset=True).source
            reader = CellReader(source, observe_cells(source))
            found = expect_rows(reader, self.engine, np.random.default_rng(read_seed(self)))
            self.completer_, self.choice_ = found.completer, found.choice
        return self

    def transform(self, X: Any, *, return_std: bool = False) -> Any:
        """`X` with its missing cells filled; with `return_std`, their standard errors too."""
        check_is_fitted(self)
        source = read_rows(self, X, reset=False).source
        parts = [self.completer_.complete(cells) for cells in cell_blocks(source)]
        filled = np.concatenate([part.rows for part in parts])
        if not return_std:
            return filled
        return filled, np.concatenate([part.errors for part in parts])

    def inverse_transform(self, X: Any) -> Any:
        """`X` as it is: what was filled in cannot be told from what was there."""
        return X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags
