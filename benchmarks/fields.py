"""Fields: objects of a field beside the program that people of that field run today.

scanpy      sc.pp.pca on counts in memory, k = 50 and 10; `chunked` on a backed file
grids       eofs and xeofs on a field of 2000 times
genotypes   scikit-learn's randomized solver on calls that are filled and scaled beforehand
embeddings  lists in a Parquet file beside the same numbers as .npy, inside a budget
error       largest relative difference of a variance from that of the dense decomposition
memory      resident bytes of a fresh process at their highest, those of its imports taken off

A peer that is not installed is left out, and the page says so.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.measure import Times, median, one_round
from benchmarks.tables import REPOSITORY

__all__ = ["DRY_FIELDS", "FULL_FIELDS", "FieldSizes", "fields_page", "fields_results"]

PBMC = REPOSITORY / "tests" / "fields" / "data" / "pbmc68k_raw.npz"
CHUNK_ROWS = 50_000


@dataclass(frozen=True)
class FieldSizes:
    cells: tuple[int, int]
    grid: tuple[int, int, int]
    genotypes: tuple[int, int]
    embeddings: tuple[int, int]
    budget: str
    repeats: int


FULL_FIELDS = FieldSizes((20_000, 2000), (2000, 60, 120), (957, 14_000), (1_000_000, 768), "1GB", 3)
DRY_FIELDS = FieldSizes((120, 80), (40, 6, 8), (60, 90), (3000, 16), "100MB", 1)


def fields_results(sizes: FieldSizes, only: str | None = None) -> dict[str, Any]:
    with TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of peers, about themselves
        folder = Path(name)
        parts: dict[str, Callable[[], list[dict[str, Any]]]] = {
            "cells": lambda: cell_cases(sizes, folder),
            "grids": lambda: grid_cases(sizes),
            "genotypes": lambda: genotype_cases(sizes, folder),
            "embeddings": lambda: embedding_cases(sizes, folder),
        }
        cases = [one for part, work in parts.items() if only in (None, part) for one in work()]
    return {"comparisons": cases}


def is_there(library: str) -> bool:
    return find_spec(library) is not None


def compare(
    name: str,
    works: dict[str, Callable[[], Any]],
    variances: Callable[[Any], Any],
    truth: Any,
    repeats: int,
    target: float = 1.0,
) -> list[dict[str, Any]]:
    """Everybody in turns; `eigenlens` first. One line per peer, and the ratio it should have."""
    times: Times = {}
    answers: dict[str, Any] = {}
    if repeats > 1:
        one_round(works, times)  # which also loads what it needs: not counted
        times.clear()
    for _ in range(repeats):
        answers = one_round(works, times)
    medians = {who: median(seconds) for who, seconds in times.items()}
    errors = {
        who: None if truth is None else relative_error(variances(answer), truth)
        for who, answer in answers.items()
    }
    ours = {"name": name, "seconds": medians["eigenlens"], "error": errors["eigenlens"]}
    peers = [who for who in works if who != "eigenlens"] or [None]
    return [
        {
            **ours,
            "peer": who,
            "peer_seconds": medians.get(who or ""),
            "peer_error": errors.get(who or ""),
            "ratio": None if who is None else medians[who] / medians["eigenlens"],
            "target": target,
        }
        for who in peers
    ]


def relative_error(found: Any, truth: Any) -> float:
    count = min(len(found), len(truth))
    return float(np.abs(np.asarray(found)[:count] / truth[:count] - 1).max())


def dense_variances(table: Any, k: int) -> Any:
    """Eigenvalues of the covariance matrix, in float64."""
    full = np.asarray(table.toarray() if hasattr(table, "toarray") else table, dtype=np.float64)
    full = full - full.mean(axis=0)
    gram = full @ full.T if full.shape[0] < full.shape[1] else full.T @ full
    return np.linalg.eigvalsh(gram)[::-1][:k] / (full.shape[0] - 1)


# -- single cells ----------------------------------------------------------------------------


def drawn_counts(shape: tuple[int, int], seed: int = 0) -> Any:
    """Twelve groups of cells, Poisson counts, logarithms, sparse."""
    import scipy.sparse as sp

    rng = np.random.default_rng(seed)
    rates = rng.gamma(0.05, 1.0, (12, shape[1])) + 0.01
    groups, parts = rng.integers(0, 12, shape[0]), []
    for start in range(0, shape[0], 2000):
        parts.append(sp.csr_matrix(rng.poisson(rates[groups[start : start + 2000]])))
    counts = sp.vstack(parts, format="csr").astype(np.float32)
    counts.data = np.log1p(counts.data)
    return counts


def cell_cases(sizes: FieldSizes, folder: Path) -> list[dict[str, Any]]:
    if not is_there("anndata"):
        return []
    import anndata
    import scipy.sparse as sp

    import eigenlens

    tables = {"drawn counts": drawn_counts(sizes.cells)}
    if sizes.repeats > 1:
        tables["pbmc68k"] = sp.csr_matrix(sp.load_npz(PBMC))
    cases = []
    for (name, table), k, tolerance in product(tables.items(), (50, 10), (None, 1e-6)):
        adata, theirs = anndata.AnnData(table.copy()), anndata.AnnData(table.copy())

        def ours(adata: Any = adata, k: int = k, tolerance: Any = tolerance) -> Any:
            eigenlens.anndata.pca(adata, k, tolerance=tolerance)
            return adata

        works: dict[str, Callable[[], Any]] = {"eigenlens": ours}
        if is_there("scanpy"):

            def peer(theirs: Any = theirs, k: int = k) -> Any:
                import scanpy

                scanpy.pp.pca(theirs, k)
                return theirs

            works["scanpy (arpack)"] = peer
        asked = "" if tolerance is None else f", tolerance={tolerance:g}"
        title = f"{name} {table.shape[0]} x {table.shape[1]}, k = {k}{asked}"
        truth = dense_variances(table, k)
        repeats = sizes.repeats * (5 if table.shape[0] < 1000 else 1)
        cases += compare(title, works, variance_in, truth, repeats)
    return cases + backed_cases(tables["drawn counts"], folder)


def variance_in(adata: Any) -> Any:
    return adata.uns["pca"]["variance"]


def backed_cases(table: Any, folder: Path) -> list[dict[str, Any]]:
    import anndata
    import pandas

    import eigenlens

    path = folder / "cells.h5ad"
    labels = [pandas.Index([str(i) for i in range(size)], dtype=object) for size in table.shape]
    frames = [pandas.DataFrame(index=one) for one in labels]
    anndata.AnnData(table, obs=frames[0], var=frames[1]).write_h5ad(path)
    k = min(50, min(table.shape) - 1)

    def ours() -> Any:
        backed = anndata.read_h5ad(path, backed="r")
        eigenlens.anndata.pca(backed, k)
        backed.file.close()
        return backed

    works: dict[str, Callable[[], Any]] = {"eigenlens": ours}
    if is_there("scanpy"):

        def peer() -> Any:
            import scanpy

            backed = anndata.read_h5ad(path, backed="r")
            scanpy.pp.pca(backed, k, chunked=True, chunk_size=2000)
            return backed

        works["scanpy chunked"] = peer
    title = f"the same counts in .h5ad, backed, k = {k}"
    found = compare(title, works, variance_in, dense_variances(table, k), 1, target=2.0)
    programs = [BACKED_OURS, BACKED_SCANPY if is_there("scanpy") else ""]
    held = [memory_of(program, path, k) if program else None for program in programs]
    return [{**one, "memory_bytes": held[0], "peer_memory_bytes": held[1]} for one in found]


# -- grids -----------------------------------------------------------------------------------


def grid_cases(sizes: FieldSizes) -> list[dict[str, Any]]:
    if not is_there("xarray"):
        return []
    import xarray

    import eigenlens

    n, rows, columns = sizes.grid
    rng = np.random.default_rng(0)
    waves = rng.standard_normal((n, 30)) * 0.8 ** np.arange(30)
    values = waves @ rng.standard_normal((30, rows * columns)) + rng.standard_normal(
        (n, rows * columns)
    )
    coords = {"time": np.arange(n), "lat": np.linspace(-80, 80, rows), "lon": np.arange(columns)}
    field = xarray.DataArray(
        values.reshape(sizes.grid).astype(np.float32), dims=list(coords), coords=coords
    )
    k = min(20, n // 3)
    weight = np.sqrt(np.cos(np.deg2rad(field.lat.values)))[:, None]
    truth = dense_variances((field.values * weight).reshape(n, -1), k)
    works: dict[str, Callable[[], Any]] = {
        "eigenlens": lambda: eigenlens.xarray.eof(field, k, weights="coslat").eigenvalues.values
    }
    if is_there("xeofs"):

        def by_xeofs() -> Any:
            import xeofs

            model = xeofs.single.EOF(n_modes=k, use_coslat=True)
            model.fit(field, dim="time")
            model.components(), model.scores()
            return model.explained_variance().values

        works["xeofs"] = by_xeofs
    if is_there("eofs"):

        def by_eofs() -> Any:
            from eofs.xarray import Eof

            solver = Eof(field, weights=np.broadcast_to(weight, field.shape[1:]))
            solver.eofs(neofs=k), solver.pcs(npcs=k)
            return solver.eigenvalues(neigs=k).values

        works["eofs"] = by_eofs
    title = f"field of {n} x {rows} x {columns}, float32, {k} modes"
    return compare(title, works, lambda found: found, truth, sizes.repeats)


# -- genotypes -------------------------------------------------------------------------------


def write_genotypes(folder: Path, shape: tuple[int, int]) -> tuple[Path, Any]:
    """A .bed file of five populations, and its calls."""
    n, m = shape
    rng = np.random.default_rng(0)
    base = rng.uniform(0.05, 0.5, m)
    shares = np.clip(base + 0.08 * rng.standard_normal((5, m)), 0.01, 0.99)
    calls = rng.binomial(2, shares[np.arange(n) % 5]).astype(np.int8)
    holes = rng.random(shape) < 0.002
    codes = np.array([3, 2, 0], dtype=np.uint8)[calls]
    codes[holes] = 1
    padded = np.zeros((m, 4 * -(-n // 4)), dtype=np.uint8)
    padded[:, :n] = codes.T
    packed = (padded.reshape(m, -1, 4) << np.array([0, 2, 4, 6], np.uint8)).sum(axis=2)
    path = folder / "study.bed"
    path.write_bytes(b"\x6c\x1b\x01" + packed.astype(np.uint8).tobytes())
    bim = (f"{1 + i % 22}\trs{i}\t0\t{1000 * i}\tA\tG\n" for i in range(m))
    path.with_suffix(".bim").write_text("".join(bim))
    path.with_suffix(".fam").write_text("".join(f"F{i} I{i} 0 0 0 -9\n" for i in range(n)))
    return path, np.where(holes, np.nan, calls)


def genotype_cases(sizes: FieldSizes, folder: Path) -> list[dict[str, Any]]:
    from sklearn.decomposition import PCA

    import eigenlens

    path, calls = write_genotypes(folder, sizes.genotypes)
    share = np.nanmean(calls, axis=0) / 2
    scaled = np.nan_to_num((calls - 2 * share) / np.sqrt(2 * share * (1 - share)))
    truth = dense_variances(scaled, 10)
    works: dict[str, Callable[[], Any]] = {
        "eigenlens": lambda: eigenlens.fit(path, 10, scale="hwe").eigenvalues,
        "scikit-learn randomized, scaled table in memory": lambda: (
            PCA(10, svd_solver="randomized", random_state=0).fit(scaled).explained_variance_
        ),
        "the same, iterated_power=40": lambda: (
            PCA(10, svd_solver="randomized", iterated_power=40, random_state=0)
            .fit(scaled)
            .explained_variance_
        ),
    }
    title = f"genotypes {sizes.genotypes[0]} x {sizes.genotypes[1]} from .bed, k = 10"
    found = compare(title, works, lambda found: found, truth, sizes.repeats)
    found[0]["memory_bytes"] = memory_of(OF_FILE + ", scale='hwe')", path, 10)
    return found


# -- embeddings ------------------------------------------------------------------------------


def write_embeddings(folder: Path, shape: tuple[int, int]) -> dict[str, Path]:
    import pyarrow
    import pyarrow.parquet

    n, d = shape
    rng = np.random.default_rng(0)
    deviations = (np.arange(1, d + 1) ** -0.5).astype(np.float32)
    paths = {"npy": folder / "rows.npy", "parquet": folder / "rows.parquet"}
    array = np.lib.format.open_memmap(paths["npy"], "w+", dtype=np.float32, shape=shape)
    kinds = {"id": pyarrow.int64(), "embedding": pyarrow.list_(pyarrow.float32())}
    schema = pyarrow.schema(list(kinds.items()))
    with pyarrow.parquet.ParquetWriter(paths["parquet"], schema) as writer:
        for start in range(0, n, CHUNK_ROWS):
            count = min(CHUNK_ROWS, n - start)
            rows = rng.standard_normal((count, d), dtype=np.float32) * deviations
            array[start : start + count] = rows
            offsets = pyarrow.array(np.arange(0, count * d + 1, d, dtype=np.int32))
            lists = pyarrow.ListArray.from_arrays(offsets, pyarrow.array(rows.ravel()))
            ids = pyarrow.array(np.arange(start, start + count))
            writer.write_batch(pyarrow.record_batch([ids, lists], schema=schema))
    array.flush()
    return paths


def embedding_cases(sizes: FieldSizes, folder: Path) -> list[dict[str, Any]]:
    import eigenlens

    paths = write_embeddings(folder, sizes.embeddings)
    k = min(50, sizes.embeddings[1] // 4)
    works: dict[str, Callable[[], Any]] = {
        "eigenlens": lambda: eigenlens.fit(paths["parquet"], k, memory=sizes.budget).eigenvalues,
        "the same as .npy": lambda: eigenlens.fit(paths["npy"], k, memory=sizes.budget).eigenvalues,
    }
    n, d = sizes.embeddings
    title = f"{n} x {d} lists in Parquet, memory={sizes.budget!r}, k = {k}"
    repeats = min(2, sizes.repeats)
    found = compare(title, works, lambda answer: answer, None, repeats, target=0.5)
    found[0]["memory_bytes"] = memory_of(
        OF_FILE + f", memory={sizes.budget!r})", paths["parquet"], k
    )
    return found


# -- memory ----------------------------------------------------------------------------------

PROGRAM = """
import sys, warnings
warnings.simplefilter("ignore")
import anndata, eigenlens, numpy, pyarrow.parquet, scipy.sparse
path, k = sys.argv[1], int(sys.argv[2])

