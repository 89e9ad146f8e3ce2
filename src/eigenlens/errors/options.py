"""Errors about arguments: what was given, and what is possible."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from eigenlens.errors.phrasing import (
    FileName,
    Option,
    Phrase,
    Said,
    SetOption,
    count_things,
    did_you_mean,
    enquote,
    list_things,
    list_words,
)
from eigenlens.errors.remedies import Install, LeaveOutColumns, Overwrite, PythonCode
from eigenlens.errors.root import EigenlensError

__all__ = ["ArgumentError", "OptionError", "ScaleError", "WeightsError", "refuse_unknown"]


class OptionError(EigenlensError, ValueError):
    """An argument does not fit the data, the other arguments, or any use at all."""

    @classmethod
    def not_positive(cls, name: str, value: object, example: float = 1) -> Self:
        return cls.of(
            "{setting} must be a number greater than 0.",
            Phrase("pass for example {}", SetOption(name, example)),
            setting=SetOption(name, value),
            option=name,
            given=value,
        )

    @classmethod
    def not_whole(cls, name: str, value: object, least: int) -> Self:
        return cls.of(
            "{setting} must be a whole number from {least} up.",
            Phrase("pass for example {}", SetOption(name, max(least, 10))),
            setting=SetOption(name, value),
            least=least,
            option=name,
            given=value,
        )

    @classmethod
    def unknown(cls, name: str, value: object, choices: Iterable[object]) -> Self:
        known = list(choices)
        return cls.of(
            "{setting} is not known. Possible: {listing}.{hint}",
            setting=SetOption(name, value),
            listing=list_words(known, limit=30),
            hint=did_you_mean([value], known),
            option=name,
            given=value,
            allowed=known,
        )

    @classmethod
    def needs(cls, given: Said, need: Said, *remedies: Said) -> Self:
        """`needs(SetOption("k", "bcv"), "4 rows or more", "pass more rows")`"""
        option = given.name if isinstance(given, SetOption | Option) else None
        value = given.value if isinstance(given, SetOption) else None
        return cls.of(
            "{what} needs {need}.", *remedies, what=given, need=need, option=option, given=value
        )

    @classmethod
    def excludes(cls, one: str, other: str) -> Self:
        return cls.of(
            "{one} and {other} exclude each other.",
            "pass only one of them",
            one=Option(one),
            other=Option(other),
            option=one,
        )

    @classmethod
    def needs_package(cls, what: Said, package: str, extra: str) -> Self:
        return cls.of(
            "{what} needs {package}, which is not installed.",
            Install(extra),
            what=what,
            package=package,
            extra=extra,
        )

    @classmethod
    def exists(cls, path: object) -> Self:
        return cls.of(
            "{path} already exists.",
            Overwrite(),
            "choose another name",
            path=FileName(path),
        )

    @classmethod
    def cannot_merge(cls, differences: Iterable[str]) -> Self:
        return cls.of(
            "these models cannot be merged: they differ in {differences}.",
            Phrase(
                "fit both on the same columns with the same {} and {}",
                Option("center"),
                Option("scale"),
            ),
            differences=", ".join(differences),
        )


class ArgumentError(OptionError, TypeError):
    """A name that no argument has."""

    @classmethod
    def unexpected(cls, name: str, choices: Iterable[str]) -> Self:
        known = list(choices)
        return cls.of(
            "there is no argument {name}. Possible: {listing}.{hint}",
            name=enquote(name),
            listing=list_words(known, limit=40),
            hint=did_you_mean([name], known),
            option=name,
        )

    @classmethod
    def of_open(cls, name: str) -> Self:
        return cls.of(
            "{name} is an argument of eigenlens.open, not of fit.",
            PythonCode(f"open the data with it: fit(eigenlens.open(data, {name}=...), ...)"),
            name=enquote(name),
            option=name,
        )


class WeightsError(OptionError):
    """weights="""

    @classmethod
    def wrong_length(cls, given: int, n: int) -> Self:
        return cls(
            f"{count_things(given, 'weight')} {'was' if given == 1 else 'were'} given for "
            f"{count_things(n, 'row')}.",
            f"pass one weight per row: {n} numbers",
            given=given,
            option="weights",
        )

    @classmethod
    def wrong_shape(cls, option: str, given: tuple[int, ...], shape: tuple[int, int]) -> Self:
        return cls.of(
            "{what} of shape {given} were given for a table of {n} x {d} cells.",
            Phrase(
                "pass one number per cell, or one per {}",
                "row" if option == "weights" else "column",
            ),
            what=Option(option),
            given=given,
            n=shape[0],
            d=shape[1],
            option=option,
        )

    @classmethod
    def negative(cls, count: int, first: int) -> Self:
        return cls(
            f"{count_things(count, 'weight')} {'is' if count == 1 else 'are'} negative, the first "
            f"at row {first}. Weights are 0 or more.",
            "use 0 to leave a row out",
            option="weights",
        )

    @classmethod
    def all_zero(cls) -> Self:
        return cls.of(
            "all weights are zero, so no row counts.",
            "give a positive weight to 2 rows or more",
            option="weights",
        )

    @classmethod
    def too_large(cls) -> Self:
        return cls.of(
            "the weights are finite, but their sum exceeds the largest float64 (1.8e308).",
            "divide them by a constant, for example by the largest",
            option="weights",
        )

    @classmethod
    def not_finite(cls, count: int) -> Self:
        return cls(
            f"{count_things(count, 'weight')} {'is' if count == 1 else 'are'} NaN or infinite.",
            "use 0 to leave a row out",
            option="weights",
        )

    @classmethod
    def not_numbers(cls, given: object, n: int) -> Self:
        return cls(
            f"weights of type {type(given).__name__} are not {n} real numbers.",
            f"pass one weight per row: a list or an array of {n} numbers",
            option="weights",
            given=given,
        )

    @classmethod
    def too_little(cls, total: float) -> Self:
        return cls(
            f"the weights sum to {total:.6g}. A weight counts how often a row is repeated, so a "
            "centered or standardized fit divides by the sum minus 1, and needs a sum of more "
            "than 1.",
            PythonCode("pass weights * n / weights.sum()"),
            "use larger weights",
            Phrase("pass {}", SetOption("center", False)),
            option="weights",
        )


class ScaleError(OptionError):
    """scale="""

    @classmethod
    def constant_columns(cls, names: Iterable[object]) -> Self:
        constant = list(names)
        return cls.of(
            "{setting} divides by the standard deviation, which is 0 in the constant {listing}.",
            LeaveOutColumns(tuple(constant)),
            Phrase("pass {}", SetOption("scale", None)),
            setting=SetOption("scale", "std"),
            listing=list_things("column", constant),
            columns=constant,
            option="scale",
        )

    @classmethod
    def zero(cls, columns: Iterable[object]) -> Self:
        return cls.of(SCALE_OF, "pass 1 to leave a column as it is", **scale_fields(columns, "0"))

    @classmethod
    def wrong_length(cls, given: int, d: int) -> Self:
        return cls(
            f"{count_things(given, 'scale')} {'was' if given == 1 else 'were'} given for "
            f"{count_things(d, 'column')}.",
            f"pass one scale per column: {d} numbers",
            given=given,
            option="scale",
        )

    @classmethod
    def not_numbers(cls, given: object, d: int) -> Self:
        return cls(
            f"a scale of type {type(given).__name__} is not {d} real numbers.",
            f"pass one scale per column: a list or an array of {d} numbers",
            Phrase("pass {}", SetOption("scale", "std")),
            option="scale",
            given=given,
        )

    @classmethod
    def not_finite(cls, columns: Iterable[object]) -> Self:
        fields = scale_fields(columns, "NaN or infinite")
        return cls.of(SCALE_OF, "pass numbers above 0", **fields)

    @classmethod
    def negative(cls, columns: Iterable[object]) -> Self:
        return cls.of(SCALE_OF, "pass numbers above 0", **scale_fields(columns, "negative"))


SCALE_OF = "the scale of {listing} is {found}."


def scale_fields(columns: Iterable[object], found: str) -> dict[str, object]:
    names = list(columns)
    return {
        "listing": list_things("column", names),
        "found": found,
        "columns": names,
        "option": "scale",
    }


def refuse_unknown(name: str, given: str, possible: tuple[str, ...]) -> None:
    if given not in possible:
        raise OptionError.unknown(name, given, possible)
