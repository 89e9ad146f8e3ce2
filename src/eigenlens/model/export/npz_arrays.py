"""A model as a `.npz` of plain arrays: `numpy.load(path)["components"]`, without pickle.

Numbers and texts are arrays of no dimension. What a model lacks (the mean of a raw one) is absent.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.errors import ModelFileError

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["write_npz"]

FIELDS = (
    "components", "eigenvalues", "mean", "scale", "n_rows", "total_variance", "feature_variances",
    "explained_ratio", "noise_variance",
)  # fmt: skip
MOST_NAME_BYTES = 1 << 30  # numpy gives every name the room of the longest


def write_npz(model: Subspace, path: Path) -> None:
    held: dict[str, Any] = {name: getattr(model, name) for name in FIELDS}
    held["eigenvalue_bounds"] = model.certificate.eigenvalue_bounds
    held["certificate"] = str(model.certificate)
    names = model.feature_names
    if names is not None:
        room = 4 * len(names) * max(map(len, names))
        if room > MOST_NAME_BYTES:
            raise ModelFileError.cannot_hold(
                f"names of columns that take {room} bytes as an array", "some are very long"
            )
        held["feature_names"] = np.array(names, dtype=np.str_)
    arrays = {name: np.asarray(value) for name, value in held.items() if value is not None}
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
