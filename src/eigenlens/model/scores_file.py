"""Scores written block by block to .npy, .csv, .parquet, ...; the file appears when complete."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import FloatArray
from eigenlens.errors import FileError, OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.errors.system import os_errors
from eigenlens.machine.whole_file import whole_file
from eigenlens.model.rows import match_columns, require_finite, score_blocks
from eigenlens.sources.files.batch_file import ENDINGS, column_file
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["component_names", "refuse_overwriting", "write_blocks", "write_scores"]

NPY = ".npy"


def write_scores(model: Subspace, rows: Any, out: Any) -> Path:
    source = match_columns(model, rows)
    scores = (require_finite(block, model, source) for block in score_blocks(model, source))
    return write_blocks(scores, component_names(model.n_components), out, rows, source)


def write_blocks(
    scores: Iterator[FloatArray], names: Sequence[str], out: Any, rows: Any, source: Source
) -> Path:
    """Numbers for all rows of the source under these column names, as they come."""
    if not isinstance(out, str | bytes | os.PathLike):
        raise OptionError.needs(
            SetOption("out", out),
            "a path",
            Phrase("pass for example {}", SetOption("out", "scores.parquet")),
        )
    path = Path(os.fsdecode(out)).expanduser()
    ending = path.suffix.lower()
    if ending not in (NPY, *ENDINGS):
        known = [f"*{one}" for one in (NPY, *ENDINGS)]
        raise OptionError.unknown("out", os.fsdecode(out), known)
    refuse_overwriting(path, rows, source)
    with os_errors(path, "written"), whole_file(path) as unfinished:
        if ending == NPY:
            write_npy(unfinished, scores, (source.shape[0], len(names)))
        else:
            with column_file(unfinished, ending) as write:
                for block in scores:
                    write(dict(zip(names, block.T, strict=True)))
    return path


def component_names(count: int) -> list[str]:
    return [f"PC{index + 1}" for index in range(count)]


def refuse_overwriting(path: Path, rows: Any, source: Source) -> None:
    """The data are only read: no file of theirs may be where the scores go."""
    mapped = [Path(rows.filename)] if isinstance(rows, np.memmap) and rows.filename else []
    for one in [*mapped, *traits_of(source).files]:
        if path.exists() and one.exists() and path.samefile(one):
            raise FileError.would_overwrite(path)


def write_npy(path: Path, scores: Iterator[FloatArray], shape: tuple[int, int]) -> None:
    with path.open("wb") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_2_0(file, header)
        for block in scores:
            file.write(np.ascontiguousarray(block, dtype="<f8").data)
