"""How often ordinary rows exceed the limits of T2 and Q: normal tables of known spectra.

Every table is fitted with two components; new rows of the same law are compared with the limits.

| spectrum | variances                                                        |
|----------|------------------------------------------------------------------|
| plane    | 25, 9, then 8 of 1                                               |
| falling  | 25, 9, then 1, 1/2, ... 1/8                                      |
| few      | 10, 5, then 1, 1, 1/2                                            |
| single   | 9, 4, then 1: one direction is left out                          |
| steep    | 50, 20, then 1, 1/2, 1/4, ... of 18                              |
| wide     | 400, 200, then 98 of 1                                           |
| weak     | 3, 2, then 8 of 1: with 40 rows the second axis is lost in noise |

`worst` leaves "weak" out: no limit can be right about axes that were not found. "Q by rows" and
"Q by next" are of models that have not seen the whole spectrum: with rows of the fit, and without.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import eigenlens as el
from benchmarks.report import summary_table, table
from eigenlens.explain.distances import row_distances
from eigenlens.explain.left_out_spectrum import LAWS
from eigenlens.explain.limits import q_limits, t2_limits

__all__ = ["DRY_LIMITS", "FULL_LIMITS", "SPECTRA", "LimitSizes", "limits_page", "limits_results"]

SPECTRA = {
    "plane": np.r_[25, 9, np.ones(8)],
    "falling": np.r_[25, 9, 1 / np.arange(1, 9)],
    "few": np.r_[10, 5, 1, 1, 0.5],
    "single": np.r_[9, 4, 1.0],
    "steep": np.r_[50, 20, 2.0 ** -np.arange(18)],
    "wide": np.r_[400, 200, np.ones(98)],
    "weak": np.r_[3, 2, np.ones(8)],
}
UNFAIR = ("weak",)
LEVELS = (0.95, 0.99)
COMPONENTS = 2
WHAT = ("T2", "T2 of fit", "Q", "Q by rows", "Q by next", "Q by Jackson", "Q of fit")


@dataclass(frozen=True)
class LimitSizes:
    tables: int
    rows: tuple[int, ...]
    new_rows: int
    spectra: tuple[str, ...] = tuple(SPECTRA)


FULL_LIMITS = LimitSizes(tables=200, rows=(40, 100, 200), new_rows=1000)
DRY_LIMITS = LimitSizes(tables=5, rows=(40,), new_rows=100, spectra=("plane", "few"))


def limits_results(sizes: LimitSizes) -> dict[str, Any]:
    """Percent of rows above each limit, by spectrum and rows, and the farthest from nominal."""
    lines = [
        {"spectrum": name, "rows": n, **exceeded(SPECTRA[name], n, sizes)}
        for name in sizes.spectra
        for n in sizes.rows
    ]
    fair = [line for line in lines if line["spectrum"] not in UNFAIR]
    worst = [
        {"what": what, "rows": n, "points": max(off(one[what]) for one in fair if one["rows"] == n)}
        for what in WHAT
        for n in sizes.rows
    ]
    return {"levels": LEVELS, "lines": lines, "worst": worst}


def off(rates: list[float]) -> float:
    """The larger distance from the nominal rates, in points."""
    return max(abs(rate - 100 * (1 - level)) for rate, level in zip(rates, LEVELS, strict=True))


def exceeded(variances: np.ndarray, n: int, sizes: LimitSizes) -> dict[str, list[float]]:
    """Percent above the limits, by statistic, at both levels; averages over the tables."""
    rates: dict[str, list[list[float]]] = {}
    for seed in range(sizes.tables):
        rng = np.random.default_rng([seed, n, len(variances)])
        rows = rng.standard_normal((n, len(variances))) * np.sqrt(variances)
        others = rng.standard_normal((sizes.new_rows, len(variances))) * np.sqrt(variances)
        for name, found in one_table(rows, others).items():
            rates.setdefault(name, []).append(found)
    return {name: np.mean(found, axis=0).round(2).tolist() for name, found in rates.items()}


def one_table(rows: np.ndarray, others: np.ndarray) -> dict[str, list[float]]:
    model = el.fit(rows, COMPONENTS)
    seen, new = el.open(rows), el.open(others)
    t2_fit, q_fit = row_distances(model, seen)
    t2_new, q_new = row_distances(model, new)
    moments, power = LAWS
    unnoted = without_notes(model)
    limits = {
        "T2": (t2_new, t2_limits(model, LEVELS, new=True)),
        "T2 of fit": (t2_fit, t2_limits(model, LEVELS)),
        "Q": (q_new, q_limits(model, LEVELS, new=True, law=moments)),
        "Q by rows": (q_new, q_limits(unnoted, LEVELS, new=True, law=moments, rows=seen)),
        "Q by next": (q_new, q_limits(unnoted, LEVELS, new=True, law=moments)),
        "Q by Jackson": (q_new, q_limits(model, LEVELS, new=True, law=power)),
        "Q of fit": (q_fit, q_limits(model, LEVELS, law=moments)),
    }
    return {
        name: [100 * float((values > limit).mean()) for limit in found]
        for name, (values, found) in limits.items()
    }


def without_notes(model: el.Subspace) -> el.Subspace:
    """As a solver that iterates leaves it, which has not seen the whole spectrum."""
    stop, moments = model.choices["stop"], replace(model.moments, scatter=None)
    told = {name: value for name, value in stop.evidence.items() if name != "power_sums"}
    choices = {**model.choices, "stop": replace(stop, evidence=told)}
    return replace(model, choices=choices, moments=moments)


def limits_page(results: dict[str, Any]) -> list[str]:
    nominal = " and ".join(f"{100 * (1 - level):.0f} %" for level in results["levels"])
    body = [
        (
            line["spectrum"],
            str(line["rows"]),
            *(" / ".join(f"{rate:.1f}" for rate in line[what]) for what in WHAT),
        )
        for line in results["lines"]
    ]
    return [
        "# Limits of T² and Q",
        "",
        f"Percent of ordinary rows above limits that {nominal} of them should exceed, in normal",
        "tables of known spectra (`benchmarks/limits.py`): new rows, but for *of fit*. Q is known",
        "from the whole spectrum, *by rows* of the fit, or *by next* eigenvalue only. What is said",
        'to be worst leaves the spectrum "weak" out: there the second axis itself is not found.',
        "",
        *summary_table(results["summary"]),
        *table(("spectrum", "rows", *WHAT), body),
    ]
