"""saved: the door back from a file to a model."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from eigenlens.autoencoder.linear_record import linear_autoencoder_from
from eigenlens.autoencoder.network_record import autoencoder_from
from eigenlens.errors import ModelFileError, OptionError
from eigenlens.kernel.record import kernel_subspace_from
from eigenlens.model.file.audit import read_container
from eigenlens.model.file.container import Container
from eigenlens.model.file.subspace_record import subspace_from_container
from eigenlens.table.budget import budget_bytes

__all__ = ["READERS", "load"]

# (kind, version) -> what builds the model. Readers of past versions stay.
READERS: dict[tuple[str, int], Callable[[Container, Path], Any]] = {
    ("subspace", 1): subspace_from_container,
    ("subspace", 2): subspace_from_container,
    ("autoencoder", 1): autoencoder_from,
    ("autoencoder", 2): autoencoder_from,
    ("kernel", 1): kernel_subspace_from,
    ("linear_autoencoder", 1): linear_autoencoder_from,
}


def load(path: str | os.PathLike[str], *, memory: Any = None) -> Any:
    """The model that `model.save(path)` wrote, bit for bit.

    The file is checked before anything is built from it: a damaged or edited one is an error, and
    none can run code. `memory` bounds its size ("2GB"; a fraction of RAM; default 0.25).

    >>> import numpy as np
    >>> from eigenlens.fit import fit
    >>> rows = np.random.default_rng(0).standard_normal((500, 8)) * [9, 5, 1, 1, 1, 1, 1, 1]
    >>> path = fit(rows, k=2).save("run.eigenlens")
    >>> load(path).n_components
    2
    """
    if not isinstance(path, str | os.PathLike):
        raise OptionError.needs(
            f"load({path!r})", "the path of a model file", "pass load('run.eigenlens')"
        )
    place = Path(path)
    container = read_container(place, budget_bytes(memory))
    kind, version = container.kind, container.version
    known = [number for name, number in READERS if name == kind]
    if not known:
        raise ModelFileError.other_kind(place, kind[:60], sorted({name for name, _ in READERS}))
    if version > max(known):
        raise ModelFileError.newer(place, f"its {kind}", version, max(known))
    return READERS[kind, version](container, place)
