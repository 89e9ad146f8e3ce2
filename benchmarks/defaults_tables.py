"""Tables for the page of defaults: real ones where their data are here, drawn ones, small ones.

tall       n >= 20 d          one covariance matrix is all there is to do
not tall   the others         iteration pays
small      up to 7500 x 28    what counts is everything but the arithmetic
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from benchmarks.tables import REPOSITORY, exact_table, generator

__all__ = ["DefaultCase", "data_folder", "default_cases", "missing_data"]

DECAYS = {"1/i": 1.0, "1/sqrt(i)": 0.5}
# shape, decay, column means in standard deviations, components
DRAWN = [
    ((100_000, 768), "1/i", 0, 50),
    ((100_000, 768), "1/i", 5, 50),
    ((100_000, 768), "1/sqrt(i)", 100, 20),
    ((40_000, 1200), "1/i", 0, 20),
    ((40_000, 1200), "1/i", 5, 20),
    ((40_000, 1200), "1/sqrt(i)", 0, 20),
    ((40_000, 1200), "1/sqrt(i)", 5, 50),
    ((40_000, 1200), "1/i", 100, 256),
    ((20_000, 3000), "1/i", 0, 50),
    ((20_000, 3000), "1/sqrt(i)", 5, 10),
    ((3000, 12_000), "1/i", 0, 20),
    ((3000, 12_000), "1/sqrt(i)", 5, 50),
    ((5000, 5000), "1/i", 5, 100),
    ((5000, 5000), "1/sqrt(i)", 0, 10),
]
DRY_DRAWN = [((600, 20), "1/i", 5, 3), ((120, 80), "1/sqrt(i)", 0, 2)]
SMALL = [((50, 4), 2), ((150, 4), 2), ((1000, 20), 2), ((1797, 64), 2), ((7500, 28), 10)]
TALL = 20


@dataclass(frozen=True)
class DefaultCase:
    """`make` gives the rows; `twin`: the same table in another precision has the same one."""

    name: str
    group: str
    k: int | float
    make: Callable[[], Any]
    twin: str
    dtype: str


def default_cases(dry: bool) -> Iterator[DefaultCase]:
    for shape, decay, mean, k in DRY_DRAWN if dry else DRAWN:
        yield from drawn_cases(shape, decay, mean, k)
    for shape, k in SMALL[:2] if dry else SMALL:
        stem = f"{shape[0]}x{shape[1]}"
        make = partial(normal_rows, shape, stem)
        yield DefaultCase(f"{stem} small, k={k}", "small", k, make, stem, "float64")
    if not dry:
        yield from real_cases()


def drawn_cases(shape: tuple[int, int], decay: str, mean: float, k: int) -> Iterator[DefaultCase]:
    stem = f"{shape[0]}x{shape[1]} {decay}, means {mean}, k={k}"
    for dtype in ("float64", "float32"):
        make = partial(drawn_rows, shape, decay, mean, dtype)
        yield DefaultCase(f"{stem} {dtype}", group_of(shape), k, make, stem, dtype)


def group_of(shape: tuple[int, int]) -> str:
    return "tall" if shape[0] >= TALL * shape[1] else "not tall"


def drawn_rows(shape: tuple[int, int], decay: str, mean: float, dtype: str) -> np.ndarray:
    stem = f"{shape[0]}x{shape[1]} {decay}"
    rows, _ = exact_table(shape, DECAYS[decay], 1, generator(stem))
    if mean:
        rows += mean * rows.std(axis=0)
    return rows.astype(dtype, copy=False)


def normal_rows(shape: tuple[int, int], stem: str) -> np.ndarray:
    rng = generator(stem)
    return rng.standard_normal(shape) * np.linspace(3, 1, shape[1]) + 5


# -- real data -----------------------------------------------------------------------------


def data_folder() -> Path:
    """Real data are kept in EIGENLENS_DATA, else in shared/data beside the repository."""
    named = os.environ.get("EIGENLENS_DATA")
    return Path(named) if named else REPOSITORY.parent / "shared" / "data"


REAL: dict[str, tuple[str, tuple[int | float, ...], tuple[str, ...]]] = {
    "Fashion-MNIST": (
        "fashion_mnist/fashion_mnist.npz",
        (2, 50, 0.95),
        ("float64", "float32", "uint8"),
    ),
    "GloVe": ("embeddings_glove100/X_top10k.npy", (10, 50), ("float64", "float32")),
    "Indian Pines": ("indian_pines/indian_pines.npz", (10,), ("float64", "float32")),
    "soil spectra": ("nir_spectra/NIRsoil.npz", (10,), ("float64",)),
    "HIGGS": ("dense_tabular/higgs_7500x28.npy", (10,), ("float64",)),
    "digits": ("digits8x8/X.npy", (2,), ("float64",)),
    "text": ("text_dblp/X.npz", (20,), ("float64",)),
}


def real_cases() -> Iterator[DefaultCase]:
    for name, (place, counts, dtypes) in REAL.items():
        path = data_folder() / place
        if not path.exists():
            continue
        shape = real_rows(path, dtypes[0]).shape
        small = name in ("digits", "HIGGS")
        for k in counts:
            for dtype in dtypes:
                make = partial(real_rows, path, dtype)
                group = "small" if small else group_of(shape)
                stem = f"{name} {shape[0]}x{shape[1]}, k={k}"
                yield DefaultCase(f"{stem} {dtype}", group, k, make, stem, dtype)


def missing_data() -> list[str]:
    """A sentence for each real table that is not here."""
    return [
        f"{name}: skipped, there is no {place}; name its folder in EIGENLENS_DATA."
        for name, (place, _, _) in REAL.items()
        if not (data_folder() / place).exists()
    ]


def real_rows(path: Path, dtype: str) -> Any:
    """The largest array of the file; of a cube of images, a row per pixel."""
    if path.parent.name.startswith("text"):
        return scipy.sparse.load_npz(path).tocsr().astype(dtype)
    found = np.load(path, allow_pickle=False)
    if not isinstance(found, np.ndarray):
        arrays = [found[name] for name in found.files if name not in ("names", "columns")]
        found = max((one for one in arrays if one.ndim > 1), key=lambda one: one.size)
    rows = found.reshape(-1, found.shape[-1])
    return np.ascontiguousarray(rows.astype(dtype))
