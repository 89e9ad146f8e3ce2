"""Peak memory of one fit beside its data, in a fresh process, measured in two ways.

    traced     what numpy allocated (it reports to tracemalloc), at the highest moment
    resident   growth of the process to its high-water mark: also what libraries allocate behind
               numpy's back, and their rounding up to pages

The data are loaded and the libraries warm before either is read: a small fit by every solver loads
what is imported late. Resident memory is None where the system does not tell.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import scipy.sparse

from benchmarks.measure import limited_threads
from benchmarks.peers import OURS, competitors
from benchmarks.tables import REPOSITORY

__all__ = ["kept_in_file", "peak_shares"]

STATUS = Path("/proc/self/status")
RESET = Path("/proc/self/clear_refs")
RESET_HIGH_WATER = "5"


@contextmanager
def kept_in_file(rows: Any) -> Iterator[Path]:
    """The rows in a temporary file, for other processes to load."""
    with TemporaryDirectory() as folder:
        if scipy.sparse.issparse(rows):
            path = Path(folder) / "rows.npz"
            scipy.sparse.save_npz(path, rows, compressed=False)
        else:
            path = Path(folder) / "rows.npy"
            np.save(path, rows)
        yield path


def peak_shares(
    path: Path, stored_bytes: int, name: str, rank: int, tolerance: float
) -> dict[str, float | None]:
    """Peak extra memory of the named competitor as a share of the data."""
    command = [sys.executable, "-m", "benchmarks.memory"]
    command += [str(path), name, str(rank), str(tolerance)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"measuring the memory of {name} failed:\n{done.stderr}")
    peaks = json.loads(done.stdout)
    return {kind: None if peak is None else peak / stored_bytes for kind, peak in peaks.items()}


def peaks_of_fit(path: Path, name: str, rank: int, tolerance: float) -> dict[str, int | None]:
    """In the fresh process: extra bytes at the highest moment."""
    rows = load(path)
    warm_up(name, rank, tolerance, rows.dtype, scipy.sparse.issparse(rows))
    competitor = named(name, rows, rank, tolerance)
    before = start_high_water()
    competitor.fit(rows)
    after = high_water()
    tracemalloc.start()
    competitor.fit(rows)
    traced = tracemalloc.get_traced_memory()[1]
    resident = None if before is None or after is None else max(0, after - before)
    return {"traced": traced, "resident": resident}


def load(path: Path) -> Any:
    if path.suffix == ".npz":
        return scipy.sparse.load_npz(path)
    return np.load(path, allow_pickle=False)


def warm_up(name: str, rank: int, tolerance: float, dtype: Any, is_sparse: bool) -> None:
    """Load code, not data: a table of a few kilobytes through everything that might be used."""
    import eigenlens

    small = np.random.default_rng(0).standard_normal((12 * rank, 4 * rank)).astype(dtype)
    rows = scipy.sparse.csr_matrix(small) if is_sparse else small
    named(name, rows, rank, tolerance).fit(rows)
    if name == OURS:
        for solver in ("covariance", "dual", "krylov"):
            eigenlens.fit(rows, rank, solver=solver)


def named(name: str, rows: Any, rank: int, tolerance: float) -> Any:
    return next(one for one in competitors(rows, rank, tolerance) if one.name == name)


def start_high_water() -> int | None:
    """Resident bytes now, from where the high-water mark starts again; None if it cannot."""
    try:
        RESET.write_text(RESET_HIGH_WATER)
    except OSError:
        return None
    return high_water()


def high_water() -> int | None:
    try:
        found = re.search(r"^VmHWM:\s*(\d+) kB", STATUS.read_text(), re.MULTILINE)
    except OSError:
        return None
    return int(found[1]) << 10 if found else None


if __name__ == "__main__":
    where, who, many, accuracy = sys.argv[1:]
    with limited_threads():
        peaks = peaks_of_fit(Path(where), who, int(many), float(accuracy))
    print(json.dumps(peaks))
