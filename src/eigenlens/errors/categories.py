"""Errors and warnings about categories and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from eigenlens.errors.data import DataError
from eigenlens.errors.phrasing import Option, Phrase, SetOption, enquote, list_things, list_words
from eigenlens.errors.remedies import LeaveOutColumns
from eigenlens.errors.root import ExplainedWarning

__all__ = ["CategoryError", "UnseenCategories"]


class CategoryError(DataError):
    """A column of categories, or a table of counts, cannot be analyzed as it is."""

    @classmethod
    def one_level(cls, name: str, level: str | None) -> Self:
        found = "no value at all" if level is None else f"one level only, {level!r}"
        return cls.of(
            "the categorical column {name!r} has {found}, so it tells no row from another.",
            LeaveOutColumns([name]),
            name=name,
            found=found,
            columns=[name],
        )

    @classmethod
    def nothing_left(cls, left_out: Mapping[str, str]) -> Self:
        """`left_out`: why, by column."""
        return cls.of(
            "no column can be analyzed: {reasons}.",
            Phrase("name the columns that hold categories with {}", Option("categories", "[...]")),
            reasons=list_words((f"{enquote(k)} ({why})" for k, why in left_out.items()), 5, False),
            columns=list(left_out),
        )

    @classmethod
    def identifier(cls, name: str, count: int) -> Self:
        return cls.of(
            "the column {name!r} has a different value in each of its {count} rows: it is an "
            "identifier, not a category.",
            LeaveOutColumns([name]),
            name=name,
            count=count,
            columns=[name],
        )

    @classmethod
    def too_many_levels(cls, name: str, levels: int, rows: int) -> Self:
        return cls.of(
            "the column {name!r} has {levels} different values in {n} rows, fewer than two rows "
            "for each: that is text, not a category.",
            LeaveOutColumns([name]),
            "replace its values by fewer and broader ones",
            name=name,
            levels=levels,
            n=rows,
            columns=[name],
        )

    @classmethod
    def missing_values(cls, name: str, missing: int, rows: int) -> Self:
        return cls.of(
            "the categorical column {name!r} has no value in {missing} of {n} rows.",
            Phrase(
                "estimate its levels from the other columns with {}", SetOption("missing", "auto")
            ),
            Phrase(
                "make a missing value a level of its own with {}", SetOption("missing", "level")
            ),
            Phrase("leave out these rows with {}", SetOption("missing", "drop")),
            name=name,
            missing=missing,
            n=rows,
            columns=[name],
        )

    @classmethod
    def too_many_to_estimate(cls, levels: int, most: int) -> Self:
        return cls.of(
            "missing categories are estimated by a matrix with a row and a column for each of the "
            "{levels} levels, and {most} are the most it may have.",
            Phrase(
                "make a missing value a level of its own with {}", SetOption("missing", "level")
            ),
            Phrase("merge levels that are rare with a larger {}", Option("rare")),
            levels=levels,
            most=most,
        )

    @classmethod
    def share_not_positive(cls, level: str, share: float) -> Self:
        return cls.of(
            "the share of {level} that is expected where categories are missing comes out as "
            "{share:.3g}: so few rows have it that nothing can be said of the others.",
            Phrase(
                "make a missing value a level of its own with {}", SetOption("missing", "level")
            ),
            Phrase("merge levels that are rare with a larger {}", Option("rare")),
            level=level,
            share=share,
        )

    @classmethod
    def negative_counts(cls, row: int, column: str, value: float) -> Self:
        return cls.of(
            "{categories} needs counts, and row {row}, column {column!r} holds {value:g}. "
            "Counts are 0 or more.",
            "correct this cell, or leave out the column",
            Phrase(
                "analyze the numbers as measurements: omit {}", SetOption("categories", "counts")
            ),
            categories=SetOption("categories", "counts"),
            row=row,
            column=column,
            value=value,
            columns=[column],
        )

    @classmethod
    def empty_counts(cls, rows: Sequence[int], columns: Sequence[str]) -> Self:
        """Rows and columns without a single case."""
        parts = []
        if rows:
            parts.append(f"{'row' if len(rows) == 1 else 'rows'} {list_words(rows, 5)}")
        if columns:
            word = "column" if len(columns) == 1 else "columns"
            parts.append(f"{word} {list_words(columns, 5)}")
        return cls.of(
            "all counts are 0 in {listing}, so there is no profile to compare.",
            "leave out empty rows and columns",
            listing=" and in ".join(parts),
            rows=list(rows),
            columns=list(columns),
        )

    @classmethod
    def missing_counts(cls, rows: Sequence[int], columns: Sequence[str]) -> Self:
        """Cells of a table of counts that hold no number; rows and columns that have some."""
        return cls.of(
            "the table of counts has no number in {listing} of {places}. Missing "
            "counts are not estimated.",
            "write 0 where nothing was counted",
            "leave out these rows or columns",
            listing=list_things("column", columns, 5),
            places=list_things("row", rows, 5),
            rows=list(rows),
            columns=list(columns),
        )

    @classmethod
    def needs_table(cls, given: str) -> Self:
        return cls.of(
            "categories are read from a frame, an array of objects, or a CSV, Parquet or Arrow "
            "file, and not from a {given}.",
            "pass the table as one of these",
            given=given,
        )

    @classmethod
    def needs_numbers(cls, names: Sequence[str]) -> Self:
        return cls.of(
            "{categories} needs a table of counts, and {listing} does not hold numbers.",
            LeaveOutColumns(names),
            Phrase("analyze categories with {}", SetOption("categories", "auto")),
            categories=SetOption("categories", "counts"),
            listing=f"{'column' if len(names) == 1 else 'columns'} {list_words(names, 5)}",
            columns=list(names),
        )


class UnseenCategories(ExplainedWarning):
    """New rows hold values that the fit did not have; these contribute nothing."""

    @classmethod
    def in_columns(
        cls,
        counts: Mapping[str, tuple[int, int, Sequence[str]]],
        rows: int,
        estimated: bool = False,
    ) -> Self:
        """By column: how many cells are unseen, how many missing, and the first unseen values.

        `estimated`: by a model that fills missing categories.
        """
        parts = []
        for name, (unseen, missing, shown) in counts.items():
            said = []
            if unseen:
                said.append(f"{unseen} unseen ({list_words(shown, 3)})")
            if missing:
                said.append(f"{missing} missing")
            parts.append(f"{name!r}: {' and '.join(said)}")
        return cls.of(
            "some of the {n} rows have categories that the model does not know: {listing}. These "
            "cells {treated}.",
            n=rows,
            treated="are estimated, as missing ones are"
            if estimated
            else "contribute nothing to the scores",
            listing="; ".join(parts),
            columns=list(counts),
            counts={name: (unseen, missing) for name, (unseen, missing, _) in counts.items()},
        )
