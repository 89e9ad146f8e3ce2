"""Errors about the numbers: what was found in them, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from eigenlens.errors.root import EigenlensError
from eigenlens.errors.wording import listed

__all__ = ["DataError"]


class DataError(EigenlensError, ValueError):
    """The numbers cannot be used as they are."""

    @classmethod
    def empty(cls, shape: Sequence[int]) -> Self:
        return cls(
            f"the table has 0 rows (shape={tuple(shape)}). Pass at least 2 rows, or 1 with "
            f"center=False; a filter or a file that came out empty is the usual cause."
        )

    @classmethod
    def one_row(cls, shape: Sequence[int]) -> Self:
        return cls(
            f"the table has one row (n_samples=1, shape={tuple(shape)}): around its own mean it "
            f"varies nowhere. Pass at least 2 rows, or center=False for the raw second moments."
        )

    @classmethod
    def no_columns(cls, shape: Sequence[int]) -> Self:
        return cls(
            f"the table has 0 feature(s) (shape={tuple(shape)}) while a minimum of 1 is required. "
            f"Pass a table with columns, or choose at least one with columns=[...]."
        )

    @classmethod
    def not_two_dimensional(cls, shape: Sequence[int]) -> Self:
        if len(shape) > 2:
            rest = "one line per row: np.asarray(data).reshape(len(data), -1)."
        else:
            rest = (
                "np.asarray(data).reshape(-1, 1) if it is one column, "
                "np.asarray(data).reshape(1, -1) if it is one row."
            )
        return cls(
            f"the data have {len(shape)} dimension(s) (shape={tuple(shape)}), but a table has two: "
            f"rows and columns. Reshape your data, {rest}"
        )

    @classmethod
    def ragged(cls, reason: object) -> Self:
        return cls(
            f"the rows do not form a table ({reason}). "
            f"Give every row the same number of entries, each a single number."
        )

    @classmethod
    def masked(cls, count: int, shape: Sequence[int]) -> Self:
        return cls(
            f"{count} entries of the {shape[0]} x {shape[1]} masked array are masked. Drop those "
            f"rows with np.ma.compress_rows(data), or fill them with data.filled(value)."
        )

    @classmethod
    def not_finite(
        cls,
        nans: int,
        infinities: int,
        places: Sequence[tuple[int, str | int]],
        rows: int,
        shape: Sequence[int],
        piece: int | None = None,
    ) -> Self:
        """`places`: the first few (row, column name or position); `rows`: how many are affected."""
        chunk = "" if piece is None else f" (first met in chunk {piece})"
        shown = "; ".join(f"row {row}, column {column!r}" for row, column in places)
        more = nans + infinities - len(places)
        shown += f"; and {more} more" if more > 0 else ""
        return cls(
            f"the table contains {nans} NaN and {infinities} infinite values in {rows} of its "
            f"{shape[0]} rows: {shown}{chunk}. Drop these rows, or fill them in (for "
            f"example with sklearn.impute.SimpleImputer), and fit again."
        )

    @classmethod
    def constant_table(
        cls, shape: Sequence[int], centered: bool = True, weighted: bool = False
    ) -> Self:
        which = "rows with a positive weight" if weighted else f"{shape[0]} rows"
        if not centered:
            return cls(
                f"all {which} of the {shape[0]} x {shape[1]} table are 0, so there is nothing to "
                f"explain. Pass rows with numbers other than 0."
            )
        return cls(
            f"all {which} of the {shape[0]} x {shape[1]} table are equal, so there is no "
            f"variance to explain. Pass rows that differ, or center=False for raw second moments."
        )

    @classmethod
    def duplicate_names(cls, names: Iterable[object]) -> Self:
        return cls(
            f"each column may be named and chosen once, but these occur more often: "
            f"{listed(names)}. Rename or drop the repeated ones."
        )

    @classmethod
    def wrong_scores(cls, shape: Sequence[int], expected: int) -> Self:
        return cls(
            f"the scores have the shape {tuple(shape)}, but the model has {expected} component(s). "
            f"Pass one line per row with {expected} scores each, as model.project(rows) gives them."
        )

    @classmethod
    def too_far(cls, shape: Sequence[int]) -> Self:
        return cls(
            f"the {shape[0]} rows of this sparse table are equal, or so far from the origin that "
            f"their spread is lost beside their mean. If they do differ, pass X.toarray(): dense "
            f"rows are shifted before they are multiplied."
        )

    @classmethod
    def overflow(cls) -> Self:
        return cls(
            "every number is finite, but their squares add up beyond the largest float64 "
            "(1.8e308). Divide the data by a constant, for example by their largest magnitude."
        )

    @classmethod
    def underflow(cls) -> Self:
        return cls(
            "the rows differ, but by less than float64 has squares for (about 1e-152). "
            "Multiply the data by a constant, for example by 1e200."
        )

    # -- distances between rows ------------------------------------------------------------

    @classmethod
    def too_few_rows(cls, given: int, least: int) -> Self:
        return cls(
            f"the table has {given} distinct row(s), and neighbors of so few say nothing about a "
            f"dimension. Pass at least {least} rows that differ, better some hundreds."
        )

    @classmethod
    def equal_rows(cls, n: int) -> Self:
        return cls(
            f"all {n} rows are equal: one point, of dimension 0. Pass rows that differ; a column "
            f"chosen by mistake (columns=[...]) is the usual cause."
        )

    @classmethod
    def mostly_repeated(cls, n: int, distinct: int) -> Self:
        return cls(
            f"{n - distinct} of the {n} rows repeat others, more than the {distinct} distinct "
            f"ones: their neighbors lie at distance 0. Pass np.unique(data, axis=0) to ask about "
            f"the distinct rows, or numbers that are rounded less."
        )

    @classmethod
    def one_column(cls, n: int) -> Self:
        return cls(
            f"the table has one column: {n} numbers on a line have dimension 1 and are flat, "
            f"whatever they are. Pass 2 columns or more."
        )

    # -- blocks of a stream ----------------------------------------------------------------

    @classmethod
    def in_block(cls, number: int, error: object) -> Self:
        return cls(f"block {number} of the stream, counted from 0: {error}")

    @classmethod
    def not_a_block(cls, number: int, kind: type) -> Self:
        return cls(
            f"block {number} of the stream, counted from 0, is a {kind.__name__}, not rows of "
            f"numbers. Yield 2-D arrays, frames or sparse matrices; of a single row, row[None, :]."
        )

    @classmethod
    def not_blocks(cls, label: str, kind: type) -> Self:
        return cls(
            f"{label} returned an object of type {kind.__name__}, which holds no blocks of rows. "
            f"Return an iterator of 2-D arrays, frames or sparse matrices, a fresh one each time."
        )

    @classmethod
    def no_blocks(cls, label: str) -> Self:
        return cls(
            f"{label} gave no rows at all. Pass a stream of at least 2 rows; an iterator that was "
            f"already read to its end is the usual cause."
        )

    @classmethod
    def different_widths(cls, number: int, given: int, expected: int) -> Self:
        return cls(
            f"block {number} of the stream, counted from 0, has {given} columns, where the first "
            f"has {expected}. Give every block the same columns, or choose some with columns=[...]."
        )

    @classmethod
    def different_names(cls, number: int, given: Sequence[str], expected: Sequence[str]) -> Self:
        return cls(
            f"block {number} of the stream, counted from 0, has the columns {listed(given)} where "
            f"the first has {listed(expected)}. Bring them into one order, or choose them by name "
            f"with columns=[...]."
        )

    @classmethod
    def changed_stream(cls, label: str, expected: int, found: int) -> Self:
        many = f"{found} or more" if found > expected else f"{found}"
        return cls(
            f"{label} gave {expected} rows when it was opened, but {many} this time, so the passes "
            f"over them do not belong together. Return a fresh iterator over the same rows at each "
            f"call."
        )

    @classmethod
    def changed_numbers(cls, label: str) -> Self:
        return cls(
            f"{label} gave other numbers this time than when it was opened, so the passes over "
            f"them do not belong together. Return the same rows in the same order at each call; "
            f"one that draws at random needs a fresh generator with a fixed seed each time."
        )

    @classmethod
    def read_once(cls, shape: Sequence[int]) -> Self:
        return cls(
            f"the {shape[0]} rows of this stream were read once and are gone; only their mean and "
            f"scatter matrix are kept. To read them again, pass a callable that returns a fresh "
            f"iterator at each call: eigenlens.fit(lambda: blocks(), ...)."
        )

    @classmethod
    def not_for_iterators(cls) -> Self:
        return cls(
            "an iterator of blocks is gone once it was read, and here its rows are read more than "
            "once. Pass a callable that returns a fresh iterator at each call (lambda: blocks()), "
            "or one block after another: model.project(block)."
        )

    @classmethod
    def too_wide_to_keep(cls, columns: int, most: int) -> Self:
        return cls(
            f"a stream that can be read only once is kept as a matrix of columns x columns, and "
            f"{columns} columns would make {8 * columns**2 / 1e9:.3g} GB of it; {most} is most. "
            f"Pass a callable that returns a fresh iterator at each call, choose columns=[...], or "
            f"use eigenlens.IncrementalPCA."
        )
