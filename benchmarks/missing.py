"""How well missing cells are filled: cells of real tables are hidden, and predicted.

tables    what scikit-learn carries, and, where EIGENLENS_DATA has them, those of its folder `messy`
holes     completely at random, 5 to 50 %; "MAR 20": half of the columns lack cells where another
          column is above its median, so that absence goes with what is observed
measured  root mean squared error of the hidden cells in standard deviations of their columns; the
          share of them within the 95 % interval; the share of variance of two components against
          that of the complete table
peers     IterativeImputer and KNNImputer on standardized columns; ppca (k up to 12, by cells held
          out), bpca and nipals of R's pcaMethods where Rscript has it
"""

from __future__ import annotations

import csv
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
from benchmarks.report import table

__all__ = ["DRY_MISSING", "FULL_MISSING", "MissingSizes", "missing_page", "missing_results"]

REPOSITORY = Path(__file__).resolve().parents[1]
SHARES = (0.05, 0.1, 0.2, 0.3, 0.5)
MAR = "MAR 20"
WIDE, WIDE_PATTERNS = 100, (0.1, 0.3, MAR)  # chained regressions take minutes there
R_METHODS = ("ppca", "bpca", "nipals")
R_SECONDS = 120

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
    draws: int
    patterns: tuple[float | str, ...] = (*SHARES, MAR)
    tables: tuple[str, ...] | None = None
    with_r: bool = True


FULL_MISSING = MissingSizes(draws=1)
DRY_MISSING = MissingSizes(1, (0.2,), ("iris",), with_r=False)


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
    cases, peers = [], usable_peers(sizes)
    for name, read in real_tables().items():
        if sizes.tables is not None and name not in sizes.tables:
            continue
        rows = read()
        wide = rows.shape[1] > WIDE
        for pattern in [one for one in sizes.patterns if not wide or one in WIDE_PATTERNS]:
            for draw in range(sizes.draws):
                rng = np.random.default_rng([zlib.crc32(name.encode()), draw])
                case = measure_case(rows, pattern, rng, peers)
                cases.append({"table": name, "shape": list(rows.shape), "draw": draw, **case})
    return {"draws": cases, "summary": summarize(cases), "peers": peer_versions(peers)}


def measure_case(
    rows: np.ndarray, pattern: float | str, rng: np.random.Generator, peers: tuple[str, ...]
) -> dict[str, Any]:
    hidden = hide(rows, pattern, rng)
    lacking = np.where(hidden, np.nan, rows)
    center, spread = np.nanmean(lacking, axis=0), np.nanstd(lacking, axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    given, truth = (lacking - center) / spread, (rows - center) / spread
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        k = min(2, rows.shape[1] - 1)
        model = el.fit(given, k, missing="auto", scale="std")
        filled, errors = model.complete(given, errors=True)
        apart = (filled - truth)[hidden]
        found = {"ours": root_mean_square(apart)}
        found |= {
            name: root_mean_square((answer - truth)[hidden])
            for name, answer in run_peers(given, peers).items()
            if answer is not None
        }
        shares = {}
        if not np.isnan(rows).any():
            complete = el.fit(rows, k, scale="std").explained_ratio.sum()
            shares = {"share": float(model.explained_ratio.sum()), "complete": float(complete)}
    held = float((np.abs(apart) <= 1.96 * errors[hidden]).mean())
    return {
        "pattern": pattern if isinstance(pattern, str) else f"{pattern:.0%}",
        "cells": int(hidden.sum()),
        "errors": found,
        "held": held,
        "engine": str(model.missing.engine),
        **shares,
    }


def root_mean_square(apart: np.ndarray) -> float:
    return float(np.sqrt(np.square(apart).mean()))


def usable_peers(sizes: MissingSizes) -> tuple[str, ...]:
    return ("Iterative", "KNN", *(R_METHODS if sizes.with_r and has_pca_methods() else ()))


def run_peers(given: np.ndarray, peers: tuple[str, ...]) -> dict[str, np.ndarray | None]:
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer, KNNImputer

    found: dict[str, np.ndarray | None] = {
        "Iterative": IterativeImputer(random_state=0).fit_transform(given),
        "KNN": KNNImputer(n_neighbors=5).fit_transform(given),
    }
    return found | (run_pca_methods(given) if set(R_METHODS) & set(peers) else {})


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


def peer_versions(peers: tuple[str, ...]) -> dict[str, str]:
    import sklearn

    found = {"scikit-learn": sklearn.__version__}
    if set(R_METHODS) & set(peers):
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
    return case["pattern"] == "30%" and "share" in case


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
    shares = summary["share_off"]
    lines += [
        "",
        f"95 % intervals hold {summary['held']:.1%} of all hidden cells; the least in a case is "
        f"{summary['least_held']:.1%}.",
        ""
        if shares is None
        else f"Share of the first two components with 30 % holes: off by "
        f"{shares:.3f} on average, {summary['most_share_off']:.3f} at most.",
        "",
        "missMDA and softImpute have no package in Debian and were not run. Versions: "
        + ", ".join(f"{name} {one}" for name, one in results["peers"].items())
        + ".",
        "",
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
        )
        for case in cases
    ]
    heads = ("table", "shape", "holes", "ours", *peers, "in 95 %")
    return [*lines, *table(heads, rows)]
