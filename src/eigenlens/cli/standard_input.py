"""standard_input: a table from a pipe, kept in a temporary file, for a fit reads it more than once.

What it is, its first bytes tell, unless `--format` does:

| begins with                    | is read as          |
|--------------------------------|---------------------|
| PAR1, ARROW1, NUMPY            | .parquet, .arrow, .npy |
| PK (a zip)                     | .npz                |
| HDF                            | .h5                 |
| %%MatrixMarket                 | .mtx                |
| gzip, zstd                     | .csv.gz, .csv.zst   |
| a first line with a tab        | .tsv                |
| anything else                  | .csv                |
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from eigenlens.errors import FileError, OptionError

__all__ = ["STANDARD_INPUT", "at_hand"]

STANDARD_INPUT = "-"
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
def at_hand(files: list[str], ending: str | None) -> Iterator[list[str]]:
    """The paths to read; what comes from a pipe is there while inside."""
    if STANDARD_INPUT not in files:
        yield files
        return
    if len(files) > 1:
        raise OptionError.needs("- (standard input)", "to stand alone", "Leave the others out.")
    if sys.stdin.isatty():
        raise OptionError.needs(
            "- (standard input)", "a pipe", "Type for example: cat data.csv | eigenlens fit -"
        )
    with tempfile.TemporaryDirectory(prefix="eigenlens-") as folder:
        yield [str(kept(sys.stdin.buffer, Path(folder), ending))]


def kept(stream: IO[bytes], folder: Path, ending: str | None) -> Path:
    head = stream.read(HEAD_BYTES)
    if not head:
        raise FileError.empty("standard input")
    path = folder / f"stdin{ending or ending_of(head)}"
    try:
        with path.open("wb") as file:
            file.write(head)
            shutil.copyfileobj(stream, file)
    except OSError as error:
        raise FileError.not_written(path, error.strerror or error) from error
    return path


def ending_of(head: bytes) -> str:
    for magic, ending in MAGIC:
        if head.startswith(magic):
            return ending
    return ".tsv" if b"\t" in head.partition(b"\n")[0] else ".csv"
