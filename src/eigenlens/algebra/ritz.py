"""Ritz pairs: what a subspace V knows of a symmetric matrix C.

    C V = V H + Q F,     V'V = I,  Q'Q = I,  Q'V = 0        (H small and symmetric)

    Ritz values    the eigenvalues of H = S diag(t) S', descending
    Ritz vectors   V S
    residuals      the column norms of F S: how far each vector is from being an eigenvector

Everything a certificate says about a subspace follows from V, H, F and a bound on what C does
outside V. Q itself is never needed.

The sign rule: in every component the entry of largest magnitude is positive.

The first such entry wins a tie, so the result depends on the numbers only, not on the solver.

Power sums: how evenly variance is spread over all eigenvalues, as far as a search has seen it.

    squares = sum of t^2 / (sum of t)^2       cubes = sum of t^3 / (sum of t)^3

    all eigenvalues are known   both
    the matrix is               squares, from its entries; cubes would take p^3 work

Shares, because squares of large numbers overflow. What components leave of these sums, the limits
of the distance to the subspace rest on (`explain/left_out_spectrum.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenlens.algebra.orthonormal import thin_qr
from eigenlens.algebra.typing import Float64Array

__all__ = [
    "Ritz",
    "descending_eigh",
    "fix_signs",
    "power_sums",
    "ritz_of_eigenvectors",
    "ritz_of_image",
    "ritz_of_projection",
]


@dataclass(frozen=True)
class Ritz:
    """`span` V (p, m), `rotation` S (m, m), `values` (m,), `coupling` F S (c, m)."""

    span: Float64Array
    rotation: Float64Array | None  # None: the span already consists of Ritz vectors
    values: Float64Array
    coupling: Float64Array
    from_triangle: bool = False  # found without squaring: errors are relative to singular values
    exposure: Float64Array | None = None  # (m,): size of the numbers that the products were made of
    norm: float = 0.0  # of the matrix that was decomposed, where some of its values are left out

    @property
    def size(self) -> int:
        return len(self.values)

    @property
    def residuals(self) -> Float64Array:
        norms: Float64Array = np.sqrt(np.square(self.coupling).sum(axis=0))
        return norms

    def coupling_norm(self, count: int) -> float:
        """How strongly the leading pairs couple to the outside, in norm."""
        leading = self.coupling[:, :count]
        return float(np.linalg.norm(leading, 2)) if leading.any() else 0.0

    def vectors(self, count: int) -> Float64Array:
        """The leading `count` Ritz vectors, (p, count)."""
        if self.rotation is None:
            return self.span[:, :count]
        return self.span @ self.rotation[:, :count]

    def at_rest(self) -> Ritz:
        """The same pairs as if they were exact."""
        if not self.coupling.any():
            return self
        return replace(self, coupling=np.zeros((1, self.size)))

    def leading(self, count: int, vectors: Float64Array | None = None) -> Ritz:
        """The leading pairs alone: Ritz vectors couple to the outside, not to each other."""
        return replace(
            self,
            span=self.vectors(count) if vectors is None else vectors,
            rotation=None,
            values=self.values[:count],
            coupling=self.coupling[:, :count],
            exposure=None if self.exposure is None else self.exposure[:count],
            norm=max(self.norm, float(np.abs(self.values).max(initial=0.0))),
        )


def descending_eigh(matrix: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Eigenvalues from the largest down, and their vectors in columns."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    return values[::-1], vectors[:, ::-1]


def ritz_of_projection(
    span: Float64Array,
    projected: Float64Array,
    out: Float64Array,
    exposure: Float64Array | None = None,
) -> Ritz:
    """From V, H and F; `exposure` v'Gv of every column of V, where C V was a product with data.

    Rounding happened on V and is turned with it: a column that reaches into numbers of mean square
    G spoils every Ritz vector it has a part in.
    """
    values, rotation = descending_eigh(projected)
    exposed = None if exposure is None else exposure @ np.square(rotation)
    return Ritz(span, rotation, values, out @ rotation, exposure=exposed)


def ritz_of_image(
    span: Float64Array, image: Float64Array, exposure: Float64Array | None = None
) -> Ritz:
    """From V and C V, when both are at hand."""
    projected = span.T @ image
    rest = image - span @ projected
    coupling = thin_qr(rest - span @ (span.T @ rest))[1]
    return ritz_of_projection(span, projected, coupling, exposure)


def ritz_of_eigenvectors(
    values: Float64Array, vectors: Float64Array, from_triangle: bool = False
) -> Ritz:
    """From a whole eigendecomposition: nothing couples to the outside beyond rounding.

    A variance below 0 is rounding, and counts as 0; LAPACK's errors are still relative to it.
    """
    norm = float(np.abs(values).max(initial=0.0))
    values = np.maximum(values, 0.0)
    return Ritz(vectors, None, values, np.zeros((1, len(values))), from_triangle, norm=norm)


def fix_signs(vectors: Float64Array) -> Float64Array:
    """Flip columns so that each one's largest entry in magnitude is positive."""
    largest = np.argmax(np.abs(vectors), axis=0)
    is_negative = vectors[largest, np.arange(vectors.shape[1])] < 0
    return vectors * np.where(is_negative, -1.0, 1.0)


def power_sums(
    ritz: Ritz, size: int, total: float, matrix: Float64Array | None
) -> list[float | None] | None:
    """[squares, cubes] of a symmetric matrix of that size and trace; None where not known."""
    if ritz.size == size:
        shares = np.maximum(ritz.values, 0.0) / total
        return [float((shares**2).sum()), float((shares**3).sum())]
    if matrix is not None:
        return [float(np.vdot(matrix, matrix)) / total**2, None]
    return None
