"""Mistakes about the number of components, k."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Self

from eigenlens.errors.option import OptionError
from eigenlens.errors.wording import did_you_mean, listed, without_quotes

__all__ = ["NotReached", "RankError"]


class RankError(OptionError):
    """The number of components, k."""

    @classmethod
    def too_large(cls, asked: int, shape: Sequence[int], centered: bool = True) -> Self:
        limit = min(shape[0] - centered, shape[1])
        return cls(
            f"asked for {asked} components, but a {'centered' if centered else 'raw'} "
            f"{shape[0]} x {shape[1]} table has at most {limit}. Ask for k={limit} or fewer."
        )

    # A named constructor is called on the class itself, so it may ask for less than the parent's.
    @classmethod
    def not_positive(cls, asked: object) -> Self:  # type: ignore[override]
        return cls(
            f"asked for k={asked!r} components. Ask for a whole number from 1 up, a fraction of "
            f"the variance such as k=0.95, or k='auto'."
        )

    @classmethod
    def not_held(cls, asked: object, held: int) -> Self:
        whole = isinstance(asked, Integral) and not isinstance(asked, bool)
        given = f"{asked}" if whole else f"{asked!r}"
        wanted = "" if whole else ", and a whole number of them is wanted"
        if held == 0:
            return cls(
                f"asked for {given} components, but this model holds none: there was no structure "
                f"to keep, and there is nothing to cut. Fit again with a number such as k=2."
            )
        more = isinstance(asked, Integral) and int(asked) > held
        again = f", or fit again with k={given}" if more else ""
        return cls(
            f"asked for {given} components, but this model holds {held}{wanted}. "
            f"Ask for 1{f' to {held}' if held > 1 else ''}{again}."
        )

    @classmethod
    def fraction_out_of_range(cls, value: float) -> Self:
        return cls(
            f"a fraction of variance lies strictly between 0 and 1, but k={value!r} was given. "
            f"Pass for example k=0.95, or a whole number of components such as k=10."
        )

    @classmethod
    def few_rows(cls, name: str, rows: float, least: int) -> Self:
        given = "k='auto' or k='screenot'" if name == "screenot" else f"k={name!r}"
        return cls.needs(
            given,
            f"{least} rows or more to tell noise from structure; here are {rows:.6g}",
            "Ask for a number of components, or for a fraction of the variance such as k=0.95.",
        )

    @classmethod
    def not_a_fraction(cls, rule: str, given: str | None, usual: float) -> Self:
        return cls(
            f"k='{rule}:{given}': what follows {rule!r} is a fraction strictly between 0 and 1. "
            f"Pass for example k='{rule}:{usual:g}', or a whole number of components such as k=10."
        )

    @classmethod
    def takes_nothing(cls, rule: str, given: str) -> Self:
        plain = f", or k={given.strip()} without quotes" if without_quotes(given) else ""
        return cls(f"k='{rule}:{given}': {rule!r} takes nothing after it. Pass k={rule!r}{plain}.")

    @classmethod
    def unknown_null(cls, given: str, nulls: Iterable[str]) -> Self:
        known = list(nulls)
        return cls(
            f"k='parallel:{given}': {given!r} is no kind of noise to compare with. Possible: "
            f"{', '.join(f'parallel:{null}' for null in known)}, or k='parallel' for the best of "
            f"them.{did_you_mean([given], known)}"
        )

    @classmethod
    def unknown_rule(cls, name: str, known: Iterable[str]) -> Self:
        rules = list(known)
        return cls(
            f"k={name!r} is not a rule for choosing components. Possible: "
            f"{listed(rules, limit=30)}, a whole number, or a fraction such as 0.95."
            f"{did_you_mean([name], rules)}{without_quotes(name)}"
        )


class NotReached(RankError):
    """The solver had to stop before the components asked for were there."""

    @classmethod
    def fraction_not_proven(cls, fraction: float, reached: float, found: int) -> Self:
        return cls(
            f"asked for the fraction {fraction:.6g}, but the {found} component(s) found before the "
            f"solver had to stop are proven to hold {reached:.6g} only. Allow it more passes "
            f"(max_passes=), ask for a smaller fraction, or for a number of components."
        )

    @classmethod
    def not_found(cls, asked: int, found: int) -> Self:
        return cls(
            f"asked for {asked} components, but the solver stopped with {found}. "
            f"Allow it more passes (max_passes=), or ask for k={found} or fewer."
        )
