"""The phase transition: where basis pursuit stops finding sparse signals, beside the curve.

N unknowns, m = delta N measurements, s = rho m entries that are not zero. Success is a signal
within 1e-6 of the truth, relative to its length. Around the curve s is varied; a logistic curve
through all trials tells where half of them succeed.

Ensembles   Gaussian measurements of signs, as the theory has it; some rows of the cosine transform,
            which follow the same curve though no theorem says so. OMP beside them, with the law of
            the coefficients named: it minds, basis pursuit does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["DRY_TRANSITION", "FULL_TRANSITION", "transition_page", "transition_results"]

SOLVED = 1e-6
DELTAS = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class TransitionSizes:
    unknowns: int
    trials: int  # at each of the sparsities
    around: tuple[float, ...]  # sparsities tried, in units of the curve's


FULL_TRANSITION = TransitionSizes(500, 16, (0.80, 0.88, 0.94, 1.00, 1.06, 1.12, 1.20))
DRY_TRANSITION = TransitionSizes(40, 2, (0.5, 1.0, 1.6))


@dataclass(frozen=True)
class Ensemble:
    name: str
    kind: str
    law: str
    method: str
    deltas: tuple[float, ...]
    center: float = 1.0  # where to look, in units of the curve
    judged: bool = False  # whether the target is about it


ENSEMBLES = (
    Ensemble("basis pursuit, Gaussian", "gaussian", "signs", "basis_pursuit", DELTAS, judged=True),
    Ensemble("basis pursuit, cosines", "dct", "signs", "basis_pursuit", (0.25, 0.5)),
    Ensemble("basis pursuit, Gaussian, normal x", "gaussian", "normal", "basis_pursuit", (0.25,)),
    Ensemble("OMP, Gaussian, normal x", "gaussian", "normal", "omp", (0.25, 0.5), 1.25),
    Ensemble("OMP, Gaussian, signs", "gaussian", "signs", "omp", (0.25, 0.5), 0.7),
)


def transition_results(sizes: TransitionSizes) -> dict[str, Any]:
    """The curve's values, one line per ensemble and delta, and the target."""
    import eigenlens as el

    deltas = np.round(np.arange(0.05, 1.0, 0.05), 2)
    curve = [
        {"delta": float(delta), "rho": float(rho)}
        for delta, rho in zip(deltas, el.sensing.donoho_tanner(deltas), strict=True)
    ]
    lines = [line_of(ensemble, delta, sizes) for ensemble in ENSEMBLES for delta in ensemble.deltas]
    judged = [abs(one["half"] / one["curve"] - 1) for one in lines if one["judged"]]
    target = {
        "words": f"N = {sizes.unknowns}: half of all succeed, off the curve by at most",
        "value": max(judged),
        "target": "≤ 0.05",
        "verdict": "met" if max(judged) <= 0.05 else "short",
    }
    return {"summary": [target], "curve": curve, "ensembles": lines}


def line_of(ensemble: Ensemble, delta: float, sizes: TransitionSizes) -> dict[str, Any]:
    import eigenlens as el

    m = round(delta * sizes.unknowns)
    rho = float(el.sensing.donoho_tanner(delta))
    aim = ensemble.center * rho * m
    counts = sorted({max(1, round(times * aim)) for times in sizes.around})
    tried = [
        (s, succeeded(ensemble, sizes, m, s, seed)) for s in counts for seed in range(sizes.trials)
    ]
    return {
        "name": ensemble.name,
        "judged": ensemble.judged,
        "unknowns": sizes.unknowns,
        "measurements": m,
        "delta": delta,
        "curve": rho,
        "half": half_point([s / m for s, _ in tried], [hit for _, hit in tried]),
        "shares": [
            [s / m, float(np.mean([hit for other, hit in tried if other == s]))] for s in counts
        ],
        "trials": sizes.trials,
    }


def succeeded(ensemble: Ensemble, sizes: TransitionSizes, m: int, s: int, seed: int) -> bool:
    import eigenlens as el

    rng = np.random.default_rng([m, s, seed])
    x = np.zeros(sizes.unknowns)
    places = rng.permutation(sizes.unknowns)[:s]
    x[places] = rng.choice([-1.0, 1.0], s) if ensemble.law == "signs" else rng.standard_normal(s)
    A = el.sensing.measurement(ensemble.kind, m, sizes.unknowns, seed=[m, s, seed])
    found = el.sensing.recover(A, A @ x, method=ensemble.method).signal
    return bool(np.linalg.norm(found - x) <= SOLVED * np.linalg.norm(x))


def half_point(rhos: list[float], hits: list[bool]) -> float:
    """Where a logistic curve through the trials crosses one half; an end where all are alike."""
    if len(set(hits)) == 1:
        return max(rhos) if hits[0] else min(rhos)
    x, y = np.array(rhos), np.array(hits, dtype=float)
    middle, unit = x.mean(), max(x.std(), 1e-12)
    design = np.column_stack([np.ones_like(x), (x - middle) / unit])
    level, slope = logistic(design, y)
    # Trials that do not fall with the sparsity tell nothing beyond the range they were made in.
    return float(np.clip(middle - unit * level / slope, x.min(), x.max()) if slope else middle)


def logistic(design: np.ndarray, y: np.ndarray, ridge: float = 1e-3) -> np.ndarray:
    """Newton's method; the slight ridge keeps a perfect step from running to infinity."""
    weights = np.zeros(design.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (y - chance) - ridge * weights
        curvature = (design.T * (chance * (1 - chance))) @ design + ridge * np.eye(len(weights))
        step = np.linalg.solve(curvature, slope)
        weights = weights + step * min(1.0, 5.0 / max(np.abs(step).max(), 1e-300))
        if np.abs(step).max() < 1e-10:
            break
    return weights


def transition_page(results: dict[str, Any]) -> list[str]:
    from benchmarks.report import summary_table, table

    lines = [
        (
            one["name"],
            f"{one['delta']:g}",
            str(one["measurements"]),
            f"{one['curve']:.4f}",
            f"{one['half']:.4f}",
            f"{one['half'] / one['curve'] - 1:+.1%}",
            ", ".join(f"{rho:.3f}: {share:.0%}" for rho, share in one["shares"]),
        )
        for one in results["ensembles"]
    ]
    curve = [(f"{one['delta']:g}", f"{one['rho']:.4f}") for one in results["curve"]]
    trials = results["ensembles"][0]["trials"]
    head = ("ensemble", "δ = m/N", "m", "curve ρ", "half succeed at ρ", "off", "share solved")
    return [
        "# The phase transition of compressed sensing",
        "",
        f"{results['ensembles'][0]['unknowns']} unknowns, {trials} trials at every sparsity; "
        "`benchmarks/transition.py`. ρ = s/m.",
        "",
        *summary_table(results["summary"]),
        *table(head, lines),
        "## The curve",
        "",
        *table(("δ", "ρ"), curve),
    ]
