"""Claims: a statement in words, and the numbers that decide whether it holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.errors import EigenlensError

__all__ = ["CheckFailed", "claim", "claim_close", "claim_orthonormal"]


class CheckFailed(EigenlensError, AssertionError):
    """A claim of `eigenlens.testing` that does not hold, in words."""


def claim(holds: object, words: str) -> None:
    """Raise `CheckFailed` with `words` unless `holds`."""
    if not holds:
        raise CheckFailed(words)


def claim_close(found: Any, expected: Any, allowed: float, words: str) -> None:
    """Every entry of `found` within `allowed` of `expected`; NaN and other shapes are not."""
    one, two = np.asarray(found, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    claim(one.shape == two.shape, f"{words}: the shapes {one.shape} and {two.shape} differ")
    error = float(np.abs(one - two).max(initial=0.0))
    claim(error <= allowed, f"{words}: they differ by {error:.3g}, allowed is {allowed:.3g}")


def claim_orthonormal(basis: Any, words: str) -> None:
    """V'V = I to a small multiple of eps times the number of rows."""
    columns = np.asarray(basis)
    allowed = 8 * EPS * max(columns.shape)
    claim_close(columns.T @ columns, np.eye(columns.shape[1]), allowed, words)
