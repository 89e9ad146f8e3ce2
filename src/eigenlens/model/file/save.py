"""save: a model to its file. What could not be loaded again is not written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from eigenlens.errors import ModelFileError, OptionError
from eigenlens.model.file.container import Container, write_container
from eigenlens.model.file.subspace_record import container_of_subspace, subspace_from_container

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["save_container", "save_subspace"]


def save_subspace(model: Subspace, path: str | os.PathLike[str]) -> Path:
    return save_container(container_of_subspace(model), path, subspace_from_container)


def save_container(
    container: Container, path: str | os.PathLike[str], reader: Callable[[Container, Path], object]
) -> Path:
    """`reader` is what will build the model again; it is asked whether it could."""
    if not isinstance(path, str | os.PathLike):
        raise OptionError.needs(f"save({path!r})", "a path", "pass save('run.eigenlens')")
    place = Path(path)
    try:
        reader(container, place)
    except ModelFileError as error:
        raise ModelFileError.unsound(place, error.reason) from None
    write_container(place, container)
    return place
