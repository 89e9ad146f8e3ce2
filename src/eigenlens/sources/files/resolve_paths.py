"""Places: which files a path, a pattern or a folder stands for, and which table inside each.

| given                       | stands for                                                    |
|-----------------------------|---------------------------------------------------------------|
| a file, or a Zarr store     | itself                                                        |
| a folder                    | every table in it and below, in the order of their names; of  |
|                             | Delta Lake and Iceberg tables the files their log names       |
| a pattern                   | the files that match; the tables in folders that match        |
| a pattern that ends with ** | every table below                                             |
| any of them, then `::name`  | the table of that name inside; files may have :: in their own |

Hidden files, and those whose names begin with an underscore, are not looked at in folders.
"""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from pathlib import Path

from eigenlens.errors import FieldError, FileError
from eigenlens.errors.system import os_errors
from eigenlens.sources.files.table_log import keep_live_files, log_folder

__all__ = ["Place", "resolve_paths"]

INSIDE = "::"  # between a path and the name of a table inside it


@dataclass(frozen=True)
class Place:
    path: Path
    inside: str | None
    keys: tuple[str, ...] = ()  # what the names of its folders tell: `year` of year=2024/


def resolve_paths(
    given: str, endings: tuple[str, ...], of_stores: tuple[str, ...] = ()
) -> list[Place]:
    """`endings`: of the names of tables; `of_stores`: of those that are folders themselves."""
    if not given.strip():
        raise FileError.no_path(given)
    name, inside = split_inside(given)
    path = Path(name).expanduser()
    if os.path.exists(path):
        if is_folder(path, of_stores):
            found = files_in(path, endings, of_stores)
            return [Place(part, inside, keys_between(path, part)) for part in found]
        return [Place(path, inside)]
    if not glob.has_magic(name):
        refuse_missing(name, path)
    found = match_pattern(path, endings, of_stores)
    if not found:
        raise FileError.nothing_matches(name)
    plain = folders_before_pattern(path)
    return [Place(part, inside, keys_between(plain, part)) for part in found]


def refuse_missing(name: str, path: Path) -> None:
    """A path that does not lead to a file: why it does not."""
    with os_errors(name, "read"):
        try:
            path.stat()  # fails: its folder may not be searched, its name may be too long
        except FileNotFoundError:
            if path.is_symlink():
                raise
    raise FileError.missing(name)


def split_inside(given: str) -> tuple[str, str | None]:
    """Path and name inside it: the longest path that exists, or else all before the first mark."""
    parts = given.split(INSIDE)
    for count in range(len(parts), 0, -1):
        name = INSIDE.join(parts[:count])
        if os.path.exists(Path(name).expanduser()):
            return name, INSIDE.join(parts[count:]) or None
    return parts[0], INSIDE.join(parts[1:]) or None


def is_folder(path: Path, of_stores: tuple[str, ...]) -> bool:
    """Zarr arrays are folders, but one table."""
    return path.is_dir() and not path.name.lower().endswith(of_stores)


def match_pattern(path: Path, endings: tuple[str, ...], of_stores: tuple[str, ...]) -> list[Path]:
    """Each file once, in the order of the names that match."""
    everything = path.name == "**"
    found: dict[Path, None] = {}
    named: dict[Path, None] = {}  # folders of files that match by themselves
    for part in sorted(Path(match) for match in glob.glob(str(path), recursive=True)):
        if within_store(part, of_stores):
            continue
        if not is_folder(part, of_stores):
            if not everything or part.name.lower().endswith(endings):
                found[part] = named[part.parent] = None
        elif not everything:
            found |= dict.fromkeys(tables_in(part, endings, of_stores))
    for folder in named:
        refuse_part_of_log(path, folder)
    return list(found)


def refuse_part_of_log(pattern: Path, folder: Path) -> None:
    """Files of a table with a log, unless each is named by itself."""
    log = log_folder(folder)
    if log is not None:
        raise FieldError.files_of_a_log(pattern, *log)


def within_store(path: Path, of_stores: tuple[str, ...]) -> bool:
    """Whether this is a part of a table that is a folder."""
    return any(one.name.lower().endswith(of_stores) and one.is_dir() for one in path.parents)


def files_in(folder: Path, endings: tuple[str, ...], of_stores: tuple[str, ...]) -> list[Path]:
    found = tables_in(folder, endings, of_stores)
    if not found:
        raise FileError.nothing_matches(folder / "**")
    return found


def tables_in(folder: Path, endings: tuple[str, ...], of_stores: tuple[str, ...]) -> list[Path]:
    """The tables in a folder and the folders below it, in order."""
    return keep_live_files(
        path
        for path in sorted(folder.rglob("*"))
        if path.name.lower().endswith(endings)
        and not is_folder(path, of_stores)
        and not within_store(path, of_stores)
        and not any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    )


def folders_before_pattern(pattern: Path) -> Path:
    """The folders before the first one that is a pattern."""
    kept = []
    for part in pattern.parts:
        if glob.has_magic(part):
            break
        kept.append(part)
    return Path(*kept)


def keys_between(folder: Path, path: Path) -> tuple[str, ...]:
    """What the folders from one to the other are named by."""
    inside = path.is_relative_to(folder)
    names = path.relative_to(folder).parts[:-1] if inside else ()
    return tuple(name.partition("=")[0] for name in names if name.find("=") > 0)