def peak():
    with open("/proc/self/status") as file:
        held = {line.split(":")[0]: line.split()[1] for line in file if line.startswith("Vm")}
    return 1024 * int(held["VmHWM"])

"""
OF_FILE = (
    PROGRAM
    + """
eigenlens.fit(numpy.random.default_rng(0).standard_normal((500, 20)), 2)
before = peak()
eigenlens.fit(path, k"""
)
BACKED_OURS = (
    PROGRAM
    + """
small = anndata.AnnData(scipy.sparse.random(60, 30, 0.3, "csr", dtype="f4"))
eigenlens.anndata.pca(small, 2)
before = peak()
eigenlens.anndata.pca(anndata.read_h5ad(path, backed="r"), k"""
)
BACKED_SCANPY = (
    PROGRAM
    + """
import scanpy
scanpy.pp.pca(anndata.AnnData(scipy.sparse.random(60, 30, 0.3, "csr", dtype="f4")), 2)
before = peak()
scanpy.pp.pca(anndata.read_h5ad(path, backed="r"), k, chunked=True, chunk_size=2000"""
)


def memory_of(program: str, path: Path, k: int) -> int | None:
    """Of a fresh process, beside its imports; None where the system does not tell."""
    if not Path("/proc/self/status").exists():
        return None
    program += "" if program.endswith(")") else ")"
    command = [sys.executable, "-c", f"{program}\nprint(peak() - before)", str(path), str(k)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout)


# -- page ------------------------------------------------------------------------------------


def fields_page(results: dict[str, Any]) -> list[str]:
    lines = [
        "# Fields",
        "",
        "Wall times, medians of interleaved runs after one that is not counted. *Ratio*: theirs "
        "over ours; above 1 ours is faster, **bold** is below what it should be (1; 2 out of core; "
        "0.5 for lists beside `.npy`). *Error*: the largest relative error of a variance, against "
        "a dense float64 decomposition. Ours comes with its proof. *Memory*: what a fresh process "
        "holds at its highest, beside its imports. `benchmarks/fields.py`.",
        "",
        "| data | ours | error | memory | peer | theirs | error | memory | ratio |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for case in results["comparisons"]:
        peer = case["peer"] or "not installed"
        ours = [
            f"{shown(case['seconds'])} s",
            shown(case["error"]),
            megabytes(case, "memory_bytes"),
        ]
        theirs = [f"{shown(case['peer_seconds'])} s", shown(case["peer_error"])]
        theirs.append(megabytes(case, "peer_memory_bytes"))
        ratio = shown(case["ratio"])
        if case["ratio"] is not None and case["ratio"] < case["target"]:
            ratio = f"**{ratio}**"
        lines.append(f"| {' | '.join([case['name'], *ours, peer, *theirs, ratio])} |")
    return lines


def megabytes(case: dict[str, Any], name: str) -> str:
    held = case.get(name)
    return "–" if held is None else f"{held / 1e6:.0f} MB"


def shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"
