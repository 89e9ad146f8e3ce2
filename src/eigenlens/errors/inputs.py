"""Errors about special inputs: pictures, and what is to be predicted from rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from eigenlens.errors.data import DataError
from eigenlens.errors.phrasing import count_things, list_words
from eigenlens.errors.remedies import PythonCode

__all__ = ["PictureError", "TargetError"]


class PictureError(DataError):
    """Not a picture, or pictures that do not form a table."""

    @classmethod
    def unequal_pictures(cls, shapes: Sequence[Sequence[int]]) -> Self:
        sizes = sorted({tuple(shape) for shape in shapes})
        return cls.of(
            "the {count} pictures are of {different} different sizes ({listing}), but all rows of "
            "a table have the same number of columns.",
            "crop or resize the pictures to one size first",
            count=len(shapes),
            different=len(sizes),
            listing=list_words([" x ".join(map(str, size)) for size in sizes], 4, quote=False),
            sizes=sizes,
        )

    @classmethod
    def not_a_picture(cls, shape: Sequence[int], bad: int = 0) -> Self:
        what = f"{bad} pixels that are not finite" if bad else f"shape={tuple(shape)}"
        return cls.of(
            "a picture is an array (height, width) or (height, width, colors) of finite numbers, "
            "but this one has {what}.",
            "pass one picture",
            what=what,
        )


class TargetError(DataError):
    """What is to be predicted cannot be learned."""

    @classmethod
    def wrong_target(cls, given: int, rows: int) -> Self:
        return cls.of(
            "y has {entries}, but the table has {lines}.",
            "pass one entry per row",
            given=given,
            rows=rows,
            entries=count_things(given, "entry"),
            lines=count_things(rows, "row"),
        )

    @classmethod
    def no_target(cls, missing: int, only: Sequence[object]) -> Self:
        what = (
            f"{count_things(missing, 'entry')} that {'is' if missing == 1 else 'are'} missing"
            if missing
            else f"one value only, {only[0]!r}"
        )
        return cls.of(
            "y holds {what}, so there is nothing to predict.",
            "pass a class or a number for every row, with at least two different values",
            PythonCode("pass rows whose y is not known as unlabeled="),
            what=what,
            missing=missing,
        )

    @classmethod
    def rare_class(cls, name: object, count: int) -> Self:
        return cls.of(
            "the class {name!r} occurs in {count} row only, and a class needs 2 rows or more to "
            "learn from one and to be tested on another.",
            "leave out the rows of this class, or join it with another",
            name=name,
            count=count,
        )
