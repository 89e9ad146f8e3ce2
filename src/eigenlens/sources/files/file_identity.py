"""Stamps: what tells a file from another, and from itself a moment later, without reading it.

Where it lies, however it was named; its size; its time. A folder's stamp counts the files in it and
below. A file rewritten with the same size within the resolution of the clock (nanoseconds on most
systems, two seconds on some memory cards) is not seen.
"""

from __future__ import annotations

from pathlib import Path

from eigenlens.errors.system import os_errors

__all__ = ["stamp_of"]


def stamp_of(path: Path, label: str = "") -> str:
    """`label`: the path as it was given, and what is meant inside the file."""
    stored = getattr(path, "stored", None)  # a file of a store, which knows its version there
    if stored is not None:
        return f"{stored.stamp()}{label.removeprefix(str(path))}"
    where = f"{path.resolve()}{label.removeprefix(str(path))}"
    with os_errors(path, "read"):
        if path.is_dir():
            return f"{where}: {folder_stamp(path)}"
        facts = path.stat()
    return f"{where}: {facts.st_size} bytes of {facts.st_mtime_ns}"


def folder_stamp(folder: Path) -> str:
    facts = [path.stat() for path in folder.rglob("*") if path.is_file()]
    size = sum(each.st_size for each in facts)
    latest = max((each.st_mtime_ns for each in facts), default=0)
    return f"{len(facts)} files, {size} bytes of {latest}"
