"""Tables to measure on: their leading subspace is known by construction, or joined from answers.

    X = U diag(sqrt((n - 1) lambda)) V',    U, V products of randomized cosine transforms

U is orthogonal to the vector of ones, so lambda are the eigenvalues of the covariance matrix. The
transforms cost n d log(n d): making a table is cheaper than fitting it. "1/i" means eigenvalues.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.fft
import scipy.sparse

__all__ = ["DRY", "FULL", "Sizes", "Table", "exact_table", "far_from_origin", "tables"]

REPOSITORY = Path(__file__).resolve().parents[1]
DECAYS = {"1/i": 1.0, "1/sqrt(i)": 0.5}
TOLERANCES = {"float64": 1e-6, "float32": 1e-5}
EXTRA = 20  # true directions known beside the wanted ones, so that the judge has a gap to use
OFFSET = 100  # column means of the offset table, in standard deviations
WORKERS = 2


@dataclass(frozen=True)
class Sizes:
    """The shapes of one run and the number of components to find."""

    rank: int
    tall: tuple[tuple[int, int], ...]
    large: tuple[tuple[int, int], ...]
    offset: tuple[int, int]
    sparse: tuple[int, int]
    most_text_rows: int | None = None


FULL = Sizes(
    rank=20,
    tall=((200_000, 256), (50_000, 1000)),
    large=((20_000, 2000), (2000, 20_000), (5000, 5000)),
    offset=(50_000, 1000),
    sparse=(20_000, 30_000),
)
DRY = Sizes(
    rank=3,
    tall=((2000, 16), (600, 40)),
    large=((300, 60), (60, 300), (100, 100)),
    offset=(600, 40),
    sparse=(400, 500),
    most_text_rows=2000,
)


@dataclass(frozen=True, eq=False)
class Table:
    """Rows (n, d) to fit. `leading` (d, m) spans the true leading directions, where known."""

    name: str
    group: str
    rows: Any
    tolerance: float
    leading: np.ndarray | None = None

    @property
    def is_sparse(self) -> bool:
        return scipy.sparse.issparse(self.rows)

    @property
    def stored_bytes(self) -> int:
        if self.is_sparse:
            parts = (self.rows.data, self.rows.indices, self.rows.indptr)
            return sum(part.nbytes for part in parts)
        return int(self.rows.nbytes)


def tables(sizes: Sizes, wanted: Callable[[str], bool]) -> Iterator[Table]:
    """Every table whose name is wanted, one at a time: drop one before asking for the next."""
    for group, shapes in (("tall", sizes.tall), ("large", sizes.large)):
        for shape in shapes:
            for decay in DECAYS:
                yield from dense_tables(shape, decay, group, sizes.rank, wanted)
    yield from offset_tables(sizes.offset, sizes.rank, wanted)
    yield from sparse_tables(sizes, wanted)


def dense_tables(
    shape: tuple[int, int], decay: str, group: str, rank: int, wanted: Callable[[str], bool]
) -> Iterator[Table]:
    stem = f"{shape[0]}x{shape[1]} {decay}"
    names = {dtype: f"{stem} {dtype}" for dtype in TOLERANCES}
    if not any(wanted(name) for name in names.values()):
        return
    rows, leading = exact_table(shape, DECAYS[decay], rank + EXTRA, generator(stem))
    if wanted(names["float64"]):
        yield Table(names["float64"], group, rows, TOLERANCES["float64"], leading)
    if wanted(names["float32"]):
        rows = rows.astype(np.float32)
        yield Table(names["float32"], group, rows, TOLERANCES["float32"], leading)


def exact_table(
    shape: tuple[int, int], power: float, n_leading: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose covariance has the eigenvalues i^-power, and their leading eigenvectors."""
    n, d = shape
    rank = min(n - 1, d)
    eigenvalues = np.arange(1, rank + 1) ** -power
    rows = np.zeros(shape)
    # Frequency zero is the vector of ones: leaving it out makes every column's mean zero.
    frequencies = 1 + rng.permutation(n - 1)[:rank]
    rows[frequencies, np.arange(rank)] = np.sqrt(eigenvalues * (n - 1))
    rows = scipy.fft.idct(rows, axis=0, norm="ortho", overwrite_x=True, workers=WORKERS)
    rows = rows[rng.permutation(n)]
    signs = rng.choice([-1.0, 1.0], (2, d))
    leading = mixed(np.eye(min(n_leading, rank), d), signs)
    return np.ascontiguousarray(mixed(rows, signs)), np.ascontiguousarray(leading.T)


def mixed(rows: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """The rows in another orthonormal basis of the columns, one in which none stands out."""
    for sign in signs:
        rows *= sign
        rows = scipy.fft.dct(rows, axis=1, norm="ortho", overwrite_x=True, workers=WORKERS)
    return rows


def offset_tables(
    shape: tuple[int, int], rank: int, wanted: Callable[[str], bool]
) -> Iterator[Table]:
    """Single precision with large means: the covariance formula without a shift loses its digits."""
    name = f"{shape[0]}x{shape[1]} 1/i float32 offset"
    if not wanted(name):
        return
    rows, leading = exact_table(shape, 1.0, rank + EXTRA, generator(name))
    rows += OFFSET * rows.std(axis=0)
    rows = rows.astype(np.float32)
    yield Table(name, "offset", rows, TOLERANCES["float32"], leading)


def sparse_tables(sizes: Sizes, wanted: Callable[[str], bool]) -> Iterator[Table]:
    name = f"sparse {sizes.sparse[0]}x{sizes.sparse[1]} 1% float64"
    if wanted(name):
        rows = sparse_noise(sizes.sparse, 0.01, generator(name))
        yield Table(name, "sparse", rows, TOLERANCES["float64"])
        del rows
    name = "text_dblp float64"
    if wanted(name):
        path = data_folder() / "text_dblp" / "X.npz"
        if not path.exists():
            print(f"{name}: skipped, no text_dblp/X.npz; name its folder in EIGENLENS_DATA")
            return
        rows = scipy.sparse.load_npz(path).tocsr()[: sizes.most_text_rows].astype(np.float64)
        yield Table(name, "text", rows, TOLERANCES["float64"])


def sparse_noise(shape: tuple[int, int], density: float, rng: np.random.Generator) -> Any:
    """Uniform numbers at uniform places, as scipy.sparse.random makes them, but quickly."""
    n, d = shape
    places = np.unique(rng.integers(0, n * d, round(density * n * d)))
    starts = np.searchsorted(places, np.arange(n + 1) * d).astype(np.int32)
    columns = (places % d).astype(np.int32)
    return scipy.sparse.csr_matrix((rng.random(len(places)), columns, starts), shape=shape)


def far_from_origin(offset: float, dtype: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Ten normal columns with standard deviations 10 ... 1 and a common mean."""
    rows = rng.standard_normal((n, 10)) * np.arange(10, 0, -1) + offset
    return rows.astype(dtype)


def data_folder() -> Path:
    """Where real data are kept: EIGENLENS_DATA, else shared/data beside the repository."""
    named = os.environ.get("EIGENLENS_DATA")
    return Path(named) if named else REPOSITORY.parent / "shared" / "data"


def generator(name: str) -> np.random.Generator:
    """The same numbers for the same table, whichever others are measured with it."""
    return np.random.default_rng(zlib.crc32(name.encode()))
