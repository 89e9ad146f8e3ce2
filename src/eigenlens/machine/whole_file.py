"""A file that appears under its name only when it is complete.

Written beside its place under a name of its own, so that two writers never share one, and moved
there at the end. What a link points to is replaced, not the link; permissions stay as they were.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["whole_file"]


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Another path to write to, put in the place of `path` at the end, or removed on an error."""
    final = Path(os.path.realpath(path))
    refuse_replacing(final)
    unfinished = final.with_name(f".{final.name[:40]}-{os.urandom(6).hex()}.part")
    try:
        yield unfinished
        if final.exists():
            shutil.copymode(final, unfinished)
        os.replace(unfinished, final)
    finally:
        unfinished.unlink(missing_ok=True)


def refuse_replacing(final: Path) -> None:
    """A folder or a device is no file to be replaced; better said before the work than after."""
    if final.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(final))
    if final.exists() and not final.is_file():
        raise OSError(errno.EINVAL, "it is a device, not a file", str(final))
