"""Refuse an option's value that is none of the possible ones."""

from __future__ import annotations

from eigenlens.errors import OptionError

__all__ = ["refuse_unknown"]


def refuse_unknown(name: str, given: str, possible: tuple[str, ...]) -> None:
    if given not in possible:
        raise OptionError.unknown(name, given, possible)
