"""Options of solvers, checked when a solver is made: a mistake is told at the line that made it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption

__all__ = ["check_options", "check_whole", "is_number_of"]


def check_options(solver: object, whole: Mapping[str, int], positive: Sequence[str] = ()) -> None:
    """`whole`: options that are whole numbers, with the least each may be; and `stop`, a stop rule.

    None is allowed for an option whose default it is.
    """
    for name, least in whole.items():
        value = getattr(solver, name)
        if not is_left_open(solver, name):
            check_whole(name, value, least)
    for name in positive:
        value = getattr(solver, name)
        if not is_left_open(solver, name) and not (is_number_of(Real, value) and value > 0):
            raise OptionError.not_positive(name, value)
    stop = getattr(solver, "stop", None)
    if stop is not None and (isinstance(stop, type) or not hasattr(stop, "started")):
        raise OptionError.needs(
            SetOption("stop", stop),
            "a stop rule",
            Phrase("pass {}", Option("stop", "WallClock(60)")),
        )


def check_whole(name: str, value: Any, least: int) -> int:
    """The value, or the error that says what the option may be."""
    if not is_number_of(Integral, value) or value < least:
        raise OptionError.not_whole(name, value, least)
    return int(value)


def is_left_open(solver: object, name: str) -> bool:
    return getattr(solver, name) is None and getattr(type(solver), name) is None


def is_number_of(kind: type, value: object) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)
