"""Errors about the number of components, k."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Self

from eigenlens.errors.options import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption, count_things, did_you_mean, list_words
from eigenlens.errors.remedies import AllowPasses

__all__ = ["NotReached", "RankError"]

A_FRACTION = Phrase("pass a fraction of the variance such as {}", SetOption("k", 0.95))
A_NUMBER = Phrase("pass a number of components such as {}", SetOption("k", 10))


class RankError(OptionError):
    """The number of components, k."""

    @classmethod
    def too_large(cls, asked: int, shape: Sequence[int], centered: bool = True) -> Self:
        limit = min(shape[0] - centered, shape[1])
        return cls.of(
            "{given} components were requested, but a {prepared} {n} x {d} table has at most "
            "{allowed}.",
            Phrase("pass {} or fewer", SetOption("k", limit)),
            given=asked,
            prepared="centered" if centered else "raw",
            n=shape[0],
            d=shape[1],
            allowed=limit,
            option="k",
        )

    @classmethod
    def beyond_matrix(cls, asked: int, size: int) -> Self:
        return cls.of(
            "{given} components were requested, but a {size} x {size} matrix has at most {size}.",
            Phrase("pass {} or fewer", SetOption("k", size)),
            given=asked,
            size=size,
            allowed=size,
            option="k",
        )

    # A named constructor is called on the class itself, so it may ask for less than the parent's.
    @classmethod
    def not_positive(cls, asked: object) -> Self:  # type: ignore[override]
        return cls.of(
            "{setting} is not a number of components.",
            "pass a whole number from 1 up",
            A_FRACTION,
            Phrase("pass {}", SetOption("k", "auto")),
            setting=SetOption("k", asked),
            option="k",
            given=asked,
        )

    @classmethod
    def not_held(cls, asked: object, held: int) -> Self:
        whole = isinstance(asked, Integral) and not isinstance(asked, bool)
        fields = {"given": asked, "allowed": held, "option": "k"}
        if held == 0:
            return cls.of(
                "{given!r} components were requested, but the fit kept none, so there is nothing "
                "to truncate.",
                Phrase("fit again with a number such as {}", SetOption("k", 2)),
                **fields,
            )
        larger = whole and int(asked) > held  # type: ignore[call-overload]
        more = [Phrase("fit again with {}", SetOption("k", asked))] if larger else []
        return cls.of(
            "{given!r} components were requested, but this model has {allowed}.",
            f"ask for {'' if whole else 'a whole number, '}1{f' to {held}' if held > 1 else ''}",
            *more,
            **fields,
        )

    @classmethod
    def fraction_out_of_range(cls, value: float) -> Self:
        return cls.of(
            "a fraction of variance lies strictly between 0 and 1, but {setting} was given.",
            Phrase("pass for example {}", SetOption("k", 0.95)),
            A_NUMBER,
            setting=SetOption("k", value),
            option="k",
            given=value,
        )

    @classmethod
    def few_rows(cls, name: str, rows: float, least: int) -> Self:
        chosen = Phrase("{} or {}", SetOption("k", "auto"), SetOption("k", "screenot"))
        return cls.needs(
            chosen if name == "screenot" else SetOption("k", name),
            f"{least} rows or more to tell noise from structure; there are "
            + (f"{rows:.6g}" if rows == int(rows) else f"no more than {rows:.1f} complete ones"),
            "ask for a number of components",
            A_FRACTION,
        )

    @classmethod
    def not_a_fraction(cls, rule: str, given: str | None, usual: float) -> Self:
        return cls.of(
            "{setting}: a fraction strictly between 0 and 1 must follow {rule!r}.",
            Phrase("pass for example {}", SetOption("k", f"{rule}:{usual:g}")),
            A_NUMBER,
            setting=SetOption("k", f"{rule}:{given}"),
            rule=rule,
            option="k",
            given=given,
        )

    @classmethod
    def takes_nothing(cls, rule: str, given: str) -> Self:
        number = number_in(given)
        return cls.of(
            "{setting}: {rule!r} takes no value.",
            Phrase("pass {}", SetOption("k", rule)),
            *([Phrase("pass {}", SetOption("k", number))] if number is not None else []),
            setting=SetOption("k", f"{rule}:{given}"),
            rule=rule,
            option="k",
            given=given,
        )

    @classmethod
    def unknown_null(cls, given: str, nulls: Iterable[str]) -> Self:
        known = list(nulls)
        return cls.of(
            "{setting}: {given!r} is not a kind of null table. Possible: {listing}.{hint}",
            Phrase("pass {} to have the best one chosen", SetOption("k", "parallel")),
            setting=SetOption("k", f"parallel:{given}"),
            listing=", ".join(f"parallel:{null}" for null in known),
            hint=did_you_mean([given], known),
            option="k",
            given=given,
            allowed=known,
        )

    @classmethod
    def unknown_rule(cls, name: object, known: Iterable[str]) -> Self:
        rules, number = list(known), number_in(name) if isinstance(name, str) else None
        return cls.of(
            "{setting} is not a rule for choosing components. Possible: {listing}, a whole number, "
            "or a fraction such as 0.95.{hint}",
            *([Phrase("pass {}, without quotes", SetOption("k", number))] if number else []),
            setting=SetOption("k", name),
            listing=list_words(rules, limit=30),
            hint=did_you_mean([name], rules),
            option="k",
            given=name,
            allowed=rules,
        )


def number_in(text: str) -> int | float | None:
    """The number of components, or the fraction, that was written as text, if it is one."""
    try:
        number = float(text)
    except ValueError:
        return None
    if 0 < number < 1:
        return number
    return int(number) if number >= 1 and text.strip().isdecimal() else None


class NotReached(RankError):
    """The solver had to stop before the requested components were found."""

    @classmethod
    def fraction_not_proven(cls, fraction: float, reached: float, found: int) -> Self:
        return cls.of(
            "the fraction {given:.6g} of the variance was requested, but what was "
            "found before the solver had to stop, {shown}, is certified to explain only "
            "{reached:.6g}.",
            AllowPasses(),
            "ask for a smaller fraction",
            "ask for a number of components",
            given=fraction,
            found=found,
            shown=count_things(found, "component"),
            reached=reached,
            option="k",
        )

    @classmethod
    def not_found(cls, asked: int, found: int) -> Self:
        return cls.of(
            "{given} components were requested, but the solver stopped with {found}.",
            AllowPasses(),
            Phrase("pass {} or fewer", SetOption("k", found)),
            given=asked,
            found=found,
            option="k",
        )
