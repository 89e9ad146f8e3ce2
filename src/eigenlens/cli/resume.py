"""resume: the same command goes on where it was stopped, also when the fit was already finished.

A checkpoint holds the passes of a fit under way. Once the fit is finished and outputs are still to
be written, the model itself takes its place in the file, with the command that it belongs to. The
file is removed when the command has done all it was asked for.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from eigenlens.errors import CheckpointError, ModelFileError
from eigenlens.errors.system import os_errors

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["finished_model", "is_resumed", "keep_finished_model"]

MAGIC = b"PK"  # a model file is a zip, a checkpoint of passes is not
UNFINISHED, COMMAND = "command_under_way", "command"


def finished_model(checkpoint: str | None, line: str) -> Subspace | None:
    """The model of this very command, where its fit was finished before it was stopped."""
    if checkpoint is None or not holds_model(Path(checkpoint)):
        return None
    from eigenlens.model.subspace import Subspace
    from eigenlens.saved import load

    try:
        model = load(checkpoint)
    except ModelFileError as error:
        raise CheckpointError.unreadable(checkpoint, error.cause) from error
    if not isinstance(model, Subspace) or UNFINISHED not in model.provenance:
        raise CheckpointError.foreign(checkpoint)
    if model.provenance.get(COMMAND) != line:
        there, here = model.provenance.get(COMMAND), line
        raise CheckpointError.of_another_fit(checkpoint, {"the command": (there, here)})
    return without_mark(model)


def is_resumed(checkpoint: str | None, line: str) -> bool:
    """Whether outputs that exist may be those of this very command, stopped while it wrote them."""
    return finished_model(checkpoint, line) is not None


def keep_finished_model(model: Subspace, checkpoint: str) -> None:
    replace(model, provenance={**model.provenance, UNFINISHED: True}).save(checkpoint)


def without_mark(model: Subspace) -> Subspace:
    kept = {name: value for name, value in model.provenance.items() if name != UNFINISHED}
    return replace(model, provenance=kept)


def holds_model(path: Path) -> bool:
    with os_errors(path, "read", CheckpointError):
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
