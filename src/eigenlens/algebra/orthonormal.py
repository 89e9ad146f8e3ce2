"""Orthonormal bases: make one, and extend one by a block.

    extend(Q, B)  ->  (N, C, F)   with   B = Q C + N F,   N'N = I,   Q'N = 0.

Cost     4 p m l flops per sweep for a block of l columns against m; two sweeps.
Source   "Twice is enough" (Kahan; Giraud, Langou and Rozloznik 2005); Cholesky QR (Yamamoto 2015).
Differs  from the textbook: columns that vanish are replaced by random directions orthogonal to
         everything, so that a block keeps its width until the whole space is spanned.

The triangle of a tall matrix that arrives in blocks: R with R'R = sum of B_b'B_b.

    R <- triangle of [R; B_b]      (TSQR, sequential)

Singular values of R are those of the stacked blocks to eps * the largest: nothing is squared.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array, FloatArray

__all__ = ["extend_basis", "orthonormal_basis", "thin_qr", "triangle_of"]

CHOLESKY_LIMIT = 1e6  # below this condition number two Cholesky sweeps are orthogonal to eps
NEARLY = 0.1  # from orthonormal columns: condition numbers up to 1.1 / 0.9
REFINED_FROM = 32.0  # roundings that a product with an inverse may be off, and is not refined


def orthonormal_basis(block: Float64Array) -> Float64Array:
    """An orthonormal basis of the columns of `block`, in the order given."""
    return thin_qr(block)[0]


def extend_basis(
    basis: Float64Array, block: Float64Array, rng: np.random.Generator
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """New orthonormal columns that carry what `block` adds to `basis`, with both coefficients.

    Never more columns than the space has left; when that is fewer than `block` has, the new
    columns complete the space.
    """
    size, width = block.shape
    room = size - basis.shape[1]
    inside = basis.T @ block
    rest = subtract_projection(block, basis, inside)
    new, factor = loose_qr(rest)
    noise = 100 * EPS * np.linalg.norm(block, axis=0).max(initial=0.0)
    if width > room or np.abs(np.diag(factor)).min(initial=np.inf) <= noise:
        # Some columns add nothing. Singular vectors sort what does from what is only rounding.
        new, factor = thin_qr(rest)
        left, singular, _ = np.linalg.svd(factor)
        new = (new @ left)[:, :room]
        vanished = singular[:room] <= noise
        new[:, vanished] = rng.standard_normal((size, int(vanished.sum())))
        new = orthonormal_basis(subtract_projection(new, basis, basis.T @ new))
    new = subtract_projection(new, basis, basis.T @ new)
    new = orthonormal_basis(new)
    return new, inside, new.T @ rest


def loose_qr(block: Float64Array) -> tuple[Float64Array, Float64Array]:
    """QR by one Cholesky sweep: orthonormal to a few digits, for what will be made so again."""
    found = sweep_once(block)
    return np.linalg.qr(block) if found is None else found


def sweep_once(block: Float64Array) -> tuple[Float64Array, Float64Array] | None:
    """One Cholesky sweep; None where the columns are too dependent, or too large, for it."""
    if block.shape[1] == 1:
        return normalize_column(block)
    with np.errstate(over="ignore", invalid="ignore"):
        gram = block.T @ block
    if not np.isfinite(gram).all():
        return None
    try:
        factor: Float64Array = np.linalg.cholesky(gram).T.astype(np.float64, copy=False)
    except np.linalg.LinAlgError:
        return None
    new = divide_by_factor(block, factor)
    return None if new is None else (new, factor)


def divide_by_factor(block: Float64Array, factor: Float64Array) -> Float64Array | None:
    """block @ inv(factor), so that its product with `factor` is the block but for rounding.

    None where the factor is too ill-conditioned for it. The small inverse itself: multiplying by it
    beats a triangular solve with a tall side. It is off by as many roundings as |inv| |factor| has
    (Skeel's condition number, which no scaling of columns changes); where these are many, what it
    leaves of the block is divided once more, and nothing of the block is lost.
    """
    diagonal = np.diag(factor)
    if diagonal.max(initial=0.0) > CHOLESKY_LIMIT * diagonal.min(initial=np.inf):
        return None
    inverse = np.linalg.inv(factor)
    roundings = (np.abs(inverse) @ np.abs(factor)).max(initial=0.0)
    if not roundings <= CHOLESKY_LIMIT:
        return None
    new: Float64Array = block @ inverse
    if roundings > REFINED_FROM:
        new += (block - new @ factor) @ inverse
    return new


def normalize_column(column: Float64Array) -> tuple[Float64Array, Float64Array]:
    """A column of length 1 and its length, by powers of two: nothing overflows, at any scale."""
    exponent = np.frexp(np.abs(column).max(initial=0.0))[1]
    scaled = np.ldexp(column, -exponent)
    length: Float64Array = np.sqrt(scaled.T @ scaled)
    if not length > 0:  # nothing, or not a number
        return np.linalg.qr(column)
    return scaled / length, np.ldexp(length, exponent)


def subtract_projection(
    block: Float64Array, basis: Float64Array, inside: Float64Array
) -> Float64Array:
    """block - basis @ inside, with no more memory than the result takes."""
    part: Float64Array = basis @ inside
    return np.subtract(block, part, out=part)


def thin_qr(block: Float64Array) -> tuple[Float64Array, Float64Array]:
    """QR by two Cholesky sweeps where the conditioning allows it, else by Householder.

    The Gram route is products only, not a panel factorization: several times faster on tall
    blocks, and as orthogonal below the condition limit. One sweep does for columns that are nearly
    orthonormal already: what it leaves grows with the square of their condition number.
    """
    found = sweep_once(block)
    if found is None or block.shape[1] == 1:
        return np.linalg.qr(block) if found is None else found
    once, first = found
    width = len(first)
    if np.abs(first - np.eye(width)).max(initial=0.0) * width <= NEARLY:
        return once, first
    try:
        second = np.linalg.cholesky(once.T @ once).T
    except np.linalg.LinAlgError:
        return np.linalg.qr(block)
    return once @ np.linalg.inv(second), second @ first


def triangle_of(blocks: Iterable[FloatArray]) -> Float64Array:
    """The (p, p) triangle; short stacks are padded with zero rows. Always float64."""
    triangle: Float64Array | None = None
    waiting: list[Float64Array] = []
    for block in blocks:
        waiting.append(block.astype(np.float64, copy=False))
        # Stack several thin blocks first: a factorization costs p^3 whatever it adds.
        if sum(map(len, waiting)) >= 2 * block.shape[1]:
            triangle, waiting = fold_blocks(triangle, waiting), []
    if waiting or triangle is None:
        triangle = fold_blocks(triangle, waiting)
    missing = triangle.shape[1] - len(triangle)
    return triangle if missing <= 0 else np.pad(triangle, ((0, missing), (0, 0)))


def fold_blocks(triangle: Float64Array | None, blocks: list[Float64Array]) -> Float64Array:
    parts = blocks if triangle is None else [triangle, *blocks]
    stack = parts[0] if len(parts) == 1 else np.concatenate(parts)
    factor: Any = np.linalg.qr(stack, mode="r")  # numpy's types miss mode="r"
    return np.asarray(factor, dtype=np.float64)
