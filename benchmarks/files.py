"""Files: a fit from disk beside what reading them costs by itself, and beside scikit-learn's loop.

npy       the larger of one plain read of the file and the same product in memory
parquet   pyarrow reading the same columns once into contiguous row blocks
csv       pyarrow's own parse of the same file, numbers only
h5ad      100 000 x 20 000 with 3 % filled, as AnnData stores it: never dense, inside the budget;
          beside scikit-learn's ARPACK on the same numbers in memory
memory    anonymous resident bytes of a fresh process at their highest, budget and base taken off
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.measure import Times, median, one_round
from benchmarks.tables import REPOSITORY

__all__ = ["DRY_FILES", "FULL_FILES", "FileSizes", "files_results"]


READ_BYTES = 16 << 20
CHUNK_ROWS = 100_000
LOOP_SHARE = 0.05  # of the rows go through scikit-learn's loop; its time is scaled up
STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class FileSizes:
    rows: int
    columns: int
    csv_rows: int
    budget: str
    repeats: int
    rank: int
    sparse: tuple[int, int]


FULL_FILES = FileSizes(4_000_000, 128, 400_000, "500MB", 3, 20, (100_000, 20_000))
DRY_FILES = FileSizes(4000, 16, 2000, "50MB", 1, 4, (1000, 200))
FILLED = 0.03


def files_results(sizes: FileSizes) -> list[dict[str, Any]]:
    with TemporaryDirectory() as folder:
        paths = written(Path(folder), sizes)
        cases = [measured(kind, path, sizes) for kind, path in paths.items()]
        paths["h5ad"] = written_sparse(Path(folder), sizes.sparse)
        cases.append(measured("h5ad", paths["h5ad"], sizes))
        for case, path in zip(cases, paths.values(), strict=True):
            case["memory_over_budget_bytes"] = memory_over_budget(path, sizes.budget)
    return cases


def written(folder: Path, sizes: FileSizes) -> dict[str, Path]:
    """The same kind of table in every format, written a chunk at a time."""
    import pyarrow
    import pyarrow.csv
    import pyarrow.parquet

    rng = np.random.default_rng(0)
    deviations = np.arange(1, sizes.columns + 1) ** -0.5
    names = [f"c{index}" for index in range(sizes.columns)]
    schema = pyarrow.schema([(name, pyarrow.float32()) for name in names])
    paths = {kind: folder / f"rows.{kind}" for kind in ("npy", "parquet", "csv")}
    array = np.lib.format.open_memmap(
        paths["npy"], "w+", dtype=np.float32, shape=(sizes.rows, sizes.columns)
    )
    with (
        pyarrow.parquet.ParquetWriter(paths["parquet"], schema, compression="snappy") as parquet,
        pyarrow.csv.CSVWriter(paths["csv"], schema) as text,
    ):
        for start in range(0, sizes.rows, CHUNK_ROWS):
            count = min(CHUNK_ROWS, sizes.rows - start)
            chunk = rng.standard_normal((count, sizes.columns), dtype=np.float32)
            chunk *= deviations.astype(np.float32)
            array[start : start + count] = chunk
            batch = pyarrow.record_batch(list(np.ascontiguousarray(chunk.T)), schema=schema)
            parquet.write_batch(batch)
            if start < sizes.csv_rows:
                text.write(batch.slice(0, min(count, sizes.csv_rows - start)))
    array.flush()
    del array
    return paths


def written_sparse(folder: Path, shape: tuple[int, int]) -> Path:
    """Counts in CSR as AnnData stores them, written a part at a time."""
    import h5py

    rng, (n, d) = np.random.default_rng(0), shape
    per_row = int(FILLED * d)
    path = folder / "counts.h5ad"
    with h5py.File(path, "w") as file:
        group = file.create_group("X")
        group.attrs["encoding-type"] = "csr_matrix"
        group.attrs["encoding-version"] = "0.1.0"
        group.attrs["shape"] = np.array(shape)
        group["indptr"] = np.arange(n + 1, dtype=np.int64) * per_row
        values = group.create_dataset("data", (n * per_row,), np.float32)
        indices = group.create_dataset("indices", (n * per_row,), np.int32)
        for start in range(0, n, CHUNK_ROWS // 10):
            count = min(CHUNK_ROWS // 10, n - start)
            # One column in each stretch of 1 / FILLED columns: sorted, and no two the same.
            stretch = rng.integers(0, d // per_row, (count, per_row))
            columns = np.arange(per_row) * (d // per_row) + stretch
            part = slice(start * per_row, (start + count) * per_row)
            indices[part] = columns.astype(np.int32).ravel()
            sizes = rng.poisson(2.0, (count, per_row)) + 1.0
            values[part] = (sizes / (1 + columns % 97)).astype(np.float32).ravel()
    return path


def measured(kind: str, path: Path, sizes: FileSizes) -> dict[str, Any]:
    import eigenlens

    works: dict[str, Callable[[], Any]] = {
        "eigenlens": lambda: eigenlens.fit(path, sizes.rank, memory=sizes.budget)
    }
    floors = {"npy": npy_floors, "parquet": parquet_floor, "csv": csv_floor}
    works |= floors[kind](path) if kind in floors else arpack_in_memory(path, sizes.rank)
    times: Times = {}
    for _ in range(sizes.repeats if kind in floors else 1):
        answers = one_round(works, times)
    medians = {name: median(seconds) for name, seconds in times.items()}
    floor = max((value for name, value in medians.items() if name != "eigenlens"), default=None)
    model = answers["eigenlens"]
    loop = loop_seconds(path, sizes) if kind == "npy" else None
    return {
        "name": kind,
        "shape": [model.n_rows, model.n_features],
        "file_bytes": path.stat().st_size,
        "seconds": medians,
        "over_floor": None if floor is None else medians["eigenlens"] / floor,
        "loop_seconds": loop,
        "faster_than_loop": None if loop is None else loop / medians["eigenlens"],
        "solver": model.choices["solver"].value,
        "passes": model.certificate.passes,
        "certificate": model.certificate.kind,
    }


def npy_floors(path: Path) -> dict[str, Callable[[], Any]]:
    whole = np.load(path)

    def product() -> Any:
        return whole.T @ whole

    return {"plain read": lambda: plain_read(path), "product in memory": product}


def plain_read(path: Path) -> int:
    buffer, count = bytearray(READ_BYTES), 0
    with path.open("rb", buffering=0) as file:
        while read := file.readinto(buffer):
            count += read
    return count


def parquet_floor(path: Path) -> dict[str, Callable[[], Any]]:
    import pyarrow.parquet

    def read() -> int:
        count = 0
        for batch in pyarrow.parquet.ParquetFile(path).iter_batches():
            block = np.ascontiguousarray(np.column_stack([np.asarray(c) for c in batch.columns]))
            count += len(block)
        return count

    return {"pyarrow to row blocks": read}


def csv_floor(path: Path) -> dict[str, Callable[[], Any]]:
    import pyarrow
    import pyarrow.csv

    with pyarrow.csv.open_csv(path) as opened:
        types = {name: pyarrow.float64() for name in opened.schema.names}
    options = pyarrow.csv.ConvertOptions(column_types=types)
    return {"pyarrow's parse": lambda: pyarrow.csv.read_csv(path, convert_options=options).num_rows}


def arpack_in_memory(path: Path, rank: int) -> dict[str, Callable[[], Any]]:
    import h5py
    import scipy.sparse
    from sklearn.decomposition import PCA

    with h5py.File(path) as file:
        parts = tuple(file["X"][part][:] for part in ("data", "indices", "indptr"))
        shape = tuple(file["X"].attrs["shape"])
    rows = scipy.sparse.csr_array(parts, shape=shape)
    peer = PCA(rank, svd_solver="arpack", random_state=0)
    return {"arpack in memory": lambda: peer.fit(rows)}


def loop_seconds(path: Path, sizes: FileSizes) -> float:
    """scikit-learn's IncrementalPCA in its default batches over some of the rows, scaled up."""
    from sklearn.decomposition import IncrementalPCA

    rows = np.load(path, mmap_mode="r")
    batch = 5 * sizes.columns
    count = max(2 * batch, int(LOOP_SHARE * len(rows)) // batch * batch)
    model = IncrementalPCA(sizes.rank)
    start = time.perf_counter()
    for first in range(0, count, batch):
        model.partial_fit(rows[first : first + batch])
    return (time.perf_counter() - start) * len(rows) / count


# -- memory, in a process of its own -------------------------------------------------------


def memory_over_budget(path: Path, budget: str) -> int | None:
    """Anonymous bytes at their highest beyond the budget; None where the system does not tell."""
    return measured_memory(path, budget)["over"]


def measured_memory(path: Path, budget: str) -> dict[str, int | None]:
    """Beyond the budget: anonymous bytes (`over`), all resident ones; or that it was refused."""
    command = [sys.executable, "-m", "benchmarks.files", str(path), budget]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"measuring the memory of {path.name} failed:\n{done.stderr}")
    found: dict[str, int | None] = json.loads(done.stdout)
    return found


