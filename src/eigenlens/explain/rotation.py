"""rotate: the same subspace seen along axes that are easier to name.

    rotated loadings   L = A inv(T)',   A = eigenvector x sqrt(eigenvalue)    (d, k)
    rotated scores     Z T              Z scores over sqrt(eigenvalue): standardized

Orthogonal criteria (varimax, quartimax) keep the subspace, the captured variance and uncorrelated
components; oblimin lets components correlate, T'T, and keeps the other two. Rotated components are
ordered by the variance they hold and have their largest loading positive.

When     to read axes; not to compress, and not where a single axis is meant to hold the most.
Source   `turning.py` has the criteria; Kaiser's weights (rows of length one) as R's varimax.
Differs  from rotating eigenvectors, which some packages do: their rotated scores correlate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.document.phrases import count_things
from eigenlens.document.table import Table
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.convention import get_convention
from eigenlens.explain.mixed_rotation import (
    column_starts,
    repeat_by_line,
    rotated_levels,
    squared_loading_table,
    sum_by_column,
)
from eigenlens.explain.model_rows import (
    check_held_components,
    constant_variables,
    empty_components,
    get_model,
    item_component_pairs,
    variable_names,
)
from eigenlens.explain.rotation_criteria import ROTATION_METHODS, RotationCriterion
from eigenlens.model.device_answers import answer_at_home
from eigenlens.model.subspace import Subspace

__all__ = ["Rotation", "rotate"]


@dataclass(frozen=True, eq=False, repr=False)
class Rotation:
    """Rotated components of a model.

    Attributes
    ----------
    loadings : (d, k), of the variables on the rotated components (the pattern, where oblique).
    correlations : (d, k), of the variables with them (the structure, over their deviations).
    matrix : (k, k); loadings = unrotated loadings @ matrix.
    axes : (k, k); rotated standardized scores = standardized scores @ axes.
    component_correlations : (k, k), axes' axes; the identity unless oblique.
    variances : (k,), held by each; they sum to what the unrotated ones hold.
    converged : False where the search for the best rotation was given up.
    """

    model: Subspace
    method: str
    loadings: Float64Array
    correlations: Float64Array
    matrix: Float64Array
    axes: Float64Array
    component_correlations: Float64Array
    variances: Float64Array
    converged: bool

    def __post_init__(self) -> None:
        for array in (self.loadings, self.correlations, self.matrix, self.axes):
            array.flags.writeable = False
        for array in (self.component_correlations, self.variances):
            array.flags.writeable = False

    @property
    def names(self) -> list[str]:
        return [f"RC{index + 1}" for index in range(len(self.variances))]

    @property
    def communalities(self) -> Float64Array:
        """(d,): the variance of each variable that the components hold together."""
        structure = self.loadings @ self.component_correlations
        found: Float64Array = (self.loadings * structure).sum(axis=1)
        return found

    def table(self) -> Table:
        """One line per variable and rotated component: loading, correlation, communality."""
        variable, component = item_component_pairs(variable_names(self.model), self.names)
        columns: dict[str, Any] = {
            "variable": variable,
            "component": component,
            "loading": self.loadings.ravel(),
            "correlation": self.correlations.ravel(),
            "communality": np.repeat(self.communalities, len(self.variances)),
        }
        given_up = "The search for the best rotation was given up before it came to rest."
        return Table(columns, () if self.converged else (given_up,))

    def components(self) -> Table:
        """One line per rotated component: its variance and, where oblique, its correlations."""
        share = float(self.model.explained_ratio.sum())
        proportion = self.variances / float(self.variances.sum()) * share
        columns: dict[str, Any] = {
            "component": self.names,
            "variance": self.variances,
            "proportion": proportion,
            "cumulative": np.cumsum(proportion),
        }
        if ROTATION_METHODS[self.method].oblique:
            columns |= dict(zip(self.names, self.component_correlations, strict=True))
        return Table(columns)

    def squared_loadings(self) -> Table:
        """One line per column and rotated component, of a model with categories."""
        structure = self.loadings @ self.component_correlations
        return squared_loading_table(self.model, structure, self.names)

    def categories(self) -> Table:
        """One line per level and rotated component: the mean rotated score of its rows."""
        return rotated_levels(self.model, self.axes, self.names)

    def project(self, rows: Any) -> Float64Array:
        """Rotated scores of rows, (n, k), in units of their standard deviation."""
        scores = answer_at_home(self.model.project(rows))
        found: Float64Array = scores / np.sqrt(self.model.eigenvalues) @ self.axes
        return found

    def __str__(self) -> str:
        return f"{self!r}\n\n{self.components()}\n\n{self.table()}"

    def __repr__(self) -> str:
        state = "" if self.converged else ", not converged"
        return f"Rotation({self.method}, {len(self.variances)} components{state})"

    def _repr_html_(self) -> str:
        return self.components()._repr_html_() + self.table()._repr_html_()


def rotate(
    model: Any,
    method: str = "varimax",
    *,
    k: int | None = None,
    normalize: bool = True,
    convention: str | None = None,
) -> Rotation:
    """The leading `k` components (all of the model's by default) rotated, as a `Rotation`.

    `method`: "varimax", "quartimax" or "oblimin". `normalize`: every variable counts the same
    (Kaiser), else by the variance that the components hold of it. `.table()` has the loadings.

    >>> import eigenlens
    >>> rows = [[7, 4, 3], [4, 1, 8], [6, 3, 5], [8, 6, 1], [8, 5, 7], [7, 2, 9]]
    >>> rotate(eigenlens.fit(rows, 2, scale="std"))
    Rotation(varimax, 2 components)
    """
    model, style = get_model(model), get_convention(convention)
    if method not in ROTATION_METHODS:
        raise OptionError.unknown("method", method, ROTATION_METHODS)
    kept = leading_model_to_rotate(model, k)
    factor = style.eigenvalue_factor(kept)
    plain = kept.components.T * np.sqrt(kept.eigenvalues * factor)
    axes, converged = best_axes(plain, ROTATION_METHODS[method], normalize, column_starts(kept))
    matrix: Float64Array = np.asarray(np.linalg.inv(axes).T, dtype=np.float64)
    loadings, between = plain @ matrix, axes.T @ axes
    structure = loadings @ between
    spread = np.where(constant_variables(kept), np.nan, kept.feature_variances * factor)
    return Rotation(
        model=kept,
        method=method,
        loadings=loadings,
        correlations=np.clip(structure / np.sqrt(spread)[:, None], -1.0, 1.0),
        matrix=matrix,
        axes=axes,
        component_correlations=between,
        variances=(loadings * structure).sum(axis=0),
        converged=converged,
    )


def leading_model_to_rotate(model: Subspace, k: object) -> Subspace:
    """The model of the components to rotate: two or more."""
    kept = model if k is None else model.truncate(check_held_components(k, model))
    real = int(np.count_nonzero(~empty_components(kept)))
    if 2 <= real < kept.n_components:
        raise RankError.needs(
            f"rotating {kept.n_components} components",
            f"variance along each, and only {real} have any beyond rounding",
            Phrase("pass {}", SetOption("k", real)),
        )
    if real < 2:
        raise RankError.needs(
            f"rotating {count_things(real, 'component')}",
            "2 or more: one axis cannot be turned within itself",
            Phrase("fit again with {} or more", SetOption("k", 2)),
        )
    return kept


def best_axes(
    plain: Float64Array, turning: RotationCriterion, normalize: bool, starts: IntArray | None
) -> tuple[Float64Array, bool]:
    """The axes, by falling variance and with the largest loading of each positive."""
    lengths = np.sqrt(sum_by_column(np.square(plain).sum(axis=1), starts))
    lengths = repeat_by_line(lengths, starts, len(plain))
    if not normalize:
        lengths = np.full_like(lengths, lengths.max())
    found = turning.turn(plain / np.where(lengths > 0, lengths, 1.0)[:, None], starts)
    axes = found.axes
    loadings = plain @ np.linalg.inv(axes).T
    held = (loadings * (loadings @ (axes.T @ axes))).sum(axis=0)
    order = np.argsort(-held, kind="stable")
    largest = loadings[np.argmax(np.abs(loadings), axis=0), np.arange(len(order))]
    return (axes * np.where(largest < 0, -1.0, 1.0))[:, order], found.converged
