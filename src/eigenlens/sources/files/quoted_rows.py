"""Rows of CSV text whose quotes may hold line breaks: where each of them ends.

Most files have none, and are cut at the ends of lines. A line with an odd number of quotes is
where a row may go on in the next line, or where a quote stands within an entry (5" pipe): only
such lines are read letter by letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["has_odd_quotes", "is_open_quote", "number_rows", "quoted_pieces", "row_ends"]

NEWLINE, QUOTE = 10, 34


def line_ends(text: bytes) -> npt.NDArray[np.intp]:
    """Where each line ends: the place after its line break."""
    return np.flatnonzero(np.frombuffer(text, np.uint8) == NEWLINE) + 1


def odd_lines(text: bytes, ends: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Numbers of the lines with an odd number of quotes."""
    quotes = np.flatnonzero(np.frombuffer(text, np.uint8) == QUOTE)
    before = np.searchsorted(quotes, ends)
    return np.flatnonzero(np.diff(before, prepend=0) % 2)


def has_odd_quotes(text: bytes) -> bool:
    if b'"' not in text:
        return False
    ends = line_ends(text)
    if not len(ends) or ends[-1] < len(text):
        ends = np.append(ends, len(text))
    return bool(len(odd_lines(text, ends)))


def row_ends(text: bytes, separator: str) -> npt.NDArray[np.intp]:
    """Where each row ends; the text begins with one. A row that does not end has no place here."""
    ends = line_ends(text)
    is_end = np.ones(len(ends), dtype=bool)
    done = 0
    for line in odd_lines(text, ends).tolist():
        if line < done:
            continue
        start = int(ends[line - 1]) if line else 0
        whole = row_pattern(separator).match(text, start)
        stop = len(ends) if whole is None else int(np.searchsorted(ends, whole.end()))
        is_end[line:stop] = False
        done = stop + 1
    return ends[is_end]


@lru_cache
def row_pattern(separator: str) -> re.Pattern[bytes]:
    """One row up to its line break; a quote counts where an entry begins with it."""
    cut = re.escape(separator).encode()
    entry = rb'(?:"(?:[^"]|"")*+"[^%b\n]*+|[^"%b\n][^%b\n]*+|)' % (cut, cut, cut)
    return re.compile(rb"%b(?:%b%b)*+\n" % (entry, cut, entry))


def quoted_pieces(stream: Any, size: int, separator: str) -> Iterator[bytes]:
    """The rest of a stream in pieces of about `size` bytes that end where a row ends."""
    rest = b""
    while data := stream.read(size):
        rest += data
        ends = row_ends(rest, separator)
        if len(ends):
            yield rest[: ends[-1]]
            rest = rest[ends[-1] :]
    if rest:
        yield rest


def is_open_quote(text: bytes, separator: str) -> bool:
    """Whether the last row of a text, which may lack its line break, ends within quotes."""
    whole = text if text.endswith(b"\n") else text + b"\n"
    ends = row_ends(whole, separator)
    return not len(ends) or int(ends[-1]) < len(whole)


def number_rows(text: bytes, separator: str, quoted: bool) -> Iterator[tuple[int, bytes]]:
    """Each row that is not blank, with the number of its first line, from 1 on."""
    ends = row_ends(text, separator) if quoted else line_ends(text)
    bounds = [0, *ends.tolist()]
    if bounds[-1] < len(text):
        bounds.append(len(text))
    line = 1
    for start, stop in pairwise(bounds):
        row = text[start:stop]
        if row.strip(b"\r\n"):
            yield line, row.rstrip(b"\r\n")
        line += row.count(b"\n")
