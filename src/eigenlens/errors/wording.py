"""Phrases that several messages share."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["did_you_mean", "listed", "without_quotes"]


def listed(names: Iterable[object], limit: int = 10, quote: bool = True) -> str:
    """'a', 'b', 'c' and 5 more."""
    everything = list(names)
    shown = ", ".join(repr(name) if quote else str(name) for name in everything[:limit])
    more = len(everything) - limit
    return f"{shown} and {more} more" if more > 0 else shown


def did_you_mean(asked: Iterable[object], known: Iterable[object]) -> str:
    """The nearest known spelling of the first asked one that has any, as a sentence, or nothing."""
    spellings = {str(one).casefold(): one for one in known}
    for one in asked:
        near = difflib.get_close_matches(str(one).casefold(), list(spellings), n=1)
        if near and isinstance(one, str):
            return f" Did you mean {spellings[near[0]]!r}?"
    return ""


def without_quotes(k: str) -> str:
    """What to pass in place of a number of components, or a fraction, written as text."""
    try:
        number = float(k)
    except ValueError:
        return ""
    sensible = 0 < number < 1 or (number >= 1 and k.strip().isdecimal())
    return f" Pass k={k.strip()}, without quotes." if sensible else ""
