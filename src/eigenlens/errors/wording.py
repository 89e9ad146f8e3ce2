"""Phrases that several messages share."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["brief", "did_you_mean", "listed", "quoted", "visible", "without_quotes"]

MOST_LETTERS = 60
JOINERS = "\u200c\u200d"  # hold letters and emoji together, and hide nothing


def visible(text: str) -> str:
    """Text from outside for a screen: what would steer a terminal is spelled out instead."""
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or one in JOINERS else one.encode("unicode_escape").decode()
        for one in text
    )


def brief(name: object, most: int = MOST_LETTERS) -> str:
    """A name for a sentence, cut where it is longer than any sentence should be."""
    text = str(name)
    if len(text) <= most:
        return text
    tail = (most - 1) // 2  # both ends stay: of a path, the last part tells most
    return f"{text[: most - 1 - tail]}…{text[-tail:]}"


def quoted(name: object, most: int = MOST_LETTERS) -> str:
    return repr(brief(name, most)) if isinstance(name, str) else repr(name)


def listed(names: Iterable[object], limit: int = 10, quote: bool = True) -> str:
    """'a', 'b', 'c' and 5 more."""
    everything = list(names)
    shown = ", ".join(quoted(name) if quote else brief(name) for name in everything[:limit])
    more = len(everything) - limit
    return f"{shown} and {more} more" if more > 0 else shown


def did_you_mean(asked: Iterable[object], known: Iterable[object]) -> str:
    """The nearest known spelling of the first asked one that has any, as a sentence, or nothing."""
    # Compared by their beginnings: the search takes the square of their length.
    spellings = {brief(one).casefold(): one for one in known}
    for one in asked:
        near = difflib.get_close_matches(brief(one).casefold(), list(spellings), n=1)
        if near and isinstance(one, str):
            return f" Did you mean {quoted(spellings[near[0]])}?"
    return ""


def without_quotes(k: str) -> str:
    """What to pass in place of a number of components, or a fraction, written as text."""
    try:
        number = float(k)
    except ValueError:
        return ""
    sensible = 0 < number < 1 or (number >= 1 and k.strip().isdecimal())
    return f" Pass k={k.strip()}, without quotes." if sensible else ""
