"""Failures of the operating system on a path of the user, as errors with cause and way out.

with os_errors(path, "read"):
    ...
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from eigenlens.errors.phrasing import FileName
from eigenlens.errors.root import EigenlensError

__all__ = ["Doing", "os_error_at", "os_errors", "writable_path"]

Doing = Literal["read", "written"]
Kind = TypeVar("Kind", bound=EigenlensError)
ELSEWHERE = "choose another folder"
FULL = ("the disk is full", ("free some space", ELSEWHERE))
FORBIDDEN = (
    "this user has no permission",
    ("change the permissions of the file or of its folder",),
)
OPEN_FILES = ("too many files are open", ("raise the limit (ulimit -n)",))
CAUSES: dict[int, tuple[str, tuple[str, ...]]] = {
    errno.EACCES: FORBIDDEN,
    errno.EPERM: FORBIDDEN,
    errno.EISDIR: ("it is a folder", ("name a file in it",)),
    errno.ENOTDIR: ("a part of its path is a file, not a folder", ("check the path",)),
    errno.ENOSPC: FULL,
    errno.EFBIG: ("it would exceed the largest size of a file", (ELSEWHERE,)),
    errno.EROFS: ("the file system is read-only", (ELSEWHERE,)),
    errno.ENAMETOOLONG: ("its name is too long", ("choose a shorter name",)),
    errno.ELOOP: ("its symbolic links form a loop", ("correct the links", "name the file itself")),
    errno.EMFILE: OPEN_FILES,
    errno.ENFILE: OPEN_FILES,
}
if hasattr(errno, "EDQUOT"):
    CAUSES[errno.EDQUOT] = ("the disk quota is used up", ("free some space", ELSEWHERE))
DURING_WRITE = {errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC)}
UNFINISHED = " Nothing half-written was left under that name."


@contextmanager
def os_errors(
    path: object, doing: Doing, kind: type[EigenlensError] | None = None
) -> Iterator[None]:
    """Around everything that touches a path of the user: an `OSError` becomes a `FileError`."""
    try:
        yield
    except EigenlensError:
        raise  # one of ours is a ConnectionError, so an OSError too
    except OSError as error:
        raise os_error_at(path, doing, error, kind) from error


def os_error_at(
    path: object, doing: Doing, error: OSError, kind: type[EigenlensError] | None = None
) -> EigenlensError:
    """`kind`: of the error; a `FileError` by default."""
    from eigenlens.errors.files import FileError

    cause, remedies = cause_of(path, doing, error)
    return (kind or FileError).of(
        "{path} could not be {doing}: {cause}.{unfinished}",
        *remedies,
        path=FileName(path),
        doing=doing,
        cause=cause,
        unfinished=UNFINISHED if error.errno in DURING_WRITE and doing == "written" else "",
        errno=error.errno,
    )


def cause_of(path: object, doing: Doing, error: OSError) -> tuple[str, tuple[str, ...]]:
    if error.errno == errno.ENOENT:
        return what_is_missing(str(path), doing)
    if error.errno in CAUSES:
        return CAUSES[error.errno]
    said: Any = error.strerror or error
    return f"{said}".rstrip("."), ("check the disk", "copy the file to another one")


def writable_path(path: str | os.PathLike[str], kind: type[EigenlensError] | None = None) -> Path:
    """Where a file may be written, links followed, or the error that says why not.

    Asked before the work begins: a full disk shows only later.
    """
    target = Path(path).expanduser()
    with os_errors(path, "written", kind):
        try:
            is_folder = stat.S_ISDIR(target.stat().st_mode)
        except FileNotFoundError:
            is_folder = False
        folder = Path(os.path.realpath(target)).parent
        if is_folder:
            raise failure(errno.EISDIR, target)
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise failure(errno.ENOTDIR, folder)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise failure(errno.EROFS if is_read_only(folder) else errno.EACCES, folder)
    return target


def failure(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))


def is_read_only(folder: Path) -> bool:
    if not hasattr(os, "statvfs"):
        return False
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def what_is_missing(path: str, doing: Doing) -> tuple[str, tuple[str, ...]]:
    if os.path.islink(path):
        target = os.path.realpath(path)
        return f"it is a link to {target!r}, which does not exist", ("correct the link",)
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        return f"there is no folder {folder!r}", ("create the folder", "check the path")
    if doing == "written":
        return "its folder was removed meanwhile", (ELSEWHERE,)
    return "there is no such file", ("check the spelling and the folder",)
