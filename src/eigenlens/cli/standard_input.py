"""standard_input: tables that do not lie under a name that says what they are.

From a pipe      kept in a temporary file, for a fit reads its rows more than once
--format csv     a file by another name: a link to it, with the ending asked for

What comes from a pipe is told by its first bytes where `--format` does not say it:

| begins with             | is read as             |
|-------------------------|------------------------|
| PAR1, ARROW1, NUMPY     | .parquet, .arrow, .npy |
| PK (a zip)              | .npz                   |
| HDF                     | .h5                    |
| %%MatrixMarket          | .mtx                   |
| gzip, zstd              | .csv.gz, .csv.zst      |
| a first line with a tab | .tsv                   |
| anything else           | .csv                   |
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from eigenlens.errors import EigenlensError, FileError, OptionError
from eigenlens.errors.system import os_errors
from eigenlens.sources.files.path import KINDS_OF_FILE

__all__ = ["PIPE", "opening_inputs"]

PIPE, CALLED = "-", "standard input"
HEAD_BYTES = 1 << 16
MAGIC = (
    (b"PAR1", ".parquet"),
    (b"ARROW1", ".arrow"),
    (b"\x93NUMPY", ".npy"),
    (b"PK\x03\x04", ".npz"),
    (b"\x89HDF", ".h5"),
    (b"%%MatrixMarket", ".mtx"),
    (b"\x1f\x8b", ".csv.gz"),
    (b"\x28\xb5\x2f\xfd", ".csv.zst"),
)


@contextmanager
def opening_inputs(files: Sequence[str], format: str | None) -> Iterator[list[str]]:
    """The paths to read; what stands in for something else is there while inside."""
    ending = None if format is None else check_input_ending(format)
    if PIPE not in files and ending is None:
        yield list(files)
        return
    if PIPE in files and len(files) > 1:
        raise OptionError.needs("- (standard input)", "to be the only input", "omit the others")
    with tempfile.TemporaryDirectory(prefix="eigenlens-") as folder:
        if PIPE in files:
            paths = {str(spool_input(Path(folder), ending)): CALLED}
        else:
            paths = {str(link_input(Path(folder), one, ending or "")): one for one in files}
        with naming_inputs(paths):
            yield list(paths)


def check_input_ending(format: str) -> str:
    known = [end for kind in KINDS_OF_FILE for end in kind.ENDINGS]
    ending = f".{format.lower().removeprefix('.')}"
    if ending not in known:
        raise OptionError.unknown("format", format, [end.removeprefix(".") for end in known])
    return ending


@contextmanager
def naming_inputs(names: Mapping[str, str]) -> Iterator[None]:
    """Errors name what the user named, not the file that stands in for it."""
    try:
        yield
    except EigenlensError as error:
        raise error.about(names) from error


def link_input(folder: Path, path: str, ending: str) -> Path:
    real = Path(path).expanduser()
    if not real.exists():
        raise FileError.missing(path)
    stand_in = folder / f"{len(list(folder.iterdir()))}{ending}"
    stand_in.symlink_to(real.resolve())
    return stand_in


def spool_input(folder: Path, ending: str | None) -> Path:
    if sys.stdin is None or sys.stdin.isatty():
        raise OptionError.needs(
            "- (standard input)", "a pipe", "type for example: cat data.csv | eigenlens fit -"
        )
    stream: IO[bytes] = sys.stdin.buffer
    head = stream.read(HEAD_BYTES)
    if not head:
        raise FileError.empty(CALLED)
    path = folder / f"stdin{ending or ending_of(head)}"
    with os_errors(path, "written"), path.open("wb") as file:
        file.write(head)
        shutil.copyfileobj(stream, file)
    return path


def ending_of(head: bytes) -> str:
    for magic, ending in MAGIC:
        if head.startswith(magic):
            return ending
    return ".tsv" if b"\t" in head.partition(b"\n")[0] else ".csv"
