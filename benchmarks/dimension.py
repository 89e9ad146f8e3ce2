"""Dimension: mean percentage error on the 24 manifolds, coverage on flat sets, time on many rows.

manifolds   ours beside scikit-dimension's MLE and TwoNN, where that package is installed; else
            their figures as stored here, measured on the same draws with version 0.5.0
coverage    how often the truth lies within 1 and 1.96 standard errors, on normal and uniform planes
            of 1 to 5 dimensions in 3 to 20 columns
time        100 000 and 1 000 000 rows of 20 columns
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.manifolds import MANIFOLDS, draw
from benchmarks.targets import Target

__all__ = [
    "DRY_DIMENSION",
    "FULL_DIMENSION",
    "DimensionSizes",
    "dimension_markdown",
    "dimension_results",
]

# (rows, noise) -> mean percentage error of scikit-dimension 0.5.0 at its defaults.
STORED = {
    (1000, 0.0): {"MLE": 0.2229, "TwoNN": 0.1425},
    (1000, 0.01): {"MLE": 0.2210, "TwoNN": 0.1758},
    (1000, 0.05): {"MLE": 0.2383, "TwoNN": 0.2955},
    (2500, 0.0): {"MLE": 0.1888, "TwoNN": 0.1166},
    (2500, 0.01): {"MLE": 0.1919, "TwoNN": 0.1944},
    (2500, 0.05): {"MLE": 0.2448, "TwoNN": 0.3396},
}


@dataclass(frozen=True)
class DimensionSizes:
    rows: tuple[int, ...]
    noises: tuple[float, ...]
    flat_rows: tuple[int, ...]
    flat_draws: int
    timed_rows: tuple[int, ...]


FULL_DIMENSION = DimensionSizes(
    (1000, 2500), (0.0, 0.01, 0.05), (1000, 2500, 5000), 10, (100_000, 1_000_000)
)
DRY_DIMENSION = DimensionSizes((100,), (0.0,), (100,), 1, (2000,))


def dimension_results(sizes: DimensionSizes) -> dict[str, Any]:
    found = measured(sizes)
    return {"summary": [target.line([found]) for target in TARGETS], **found}


def measured(sizes: DimensionSizes) -> dict[str, Any]:
    return {
        "manifolds": [manifold_line(n, noise) for n in sizes.rows for noise in sizes.noises],
        "coverage": [
            coverage_line(d, kind, sizes.flat_rows, sizes.flat_draws)
            for d in range(1, 6)
            for kind in ("normal", "uniform")
        ],
        "time": [time_line(n) for n in sizes.timed_rows],
    }


# -- manifolds -----------------------------------------------------------------------------


def manifold_line(n: int, noise: float) -> dict[str, Any]:
    """The mean percentage error of everybody, and what each of them says of every manifold."""
    from eigenlens.questions import intrinsic_dimension

    found: dict[str, dict[str, float]] = {}
    refused = 0
    for manifold in MANIFOLDS:
        rows = draw(manifold, n, noise, np.random.default_rng([0, 7]))
        report = intrinsic_dimension(rows)
        refused += report.value is None
        found[manifold.name] = {"truth": manifold.dimension, "eigenlens": report.estimate or 0.0}
        found[manifold.name] |= peers_on(rows)
    names = [name for name in next(iter(found.values())) if name != "truth"]
    errors = {
        name: float(np.mean([abs(one[name] / one["truth"] - 1) for one in found.values()]))
        for name in names
    }
    measured = "MLE" in errors
    return {
        "rows": n,
        "noise": noise,
        "errors": errors | ({} if measured else STORED.get((n, noise), {})),
        "peers": "measured" if measured else "stored",
        "no_single_number": refused,
        "dimensions": found,
    }


def peers_on(rows: np.ndarray) -> dict[str, float]:
    """scikit-dimension's answers at its defaults; none where it is not installed."""
    try:
        import skdim
    except ImportError:
        return {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            name: float(one.fit(rows).dimension_)
            for name, one in (("MLE", skdim.id.MLE()), ("TwoNN", skdim.id.TwoNN()))
        }


# -- standard errors -----------------------------------------------------------------------


def coverage_line(d: int, kind: str, rows: tuple[int, ...], draws: int) -> dict[str, Any]:
    """How often the truth lies within one standard error, and within 1.96."""
    from eigenlens.questions import intrinsic_dimension

    far, values, errors = [], [], []
    for n in rows:
        for number in range(draws):
            rng = np.random.default_rng([d, n, number, kind == "normal"])
            report = intrinsic_dimension(plane(n, d, kind, rng))
            values.append(report.estimate or 0.0)
            errors.append(report.error or 0.0)
            far.append(abs(values[-1] - d) / max(errors[-1], 1e-12))
    return {
        "dimension": d,
        "kind": kind,
        "draws": len(far),
        "within_one": float(np.mean(np.array(far) <= 1)),
        "within_two": float(np.mean(np.array(far) <= 1.96)),
        "mean": float(np.mean(values)),
        "error": float(np.mean(errors)),
    }


