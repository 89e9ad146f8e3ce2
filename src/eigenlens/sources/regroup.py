"""Regrouping: pieces as a file yields them become blocks of the size asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from eigenlens.sources.protocol import Block, FloatArray

__all__ = ["regroup_rows"]


def regroup_rows(
    pieces: Iterator[Block], rows_per_block: int, columns: int, dtype: np.dtype[Any]
) -> Iterator[Block]:
    """The rows of all pieces in order, `rows_per_block` at a time; the last block may be shorter.

    A piece of exactly that size passes through uncopied.
    """
    first = next(pieces, None)
    if first is None:
        return
    is_dense = isinstance(first, np.ndarray)
    whole = chain_pieces([first], pieces)
    del first  # else it would be held until the last piece is read
    if is_dense:
        yield from dense_blocks(whole, rows_per_block, columns, dtype)
    else:
        yield from sparse_blocks(whole, rows_per_block, dtype)


def chain_pieces(waiting: list[Block], others: Iterator[Block]) -> Iterator[Block]:
    yield waiting.pop()
    yield from others


def dense_blocks(
    pieces: Iterator[Block], rows_per_block: int, columns: int, dtype: np.dtype[Any]
) -> Iterator[FloatArray]:
    buffer, filled = None, 0
    for piece in pieces:
        taken = 0
        while taken < len(piece):
            if buffer is None and len(piece) - taken >= rows_per_block:
                part = piece[taken : taken + rows_per_block]
                taken += rows_per_block
                yield as_dtype(part, dtype)
                continue
            if buffer is None:
                buffer, filled = np.empty((rows_per_block, columns), dtype), 0
            some = min(rows_per_block - filled, len(piece) - taken)
            with np.errstate(over="ignore"):
                buffer[filled : filled + some] = piece[taken : taken + some]
            filled, taken = filled + some, taken + some
            if filled == rows_per_block:
                yield buffer
                buffer = None
        del piece  # the next one is read before this name is used again
    if buffer is not None:
        yield buffer[:filled]


def as_dtype(part: FloatArray, dtype: np.dtype[Any]) -> FloatArray:
    with np.errstate(over="ignore"):
        return part.astype(dtype, copy=False)


def sparse_blocks(
    pieces: Iterator[Block], rows_per_block: int, dtype: np.dtype[Any]
) -> Iterator[Block]:
    waiting: list[Block] = []
    count = 0
    for piece in pieces:
        taken = 0
        while taken < piece.shape[0]:
            some = min(rows_per_block - count, piece.shape[0] - taken)
            whole = some == piece.shape[0]
            waiting.append(piece if whole else piece[taken : taken + some])
            count, taken = count + some, taken + some
            if count == rows_per_block:
                yield stack_sparse(waiting, dtype)
                waiting, count = [], 0
    if waiting:
        yield stack_sparse(waiting, dtype)


def stack_sparse(parts: list[Block], dtype: np.dtype[Any]) -> Block:
    if len(parts) == 1:
        return parts[0].astype(dtype, copy=False)
    sparse = sys.modules["scipy.sparse"]
    return sparse.vstack(parts, format="csr", dtype=dtype)
