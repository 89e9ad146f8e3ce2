"""models: the model in a file, for commands that work with one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eigenlens.cli.output import refuse_standard_stream
from eigenlens.errors import OptionError

if TYPE_CHECKING:
    from eigenlens.kernel.subspace import KernelSubspace
    from eigenlens.model.subspace import Subspace

__all__ = ["is_model_file", "load_any_model", "load_subspace"]

MAGIC = b"PK"
ENDING = ".eigenlens"


def load_subspace(path: str) -> Subspace:
    """The subspace that 'eigenlens fit -o' wrote."""
    from eigenlens.model.subspace import Subspace

    model = load_any_model(path)
    if not isinstance(model, Subspace):
        raise OptionError.needs(
            f"this command, for {path!r},",
            "components that are made of columns, and those of a kernel are not",
            f"type: eigenlens show {path}",
            f"eigenlens plot {path} scree",
            f"eigenlens transform {path} DATA",
        )
    return model


def load_any_model(path: str) -> Subspace | KernelSubspace:
    """A subspace, or the one of a kernel that `KernelPCA` found."""
    from eigenlens.kernel.subspace import KernelSubspace
    from eigenlens.model.subspace import Subspace
    from eigenlens.saved import load

    refuse_standard_stream(path, "read from standard input")
    model = load(path)
    if not isinstance(model, Subspace | KernelSubspace):
        raise OptionError.needs(
            f"{path!r}, which holds a model of type {type(model).__name__},",
            "Python: this command works with the subspaces of 'eigenlens fit'",
            "type: python -c \"import eigenlens; print(eigenlens.load('...'))\"",
        )
    return model


def is_model_file(path: str) -> bool:
    """By its name; what is inside is checked when it is loaded."""
    return path.lower().endswith(ENDING)
