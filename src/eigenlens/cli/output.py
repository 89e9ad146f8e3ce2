"""output: where results go.

Files              checked before the work begins, written whole or not at all
Standard output    a full disk behind it is an error; a reader who has seen enough is none
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from eigenlens.cli.stderr import drop_pending
from eigenlens.errors import FileError, OptionError
from eigenlens.errors.system import os_errors, writable_path
from eigenlens.machine.whole_file import whole_file
from eigenlens.sources.files.batch_file import ColumnBlock, Write, column_file

__all__ = [
    "flushing_stdout",
    "folder_for",
    "output_path",
    "refuse_inputs",
    "refuse_same_target",
    "refuse_standard_stream",
    "write_text",
    "writing_columns",
    "writing_output",
]

STANDARD_STREAM = "-"


def output_path(path: str, force: bool, inputs: Sequence[Path] = ()) -> Path:
    """The path, or the error that says why nothing can be written there."""
    refuse_standard_stream(path, "written to standard output")
    target = writable_path(path)
    refuse_inputs([target], inputs)
    if target.exists() and not force:
        raise OptionError.exists(path)
    return target


def refuse_standard_stream(path: str, doing: str) -> None:
    """`-` is no file; one of that name is './-'."""
    if path == STANDARD_STREAM:
        raise OptionError.needs(
            f"a file that would be {doing} (-)", "a name", "pass the name of a file"
        )


def refuse_inputs(targets: Iterable[Path | None], inputs: Sequence[Path]) -> None:
    """The data are only read, also where a pattern or a folder named them."""
    for target in filter(None, targets):
        with os_errors(target, "written"):
            same = target.exists() and any(one.exists() and target.samefile(one) for one in inputs)
        if same:
            raise FileError.would_overwrite(target)


def refuse_same_target(targets: Iterable[Path | None]) -> None:
    """Two outputs under one name: the second would replace the first."""
    places = [(os.path.realpath(one), one) for one in targets if one is not None]
    names = [place for place, _ in places]
    for place, target in places:
        if names.count(place) > 1:
            raise OptionError.needs(
                f"{str(target)!r}, named for two outputs,",
                "to be one of them",
                "choose another name for the other",
            )


def folder_for(path: str, names: Sequence[str], force: bool) -> Path:
    """A folder for files of these names, none of which may exist; it is made if it is not there."""
    refuse_standard_stream(path, "written to standard output")
    folder = Path(path).expanduser()
    with os_errors(path, "written"):
        exists = folder.exists()
        if exists and not folder.is_dir():
            raise FileError.not_written(path, "it is a file, and a folder is needed")
        there = [name for name in names if (folder / name).exists()]
    writable_path(folder / names[0] if exists else folder)
    if there and not force:
        raise OptionError.exists(folder / there[0])
    return folder


@contextmanager
def writing_output(path: Path) -> Iterator[Path]:
    """A place to write to, moved to `path` when complete; the disk's refusals in our words."""
    with os_errors(path, "written"), whole_file(path) as unfinished:
        yield unfinished


def write_text(path: Path, text: str) -> None:
    with writing_output(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", errors="replace")


@contextmanager
def flushing_stdout() -> Iterator[None]:
    """What is printed inside has arrived when it ends."""
    if sys.stdout is None:
        raise FileError.not_printed("it is closed")
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        drop_pending(sys.stdout)
        raise typer.Exit from None  # as 'head' leaves: it has what it wanted
    except OSError as error:
        drop_pending(sys.stdout)
        raise FileError.not_printed(error.strerror or error) from error


@contextmanager
def writing_columns(path: Path, ending: str) -> Iterator[Write]:
    """What takes block after block of columns; the file is there when all of them are."""
    with writing_output(path) as unfinished, column_file(unfinished, ending) as write:

        def guarded(block: ColumnBlock) -> None:
            with os_errors(path, "written"):
                write(block)

        yield guarded