def highest_while(work: Callable[[], Any], read: Callable[[], int] | None = None) -> int:
    """The most memory seen while `work` runs, anonymous unless said, every few milliseconds."""
    read = read or anonymous_bytes
    highest, over = [0], threading.Event()

    def look() -> None:
        while not over.wait(0.003):
            highest[0] = max(highest[0], read())

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        work()
    finally:
        over.set()
        watcher.join()
    return highest[0]


def anonymous_bytes() -> int:
    return status_bytes("RssAnon:")


def resident_bytes() -> int:
    """Mapped pages included."""
    return status_bytes("VmRSS:")


def status_bytes(name: str) -> int:
    for line in STATUS.read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) << 10
    return 0


def child(path: str, budget: str) -> dict[str, int | None]:
    import eigenlens
    from eigenlens.table.budget import budget_bytes

    if not STATUS.exists():
        return {"over": None, "resident": None, "refused": None}
    given, resident = budget_bytes(budget), [0]
    # Whatever interpreter and libraries map is there before any file is.
    before = resident_bytes() - anonymous_bytes()

    def fit() -> None:
        resident[0] = highest_while(lambda: eigenlens.fit(path, 8, memory=budget), resident_bytes)

    try:
        highest = highest_while(fit)
    except eigenlens.MemoryBudgetError:
        return {"over": None, "resident": None, "refused": 1}
    return {"over": highest - given, "resident": resident[0] - before - given, "refused": None}


if __name__ == "__main__":
    print(json.dumps(child(sys.argv[1], sys.argv[2])))
