"""How well missing cells are filled: cells of real tables are hidden, and predicted.

tables    what scikit-learn carries, and, where EIGENLENS_DATA has them, those of its folder `messy`
holes     completely at random, 5 to 50 %; "MAR 20": half of the columns lack cells where another
          column is above its median, so that absence goes with what is observed
measured  root mean squared error of the hidden cells in standard deviations of their columns, in
          the first draw; the share of them within the 95 % interval, over as many draws as 300
          cells take, ten at most; the share of variance of two components against that of the
          complete table, over ten draws
peers     IterativeImputer and KNNImputer on standardized columns; ppca (k up to 12, by cells held
          out), bpca and nipals of R's pcaMethods; softImpute and regularized iterative PCA
          (missMDA's method) as written down in `missing_references.py`. Their errors are kept in
          results/missing_peers.json with the versions, and are not measured again where they are
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import tempfile
import warnings
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import eigenlens as el
from benchmarks.missing_references import impute_iterative_pca, impute_soft
from benchmarks.report import table

__all__ = [
    "DRY_MISSING",
    "FULL_MISSING",
    "MissingSizes",
    "missing_page",
    "missing_results",
]

REPOSITORY = Path(__file__).resolve().parents[1]
SHARES = (0.05, 0.1, 0.2, 0.3, 0.5)
MAR = "MAR 20"
WIDE, WIDE_PATTERNS = 100, (0.1, 0.3, MAR)  # chained regressions take minutes there
R_METHODS = ("ppca", "bpca", "nipals")
R_SECONDS = 600
PEER_ERRORS = Path(__file__).parent / "results" / "missing_peers.json"
ENOUGH_CELLS, MOST_DRAWS, DRAWS_OF_WIDE = 300, 10, 3
SHARES_AT = 0.3

R_SCRIPT = """
suppressMessages(library(pcaMethods))
arguments <- commandArgs(TRUE)
X <- as.matrix(read.csv(arguments[1], header = FALSE)); X[is.nan(X)] <- NA
fill <- function(X, method, k) {
  found <- try(suppressWarnings(pca(X, method = method, nPcs = k, seed = 1)), silent = TRUE)
  if (inherits(found, "try-error")) return(NULL)
  completeObs(found)
}
best_k <- function(X) {
  set.seed(1)
  seen <- which(!is.na(X)); held <- sample(seen, max(10, floor(0.05 * length(seen))))
  masked <- X; masked[held] <- NA
  errors <- sapply(1:min(12, ncol(X) - 1, nrow(X) - 2), function(k) {
    filled <- fill(masked, "ppca", k)
    if (is.null(filled)) Inf else mean((filled[held] - X[held])^2)
  })
  which.min(errors)
}
results <- list(ppca = fill(X, "ppca", best_k(X)), bpca = fill(X, "bpca", min(10, dim(X) - 1)),
                nipals = fill(X, "nipals", 2))
for (name in names(results)) if (!is.null(results[[name]]))
  write.table(results[[name]], paste0(arguments[2], "/", name, ".csv"), sep = ",",
              row.names = FALSE, col.names = FALSE)
