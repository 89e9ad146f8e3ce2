"""check_source: the rows are the same however they are read, and only read.

Blocks stacked, panels side by side and samples give the same numbers, at every call and for every
size asked for; a block that may be written to is the caller's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.testing.claims import claim

__all__ = ["check_source"]

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def check_source(source: Any) -> None:
    """Check a `Source`, or the one that `eigenlens.open` makes of the data given.

    The whole table is read a dozen times and held as one dense array: try it on a small one.
    """
    ours = open_source(source)
    claim(isinstance(ours, Source), "it has every name of eigenlens.Source")
    check_facts(ours)
    n, d = ours.shape
    whole = stack_blocks(ours, n)
    for size in sorted({1, 2, n // 2 + 1, n, n + 7}):
        claim_equal(
            stack_blocks(ours, size), whole, f"blocks({size}) give the same rows as one block"
        )
    for size in sorted({1, 2, d // 2 + 1, d, d + 7}):
        claim_equal(
            side_by_side(ours, size), whole, f"panels({size}) give the same columns as the blocks"
        )
    check_sample(ours, whole)
    check_written_blocks(ours, whole)
    claim_equal(stack_blocks(ours, n), whole, "reading again gives the same numbers")


def check_facts(source: Source) -> None:
    shape = source.shape
    claim(
        len(shape) == 2 and all(isinstance(size, int) and size >= 1 for size in shape),
        f"shape is two whole numbers from 1 up, not {shape!r}",
    )
    claim(source.dtype in FLOATS, f"dtype is float32 or float64, not {source.dtype!r}")
    claim(isinstance(source.is_sparse, bool), f"is_sparse is a bool, not {source.is_sparse!r}")
    claim(source.stored_bytes > 0, f"stored_bytes is positive, not {source.stored_bytes!r}")
    names = source.names
    if names is not None:
        claim(isinstance(names, tuple), f"names is a tuple or None, not {type(names).__name__}")
        claim(all(isinstance(name, str) for name in names), "every name is a string")
        claim(len(names) == shape[1], f"{len(names)} names for {shape[1]} columns")
        claim(len(set(names)) == len(names), "no name occurs twice")


def stack_blocks(source: Source, rows_per_block: int) -> AnyArray:
    n, d = source.shape
    parts = [copy_block(source, block) for block in source.blocks(rows_per_block)]
    sizes = [len(part) for part in parts]
    full = [min(rows_per_block, n)] * (len(parts) - 1)
    claim(
        sizes[:-1] == full and sum(sizes) == n,
        f"blocks({rows_per_block}) of {n} rows have {rows_per_block} each but the last: {sizes}",
    )
    claim(all(part.shape[1] == d for part in parts), f"every block has all {d} columns")
    return np.concatenate(parts)


def side_by_side(source: Source, columns_per_panel: int) -> AnyArray:
    n, d = source.shape
    parts = [copy_block(source, panel) for panel in source.panels(columns_per_panel)]
    sizes = [part.shape[1] for part in parts]
    full = [min(columns_per_panel, d)] * (len(parts) - 1)
    claim(
        sizes[:-1] == full and sum(sizes) == d,
        f"panels({columns_per_panel}) of {d} columns have {columns_per_panel} each but the last: "
        f"{sizes}",
    )
    claim(all(len(part) == n for part in parts), f"every panel has all {n} rows")
    return np.concatenate(parts, axis=1)


def copy_block(source: Source, part: Any) -> AnyArray:
    """A copy of the block as an array, after checking that it is of the kind promised."""
    if source.is_sparse:
        claim(
            getattr(part, "format", None) in ("csr", "csc"),
            f"blocks of a sparse source are scipy csr or csc arrays, not {type(part).__name__}",
        )
        part = part.toarray()
    else:
        claim(
            type(part) is np.ndarray,
            f"blocks of a dense source are numpy arrays, not {type(part).__name__}",
        )
    claim(part.dtype == source.dtype, f"a block of {part.dtype} from a {source.dtype} source")
    return np.array(part)


def check_sample(source: Source, whole: AnyArray) -> None:
    n = source.shape[0]
    indices = np.array([n - 1, 0, n // 2, 0])
    rows = source.sample(indices)
    claim(type(rows) is np.ndarray, f"a sample is a numpy array, not {type(rows).__name__}")
    claim(rows.dtype == np.float64, f"a sample is float64, not {rows.dtype}")
    claim_equal(
        rows.astype(whole.dtype), whole[indices], "a sample has the rows in the order asked for"
    )
    claim(rows.flags.writeable, "a sample is a copy the caller may write to")
    rows[:] = 0
    claim_equal(stack_blocks(source, n), whole, "writing to a sample does not change the source")


def check_written_blocks(source: Source, whole: AnyArray) -> None:
    if source.is_sparse:
        return
    n, d = source.shape
    for part in (*source.blocks(max(1, n // 2)), *source.panels(max(1, d // 2))):
        if part.flags.writeable:
            part[:] = 0
    claim_equal(
        stack_blocks(source, n),
        whole,
        "a block that may be written to is not the source's own memory",
    )


def claim_equal(found: AnyArray, expected: AnyArray, words: str) -> None:
    claim(np.array_equal(found, expected, equal_nan=True), words)
