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

__all__ = [
    "DRY",
    "FULL",
    "NOISE",
    "Sizes",
    "Table",
    "exact_table",
    "far_from_origin",
    "skipped",
    "tables",
]

REPOSITORY = Path(__file__).resolve().parents[1]
DECAYS = {"1/i": 1.0, "1/sqrt(i)": 0.5}
TOLERANCES = {"float64": 1e-6, "float32": 1e-5}
EXTRA = 20  # true directions known beside the wanted ones, so that the judge has a gap to use
OFFSET = 100  # column means of the offset table, in standard deviations
WORKERS = 2
TEXT = "text_dblp float64"
NOISE = "noise"  # a minute per fit: measured only when asked for by name


@dataclass(frozen=True)
class Sizes:
    """The shapes of one run and the number of components to find."""

    rank: int
    tall: tuple[tuple[int, int], ...]
    large: tuple[tuple[int, int], ...]
    offset: tuple[int, int]
    sparse: tuple[int, int]
    most_text: tuple[int | None, int | None] = (None, None)


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
    most_text=(2000, 60),
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
    """Single precision, large means: a covariance formed without a shift loses its digits."""
    name = f"{shape[0]}x{shape[1]} 1/i float32 offset"
    if not wanted(name):
        return
    rows, leading = exact_table(shape, 1.0, rank + EXTRA, generator(name))
    rows += OFFSET * rows.std(axis=0)
    rows = rows.astype(np.float32)
    yield Table(name, "offset", rows, TOLERANCES["float32"], leading)


def sparse_tables(sizes: Sizes, wanted: Callable[[str], bool]) -> Iterator[Table]:
    """Columns of unequal variance, then of equal ones, then real text."""
    stem = f"sparse {sizes.sparse[0]}x{sizes.sparse[1]} 1%"
    for power, name in ((1.0, f"{stem} 1/i float64"), (0.0, f"{stem} {NOISE} float64")):
        if wanted(name):
            rows = sparse_table(sizes.sparse, 0.01, power, generator(name))
            yield Table(name, "sparse" if power else NOISE, rows, TOLERANCES["float64"])
            del rows
    if wanted(TEXT) and text_path().exists():
        most_rows, most_columns = sizes.most_text
        rows = scipy.sparse.load_npz(text_path()).tocsr()[:most_rows, :most_columns]
        yield Table(TEXT, "text", rows.astype(np.float64), TOLERANCES["float64"])


def skipped(wanted: Callable[[str], bool]) -> list[str]:
    """A sentence for each table that is wanted but whose data are not here."""
    if not wanted(TEXT) or text_path().exists():
        return []
    return [f"{TEXT}: skipped, there is no text_dblp/X.npz; name its folder in EIGENLENS_DATA."]


def sparse_table(
    shape: tuple[int, int], density: float, power: float, rng: np.random.Generator
) -> Any:
    """Uniform numbers at uniform places, column j (in random order) of variance about j^-power.

    With power 0 these are the numbers of scipy.sparse.random: pure noise. Its leading eigenvalues
    differ by less than a thousandth and its components mean nothing.
    """
    n, d = shape
    places = np.unique(rng.integers(0, n * d, round(density * n * d)))
    starts = np.searchsorted(places, np.arange(n + 1) * d).astype(np.int32)
    columns = (places % d).astype(np.int32)
    scale = (1.0 + rng.permutation(d)) ** (-power / 2)
    values = rng.random(len(places)) * scale[columns]
    return scipy.sparse.csr_matrix((values, columns, starts), shape=shape)


def far_from_origin(offset: float, dtype: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Ten normal columns with standard deviations 10 ... 1 and a common mean."""
    rows = rng.standard_normal((n, 10)) * np.arange(10, 0, -1) + offset
    return rows.astype(dtype)


def text_path() -> Path:
    """Real data are kept in EIGENLENS_DATA, else in shared/data beside the repository."""
    named = os.environ.get("EIGENLENS_DATA")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "data"
    return folder / "text_dblp" / "X.npz"


def generator(name: str) -> np.random.Generator:
    """The same numbers for the same table, whichever others are measured with it."""
    return np.random.default_rng(zlib.crc32(name.encode()))
