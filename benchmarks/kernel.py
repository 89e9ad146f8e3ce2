"""Kernel PCA at scale: time beside the bare products, memory, and scikit-learn's class.

scale      100 000 x 20, rbf, 1000 landmarks in memory: our time over that of the products it must
           do, the m x n kernel block and 2 m^2 n flops; the most memory of a fresh process
file       1 000 000 x 20 from a file, memory="1GB"
peer       10 000 x 20: scikit-learn's KernelPCA with every eigensolver, ours with landmarks

    python -m benchmarks.kernel rows.npy 1000 1GB     the most memory of one fit, in bytes, as JSON
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.files import STATUS, highest_while
from benchmarks.measure import THREADS, Times, median, one_round
from benchmarks.tables import REPOSITORY

__all__ = ["DRY_KERNEL", "FULL_KERNEL", "KernelSizes", "scale_results"]

COMPONENTS = 10
TILE = 1024


@dataclass(frozen=True)
class KernelSizes:
    rows: int
    landmarks: int
    file_rows: int
    file_landmarks: int
    peer_rows: int
    peer_landmarks: int
    rounds: int
    quality_rows: int
    quality_draws: int


FULL_KERNEL = KernelSizes(100_000, 1000, 1_000_000, 1000, 10_000, 400, 3, 2000, 10)
DRY_KERNEL = KernelSizes(2000, 50, 3000, 50, 400, 40, 1, 200, 1)


def scale_results(sizes: KernelSizes) -> dict[str, Any]:
    return {
        "scale": scale(sizes),
        "file": from_file(sizes),
        "peer": beside_peer(sizes),
    }


def sheet(n: int, seed: int = 0) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A curved sheet of five dimensions in twenty columns, with some noise."""
    rng = np.random.default_rng(seed)
    inner = rng.standard_normal((n, 5)) @ np.random.default_rng(1).standard_normal((5, 20))
    found: np.ndarray[Any, np.dtype[np.float64]] = np.tanh(inner)
    found += 0.1 * rng.standard_normal((n, 20))
    return found


# -- time over the bare products -------------------------------------------------------------


def scale(sizes: KernelSizes) -> dict[str, Any]:
    rows, times = sheet(sizes.rows), Times()
    model = ours(rows, sizes.landmarks, "2GB").model_
    anchors, gamma = model.anchor_rows, model.gamma
    works = {
        "ours": lambda: ours(rows, sizes.landmarks, "2GB"),
        "bare, threads of BLAS": lambda: bare(rows, anchors, gamma),
        "bare, threads of ours": lambda: bare_in_threads(rows, anchors, gamma),
    }
    for _ in range(sizes.rounds):
        one_round(works, times)
    seconds = {name: median(found) for name, found in times.items()}
    floor = min(seconds["bare, threads of BLAS"], seconds["bare, threads of ours"])
    proof = model.certificate
    return {
        "shape": list(rows.shape),
        "landmarks": len(anchors),
        "seconds": seconds,
        "over_bare": seconds["ours"] / floor,
        "memory_bytes": highest(rows, sizes.landmarks, "2GB"),
        "captured_ratio": proof.captured_ratio_bounds.tolist(),
        "unseen": proof.residual_trace / float(proof.total_bounds[1]),
    }


def ours(rows: Any, landmarks: int, memory: str) -> Any:
    import eigenlens

    kpca = eigenlens.KernelPCA(
        COMPONENTS, kernel="rbf", gamma="median", n_landmarks=landmarks, memory=memory
    )
    return kpca.fit(rows)


def bare(rows: Any, anchors: Any, gamma: float) -> None:
    """The kernel block and the products with it, tile by tile, and nothing else."""
    work = tile_work(rows, anchors, gamma)
    for start in range(0, len(rows), TILE):
        work(start)


def bare_in_threads(rows: Any, anchors: Any, gamma: float) -> None:
    work = tile_work(rows, anchors, gamma)
    with threadpool_limits(1), ThreadPoolExecutor(THREADS) as pool:
        for _ in pool.map(work, range(0, len(rows), TILE)):
            pass


