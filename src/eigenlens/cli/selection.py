"""selection: which columns or rows are meant, in a small language.

| typed          | means                                                       |
|----------------|-------------------------------------------------------------|
| `height`       | the one of that name, or all rows of that name              |
| `height:age`   | from the one to the other, both included; an end may be open |
| `Sepal.*`      | all that match: * any letters, ? one, [ab] one of these     |
| `@numeric`     | columns that hold numbers; `@text` the others               |
| `3`, `0:9`     | by number, counted from 0, where no name says so            |
| `a,"b, c",d`   | several; one that holds a comma stands in quotes            |

A name that is there is taken as it is, whatever signs it holds.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import SetOption

__all__ = ["select_positions"]

GLOB = frozenset("*?[")

Named = Mapping[str, Sequence[int]]


def select_positions(
    which: Sequence[str], labels: Sequence[str], option: str, sorts: Named | None = None
) -> list[int]:
    """Positions among `labels`, in the order asked for, each once; `sorts`: what @words mean."""
    named: dict[str, list[int]] = {}
    for place, label in enumerate(labels):
        named.setdefault(label, []).append(place)
    found: dict[int, None] = {}
    for typed in which:
        for piece in split_selection(typed, named):
            found |= dict.fromkeys(match_piece(piece, labels, named, sorts or {}, option))
    return list(found)


def split_selection(typed: str, named: Named) -> Iterator[str]:
    if typed in named:
        yield typed
        return
    for line in csv.reader(typed.splitlines(keepends=True), skipinitialspace=True):
        yield from (piece for piece in map(str.strip, line) if piece)


def match_piece(
    piece: str, labels: Sequence[str], named: Named, sorts: Named, option: str
) -> Sequence[int]:
    if piece in named:
        return named[piece]
    if piece.startswith("@"):
        if piece not in sorts:
            raise OptionError.unknown(option, piece, [*sorts, *labels[:20]])
        return sorts[piece]
    span = span_of(piece, len(labels), named)
    if span is not None:
        return span
    if GLOB & set(piece):
        matching = [place for place, label in enumerate(labels) if fnmatchcase(label, piece)]
        if matching:
            return matching
        raise OptionError.needs(
            SetOption(option, piece),
            "something that matches it",
            "check the pattern: * stands for any letters, ? for one",
        )
    place = number_in(piece, len(labels))
    if place is None:
        raise OptionError.unknown(option, piece, labels)
    return [place]


def span_of(piece: str, count: int, named: Named) -> range | None:
    """From one to another; names may hold the colon that stands between them."""
    for cut in (place for place, letter in enumerate(piece) if letter == ":"):
        first = end_of(piece[:cut], 0, count, named)
        last = end_of(piece[cut + 1 :], count - 1, count, named)
        if first is not None and last is not None:
            low, high = sorted((first, last))
            return range(low, high + 1)
    return None


def end_of(name: str, default: int, count: int, named: Named) -> int | None:
    if not name:
        return default
    return named[name][0] if name in named else number_in(name, count)


def number_in(text: str, count: int) -> int | None:
    short = len(text) <= len(str(count))  # Python reads no number of 5000 digits
    return int(text) if short and text.isdecimal() and int(text) < count else None
