"""Errors about the numbers: what was found in them, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from eigenlens.errors.phrasing import Option, Phrase, SetOption, count_things, enquote, list_words
from eigenlens.errors.remedies import LeaveOutColumns, PythonCode, TreatMissing
from eigenlens.errors.root import EigenlensError, ExplainedWarning
from eigenlens.errors.row_place import RowPlace

__all__ = ["DataError", "MostlyMissing", "SplitError"]

RAW = Phrase("pass {} to analyze the raw second moments", SetOption("center", False))


class DataError(EigenlensError, ValueError):
    """The numbers cannot be used as they are."""

    @classmethod
    def empty(cls, shape: Sequence[int]) -> Self:
        return cls(
            f"the table has 0 rows (shape={tuple(shape)}). The usual cause is a filter or a file "
            "that came out empty.",
            Phrase("pass at least 2 rows, or 1 row with {}", SetOption("center", False)),
            rows=0,
        )

    @classmethod
    def one_row(cls, shape: Sequence[int]) -> Self:
        return cls(
            f"the table has one row (n_samples=1, shape={tuple(shape)}), and a single row has no "
            "variance around its mean.",
            "pass at least 2 rows",
            RAW,
            rows=1,
        )

    @classmethod
    def no_columns(cls, shape: Sequence[int]) -> Self:
        return cls(
            f"the table has 0 feature(s) (shape={tuple(shape)}) while a minimum of 1 is required.",
            "pass a table with columns",
            Phrase("choose at least one with {}", Option("columns", "[...]")),
            columns=0,
        )

    @classmethod
    def not_two_dimensional(cls, shape: Sequence[int]) -> Self:
        flat = "reshape your data to one line per row: np.asarray(data).reshape(len(data), -1)"
        line = (
            "reshape your data: np.asarray(data).reshape(-1, 1) if it is one column, "
            "np.asarray(data).reshape(1, -1) if it is one row"
        )
        return cls(
            f"the data have {count_things(len(shape), 'dimension')} (shape={tuple(shape)}), but a "
            "table has two: rows and columns (pictures have more: number, height, width, colors).",
            PythonCode(flat if len(shape) > 2 else line),
        )

    @classmethod
    def ragged(cls, reason: object) -> Self:
        return cls.of(
            "the rows do not form a table ({reason}).",
            "give every row the same number of entries, each a single number",
            reason=reason,
        )

    @classmethod
    def no_cells(cls, names: Sequence[object]) -> Self:
        return cls.of(
            "every cell is missing in {listing}.",
            LeaveOutColumns(names),
            listing=f"{'column' if len(names) == 1 else 'columns'} {list_words(names)}",
            columns=list(names),
        )

    @classmethod
    def no_robust_scale(cls, names: Sequence[object]) -> Self:
        return cls.of(
            "half of the cells are equal in every column, so no cell can be called outlying.",
            Phrase("omit {}", Option("robust")),
            columns=list(names),
        )

    @classmethod
    def one_value(cls, names: Sequence[object]) -> Self:
        return cls.of(
            "all observed cells are equal in {listing}, so nothing can be said about the missing "
            "cells there.",
            LeaveOutColumns(names),
            listing=f"{'column' if len(names) == 1 else 'columns'} {list_words(names)}",
            columns=list(names),
        )

    @classmethod
    def no_complete_rows(cls, shape: Sequence[int], count: int) -> Self:
        return cls.of(
            "{missing} leaves {count} of the {n} rows, since the others have missing cells.",
            Phrase("estimate the missing cells with {}", SetOption("missing", "auto")),
            missing=SetOption("missing", "drop"),
            count=count,
            n=shape[0],
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
        located: Mapping[int, RowPlace] | None = None,
        estimable: bool = True,
    ) -> Self:
        """`places`: the first few (row, column); `located`: where they are; `rows`: how many."""
        chunk = "" if piece is None else f" (first found in chunk {piece})"
        known = {} if located is None else located
        said: set[int] = set()
        parts = []
        for row, column in places:
            where = f" ({known[row]})" if row in known and row not in said else ""
            said.add(row)
            parts.append(f"row {row}{where}, column {column!r}")
        more = nans + infinities - len(places)
        missing = [f"{nans} missing {'cell' if nans == 1 else 'cells'} (NaN)"] * (nans > 0)
        infinite = [f"{infinities} infinite value{'s' * (infinities > 1)}"] * (infinities > 0)
        return cls.of(
            "the table contains {what} in {affected} of its {n} rows: {shown}.",
            *("correct infinite values, which no option treats" for _ in infinite),
            *([TreatMissing(nans, rows, shape[0], estimable)] if nans else []),
            nans=nans,
            infinities=infinities,
            what=" and ".join(missing + infinite),
            affected=rows,
            n=shape[0],
            shown="; ".join(parts) + (f"; and {more} more" if more > 0 else "") + chunk,
            rows=[row for row, _ in places],
            columns=[column for _, column in places],
            lines=[known[row].line for row, _ in places if row in known],
            row_names=[known[row].name for row, _ in places if row in known],
            chunk=piece,
        )

    @classmethod
    def constant_table(
        cls, shape: Sequence[int], centered: bool = True, weighted: bool = False
    ) -> Self:
        which = "rows with a positive weight" if weighted else f"{shape[0]} rows"
        size = f"{shape[0]} x {shape[1]}"
        if not centered:
            return cls(
                f"all {which} of the {size} table are 0, so there is nothing to explain.",
                "pass rows with numbers other than 0",
            )
        return cls(
            f"all {which} of the {size} table are equal, so there is no variance to explain.",
            "pass rows that differ",
            RAW,
        )

    @classmethod
    def duplicate_names(cls, names: Iterable[object]) -> Self:
        repeated = list(names)
        return cls(
            f"column names must be unique, but these occur more than once: {list_words(repeated)}.",
            "rename or drop the repeated columns",
            columns=repeated,
        )

    @classmethod
    def wrong_scores(cls, shape: Sequence[int], expected: int) -> Self:
        return cls(
            f"the scores have shape {tuple(shape)}, but the model has "
            f"{count_things(expected, 'component')}.",
            PythonCode(
                f"pass one line of {expected} scores each per row, as of model.project(rows)"
            ),
            expected=expected,
        )

    @classmethod
    def too_far(cls, shape: Sequence[int]) -> Self:
        return cls(
            f"the {shape[0]} rows of this sparse table are equal, or so far from the origin that "
            "their variance is lost in rounding.",
            PythonCode("if they do differ, pass X.toarray(): dense rows are centered first"),
        )

    @classmethod
    def beyond_exact(cls, largest: float) -> Self:
        return cls(
            f"the numbers reach {largest:.3g}, and beyond 2^53 (about 9e15) float64 cannot hold "
            "every whole number: what tells these rows apart is lost once they are read.",
            PythonCode("pass a NumPy array of integers, whose differences are exact"),
            PythonCode("subtract an origin first, for example X - X.min()"),
        )

    @classmethod
    def overflow(cls) -> Self:
        return cls.of(
            "every number is finite, but the sum of their squares exceeds the largest float64 "
            "(1.8e308).",
            "divide the data by a constant, for example by their largest magnitude",
        )

    @classmethod
    def underflow(cls) -> Self:
        return cls.of(
            "the rows differ, but by so little that the squares underflow in float64 (differences "
            "below about 1e-152).",
            "multiply the data by a constant, for example by 1e200",
        )

    # -- distances between rows ------------------------------------------------------------

    @classmethod
    def too_few_rows(cls, given: int, least: int) -> Self:
        return cls.of(
            "the table has {given} rows that differ, too few to estimate a dimension from their "
            "neighbors.",
            f"pass at least {least} rows that differ, better some hundreds",
            given=given,
            least=least,
        )

    @classmethod
    def equal_rows(cls, n: int) -> Self:
        return cls(
            f"all {n} rows are equal: a single point, of dimension 0. The usual cause is a wrong "
            "choice of columns.",
            "pass rows that differ",
        )

    @classmethod
    def mostly_repeated(cls, n: int, distinct: int) -> Self:
        return cls(
            f"{n - distinct} of the {n} rows repeat other rows, more than the {distinct} distinct "
            "ones, so most nearest neighbors lie at distance 0.",
            PythonCode("pass np.unique(data, axis=0) to use the distinct rows only"),
            "pass numbers that are rounded less",
        )

    @classmethod
    def one_column(cls, n: int) -> Self:
        return cls(
            f"the table has one column: {n} numbers on a line always have dimension 1 and are "
            "flat.",
            "pass 2 columns or more",
        )

    @classmethod
    def in_block(cls, number: int, error: object) -> Self:
        return cls.of(
            "block {block} of the stream (counted from 0): {error}", block=number, error=error
        )


class SplitError(DataError):
    """Too few rows to train on some and to judge by others."""

    @classmethod
    def too_few(cls, given: int, least: int, purpose: str) -> Self:
        return cls(
            f"the table has {count_things(given, 'row')} (n_samples={given}), but {purpose} needs "
            f"{least} or more.",
            "pass more rows, better some hundreds",
            given=given,
        )


class MostlyMissing(ExplainedWarning):
    """Missing cells were estimated where the observed ones say very little."""

    @classmethod
    def columns_empty(cls, names: Sequence[object], share: float) -> Self:
        verb = "lacks" if len(names) == 1 else "lack"
        return cls.of(
            "{listing} {verb} more than {share:.0%} of the cells, so that the estimates rest on "
            "few observed ones.",
            LeaveOutColumns(names),
            listing=f"{'column' if len(names) == 1 else 'columns'} {list_words(names, 5)}",
            verb=verb,
            share=share,
            columns=list(names),
        )

    @classmethod
    def pairs_apart(cls, pairs: Sequence[tuple[object, object]]) -> Self:
        said = [f"{enquote(one)} and {enquote(other)}" for one, other in pairs]
        return cls.of(
            "no row has both of these columns: {listing}. What is said about their correlation "
            "rests on the other columns and on the prior alone.",
            LeaveOutColumns([pairs[0][1]] if len(pairs) == 1 else ()),
            listing=list_words(said, 5, quote=False),
            pairs=list(pairs),
        )
