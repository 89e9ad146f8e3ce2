"""Covariance matrices: read from whatever holds them, and told from tables of rows.

The matrix meant is (C + C') / 2; halves that differ by more than rounding are an error, as is an
eigenvalue below zero by more than rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import CovarianceError, LooksLikeCovariance
from eigenlens.sources import frame
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import DataLike, Source
from eigenlens.sources.traits import traits_of

__all__ = ["CovarianceMatrix", "covariance_at_hand", "hint_at_covariance", "read_covariance"]

BLOCK_ROWS = 1024
SINGLE, DOUBLE = 1e-5, 1e-9  # relative: rounding of matrices computed in float32, or in float64
WIDEST_HINT = 500  # columns: a square table of rows with more is not looked at


@dataclass(frozen=True, eq=False)
class CovarianceMatrix:
    """Symmetric to the last bit; no eigenvalue is below zero by more than `below`."""

    matrix: Float64Array
    names: tuple[str, ...] | None
    below: float


def read_covariance(data: DataLike) -> CovarianceMatrix:
    source = open_matrix(data)
    n, d = source.shape
    if n != d:
        raise CovarianceError.not_square((n, d))
    blocks = [one.toarray() if source.is_sparse else one for one in source.blocks(BLOCK_ROWS)]
    matrix = np.concatenate(blocks).astype(np.float64)
    names = source.names
    bad = np.argwhere(~np.isfinite(matrix))
    if len(bad):
        raise CovarianceError.bad_entries(len(bad), *name_pair(names, *bad[0]))
    largest = float(np.abs(matrix).max())
    if largest == 0:
        raise CovarianceError.zero(d)
    close = SINGLE if source.dtype == np.float32 else DOUBLE
    with np.errstate(over="ignore"):
        apart = np.abs(matrix - matrix.T)
    if apart.max() > close * largest:
        i, j = np.unravel_index(int(apart.argmax()), apart.shape)
        pair = name_pair(names, i, j)
        raise CovarianceError.asymmetric(*pair, float(matrix[i, j]), float(matrix[j, i]))
    whole: Float64Array = matrix / 2 + matrix.T / 2
    return CovarianceMatrix(whole, names, measure_negative_part(whole, close))


def open_matrix(data: Any) -> Source:
    """Words beside the numbers, the names of the rows, are left out."""
    if not isinstance(data, Source) and frame.accepts(data):
        table = frame.as_frame(data)
        kinds = zip(table.columns, table.schema.dtypes(), strict=True)
        numbers = [name for name, kind in kinds if not frame.is_text_kind(kind)]
        if numbers and len(numbers) < len(table.columns):
            return open_source(data, numbers)
    return open_source(data)


def measure_negative_part(matrix: Float64Array, close: float) -> float:
    """How far below zero the least eigenvalue is; an error where that is no rounding."""
    values = np.linalg.eigvalsh(matrix)
    least, largest = float(values[0]), float(values[-1])
    if least < -close * max(largest, -least):
        negative = int(np.count_nonzero(values < -close * max(largest, -least)))
        raise CovarianceError.indefinite(least, largest, negative)
    return max(-least, 0.0)


def name_pair(names: tuple[str, ...] | None, i: Any, j: Any) -> tuple[str | int, str | int]:
    row, column = int(i), int(j)
    return (row, column) if names is None else (names[row], names[column])


def hint_at_covariance(source: Source) -> None:
    """A warning where the rows of a table form a covariance matrix, to be fitted as one."""
    if not 1 < source.shape[1] <= WIDEST_HINT:
        return
    matrix = covariance_at_hand(source)
    # A diagonal one may as well be a table of indicators.
    if matrix is not None and (matrix - np.diag(np.diag(matrix))).any():
        LooksLikeCovariance.square_table(len(matrix)).warn()


def covariance_at_hand(source: Source) -> Float64Array | None:
    """The numbers of a square table that are a covariance matrix, else None."""
    (n, d), traits = source.shape, traits_of(source)
    if n != d or source.is_sparse or not traits.re_readable or traits.remote:
        return None
    rows = np.asarray(source.sample(np.arange(n)), dtype=np.float64)
    return rows if is_covariance(rows) else None


def is_covariance(rows: Float64Array) -> bool:
    """Symmetric to the last digits, with a positive diagonal, and no negative eigenvalue."""
    if not np.isfinite(rows).all():
        return False
    largest = float(np.abs(rows).max(initial=0.0))
    if not 0 < largest < 1e150 or np.abs(rows - rows.T).max() > 1e-12 * largest:
        return False
    if np.diag(rows).min() < 0:
        return False
    values = np.linalg.eigvalsh(rows)
    return bool(values[0] >= -DOUBLE * values[-1])
