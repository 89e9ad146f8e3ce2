"""Weights and errors per cell, and what they come to.

| given                                   | what is fitted                                         |
|-----------------------------------------|--------------------------------------------------------|
| all weights equal                       | the plain table                                        |
| weights r_i c_j (or errors a_i b_j)     | rows weighted by r, columns divided by 1 / sqrt(c)     |
| weights of 0 and one other number       | the table with missing cells where they are 0          |
| anything else                           | expected moments under a law of low rank whose noise   |
|                                         | is larger where weights are smaller (`graded.py`)      |

A weight is the relative precision of a cell: of variance proportional to 1 / weight. Errors are
standard deviations, per cell or per column: weight = 1 / error^2. In r_i c_j the mean of c is 1
unless all r are equal; then c is as given, and rows have no weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError, WeightsError
from eigenlens.errors.phrasing import Option
from eigenlens.sources.protocol import Source
from eigenlens.table.preparation import real_numbers

__all__ = ["CellWeights", "read_cell_weights"]

PROPORTIONAL = 1e-12  # relative: rows of weights this near to multiples of each other are


@dataclass(frozen=True, eq=False)
class CellWeights:
    """`rows` and `scale` as in `fit`; `cells` (n, d) where weights are neither; 0: missing.

    `from_errors`: precisions are in the units of the data, not relative to their columns.
    """

    rows: Any
    scale: Any
    cells: Float64Array | None = None
    from_errors: bool = False


def read_cell_weights(source: Source, weights: Any, errors: Any, scale: Any) -> CellWeights:
    """Weights of rows pass through as they are."""
    if errors is not None:
        if weights is not None:
            raise OptionError.excludes("weights", "errors")
        return read_errors(source, errors, scale)
    if weights is None or real_numbers(weights) is None or np.ndim(weights) != 2:
        return CellWeights(weights, scale)
    given = cells_given(weights, source, "weights")
    if (given < 0).any():
        rows = np.flatnonzero((given < 0).any(axis=1))
        raise WeightsError.negative(int((given < 0).sum()), int(rows[0]))
    if np.isinf(given).any():
        raise WeightsError.not_finite(int(np.isinf(given).sum()))
    if not given.any():
        raise WeightsError.all_zero()
    return reduce_weights(np.where(np.isnan(given), 0.0, given), scale, False)


def read_errors(source: Source, errors: Any, scale: Any) -> CellWeights:
    given = cells_given(errors, source, "errors")
    if (given <= 0).any():
        raise OptionError.not_positive("errors", float(given[given <= 0][0]))
    known = np.isfinite(given)
    precisions = np.where(known, 1.0 / np.square(np.where(known, given, 1.0)), 0.0)
    return reduce_weights(precisions, scale, True)


def cells_given(given: Any, source: Source, option: str) -> Float64Array:
    """One number per cell; errors may be given per column."""
    flat = real_numbers(given)
    if flat is None:
        raise OptionError.needs(Option(option), "real numbers", "pass an array of floats")
    shape = np.shape(given)
    if option == "errors" and shape == source.shape[1:]:
        return np.broadcast_to(flat, source.shape)
    if shape != source.shape:
        raise WeightsError.wrong_shape(option, shape, source.shape)
    return flat.reshape(shape)


def reduce_weights(cells: Float64Array, scale: Any, from_errors: bool) -> CellWeights:
    """The simplest fit that weights of this form come to."""
    largest = cells.max()
    row, column = np.unravel_index(int(cells.argmax()), cells.shape)
    rows, columns = cells[:, column] / largest, cells[row]
    outer = rows[:, None] * columns
    if np.abs(outer - cells).max() > PROPORTIONAL * largest or not columns.all():
        return CellWeights(None, scale, cells, from_errors)
    same_rows = bool(np.ptp(rows) <= PROPORTIONAL * rows.max())
    same_columns = bool(np.ptp(columns) <= PROPORTIONAL * largest)
    if same_rows:
        rows_given, relative = None, columns / rows.max()
    else:
        rows_given, relative = rows * columns.mean(), columns / columns.mean()
    if (same_columns and not from_errors) or isinstance(scale, str):
        return CellWeights(rows_given, scale)  # standardized columns have no size of their own
    own = 1.0 / np.sqrt(relative)
    return CellWeights(rows_given, own if scale is None else np.asarray(scale) * own)
