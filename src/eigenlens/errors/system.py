"""Failures of the operating system on a path of the user, as errors with cause and way out.

    with os_errors(path, "read"):
        ...

| errno                  | cause                                | way out                     |
|------------------------|--------------------------------------|-----------------------------|
| ENOENT                 | no such file, folder, or link target | check the spelling          |
| EACCES, EPERM          | no permission                        | change permissions          |
| EISDIR                 | it is a folder                       | name a file in it           |
| ENOTDIR                | a part of the path is not a folder   | check the path              |
| ENOSPC, EDQUOT, EFBIG  | the disk is full, or the quota       | free some space             |
| EROFS                  | the file system is read-only         | choose another folder       |
| ENAMETOOLONG           | the name is too long                 | choose a shorter name       |
| ELOOP                  | links form a loop                    | correct the links           |
| EMFILE, ENFILE         | too many open files                  | raise the limit             |
| EIO and others         | what the system says                 | check the disk              |
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, TypeVar

from eigenlens.errors.phrasing import FileName
from eigenlens.errors.root import EigenlensError

__all__ = ["Doing", "os_error_at", "os_errors"]

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
        unfinished=UNFINISHED if doing == "written" else "",
        errno=error.errno,
    )


def cause_of(path: object, doing: Doing, error: OSError) -> tuple[str, tuple[str, ...]]:
    if error.errno == errno.ENOENT:
        return what_is_missing(str(path), doing)
    if error.errno in CAUSES:
        return CAUSES[error.errno]
    said: Any = error.strerror or error
    return f"{said}".rstrip("."), ("check the disk", "copy the file to another one")


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
