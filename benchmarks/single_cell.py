"""Single cells: counts whose last components lie in the bulk, beside ARPACK as scanpy calls it.

scanpy's `pp.pca` hands k = 50 to scikit-learn's `PCA(svd_solver="arpack")`, which multiplies sparse
tables with their centering kept implicit. Ours comes with its proof. Interleaved, medians. Real
tables where their data are here; drawn ones: twelve groups of cells, Poisson counts, log1p.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.sparse

from benchmarks import report
from benchmarks.defaults_tables import data_folder
from benchmarks.measure import Times, median, one_round
from benchmarks.targets import Target, geometric_mean, lowest

__all__ = ["single_cell_page", "single_cell_results"]

OURS, PEER = "eigenlens", "arpack"
RANKS = (50, 10)
DRAWN = [(20_000, 2000), (60_000, 4000)]
GROUPS, GENES_MARKED, DEPTH_SPREAD = 12, 0.15, 0.3
ROWS_AT_ONCE = 2000
SHORT_SECONDS = 0.1  # fits that take less are repeated more often
Case = dict[str, Any]


def single_cell_results(dry: bool, repeats: int) -> dict[str, Any]:
    cases = []
    for name, rows in drawn_tables(dry) if dry else all_tables():
        for k in (5, 2) if dry else RANKS:
            cases.append(measured_cells(name, rows, k, repeats))
    return {"summary": [target.line(cases) for target in TARGETS], "tables": cases}


def measured_cells(name: str, rows: Any, k: int, repeats: int) -> Case:
    from sklearn.decomposition import PCA

    import eigenlens as el

    works: dict[str, Callable[[], Any]] = {
        OURS: lambda: el.fit(rows, k),
        PEER: lambda: PCA(k, svd_solver="arpack", random_state=0).fit(rows),
    }
    times: Times = {}
    one_round(works, times)  # the first round also loads what it needs: not counted
    short = repeats > 1 and times[OURS][0] < SHORT_SECONDS
    times.clear()
    for _ in range(repeats * (5 if short else 1)):
        found = one_round(works, times)
    start = time.process_time()
    works[OURS]()
    own = time.process_time() - start
    start = time.process_time()
    works[PEER]()
    model, peer = found[OURS], found[PEER]
    return {
        "name": name,
        "shape": list(rows.shape),
        "k": k,
        "seconds": {work: median(taken) for work, taken in times.items()},
        "processor_seconds": {OURS: own, PEER: time.process_time() - start},
        "solver": model.choices["solver"].value,
        "passes": model.certificate.passes,
        "kind": model.certificate.kind,
        "sampling_share": model.certificate.sampling_share,
        "differs": float(np.abs(peer.explained_variance_ / model.eigenvalues - 1).max()),
    }


# -- tables ----------------------------------------------------------------------------------


def all_tables() -> Iterator[tuple[str, Any]]:
    yield from real_tables()
    yield from drawn_tables(dry=False)


def real_tables() -> Iterator[tuple[str, Any]]:
    data = data_folder()
    folder = data / "sc_pbmc68k_reduced"
    if folder.is_dir():
        counts = scipy.sparse.load_npz(folder / "raw_lognorm.npz")
        yield "pbmc68k, log counts, CSR", counts.tocsr()
        yield "pbmc68k, scaled, dense", np.load(folder / "pbmc68k_reduced.npz")["X"]
    file = data / "fields" / "singlecell" / "10x_filtered_feature_bc_matrix.h5"
    if file.is_file():
        yield "10x, log counts, CSR", cells_of_10x(file)


def cells_of_10x(path: Any) -> Any:
    import h5py

    with h5py.File(path) as file:
        group = file["matrix"]
        parts = tuple(group[part][:] for part in ("data", "indices", "indptr"))
        genes_by_cells = scipy.sparse.csc_array(parts, shape=tuple(group["shape"][:]))
    cells = genes_by_cells.T.tocsr().astype(np.float32)
    cells.data = np.log1p(cells.data)
    return cells


def drawn_tables(dry: bool) -> Iterator[tuple[str, Any]]:
    for shape in [(300, 80)] if dry else DRAWN:
        yield "Poisson counts, log1p, CSR", drawn_counts(shape)


def drawn_counts(shape: tuple[int, int], filled: float = 0.09) -> Any:
    rng, (n, d) = np.random.default_rng(0), shape
    base = rng.gamma(0.3, 1.0, d)
    base *= 1.25 * filled * d / base.sum()
    marked = rng.random((GROUPS, d)) < GENES_MARKED
    levels = np.exp(0.7 * rng.standard_normal((GROUPS, d)) * marked)
    group = rng.integers(0, GROUPS, n)
    depth = np.exp(DEPTH_SPREAD * rng.standard_normal(n))
    parts = []
    for start in range(0, n, ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        counts = rng.poisson(base * levels[group[rows]] * depth[rows, None])
        parts.append(scipy.sparse.csr_array(np.log1p(counts).astype(np.float32)))
    return scipy.sparse.vstack(parts, format="csr")


# -- what became of it -----------------------------------------------------------------------


def ratios_for(cases: list[Case], k: int) -> list[float]:
    return [case["seconds"][PEER] / case["seconds"][OURS] for case in cases if case["k"] == k]


TARGETS = [
    Target("k = 50, ARPACK over ours: worst", lambda cases: lowest(ratios_for(cases, 50)), 1.0),
    Target("the same, mean", lambda cases: geometric_mean(ratios_for(cases, 50)), 1.0),
    Target("k = 10, ARPACK over ours: worst", lambda cases: lowest(ratios_for(cases, 10)), 1.0),
    Target("the same, mean", lambda cases: geometric_mean(ratios_for(cases, 10)), 1.0),
]


def single_cell_page(results: dict[str, Any]) -> list[str]:
    head = (
        "table", "shape", "k", "ours, ms", "ARPACK, ms", "ratio", "processor time, ratio",
        "solver", "passes", "certificate", "of the sampling error", "differ by",
    )  # fmt: skip
    return [
        "# Single cells",
        "",
        "`eigenlens.fit(counts, k)`, proof included, beside scikit-learn's "
        '`PCA(k, svd_solver="arpack").fit`, which is what scanpy calls; interleaved, medians; '
        "`benchmarks/single_cell.py`. *Ratio*: ARPACK over ours; below 1 we are slower. "
        "*Differ by*: the largest relative difference of an eigenvalue.",
        "",
        *report.summary_table(results["summary"]),
        *report.table(head, [body_line(case) for case in results["tables"]]),
    ]


def body_line(case: Case) -> tuple[str, ...]:
    seconds, processor = case["seconds"], case["processor_seconds"]
    return (
        case["name"],
        "{} x {}".format(*case["shape"]),
        str(case["k"]),
        f"{1e3 * seconds[OURS]:.3g}",
        f"{1e3 * seconds[PEER]:.3g}",
        report.shown(seconds[PEER] / seconds[OURS]),
        report.shown(processor[PEER] / processor[OURS]),
        case["solver"],
        str(case["passes"]),
        case["kind"],
        f"{case['sampling_share']:.1e}",
        f"{case['differs']:.1e}",
    )