"""


@dataclass(frozen=True)
class MissingSizes:
    most_draws: int
    patterns: tuple[float | str, ...] = (*SHARES, MAR)
    tables: tuple[str, ...] | None = None
    with_peers: bool = True


FULL_MISSING = MissingSizes(MOST_DRAWS)
DRY_MISSING = MissingSizes(1, (0.2,), ("iris",), with_peers=False)


# -- tables --------------------------------------------------------------------------------


def real_tables() -> Mapping[str, Callable[[], np.ndarray]]:
    from sklearn import datasets

    found: dict[str, Callable[[], np.ndarray]] = {
        "wine": lambda: datasets.load_wine().data,
        "breast cancer": lambda: datasets.load_breast_cancer().data,
        "iris": lambda: datasets.load_iris().data,
        "diabetes": lambda: datasets.load_diabetes().data,
        "linnerud": lambda: np.hstack(
            [datasets.load_linnerud().data, datasets.load_linnerud().target]
        ),
    }
    folder = Path(os.environ.get("EIGENLENS_DATA", REPOSITORY.parent / "shared" / "data"))
    files = {
        "decathlon": folder / "classics" / "decathlon.csv",
        "arrests": folder / "classics" / "USArrests.csv",
        "ozone": folder / "messy" / "ozone.csv",
        "milk": folder / "messy" / "milk.csv",
        "bushfire": folder / "messy" / "bushfire.csv",
        "metabolite": folder / "messy" / "metabolite_complete.csv",
    }
    for name, path in files.items():
        if path.exists():
            found[name] = lambda path=path, name=name: read_numbers(path, name)
    return found


def read_numbers(path: Path, name: str) -> np.ndarray:
    """Columns of numbers, the first one (names of rows) left out."""
    with path.open(encoding="utf-8") as file:
        lines = list(csv.reader(file))[1:]
    most = {"decathlon": 11, "ozone": 12}.get(name, len(lines[0]))
    rows = np.array([[to_number(text) for text in line[1:most]] for line in lines])
    return rows.T if name == "metabolite" else rows


def to_number(text: str) -> float:
    return float(text) if text not in ("", "NA") else np.nan


def hide(rows: np.ndarray, pattern: float | str, rng: np.random.Generator) -> np.ndarray:
    """Which cells are hidden; every row and column keeps some."""
    n, d = rows.shape
    if pattern == MAR:
        hidden = np.zeros((n, d), dtype=bool)
        for column in range(0, d, 2):
            other = rows[:, (column + 1) % d]
            high = other > np.nanmedian(other)
            hidden[:, column] = high & (rng.random(n) < 0.8)
    else:
        hidden = rng.random((n, d)) < float(pattern)
    hidden &= ~np.isnan(rows)
    left = ~np.isnan(rows) & ~hidden
    hidden[left.sum(axis=1) < 1] = False
    hidden[:, left.sum(axis=0) < 3] = False
    return hidden


# -- measuring -----------------------------------------------------------------------------


def missing_results(sizes: MissingSizes) -> dict[str, Any]:
    cases = []
    kept = json.loads(PEER_ERRORS.read_text()) if PEER_ERRORS.exists() else {"errors": {}}
    for name, read in real_tables().items():
        if sizes.tables is not None and name not in sizes.tables:
            continue
        rows = read()
        wide = rows.shape[1] > WIDE
        for pattern in [one for one in sizes.patterns if not wide or one in WIDE_PATTERNS]:
            most = min(sizes.most_draws, DRAWS_OF_WIDE if rows.size > 8000 else MOST_DRAWS)
            draws = measure_draws(rows, name, pattern, most)
            words = name_pattern(pattern)
            peers = kept["errors"].get(f"{name} {words}")
            if sizes.with_peers and peers is None:
                peers = measure_peers(*draw_case(rows, name, pattern, 0))
            case = {"table": name, "shape": list(rows.shape), "pattern": words}
            cases.append(case | summarize_draws(draws, peers or {}))
    versions = kept.get("versions") or peer_versions()
    return {"draws": cases, "summary": summarize(cases), "peers": versions}


def name_pattern(pattern: float | str) -> str:
    return pattern if isinstance(pattern, str) else f"{pattern:.0%}"


def draw_case(
    rows: np.ndarray, name: str, pattern: float | str, draw: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The table with holes and the whole one, in standardized columns, and the hidden cells."""
    hidden = hide(rows, pattern, np.random.default_rng([zlib.crc32(name.encode()), draw]))
    lacking = np.where(hidden, np.nan, rows)
    center, spread = np.nanmean(lacking, axis=0), np.nanstd(lacking, axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    return (lacking - center) / spread, (rows - center) / spread, hidden


def measure_draws(
    rows: np.ndarray, name: str, pattern: float | str, most: int
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for draw in range(most):
        found.append(measure_draw(rows, *draw_case(rows, name, pattern, draw)))
        enough = sum(one["cells"] for one in found) >= ENOUGH_CELLS
        if enough and pattern != SHARES_AT:
            break
    return found


def measure_draw(
    rows: np.ndarray, given: np.ndarray, truth: np.ndarray, hidden: np.ndarray
) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        k = min(2, rows.shape[1] - 1)
        model = el.fit(given, k, missing="auto", scale="std")
        filled, errors = model.complete(given, errors=True)
        apart = (filled - truth)[hidden]
        shares = {}
        if not np.isnan(rows).any():
            complete = el.fit(rows, k, scale="std").explained_ratio.sum()
            shares = {
                "share": float(model.explained_ratio.sum()),
                "complete": float(complete),
            }
    return {
        "cells": int(hidden.sum()),
        "error": root_mean_square(apart),
        "inside": int((np.abs(apart) <= 1.96 * errors[hidden]).sum()),
        "engine": str(model.missing.engine),
        **shares,
    }


def summarize_draws(
    draws: list[dict[str, Any]], peers: Mapping[str, float | None]
) -> dict[str, Any]:
    cells = sum(one["cells"] for one in draws)
    found = {
        "cells": cells,
        "number_of_draws": len(draws),
        "errors": {
            "ours": draws[0]["error"],
            **{k: v for k, v in peers.items() if v is not None},
        },
        "held": sum(one["inside"] for one in draws) / cells,
        "engine": draws[0]["engine"],
    }
    if "share" in draws[0]:
        shares = np.array([one["share"] for one in draws])
        found |= {
            "complete": draws[0]["complete"],
            "share": float(shares.mean()),
            "share_spread": float(shares.std(ddof=1)) if len(draws) > 1 else None,
        }
    return found


def measure_peers(
    given: np.ndarray, truth: np.ndarray, hidden: np.ndarray
) -> dict[str, float | None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = run_peers(given)
    return {
        name: None if one is None else root_mean_square((one - truth)[hidden])
        for name, one in answers.items()
    }


def root_mean_square(apart: np.ndarray) -> float:
    return float(np.sqrt(np.square(apart).mean()))


def run_peers(given: np.ndarray) -> dict[str, np.ndarray | None]:
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer, KNNImputer

    found: dict[str, np.ndarray | None] = {
        "Iterative": IterativeImputer(random_state=0).fit_transform(given),
        "KNN": KNNImputer(n_neighbors=5).fit_transform(given),
        "softImpute": impute_soft(given),
        "iterative PCA": impute_iterative_pca(given),
    }
    return found | (run_pca_methods(given) if has_pca_methods() else {})


def has_pca_methods() -> bool:
    if shutil.which("Rscript") is None:
        return False
    asked = ["Rscript", "-e", "library(pcaMethods)"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def run_pca_methods(given: np.ndarray) -> dict[str, np.ndarray | None]:
    with tempfile.TemporaryDirectory() as folder:
        script, data = Path(folder, "fill.R"), Path(folder, "data.csv")
        script.write_text(R_SCRIPT, encoding="utf-8")
        np.savetxt(data, given, delimiter=",")
        command = ["Rscript", str(script), str(data), folder]
        try:
            subprocess.run(command, capture_output=True, check=False, timeout=R_SECONDS)
        except subprocess.TimeoutExpired:
            return dict.fromkeys(R_METHODS)
        paths = {name: Path(folder, f"{name}.csv") for name in R_METHODS}
        answers = {
            name: np.loadtxt(path, delimiter=",", ndmin=2) if path.exists() else None
            for name, path in paths.items()
        }
    return {
        name: one if one is not None and np.isfinite(one).all() else None
        for name, one in answers.items()
    }


def peer_versions() -> dict[str, str]:
    import sklearn

    found = {"scikit-learn": sklearn.__version__}
    if has_pca_methods():
        asked = ["Rscript", "-e", "cat(as.character(packageVersion('pcaMethods')))"]
        said = subprocess.run(asked, capture_output=True, check=False, text=True).stdout
        found["pcaMethods"] = said.strip()
    return found


def summarize(cases: list[dict[str, Any]]) -> dict[str, Any]:
    ratios: dict[str, list[float]] = {}
    for case in cases:
        for name, error in case["errors"].items():
            if name != "ours":
                ratios.setdefault(name, []).append(error / case["errors"]["ours"])
    cells = np.array([case["cells"] for case in cases])
    held = np.array([case["held"] for case in cases])
    shares = [abs(case["share"] - case["complete"]) for case in cases if is_thirty(case)]
    return {
        "ratios": {name: float(np.exp(np.log(one).mean())) for name, one in ratios.items()},
        "better": {name: int(np.sum(np.array(one) > 1)) for name, one in ratios.items()},
        "counted": {name: len(one) for name, one in ratios.items()},
        "held": float(cells @ held / cells.sum()),
        "least_held": float(held.min()),
        "share_off": float(np.mean(shares)) if shares else None,
        "most_share_off": float(np.max(shares)) if shares else None,
    }


def is_thirty(case: dict[str, Any]) -> bool:
    return case["pattern"] == name_pattern(SHARES_AT) and "share" in case


# -- the page ------------------------------------------------------------------------------


def missing_page(results: dict[str, Any]) -> list[str]:
    summary, cases = results["summary"], results["draws"]
    peers = list(summary["ratios"])
    lines = ["# Missing cells", "", *str(__doc__).strip().splitlines()[2:], ""]
    lines += ["## Peer's error over ours, geometric mean", ""]
    lines += table(
        ("peer", "ratio", "ours better in", "cases"),
        [
            (
                name,
                f"{summary['ratios'][name]:.3f}",
                str(summary["better"][name]),
                str(summary["counted"][name]),
            )
            for name in peers
        ],
    )
    lines += [
        "",
        f"95 % intervals hold {summary['held']:.1%} of all hidden cells; the least in a case is "
        f"{summary['least_held']:.1%}.",
        "",
        "Versions: " + ", ".join(f"{name} {one}" for name, one in results["peers"].items()) + ".",
        "",
        *share_lines(cases),
        "## Cases",
        "",
        "– stands for a peer that was not run on the table, or gave no finite answer.",
        "",
    ]
    rows = [
        (
            case["table"],
            f"{case['shape'][0]} x {case['shape'][1]}",
            case["pattern"],
            f"{case['errors']['ours']:.3f}",
            *(f"{case['errors'][name]:.3f}" if name in case["errors"] else "–" for name in peers),
            f"{case['held']:.1%}",
            str(case["cells"]),
        )
        for case in cases
    ]
    heads = ("table", "shape", "holes", "ours", *peers, "in 95 %", "of cells")
    return [*lines, *table(heads, rows)]


def share_lines(cases: list[dict[str, Any]]) -> list[str]:
    """Off on average, which is bias; and by how much a single draw differs from that average."""
    some = [case for case in cases if is_thirty(case)]
    if not some:
        return []
    rows = [
        (
            case["table"],
            f"{case['complete']:.3f}",
            f"{case['share']:.3f}",
            f"{case['share'] - case['complete']:+.3f}",
            "–" if case["share_spread"] is None else f"{case['share_spread']:.3f}",
            str(case["number_of_draws"]),
        )
        for case in some
    ]
    heads = (
        "table",
        "complete",
        "mean with holes",
        "bias",
        "spread of a draw",
        "draws",
    )
    return [
        "## Share of the first two components, 30 % holes",
        "",
        *table(heads, rows),
        "",
    ]
