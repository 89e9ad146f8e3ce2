"""Budget: the most memory a fit holds, for a file of every format, at least four times its budget.

Resident bytes of a fresh process at their highest, less the budget, anonymous ones and all of them
(mapped pages of the file included, those of libraries not): what they may take is 200 MB.
Files are as their own libraries write them by default, or as badly as they can be: one batch, one
chunk, tall chunks, by columns. What cannot be read within the budget must be refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.files import measured_memory

__all__ = ["DRY_BUDGET", "FULL_BUDGET", "BudgetSizes", "budget_results"]

TIMES = 4  # a file is so many times as large as the budget, or larger
FILLED = 0.03


@dataclass(frozen=True)
class BudgetSizes:
    rows: int
    columns: int
    sparse: tuple[int, int]
    budget: str
    budget_bytes: int


FULL_BUDGET = BudgetSizes(560_000, 100, (90_000, 10_000), "50MB", 50_000_000)
DRY_BUDGET = BudgetSizes(3000, 10, (500, 100), "20MB", 20_000_000)


def budget_results(sizes: BudgetSizes, most: int | None = None) -> list[dict[str, Any]]:
    """Every format, or `most` dense and sparse ones: each takes a fresh process."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((sizes.rows, sizes.columns), dtype=np.float32)
    rows *= np.arange(1, sizes.columns + 1, dtype=np.float32) ** -0.5
    dense, sparse = list(DENSE.items())[:most], list(SPARSE.items())[:most]
    cases = [case(kind, write, rows, sizes) for kind, write in dense]
    del rows
    counts = sparse_counts(sizes.sparse, rng)
    return cases + [case(kind, write, counts, sizes) for kind, write in sparse]


def case(kind: str, write: Callable[[Path, Any], Path], rows: Any, sizes: BudgetSizes) -> Any:
    with TemporaryDirectory() as folder:
        path = write(Path(folder), rows)
        size = sum(part.stat().st_size for part in [path, *path.rglob("*")] if part.is_file())
        found = measured_memory(path, sizes.budget)
    return {
        "name": kind,
        "file_bytes": size,
        "budget_bytes": sizes.budget_bytes,
        "large_enough": size >= TIMES * sizes.budget_bytes,
        "memory_over_budget_bytes": found["over"],
        "resident_over_budget_bytes": found["resident"],
        "refused": bool(found["refused"]),
    }


