"""Whole lines: a text file, plain or compressed, in pieces that end where a line ends.

Cost     plain files are counted at memory speed, compressed ones as fast as they decompress.
Traps    a line ends at "\\n" or "\\r\\n", also inside quotes; `quoted_rows` looks at those. Blank
         lines do not count. Text that is not UTF-8 is decoded as it is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import FileError, TextFileError
from eigenlens.machine.limits import available_processors
from eigenlens.machine.parallel import ordered_map
from eigenlens.sources.files.quoted_rows import has_odd_quotes
from eigenlens.sources.files.text_format import UTF8

__all__ = [
    "LineCount",
    "add_counts",
    "byte_stream",
    "can_seek",
    "codec_of",
    "count_lines",
    "line_pieces",
    "lines_before",
    "parsing_threads",
]

CODECS = {".gz": "gzip", ".zst": "zstd", ".zip": "zip"}
MARK_BYTES = 2 << 20  # from one noted place to the next
LOOK_BYTES = 1 << 16  # at once, in search of the end of a line
WINDOW_BYTES = 1 << 18  # small enough to stay in cache
MOST_THREADS = 8
NEWLINE = 10


@dataclass(frozen=True)
class LineCount:
    """How many lines a text has, and some places where one begins: its number, and its byte."""

    lines: int
    text_bytes: int
    mark_lines: tuple[int, ...]
    mark_bytes: tuple[int, ...]
    odd_quotes: bool = False  # whether some line has an odd number of them


def codec_of(path: Path) -> str | None:
    return CODECS.get(path.suffix.lower())


@contextmanager
def byte_stream(path: Path, offset: int = 0, encoding: str = UTF8) -> Iterator[Any]:
    """The text of a file from byte `offset` of it on, in UTF-8."""
    codec = codec_of(path)
    if can_seek(path, encoding):
        with path.open("rb", buffering=0) as file:
            file.seek(offset)
            yield file
        return
    import pyarrow

    with (
        only_member(path)
        if codec == "zip"
        else pyarrow.input_stream(str(path), compression=codec, buffer_size=1 << 20)
    ) as stored:
        stream = stored
        if encoding != UTF8:
            plain = pyarrow.PythonFile(stored, "r") if codec == "zip" else stored
            stream = pyarrow.transcoding_input_stream(plain, encoding, UTF8)
        left = offset
        try:
            while left and (skipped := len(stream.read(min(left, MARK_BYTES)))):
                left -= skipped
            yield stream
        except UnicodeDecodeError:
            raise TextFileError.not_in_encoding(path, encoding) from None


@contextmanager
def only_member(path: Path) -> Iterator[Any]:
    """The one file in a zip archive, leaving aside what macOS puts beside it."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            names = [
                name
                for name in archive.namelist()
                if not name.endswith("/") and not name.startswith("__MACOSX/")
            ]
            if len(names) != 1:
                raise FileError.damaged(path, "a zip of one table", f"it holds {len(names)} files")
            with archive.open(names[0]) as stream:
                yield stream
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise FileError.damaged(path, "a zip archive", error) from error


def can_seek(path: Path, encoding: str) -> bool:
    """Whether places in the text are places in the file."""
    return codec_of(path) is None and encoding == UTF8


def line_pieces(stream: Any, size: int) -> Iterator[bytes]:
    """The rest of a stream in pieces of about `size` bytes, more where a line is longer."""
    rest = b""
    while data := stream.read(size):
        cut = data.rfind(b"\n") + 1
        if cut:
            yield b"".join((rest, memoryview(data)[:cut]))
            rest = data[cut:]
        else:
            rest += data
    if rest:
        yield rest


def count_lines(path: Path, offset: int, encoding: str = UTF8) -> LineCount:
    parts = file_parts(path, offset, encoding)
    counted = ordered_map(size_and_lines, parts, parsing_threads())
    return add_counts(counted, offset, can_seek(path, encoding))


def add_counts(counted: Iterable[tuple[int, int, bool]], offset: int, seekable: bool) -> LineCount:
    """From bytes, lines and odd quotes of each part."""
    lines, place, odd_quotes = 0, offset, False
    marks = [(0, offset)]
    for size, count, odd in counted:
        if seekable and count and lines > marks[-1][0]:
            marks.append((lines, place))
        lines += count
        place += size
        odd_quotes |= odd
    mark_lines, mark_bytes = zip(*marks, strict=True)
    return LineCount(lines, place - offset, mark_lines, mark_bytes, odd_quotes)


def file_parts(path: Path, offset: int, encoding: str) -> Iterator[Callable[[], bytes]]:
    """The lines of a file in parts, read when called for: plain files by many."""
    if not can_seek(path, encoding):
        with byte_stream(path, offset, encoding) as stream:
            for piece in line_pieces(stream, MARK_BYTES):
                yield partial(bytes, piece)
        return
    with path.open("rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        while offset < size:
            stop = line_start(file.fileno(), min(offset + MARK_BYTES, size))
            yield partial(bytes_of, path, offset, stop)
            offset = stop


def bytes_of(path: Path, start: int, stop: int) -> bytes:
    with path.open("rb", buffering=0) as file:
        file.seek(start)
        return file.read(stop - start)


def line_start(file: int, place: int) -> int:
    """Where the first line at or after byte `place` begins: the end of the file if none does."""
    place -= 1
    while data := os.pread(file, LOOK_BYTES, place):
        found = data.find(b"\n")
        if found >= 0:
            return place + found + 1
        place += len(data)
    return place


def size_and_lines(read: Callable[[], bytes]) -> tuple[int, int, bool]:
    piece = read()
    return len(piece), lines_in(piece), has_odd_quotes(piece)


def lines_in(piece: bytes) -> int:
    """Lines that are not blank; `piece` begins where a line begins."""
    if b"\r" in piece:
        piece = piece.replace(b"\r", b"")
    data = np.frombuffer(piece, np.uint8)
    total, after_end = 0, True
    for start in range(0, len(data), WINDOW_BYTES):
        ends = data[start : start + WINDOW_BYTES] == NEWLINE
        blank = int(np.count_nonzero(ends[1:] & ends[:-1])) + int(after_end and ends[0])
        total += int(np.count_nonzero(ends)) - blank
        after_end = bool(ends[-1])
    return total + (not after_end)


def lines_before(path: Path, offset: int, encoding: str = UTF8) -> int:
    """How many lines, blank ones too, end before byte `offset` of the text."""
    count, left = 0, offset
    with byte_stream(path, 0, encoding) as stream:
        while left and (data := stream.read(min(left, MARK_BYTES))):
            count += data.count(b"\n")
            left -= len(data)
    return count


def parsing_threads() -> int:
    return min(MOST_THREADS, available_processors())
