"""Whole lines: a text file, plain or compressed, in pieces that end where a line ends.

Cost     plain files are counted at memory speed, compressed ones as fast as they decompress.
Traps    a line ends at "\\n" or "\\r\\n", also inside quotes. Blank lines do not count.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import FileError
from eigenlens.machine.limits import available_processors
from eigenlens.machine.parallel import ordered_map

__all__ = [
    "LineCount",
    "byte_stream",
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


def codec_of(path: Path) -> str | None:
    return CODECS.get(path.suffix.lower())


@contextmanager
def byte_stream(path: Path, offset: int = 0) -> Iterator[Any]:
    """The text of a file from byte `offset` of it on."""
    codec = codec_of(path)
    if codec is None:
        with path.open("rb", buffering=0) as file:
            file.seek(offset)
            yield file
        return
    import pyarrow

    with (
        only_member(path)
        if codec == "zip"
        else pyarrow.input_stream(str(path), compression=codec, buffer_size=1 << 20)
    ) as stream:
        left = offset
        while left and (skipped := len(stream.read(min(left, MARK_BYTES)))):
            left -= skipped
        yield stream


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


def count_lines(path: Path, offset: int) -> LineCount:
    lines, place = 0, offset
    marks = [(0, offset)]
    seekable = codec_of(path) is None
    for size, count in ordered_map(size_and_lines, file_parts(path, offset), parsing_threads()):
        if seekable and count and lines > marks[-1][0]:
            marks.append((lines, place))
        lines += count
        place += size
    return LineCount(lines, place - offset, *map(tuple, zip(*marks, strict=True)))


def file_parts(path: Path, offset: int) -> Iterator[Callable[[], bytes]]:
    """The lines of a file in parts, read when called for: plain files by many."""
    if codec_of(path) is not None:
        with byte_stream(path, offset) as stream:
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


def size_and_lines(read: Callable[[], bytes]) -> tuple[int, int]:
    piece = read()
    return len(piece), lines_in(piece)


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


def lines_before(path: Path, offset: int) -> int:
    """How many lines, blank ones too, end before byte `offset` of the text."""
    count, left = 0, offset
    with byte_stream(path) as stream:
        while left and (data := stream.read(min(left, MARK_BYTES))):
            count += data.count(b"\n")
            left -= len(data)
    return count


def parsing_threads() -> int:
    return min(MOST_THREADS, available_processors())