def tile_work(rows: Any, anchors: Any, gamma: float) -> Callable[[int], None]:
    """One product with a square matrix: as many flops as a triangular one and a symmetric one."""
    lengths = np.square(anchors).sum(axis=1)
    right = gamma * np.vstack([2 * anchors.T, -np.ones(len(anchors)), -lengths])
    square = np.random.default_rng(0).standard_normal((len(anchors), len(anchors)))

    def work(start: int) -> None:
        part = rows[start : start + TILE]
        squares = np.square(part).sum(axis=1)
        left = np.column_stack([part, squares, np.ones(len(part))])
        block = left @ right
        np.exp(block, out=block)
        block @ square

    return work


# -- files -----------------------------------------------------------------------------------


def from_file(sizes: KernelSizes) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.npy"
        np.save(path, sheet(sizes.file_rows))
        start = time.perf_counter()
        model = ours(path, sizes.file_landmarks, "1GB").model_
        seconds = time.perf_counter() - start
        memory = highest_in_child(path, sizes.file_landmarks, "1GB")
    return {
        "shape": [model.n_rows, model.n_features],
        "landmarks": model.n_anchors,
        "seconds": seconds,
        "memory_bytes": memory,
        "passes": model.certificate.passes,
        "captured_ratio": model.certificate.captured_ratio_bounds.tolist(),
    }


def highest(rows: Any, landmarks: int, memory: str) -> int | None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.npy"
        np.save(path, rows)
        return highest_in_child(path, landmarks, memory, "loaded")


def highest_in_child(path: Path, landmarks: int, memory: str, *loaded: str) -> int | None:
    """The most anonymous bytes of a fresh process, interpreter and libraries included."""
    command = [sys.executable, "-m", "benchmarks.kernel", str(path), str(landmarks), memory]
    done = subprocess.run(
        [*command, *loaded], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"measuring the memory of {path.name} failed:\n{done.stderr}")
    found: int | None = json.loads(done.stdout)
    return found


def child(path: str, landmarks: str, memory: str, *loaded: str) -> int | None:
    if not STATUS.exists():
        return None
    data = np.load(path) if loaded else Path(path)
    return highest_while(lambda: ours(data, int(landmarks), memory))


# -- scikit-learn ----------------------------------------------------------------------------


def beside_peer(sizes: KernelSizes) -> dict[str, Any]:
    """Times of everybody, and the share of their captured variance that landmarks capture."""
    from sklearn.decomposition import KernelPCA

    rows, times = sheet(sizes.peer_rows), Times()
    gamma = ours(rows[:500], 10, "1GB").gamma_

    def theirs(solver: str) -> Any:
        return KernelPCA(
            COMPONENTS, kernel="rbf", gamma=gamma, eigen_solver=solver, random_state=0
        ).fit(rows)

    works: dict[str, Callable[[], Any]] = {
        f"scikit-learn, {solver}": (lambda solver=solver: theirs(solver))  # type: ignore[misc]
        for solver in ("dense", "arpack", "randomized")
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = one_round(works, times)
    best = max(float(one.eigenvalues_.sum()) for one in found.values())
    for _ in range(max(sizes.rounds, 3)):
        mine = one_round({"ours": lambda: near(rows, gamma, sizes.peer_landmarks)}, times)["ours"]
    seconds = {name: median(spent) for name, spent in times.items()}
    rivals = {name: spent for name, spent in seconds.items() if name != "ours"}
    return {
        "shape": list(rows.shape),
        "landmarks": mine.model_.n_anchors,
        "seconds": seconds,
        "captured_share": float(mine.eigenvalues_.sum()) / best,
        "faster_than_default": seconds["scikit-learn, dense"] / seconds["ours"],
        "faster_than_fastest": min(rivals.values()) / seconds["ours"],
        "certified_share": 1 - mine.certificate_.suboptimality,
    }


def near(rows: Any, gamma: float, landmarks: int) -> Any:
    import eigenlens

    return eigenlens.KernelPCA(COMPONENTS, kernel="rbf", gamma=gamma, n_landmarks=landmarks).fit(
        rows
    )


if __name__ == "__main__":
    with threadpool_limits(THREADS):
        print(json.dumps(child(*sys.argv[1:])))