def plane(n: int, d: int, kind: str, rng: np.random.Generator) -> np.ndarray:
    columns = int(rng.integers(max(3, d), 21))
    inside = rng.standard_normal((n, d)) if kind == "normal" else rng.uniform(-1, 1, (n, d))
    turn, _ = np.linalg.qr(rng.standard_normal((columns, columns)))
    return inside @ turn[:d]


# -- time ----------------------------------------------------------------------------------


def time_line(n: int) -> dict[str, Any]:
    from eigenlens.questions import intrinsic_dimension

    rows = np.random.default_rng(0).standard_normal((n, 20))
    start = time.perf_counter()
    report = intrinsic_dimension(rows)
    seconds = time.perf_counter() - start
    return {"shape": [n, 20], "seconds": seconds, "anchors": report.n_anchors}


# -- targets -------------------------------------------------------------------------------


def against_peers(noise: float) -> Callable[[list[dict[str, Any]]], float | None]:
    """Our error over the smallest of the peers', at worst."""

    def value(found: list[dict[str, Any]]) -> float | None:
        shares = [
            one["errors"]["eigenlens"] / min(one["errors"]["MLE"], one["errors"]["TwoNN"])
            for one in found[0]["manifolds"]
            if one["noise"] == noise and "MLE" in one["errors"]
        ]
        return max(shares, default=None)

    return value


def coverage_error(key: str, nominal: float) -> Callable[[list[dict[str, Any]]], float | None]:
    """Points between how often the truth is covered, over all sets, and how often it should be."""

    def value(found: list[dict[str, Any]]) -> float | None:
        lines = found[0]["coverage"]
        total = sum(one["draws"] for one in lines)
        return 100 * abs(sum(one[key] * one["draws"] for one in lines) / total - nominal)

    return value


def seconds_for(rows: int) -> Callable[[list[dict[str, Any]]], float | None]:
    def value(found: list[dict[str, Any]]) -> float | None:
        return next((t["seconds"] for t in found[0]["time"] if t["shape"][0] == rows), None)

    return value


TARGETS = (
    Target("our error over the best peer's, no noise", against_peers(0.0), 1.0, at_least=False),
    Target("our error over the best peer's, noise 0.05", against_peers(0.05), 1.0, at_least=False),
    Target("68 % intervals, points off", coverage_error("within_one", 0.683), 5, at_least=False),
    Target("95 % intervals, points off", coverage_error("within_two", 0.95), 5, at_least=False),
    Target("100 000 x 20, seconds", seconds_for(100_000), 60, at_least=False),
    Target("1 000 000 x 20, seconds", seconds_for(1_000_000), 120, at_least=False),
)


# -- text ----------------------------------------------------------------------------------


def dimension_markdown(results: dict[str, Any]) -> list[str]:
    from benchmarks.report import summary_table, table

    lines = ["# Intrinsic dimension", "", *summary_table(results["summary"])]
    lines += ["Mean percentage error over the 24 manifolds:", ""]
    names = list(results["manifolds"][0]["errors"])
    body = [
        (
            str(one["rows"]),
            f"{one['noise']:g}",
            *(f"{one['errors'].get(name, float('nan')):.1%}" for name in names),
            str(one["no_single_number"]),
        )
        for one in results["manifolds"]
    ]
    lines += table(("rows", "noise", *names, "without a plateau"), body)
    lines += ["Each manifold: truth, then the answers.", ""]
    first = results["manifolds"][0]["dimensions"]
    head = ("manifold", "truth", *(f"{m['rows']}, {m['noise']:g}" for m in results["manifolds"]))
    body = [
        (
            name,
            str(first[name]["truth"]),
            *(f"{one['dimensions'][name]['eigenlens']:.2f}" for one in results["manifolds"]),
        )
        for name in first
    ]
    lines += table(head, body)
    lines += ["Flat sets: how often the truth lies within the error told (68 % and 95 %).", ""]
    body = [
        (
            f"{one['kind']}, {one['dimension']}",
            str(one["draws"]),
            f"{one['within_one']:.0%}",
            f"{one['within_two']:.0%}",
            f"{one['mean']:.2f} ± {one['error']:.2f}",
        )
        for one in results["coverage"]
    ]
    lines += table(("plane", "draws", "within 1", "within 1.96", "mean answer"), body)
    body = [
        (f"{t['shape'][0]} x {t['shape'][1]}", f"{t['seconds']:.1f}", str(t["anchors"]))
        for t in results["time"]
    ]
    return lines + table(("rows", "seconds", "anchors"), body)
