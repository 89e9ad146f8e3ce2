"""Tables with a log: Delta Lake and Iceberg folders, in which only some files are the table.

| a folder with              | is              | its log is read by |
|----------------------------|-----------------|--------------------|
| `_delta_log/`              | a Delta Lake    | deltalake          |
| `metadata/*.metadata.json` | an Iceberg table| pyiceberg          |

Deleted and replaced rows stay in the folder until somebody cleans it. So it is read by its log, at
its latest version, or not at all. Rows that are deleted by a list beside the file (deletion
vectors, delete files) are refused: no file can be read as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from eigenlens.errors import FieldError

__all__ = ["keep_live_files", "log_folder"]

DELTA, ICEBERG = "a Delta Lake table", "an Iceberg table"
# What a file of a Delta table does not say by itself.
NOT_IN_FILES = ("deletionVectors", "columnMapping")


def log_kind(folder: Path) -> str | None:
    if (folder / "_delta_log").is_dir():
        return DELTA
    if any((folder / "metadata").glob("*.metadata.json")):
        return ICEBERG
    return None


def log_folder(path: Path) -> tuple[Path, str] | None:
    """The table with a log that a file or folder is part of, and its kind."""
    for folder in (path, *path.parents):
        kind = log_kind(folder)
        if kind is not None:
            return folder, kind
    return None


def keep_live_files(paths: Iterable[Path]) -> list[Path]:
    """The files, those of tables with a log by their log."""
    found: dict[Path, None] = {}
    known: dict[Path, tuple[Path, str] | None] = {}
    for path in paths:
        if path.parent not in known:
            known[path.parent] = log_folder(path.parent)
        log = known[path.parent]
        found |= dict.fromkeys([path] if log is None else live_files(*log))
    return list(found)


def live_files(folder: Path, kind: str) -> list[Path]:
    return sorted(delta_files(folder) if kind == DELTA else iceberg_files(folder))


def delta_files(folder: Path) -> list[Path]:
    try:
        import deltalake
    except ImportError:
        raise FieldError.needs_library(f"{str(folder)!r}, {DELTA},", "deltalake") from None
    try:
        table = deltalake.DeltaTable(str(folder))
        features = table.protocol().reader_features or ()
        uris = table.file_uris()
    except Exception as error:  # its own classes, and whatever the log may cause
        raise FieldError.not_readable(repr(str(folder)), DELTA, error) from error
    used = [name for name in NOT_IN_FILES if name in features]
    if used:
        reason = f"it uses {' and '.join(used)}, so its files do not hold the table by themselves"
        raise FieldError.not_readable(repr(str(folder)), DELTA, reason)
    return [local_path(uri, folder, "") for uri in uris]


def iceberg_files(folder: Path) -> list[Path]:
    try:
        from pyiceberg.table import StaticTable
    except ImportError:
        raise FieldError.needs_library(f"{str(folder)!r}, {ICEBERG},", "pyiceberg") from None
    try:
        table = StaticTable.from_metadata(str(newest_metadata(folder)))
        tasks = list(table.scan().plan_files())
    except Exception as error:
        raise FieldError.not_readable(repr(str(folder)), ICEBERG, error) from error
    if any(task.delete_files for task in tasks):
        reason = "rows of it are deleted by lists beside its files; rewrite it by compaction"
        raise FieldError.not_readable(repr(str(folder)), ICEBERG, reason)
    return [local_path(task.file.file_path, folder, table.location()) for task in tasks]


def newest_metadata(folder: Path) -> Path:
    """The version that is written last; names begin with its number, with or without a v."""
    files = (folder / "metadata").glob("*.metadata.json")

    def number(path: Path) -> int:
        digits = path.name.lstrip("v").split("-")[0].split(".")[0]
        return int(digits) if digits.isdigit() else -1

    return max(files, key=lambda path: (number(path), path.stat().st_mtime_ns))


def local_path(uri: str, folder: Path, location: str) -> Path:
    """Where a file of the table lies; a table that was moved is found below its folder."""
    plain, whole = Path(uri.removeprefix("file://")), folder.resolve()
    if plain.is_relative_to(whole):
        return folder / plain.relative_to(whole)
    moved = folder / uri.removeprefix(location).lstrip("/")
    return moved if location and moved.exists() else plain
