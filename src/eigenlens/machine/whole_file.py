"""A file that appears under its name only when it is complete.

Written beside its place under a name of its own, so that two writers never share one, and moved
there at the end. What a link points to is replaced, not the link; permissions stay as they were.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["unfinished_files", "whole_file"]

RANDOM_BYTES = 6
LONGEST_NAME = 40  # of what is kept of a file's name in that of its unfinished version


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Another path to write to, put in the place of `path` at the end, or removed on an error."""
    final = Path(os.path.realpath(path))
    refuse_replacing(final)
    unfinished = final.with_name(f"{unfinished_prefix(final)}{os.urandom(RANDOM_BYTES).hex()}.part")
    try:
        yield unfinished
        if final.exists():
            shutil.copymode(final, unfinished)
        os.replace(unfinished, final)
    finally:
        unfinished.unlink(missing_ok=True)


def unfinished_prefix(final: Path) -> str:
    return f".{final.name[:LONGEST_NAME]}-"


def unfinished_files(path: Path) -> list[Path]:
    """Files being written in the place of `path`, or left by a process that was killed."""
    final = Path(os.path.realpath(path))
    if len(final.name) > LONGEST_NAME:
        return []  # they cannot be told from those of another file
    pattern = re.escape(unfinished_prefix(final)) + f"[0-9a-f]{{{2 * RANDOM_BYTES}}}\\.part"
    return [one for one in final.parent.iterdir() if re.fullmatch(pattern, one.name)]


def refuse_replacing(final: Path) -> None:
    """A folder or a device is no file to be replaced; better said before the work than after."""
    if final.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(final))
    if final.exists() and not final.is_file():
        raise OSError(errno.EINVAL, "it is a device, not a file", str(final))