def sparse_counts(shape: tuple[int, int], rng: np.random.Generator) -> Any:
    import scipy.sparse

    n, d = shape
    per_row = int(FILLED * d)
    columns = np.arange(per_row) * (d // per_row) + rng.integers(0, d // per_row, (n, per_row))
    values = ((rng.poisson(2.0, (n, per_row)) + 1) / (1 + columns % 97)).astype(np.float32)
    starts = np.arange(n + 1) * per_row
    return scipy.sparse.csr_array((values.ravel(), columns.ravel().astype(np.int32), starts), shape)


# -- how each is written -------------------------------------------------------------------


def frame(rows: Any) -> Any:
    import pyarrow

    names = [f"c{index}" for index in range(rows.shape[1])]
    return pyarrow.table([np.ascontiguousarray(column) for column in rows.T], names=names)


def npy(folder: Path, rows: Any) -> Path:
    np.save(folder / "rows.npy", rows)
    return folder / "rows.npy"


def npz(folder: Path, rows: Any) -> Path:
    np.savez(folder / "rows.npz", rows=rows)
    return folder / "rows.npz"


def npz_packed(folder: Path, rows: Any) -> Path:
    np.savez_compressed(folder / "packed.npz", rows=rows)
    return folder / "packed.npz"


def csv(folder: Path, rows: Any) -> Path:
    import pyarrow.csv

    pyarrow.csv.write_csv(frame(rows), folder / "rows.csv")
    return folder / "rows.csv"


def csv_gzip(folder: Path, rows: Any) -> Path:
    import gzip

    import pyarrow.csv

    with gzip.open(folder / "rows.csv.gz", "wb", compresslevel=1) as stream:
        pyarrow.csv.write_csv(frame(rows), stream)
    return folder / "rows.csv.gz"


def csv_zstd(folder: Path, rows: Any) -> Path:
    import pyarrow
    import pyarrow.csv

    with pyarrow.CompressedOutputStream(str(folder / "rows.csv.zst"), "zstd") as stream:
        pyarrow.csv.write_csv(frame(rows), stream)
    return folder / "rows.csv.zst"


def parquet(folder: Path, rows: Any) -> Path:
    import pyarrow.parquet

    pyarrow.parquet.write_table(frame(rows), folder / "rows.parquet")
    return folder / "rows.parquet"


def arrow(folder: Path, rows: Any) -> Path:
    import pyarrow.feather

    pyarrow.feather.write_feather(frame(rows), str(folder / "rows.arrow"))
    return folder / "rows.arrow"


def hdf5(folder: Path, rows: Any) -> Path:
    import h5py

    with h5py.File(folder / "rows.h5", "w") as file:
        file.create_dataset("data", data=rows, chunks=True)
    return folder / "rows.h5"


def one_batch(folder: Path, rows: Any, compression: str = "uncompressed") -> Path:
    import pyarrow.feather

    path = folder / "rows.feather"
    pyarrow.feather.write_feather(frame(rows), path, compression, chunksize=len(rows))
    return path


def one_batch_packed(folder: Path, rows: Any) -> Path:
    return one_batch(folder, rows, "lz4")


def hdf5_tall(folder: Path, rows: Any) -> Path:
    import h5py

    with h5py.File(folder / "tall.h5", "w") as file:
        file.create_dataset("data", data=rows, chunks=(len(rows) // 2, 1))
    return folder / "tall.h5"


def zarr_chunks(folder: Path, rows: Any, columns: int = 4) -> Path:
    import zarr

    chunks = (len(rows), columns)
    array = zarr.create_array(
        folder / "tall.zarr", shape=rows.shape, chunks=chunks, dtype=rows.dtype
    )
    array[:] = rows
    return folder / "tall.zarr"


def zarr_one_chunk(folder: Path, rows: Any) -> Path:
    return zarr_chunks(folder, rows, rows.shape[1])


def zarr(folder: Path, rows: Any) -> Path:
    import zarr

    zarr.save_array(str(folder / "rows.zarr"), rows)
    return folder / "rows.zarr"


def anndata(folder: Path, rows: Any) -> Path:
    import h5py

    with h5py.File(folder / "rows.h5ad", "w") as file:
        dataset = file.create_dataset("X", data=rows)
        dataset.attrs["encoding-type"] = "array"
        dataset.attrs["encoding-version"] = "0.2.0"
    return folder / "rows.h5ad"


def anndata_by_columns(folder: Path, counts: Any) -> Path:
    return anndata_sparse(folder, counts.tocsc(), "csc_matrix")


def anndata_sparse(folder: Path, counts: Any, layout: str = "csr_matrix") -> Path:
    import h5py

    with h5py.File(folder / "counts.h5ad", "w") as file:
        group = file.create_group("X")
        group.attrs["encoding-type"] = layout
        group.attrs["encoding-version"] = "0.1.0"
        group.attrs["shape"] = np.array(counts.shape)
        for name in ("data", "indices", "indptr"):
            group[name] = getattr(counts, name)
    return folder / "counts.h5ad"


def len_of_text(counts: Any) -> int:
    """Rows enough: as text an entry takes three times its bytes."""
    return int(counts.shape[0] * 0.4)


def matrix_market(folder: Path, counts: Any) -> Path:
    import scipy.io

    scipy.io.mmwrite(folder / "counts.mtx", counts[: len_of_text(counts)])
    return folder / "counts.mtx"


DENSE: dict[str, Callable[[Path, Any], Path]] = {
    "npy": npy,
    "npz": npz,
    "npz, compressed": npz_packed,
    "CSV": csv,
    "CSV, gzip": csv_gzip,
    "CSV, zstd": csv_zstd,
    "Parquet": parquet,
    "Arrow": arrow,
    "Arrow, one batch": one_batch,
    "Arrow, one batch, lz4": one_batch_packed,
    "HDF5": hdf5,
    "HDF5, tall chunks": hdf5_tall,
    "Zarr": zarr,
    "Zarr, tall chunks": zarr_chunks,
    "Zarr, one chunk": zarr_one_chunk,
    "h5ad, dense": anndata,
}
SPARSE: dict[str, Callable[[Path, Any], Path]] = {
    "h5ad, CSR": anndata_sparse,
    "h5ad, CSC": anndata_by_columns,
    "Matrix Market": matrix_market,
}
