"""distances: T2 and Q of every row, in one pass; the rows are read in blocks and not held.

    T2 = sum of score_i^2 / eigenvalue_i          how far out in the subspace
    Q  = |x - x^|^2                               how far off it

Components without variance take no part in T2: no row of the fit has a score there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array
from eigenlens.document.phrases import count_things
from eigenlens.errors import OptionError
from eigenlens.errors.remedies import PythonCode
from eigenlens.explain.incomplete import adjust_for_missing
from eigenlens.explain.model_rows import read_prepared_blocks
from eigenlens.missing.completed import CompletedSource
from eigenlens.model.rows import block_scores, match_columns, require_finite
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source

__all__ = [
    "RowBlock",
    "check_rows_of_fit",
    "count_active",
    "distance_blocks",
    "residuals_of_some",
    "row_distances",
]

MOST_ROWS = 2000
HELD_BYTES = 64 << 20


def count_active(model: Subspace) -> int:
    """How many components have a variance to divide by."""
    values = model.eigenvalues
    floor = model.n_features * EPS * float(values.max(initial=0.0))
    return int((values > floor).sum())


def check_rows_of_fit(model: Subspace, data: Any) -> Source:
    """The rows of the fit are as many as it had; others are new."""
    source = match_columns(model, data)
    if source.shape[0] != model.n_rows:
        raise OptionError.needs(
            f"a table of {count_things(source.shape[0], 'row')}, taken for the rows of the fit,",
            f"all {model.n_rows} of them",
            "pass those",
            PythonCode("for rows that the model has not seen, outliers(model, rows, new=True)"),
        )
    return source


@dataclass(frozen=True, eq=False)
class RowBlock:
    """Consecutive rows: scores (m, k), squared distances to the center, T2 and Q (m,)."""

    span: slice
    scores: Float64Array
    lengths: Float64Array
    extremes: Float64Array
    distances: Float64Array


def distance_blocks(model: Subspace, source: Source) -> Iterator[RowBlock]:
    """One pass over the rows; one block of them is held at a time."""
    count = count_active(model)
    for span, block in read_prepared_blocks(model, source):
        with np.errstate(invalid="ignore", over="ignore"):
            scores = block_scores(model, block)
            apart = block - scores @ model.components
            yield RowBlock(
                span,
                scores,
                np.square(block).sum(axis=1),
                np.square(scores[:, :count]) @ (1 / model.eigenvalues[:count]),
                np.square(apart).sum(axis=1),
            )


def row_distances(model: Subspace, source: Source) -> tuple[Float64Array, Float64Array]:
    """T2 (n,) and Q (n,)."""
    extremes, distances = np.empty((2, source.shape[0]))
    for block in distance_blocks(model, source):
        extremes[block.span], distances[block.span] = block.extremes, block.distances
    if isinstance(source, CompletedSource) and model.missing is not None and model.n_components:
        adjust_for_missing(model, source, extremes, distances)
    return require_finite(extremes, model, source), require_finite(distances, model, source)


def residuals_of_some(model: Subspace, source: Source) -> Float64Array:
    """What the components leave of the rows: of all, or of as many as are soon multiplied.

    Those taken stand at equal steps: no chance enters, and no order of the rows is preferred.
    """
    n, d = source.shape
    count = min(n, MOST_ROWS, max(MOST_ROWS // 10, HELD_BYTES // (8 * d)))
    rows = source.sample(np.linspace(0, n - 1, count).round().astype(np.int64))
    ready = rows.astype(np.float64)
    if model.mean is not None:
        ready -= model.mean
    if model.scale is not None:
        ready /= model.scale
    ready -= block_scores(model, ready) @ model.components
    return np.asarray(require_finite(ready, model, source))
