"""Calibration: how often each statistical claim is right, over laws that are kind and unkind to it.

| claim      | what is counted                                                        | nominal |
|------------|------------------------------------------------------------------------|---------|
| determined | structured problems that are called determined and are not             | 0       |
| flatness   | flat laws called curved; curved ones not called so                     | 0       |
| gain       | flat laws on which the autoencoder claims a gain                       | 2.5 %   |
| dimension  | tables whose 95 % interval misses the dimension                        | 5 %     |
| limits     | new rows above the 95 % limits of T2 and Q                             | 5 %     |
| bootstrap  | eigenvalues, and loadings of axes without remark, outside 95 % ends    | 5 %     |
| rank       | tables of nothing but noise in which `auto` keeps something            | 5 %     |

Laws marked "not claimed" are those for which the documentation says that the figure is approximate:
they are here to say by how much.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.calibration_laws import (
    CURVED_LAWS,
    DIMENSION_LAWS,
    FLAT_LAWS,
    LIMIT_TABLES,
    NOISE_LAWS,
    RESAMPLED_LAWS,
)
from benchmarks.structured_sensing import KINDS, structured_problem

__all__ = [
    "CLAIMS",
    "DRY_CALIBRATION",
    "FULL_CALIBRATION",
    "CalibrationSizes",
    "calibration_page",
    "calibration_results",
    "summarize_calibration",
]

METHODS = ("fista", "omp", "basis_pursuit")
WRONG = 1e-4  # relative error of a signal
Line = dict[str, Any]


@dataclass(frozen=True)
class CalibrationSizes:
    """How many draws of every law, by claim; of those that are clear, or not claimed, a part."""

    determined: int
    flatness: int
    gain: int
    dimension: int
    limits: int
    bootstrap: int
    rank: int


FULL_CALIBRATION = CalibrationSizes(170, 100, 100, 400, 40, 400, 200)
PART = 5  # of the draws, where fewer say enough
DRY_CALIBRATION = CalibrationSizes(1, 1, 0, 1, 2, 2, 2)


def line_of(
    claim: str, law: str, nominal: float, missed: int, tried: int, claimed: bool = True
) -> Line:
    share = missed / tried if tried else None
    return {
        "claim": claim,
        "law": law,
        "nominal": nominal,
        "measured": share,
        "draws": tried,
        "claimed": claimed,
    }


def determined_lines(draws: int) -> Iterator[Line]:
    import eigenlens as el

    for kind in KINDS:
        wrong = beyond = found = right = 0
        for seed in range(draws):
            matrix, signal = structured_problem(kind, seed)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", el.NotCertified)
                answer = el.sensing.recover(matrix, matrix @ signal, method=METHODS[seed % 3])
            error = np.linalg.norm(answer.signal - signal) / np.linalg.norm(signal)
            right += bool(error <= WRONG)
            if answer.verdict.value != "determined":
                continue
            found += 1
            within = np.count_nonzero(signal) <= answer.verdict.evidence["limit"]
            wrong += bool(error > WRONG and within)
            beyond += bool(error > WRONG and not within)
        line = line_of("determined", kind, 0.0, wrong, draws)
        yield line | {"found": found, "right": right, "beyond": beyond}


def flatness_lines(draws: int) -> Iterator[Line]:
    import eigenlens as el

    for name, law in FLAT_LAWS.items():
        grades = [el.flatness(law(np.random.default_rng([1, seed]))).value for seed in range(draws)]
        line = line_of("flatness", f"flat: {name}", 0.0, grades.count("curved"), draws)
        yield line | {"mild": grades.count("mild")}
    few = -(-draws // PART)
    for name, law in CURVED_LAWS.items():
        grades = [el.flatness(law(np.random.default_rng([1, seed]))).value for seed in range(few)]
        missed = few - grades.count("curved")
        yield line_of("flatness", f"curved: {name}", 0.0, missed, few)


def gain_lines(draws: int) -> Iterator[Line]:
    import eigenlens as el

    for name in ("simplex, 7 parts", "exponential, 6", "normal, 6"):
        gains = [
            el.autoencoder.Autoencoder(2)
            .fit(FLAT_LAWS[name](np.random.default_rng([2, seed])))
            .gain_.low
            > 0
            for seed in range(draws)
        ]
        yield line_of("gain", f"flat: {name}", 0.025, sum(gains), draws)


def dimension_lines(draws: int) -> Iterator[Line]:
    import eigenlens as el

    for name, (law, truth, claimed) in DIMENSION_LAWS.items():
        reports = [
            el.intrinsic_dimension(law(np.random.default_rng([3, seed])))
            for seed in range(draws if claimed else -(-draws // PART))
        ]
        given = [one for one in reports if one.value is not None]
        missed = sum(abs(one.value - truth) > 1.96 * one.error for one in given)
        yield line_of("dimension", name, 0.05, missed, len(given), claimed)


def limits_lines(draws: int) -> Iterator[Line]:
    import eigenlens as el
    from eigenlens.explain.distances import row_distances
    from eigenlens.explain.limits import q_limits, t2_limits

    for name, (shape, k, make, claimed) in LIMIT_TABLES.items():
        counts = {"T2": 0, "Q": 0, "Q of fit": 0}
        for seed in range(draws):
            rng = np.random.default_rng([4, seed])
            rows, others = make(shape, rng), make((200, shape[1]), rng)
            model = el.fit(rows, k)
            t2, q = row_distances(model, el.open(others))
            counts["T2"] += int((t2 > t2_limits(model, [0.95], new=True)[0]).sum())
            counts["Q"] += int((q > q_limits(model, [0.95], new=True)[0]).sum())
            counts["Q of fit"] += int(
                (row_distances(model, el.open(rows))[1] > q_limits(model, [0.95])[0]).sum()
            )
        for what, above in counts.items():
            tried = draws * (shape[0] if what == "Q of fit" else 200)
            yield line_of("limits", f"{what}, {name}", 0.05, above, tried, claimed)


def bootstrap_lines(draws: int) -> Iterator[Line]:
    import eigenlens as el

    variances = np.array([25.0, 9, 4, 1, 1])
    for name, (law, claimed) in RESAMPLED_LAWS.items():
        for n in (20, 30, 100):
            missed, tried = {"eigenvalue": 0, "loading": 0}, {"eigenvalue": 0, "loading": 0}
            for seed in range(draws):
                rows = law((n, 5), np.random.default_rng([5, seed])) * np.sqrt(variances)
                model = el.fit(rows, 2)
                signs = np.sign(np.diag(model.components[:, :2]))
                loadings = (np.diag(np.sqrt(variances))[:2] * signs[:, None]).ravel()
                truths = {"eigenvalue": iter(variances[:2]), "loading": iter(loadings)}
                for line in el.explain.bootstrap(model, rows, draws=300, seed=seed).lines():
                    what = line["quantity"]
                    if what not in truths:
                        continue
                    truth = next(truths[what])
                    if what == "eigenvalue" or not line["remark"]:
                        missed[what] += not line["low"] <= truth <= line["high"]
                        tried[what] += 1
            for what in missed:
                law_name = f"{what}s, {name}, {n} rows"
                yield line_of("bootstrap", law_name, 0.05, missed[what], tried[what], claimed)


def rank_lines(draws: int) -> Iterator[Line]:
    import eigenlens as el

    for name, law in NOISE_LAWS.items():
        kept = [
            el.fit(law(np.random.default_rng([6, seed]))).n_components > 0 for seed in range(draws)
        ]
        yield line_of("rank", f"nothing but noise: {name}", 0.05, sum(kept), draws)


CLAIMS: dict[str, Callable[[int], Iterator[Line]]] = {
    "determined": determined_lines,
    "flatness": flatness_lines,
    "gain": gain_lines,
    "dimension": dimension_lines,
    "limits": limits_lines,
    "bootstrap": bootstrap_lines,
    "rank": rank_lines,
}


def calibration_results(sizes: CalibrationSizes) -> dict[str, Any]:
    lines = [
        line
        for claim, measure in CLAIMS.items()
        if getattr(sizes, claim)
        for line in measure(getattr(sizes, claim))
    ]
    return {"summary": summarize_calibration(lines), "lines": lines}


def summarize_calibration(lines: list[Line]) -> list[dict[str, Any]]:
    """What the project promises: at the worst law that is claimed, in percent."""

    def worst(claim: str, words: str) -> float | None:
        shares = [
            100 * one["measured"]
            for one in lines
            if one["claim"] == claim and one["claimed"] and words in one["law"] and one["draws"]
        ]
        return max(shares, default=None)

    def target(words: str, value: float | None, most: float) -> dict[str, Any]:
        verdict = "not measured" if value is None else ("met" if value <= most else "short")
        return {"words": words, "value": value, "target": f"≤ {most:g}", "verdict": verdict}

    return [
        target("determined but wrong, %", worst("determined", ""), 0),
        target("flat laws called curved, %", worst("flatness", "flat:"), 2),
        target("curved laws not called curved, %", worst("flatness", "curved:"), 0),
        target("flat laws with a gain, %", worst("gain", ""), 2),
        target("dimension outside its 95 % interval, %", worst("dimension", ""), 6.5),
        target("new rows above the 95 % limit of T2, %", worst("limits", "T2"), 6.5),
        target("new rows above the 95 % limit of Q, %", worst("limits", "Q, "), 6.5),
        target("truth outside the 95 % bootstrap interval, %", worst("bootstrap", ""), 7),
        target("noise in which components are kept, %", worst("rank", ""), 5),
    ]


def calibration_page(results: dict[str, Any]) -> list[str]:
    from benchmarks.report import summary_table, table

    body = [
        (
            one["claim"],
            one["law"],
            f"{100 * one['nominal']:g} %",
            "–" if one["measured"] is None else f"{100 * one['measured']:.1f} %",
            str(one["draws"]),
            remark_of(one),
        )
        for one in results["lines"]
    ]
    return [
        "# Calibration of the verdicts",
        "",
        "How often each statistical claim fails, by law; `benchmarks/calibration.py` says what is",
        'counted. The summary has the worst law of each claim. "Not claimed" are laws for which',
        "the documentation calls the figure approximate.",
        "",
        *summary_table(results["summary"]),
        *table(("claim", "law", "nominal", "measured", "draws", ""), body),
    ]


def remark_of(line: Line) -> str:
    if line["claim"] == "determined":
        more = f"; {line['beyond']} wrong with more coefficients than the limit"
        return f"{line['found']} determined of {line['right']} found" + (
            more if line["beyond"] else ""
        )
    if line.get("mild"):
        return f"{line['mild']} mild"
    return "" if line["claimed"] else "not claimed"
