"""Tensors on a GPU: ours beside what others do with the same tensor, in the same process.

Tables have deviations i^-1/2 along mixed axes; the truth is float64, from the stored numbers, mean
first. Without a CUDA device small tables run on torch's CPU device, which shows that everything
works and what is proven; times are then not those of the targets, and the page says so.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np

import eigenlens as el
from benchmarks.report import small, table

__all__ = ["DRY_GPU", "FULL_GPU", "GpuSizes", "gpu_page", "gpu_results"]

K = 50
TRUTH_BYTES = 1 << 29
MOST_DECOMPOSED = 5000  # columns: all eigenvectors of a larger matrix take a minute
NOT_BUILT = (
    "sparse 100k x 20k, 5 %: sparse tables are multiplied on the host",
    "landmarks 1M x 64, m = 1000: kernels work on the host",
    "one GPU per Dask worker",
    "fused kernel for narrow tables, TF32 start and probes, exact integers",
    "Krylov spans on the device (they are worked on by numpy, on the host)",
)
NOT_MEASURED = (
    "the share of the proof in the time of a fit",
    "certificates: `make gpu` makes 5000 fits of the standing adversary",
)


@dataclass(frozen=True)
class Case:
    name: str
    shape: tuple[int, int]
    dtype: str = "float32"
    mean: float = 0.0
    tolerance: float | None = None
    kind: str = "fit"  # or "project", "host", "file"
    target_ms: float | None = None


CASES = (
    Case("1M x 1024", (1_000_000, 1024), target_ms=50),
    Case("1M x 1024, mean 10^4 deviations", (1_000_000, 1024), mean=1e4, target_ms=50),
    Case("1M x 1024 bfloat16", (1_000_000, 1024), "bfloat16", target_ms=50),
    Case("1M x 1024 float16", (1_000_000, 1024), "float16", target_ms=50),
    Case("10M x 128", (10_000_000, 128), target_ms=13),
    Case("200k x 4096", (200_000, 4096), target_ms=120),
    Case("100k x 20k", (100_000, 20_000), target_ms=220),
    Case("100k x 20k, tolerance 1e-4", (100_000, 20_000), tolerance=1e-4, target_ms=130),
    Case("5k x 100k", (5000, 100_000), target_ms=140),
    Case("project 1M x 1024 to 50", (1_000_000, 1024), kind="project", target_ms=8),
    Case("host array 4M x 1024", (4_000_000, 1024), kind="host", target_ms=550),
    Case(".npy 2M x 1024, warm", (2_000_000, 1024), kind="file", target_ms=280),
)


@dataclass(frozen=True)
class GpuSizes:
    """How many times smaller than in the table, in rows and in columns, where there is no GPU."""

    fewer_rows: int
    fewer_columns: int
    rounds: int
    k: int


DRY_GPU = GpuSizes(5000, 100, 1, 3)
FULL_GPU = GpuSizes(100, 8, 3, 10)


def gpu_results(sizes: GpuSizes, dry: bool) -> dict[str, Any]:
    import torch

    there = torch.cuda.is_available() and not dry
    device = torch.device("cuda", torch.cuda.current_device()) if there else torch.device("cpu")
    k, rounds = (K, 5) if there else (sizes.k, sizes.rounds)
    lines = []
    for case in CASES:
        n, d = case.shape
        if not there:
            smaller = max(n // sizes.fewer_rows, 60), max(d // sizes.fewer_columns, 12)
            case = replace(case, shape=smaller)
        measured = measure_case(case, device, k, rounds)
        if there:
            for line in measured:
                print(line["who"], line["work"], line["ms"], "ms", flush=True)
        lines += measured
    return {
        "device": torch.cuda.get_device_name(device) if there else "cpu",
        "measured_on_gpu": there,
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "k": k,
        "lines": lines,
    }


# -- tables and truth ------------------------------------------------------------------------


def draw_table(case: Case, device: Any) -> Any:
    """Mixed by three reflections, which are orthogonal and cost one pass each at any width."""
    import torch

    n, d = case.shape
    generator = torch.Generator(device).manual_seed(0)
    out = torch.empty(n, d, dtype=getattr(torch, case.dtype), device=device)
    deviations = torch.arange(1, d + 1, dtype=torch.float32, device=device) ** -0.5
    normals = torch.randn(3, d, generator=generator, dtype=torch.float32, device=device)
    normals /= normals.norm(dim=1, keepdim=True)
    step = max(1, TRUTH_BYTES // (8 * d))
    for start in range(0, n, step):
        count = min(step, n - start)
        part = torch.randn(count, d, generator=generator, dtype=torch.float32, device=device)
        part *= deviations
        for normal in normals:
            part -= 2 * torch.outer(part @ normal, normal)
        out[start : start + count] = part + case.mean * float(deviations.square().mean().sqrt())
    return out


def centered_blocks(rows: Any) -> Iterator[Any]:
    import torch

    step = max(1, TRUTH_BYTES // (8 * rows.shape[1]))
    starts = range(0, len(rows), step)
    mean = sum(rows[i : i + step].to(torch.float64).sum(0) for i in starts) / len(rows)
    for start in starts:
        yield rows[start : start + step].to(torch.float64) - mean


def true_eigenvalues(rows: Any, k: int) -> Any:
    import torch

    n, d = rows.shape
    if n < d:
        whole = torch.cat(list(centered_blocks(rows)))
        matrix = whole @ whole.T
    else:
        matrix = torch.zeros(d, d, dtype=torch.float64, device=rows.device)
        for block in centered_blocks(rows):
            matrix += block.T @ block
    return (torch.linalg.eigvalsh(matrix).flip(0)[:k] / (n - 1)).cpu().numpy()


def captured(rows: Any, components: Any) -> float:
    import torch

    basis = torch.linalg.qr(components.to(torch.float64).T)[0]
    total = sum(float((block @ basis).square().sum()) for block in centered_blocks(rows))
    return total / (len(rows) - 1)


# -- who takes part --------------------------------------------------------------------------


def entrants(case: Case) -> dict[str, Callable[[Any, int], tuple[Any, Any]]]:
    """(rows, k) to components (k, d) and eigenvalues (k,), as tensors."""
    import torch

    def ours(rows: Any, k: int) -> tuple[Any, Any]:
        model = el.fit(rows, k, tolerance=case.tolerance, device=str(rows.device))
        ours.model = model  # type: ignore[attr-defined]
        return torch.from_numpy(model.components.copy()), torch.from_numpy(model.eigenvalues.copy())

    def lowrank(rows: Any, k: int) -> tuple[Any, Any]:
        _, singular, right = torch.pca_lowrank(rows, k, niter=2)
        return right.T, singular.square() / (len(rows) - 1)

    def by_covariance(rows: Any, k: int) -> tuple[Any, Any]:
        """As cuML does: mean off, float32 covariance, all eigenvectors."""
        centered = rows - rows.mean(0)
        values, vectors = torch.linalg.eigh(centered.T @ centered / (len(rows) - 1))
        return vectors.flip(1)[:, :k].T, values.flip(0)[:k]

    def sklearn_with(solver: str) -> Callable[[Any, int], tuple[Any, Any]]:
        def run(rows: Any, k: int) -> tuple[Any, Any]:
            from sklearn import config_context
            from sklearn.decomposition import PCA

            peer = PCA(k, svd_solver=solver, power_iteration_normalizer="QR", random_state=0)
            # It asks for this variable, which scipy reads when it is imported.
            asked = patch.dict(os.environ, SCIPY_ARRAY_API="1")
            with asked, config_context(array_api_dispatch=True):
                peer.fit(rows)
            return peer.components_, peer.explained_variance_

        return run

    everyone = {"eigenlens": ours}
    if case.dtype == "float32":
        everyone |= {
            "scikit-learn randomized": sklearn_with("randomized"),
            "torch.pca_lowrank": lowrank,
        }
        if min(case.shape) == case.shape[1] <= MOST_DECOMPOSED:
            everyone["scikit-learn covariance_eigh"] = sklearn_with("covariance_eigh")
            everyone["mean off, covariance, eigh"] = by_covariance
    return everyone


def time_ms(work: Callable[[], Any], device: Any, rounds: int) -> tuple[float, Any]:
    """Median of some rounds after one to warm up, synchronized; and what came of it."""
    import torch

    seconds = []
    for _ in range(rounds + 1):
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        start = time.perf_counter()
        found = work()
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        seconds.append(time.perf_counter() - start)
    return 1000 * statistics.median(seconds[1:]), found


def measure_case(case: Case, device: Any, k: int, rounds: int) -> list[dict[str, Any]]:
    rows = draw_table(case, device if case.kind in ("fit", "project") else host())
    if case.kind == "project":
        model = el.fit(rows[: max(1000, 2 * k)], k)
        ms, _ = time_ms(lambda: model.project(rows), device, rounds)
        return [line_of(case, "eigenlens", ms)]
    if case.kind in ("host", "file"):
        return [line_of(case, "eigenlens", time_from_host(case, rows, device, k, rounds))]
    truth, lines = true_eigenvalues(rows, k), []
    for name, work in entrants(case).items():
        try:
            before = memory_of(device, reset=True)
            ms, (components, values) = time_ms(lambda work=work: work(rows, k), device, rounds)
        except Exception as error:  # a peer that cannot do it is part of the result
            lines.append({**line_of(case, name, None), "failed": type(error).__name__})
            continue
        line = line_of(case, name, ms) | {"gigabytes_beside": (memory_of(device) - before) / 1e9}
        error = np.abs(values.double().cpu().numpy() / truth - 1).max()
        line["eigenvalue_error"] = float(error)
        line["missed"] = 1 - captured(rows, components.to(device)) / float(truth.sum())
        if name == "eigenlens":
            certificate = work.model.certificate  # type: ignore[attr-defined]
            low, high = certificate.eigenvalue_bounds.T
            inside = (low <= truth * (1 + 1e-12)) & (truth * (1 - 1e-12) <= high)
            line |= {"proven": float(certificate.relative_error), "kind": certificate.kind}
            line |= {"violated": int((~inside).sum()), "passes": certificate.passes}
        lines.append(line)
    return lines


def host() -> Any:
    import torch

    return torch.device("cpu")


def time_from_host(case: Case, rows: Any, device: Any, k: int, rounds: int) -> float:
    """Rows of numpy, or of a file, with `device=`; on the CPU device through the same copies."""
    from eigenlens.sources import open_source
    from eigenlens.sources.device.uploaded import KeptBlocks, UploadedSource

    with TemporaryDirectory() as folder:
        data: Any = rows.numpy()
        if case.kind == "file":
            np.save(f"{folder}/rows.npy", data)
            data = f"{folder}/rows.npy"

        def work() -> el.Subspace:
            if device.type == "cuda":
                return el.fit(data, k, solver="covariance", device=str(device))
            source = UploadedSource(open_source(data), device, KeptBlocks(0))
            return el.fit(source, k, solver="covariance")

        return time_ms(work, device, rounds)[0]


def memory_of(device: Any, reset: bool = False) -> int:
    """The most that torch held there since the last reset; 0 of the processor, where it is not
    counted.
    """
    if device.type != "cuda":
        return 0
    import torch

    if reset:
        torch.cuda.reset_peak_memory_stats(device)
    return int(torch.cuda.max_memory_allocated(device))


def line_of(case: Case, who: str, ms: float | None) -> dict[str, Any]:
    shape = [int(side) for side in case.shape]
    return {"work": case.name, "shape": shape, "who": who, "ms": ms, "target_ms": case.target_ms}


# -- the page --------------------------------------------------------------------------------


def gpu_page(results: dict[str, Any]) -> list[str]:
    on_gpu = results["measured_on_gpu"]
    where = f"{results['device']}, torch {results['torch']}, CUDA {results['cuda']}"
    lines = ["# Tensors on a GPU", "", f"k = {results['k']}. {where}.", ""]
    if not on_gpu:
        lines += [
            "**Not measured on a GPU: no CUDA device was there.** The lines below are smaller",
            "tables (their shapes are given) on torch's CPU device: they show what is proven and",
            "how far others are off, not how fast a GPU is. Every target in milliseconds, and the",
            "memory beside the data, is open.",
            "",
        ]
    heads = ("work", "shape", "who", "ms", "target", "eigenvalue error", "missed", "proven")
    lines += table(heads, [cells_of(line, on_gpu) for line in results["lines"]])
    violated = sum(line.get("violated", 0) for line in results["lines"])
    lines += [
        "",
        f"Eigenvalues outside their certified interval: {violated}.",
        "",
        "Not built:",
        "",
    ]
    lines += [f"- {what}" for what in NOT_BUILT]
    return [*lines, "", "Not measured:", "", *(f"- {what}" for what in NOT_MEASURED)]


def cells_of(line: dict[str, Any], on_gpu: bool) -> tuple[str, ...]:
    def number(name: str) -> str:
        return "–" if line.get(name) is None else small(line[name])

    ms = f"{line['ms']:.1f}" if line["ms"] is not None else f"failed: {line['failed']}"
    ours = line["who"] == "eigenlens" and line["target_ms"] is not None
    target = f"≤ {line['target_ms']:g}" + ("" if on_gpu else " (GPU, open)") if ours else "–"
    proven = f"{number('proven')}, {line['kind']}" if "kind" in line else "–"
    shape = " x ".join(map(str, line["shape"]))
    errors = number("eigenvalue_error"), number("missed")
    return line["work"], shape, line["who"], ms, target, *errors, proven
