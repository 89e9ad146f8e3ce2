"""save: a model to its file. What could not be loaded again is not written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from eigenlens.model.file.container import write_container
from eigenlens.model.file.subspace_record import container_of, subspace_from

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["save_subspace"]


def save_subspace(model: Subspace, path: Path) -> Path:
    container = container_of(model)
    subspace_from(container, path)
    write_container(path, container)
    return path
