"""Is the solver chosen the fastest? Every solver that may be chosen is timed on a grid of problems.

Processor time, the best of a few tries; the choice itself asks no clock, so it is the same each
time. A choice is good when it takes at most 1.3 times as long as the fastest.
"""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np

from benchmarks import report
from benchmarks.tables import exact_table, generator

__all__ = ["choice_lines", "choice_results", "good_share"]

SHAPES = [(20_000, 100), (4000, 300), (12_000, 600), (6000, 1200), (1500, 1500), (500, 4000)]
DRY_SHAPES = [(300, 20), (60, 90)]
SPECTRA = {"1/i": 1.0, "1/sqrt(i)": 0.5, "i^-1/4": 0.25}
COUNTS = (5, 40)
DTYPES = ("float64", "float32")
SOLVERS = ("covariance", "dual", "krylov", "svd")
GOOD = 1.3
TRIES = 2
NOT_FELT = 1e-3  # seconds: differences that nobody feels are none
HOPELESS = 4.0  # times the predicted time of the chosen one: not timed


def choice_results(dry: bool) -> list[dict[str, Any]]:
    found = []
    for shape, spectrum in itertools.product(DRY_SHAPES if dry else SHAPES, SPECTRA):
        rows, _ = exact_table(shape, SPECTRA[spectrum], 1, generator(f"{shape} {spectrum}"))
        for dtype, k in itertools.product(DTYPES[: 1 if dry else 2], COUNTS[: 1 if dry else 2]):
            found.append(timed_choice(rows.astype(dtype), spectrum, k))
    return found


def timed_choice(rows: Any, spectrum: str, k: int) -> dict[str, Any]:
    import eigenlens as el

    verdict = el.fit(rows, k).choices["solver"]
    predicted = {name: verdict.evidence.get(name, np.inf) for name in SOLVERS}
    limit = HOPELESS * predicted[verdict.value]
    worth = [name for name in SOLVERS if predicted[name] <= limit or name == verdict.value]
    seconds = {name: best_seconds(rows, k, name) for name in worth}
    fastest = min(seconds.values())
    return {
        "name": f"{rows.shape[0]}x{rows.shape[1]} {spectrum} {rows.dtype}, k={k}",
        "chosen": verdict.value,
        "seconds": seconds,
        "predicted": predicted,
        "times_the_fastest": seconds[verdict.value] / fastest,
        "good": seconds[verdict.value] <= GOOD * fastest + NOT_FELT,
    }


def best_seconds(rows: Any, k: int, solver: str) -> float:
    import eigenlens as el

    times = []
    for _ in range(TRIES):
        start = time.process_time()
        el.fit(rows, k, solver=solver)
        times.append(time.process_time() - start)
    return min(times)


def good_share(choices: list[dict[str, Any]]) -> float | None:
    return float(np.mean([one["good"] for one in choices])) if choices else None


def choice_lines(choices: list[dict[str, Any]]) -> list[str]:
    head = ("problem", "chosen", "times the fastest", "seconds of each", "predicted")
    body = [
        (
            one["name"],
            one["chosen"],
            f"{one['times_the_fastest']:.2f}",
            ", ".join(f"{name} {value:.3g}" for name, value in one["seconds"].items()),
            ", ".join(f"{name} {one['predicted'][name]:.3g}" for name in one["seconds"]),
        )
        for one in choices
    ]
    words = "The solver chosen, and how long each of ours takes; processor seconds:"
    return [words, "", *report.table(head, body)]
