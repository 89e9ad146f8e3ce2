"""Rank: how often each rule finds the number of components that is there, and what a miss costs.

hit       share of the draws with exactly the number that was put in
loss      |X_k - S|^2 over the least that any k would give, median over the draws
mean k    over the draws
bracket   ScreeNOT from 25 leading eigenvalues and the total: does it hold the answer of the whole
          spectrum, and how wide is it?

Rules that need the spectrum only are asked about one and the same; those that look at the rows
are asked through `eigenlens.fit`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean, median
from typing import Any

import numpy as np

from benchmarks import report
from benchmarks.noise_models import (
    MODELS,
    Draw,
    NoiseModel,
    drawn,
    spectrum_of,
    truncation_errors,
)
from benchmarks.targets import Target

__all__ = ["DRY_RANK", "FULL_RANK", "RankSizes", "rank_page", "rank_results"]

NAMES = (
    "fraction:0.9",
    "frobenius",
    "gap",
    "dpa",
    "screenot",
    "kaiser",
    "broken_stick",
    "gavish_donoho",
    "minka",
    "bai_ng",
    "gcv",
    "kritchman_nadler",
)
ON_ROWS = ("parallel", "parallel:permute", "parallel:gauss", "bcv")
LISTED = 25
PLAIN = ("strong", "columns", "rows", "serial", "wide")
EXACT = ("strong", "columns", "rows", "serial", "noise", "wide", "shadow")
DETECTORS = ("dpa", "gap", "parallel")


@dataclass(frozen=True)
class RankSizes:
    draws: int
    bracket_draws: int


FULL_RANK = RankSizes(20, 200)
DRY_RANK = RankSizes(2, 3)


def rank_results(sizes: RankSizes) -> dict[str, Any]:
    models = [measured(model, sizes.draws) for model in MODELS]
    brackets = [bracketed(model, sizes.bracket_draws) for model in MODELS]
    return {
        "summary": [target.line(models + brackets) for target in TARGETS],
        "models": models,
        "brackets": brackets,
        "draws": sizes.draws,
        "bracket_draws": sizes.bracket_draws,
    }


def measured(model: NoiseModel, draws: int, seed: int = 0) -> dict[str, Any]:
    found: dict[str, list[int]] = {}
    losses: dict[str, list[float]] = {}
    for rng in np.random.default_rng(seed).spawn(draws):
        draw = drawn(model, rng)
        errors = truncation_errors(draw)
        for name, rank in answers(draw, rng).items():
            if rank is None:
                continue
            found.setdefault(name, []).append(rank)
            if errors.min() > 0:
                losses.setdefault(name, []).append(float(errors[rank] / errors.min()))
    rules = {
        name: {
            "hit": mean(rank == model.rank for rank in ranks),
            "mean": mean(ranks),
            "loss": median(losses[name]) if name in losses else None,
            "ranks": ranks,
        }
        for name, ranks in found.items()
    }
    return {"name": model.name, "shape": list(model.shape), "rank": model.rank, "rules": rules}


def answers(draw: Draw, rng: np.random.Generator) -> dict[str, int | None]:
    """What each rule says; None for those that refuse this table."""
    from eigenlens import RankError, fit
    from eigenlens.rank.catalogue import rule_for

    spectrum = spectrum_of(draw.rows)
    found: dict[str, int | None] = {}
    for name in NAMES:
        rule = rule_for(name, draw.rows.shape, spectrum.most, True)
        try:
            verdict = rule.choose(spectrum)
        except RankError:
            verdict = None
        found[name] = None if verdict is None else int(verdict.value)
    for name in ON_ROWS:
        found[name] = fit(draw.rows, name, seed=int(rng.integers(1 << 31))).n_components
    return found


def bracketed(model: NoiseModel, draws: int, seed: int = 1) -> dict[str, Any]:
    from eigenlens.rank.screenot import ScreeNOT

    held, widths, same = [], [], []
    for rng in np.random.default_rng(seed).spawn(draws):
        rows = drawn(model, rng).rows
        whole = ScreeNOT().choose(spectrum_of(rows))
        part = ScreeNOT(widest=None).choose(spectrum_of(rows, LISTED))
        if whole is None or part is None:
            raise RuntimeError("both have all they need to answer")
        held.append(part.low <= whole.value <= part.high)
        widths.append(part.high - part.low)
        same.append(part.value == whole.value)
    return {
        "name": f"{model.name} bracket",
        "held": mean(held),
        "width": mean(widths),
        "widest": max(widths),
        "same": mean(same),
    }


# -- targets -------------------------------------------------------------------------------

Cases = list[dict[str, Any]]


def of(case: str, rule: str, key: str) -> Callable[[Cases], float | None]:
    def value(cases: Cases) -> float | None:
        rules = next(one["rules"] for one in cases if one["name"] == case)
        found: float | None = rules[rule][key] if rule in rules else None
        return found

    return value


def held_by_brackets(cases: Cases) -> float:
    return min(case["held"] for case in cases if "held" in case)


TARGETS = (
    *(Target(f"screenot hits, {name}", of(name, "screenot", "hit"), 0.95) for name in EXACT),
    Target("screenot's loss, weak", of("weak", "screenot", "loss"), 1.05, at_least=False),
    *(
        Target(f"{rule} keeps nothing of pure noise", of("noise", rule, "hit"), 0.9)
        for rule in DETECTORS
    ),
    # What was measured before this project had a line of code; 20 draws of each.
    *(
        Target(f"{rule} hits, {name}", of(name, rule, "hit"), bound)
        for rule, heavy in (("dpa", 0.9), ("parallel", 0.75))
        for name, bound in {**dict.fromkeys(PLAIN, 1.0), "heavy": heavy}.items()
    ),
    Target("dpa's loss, weak", of("weak", "dpa", "loss"), 1.11, at_least=False),
    Target("parallel's loss, weak", of("weak", "parallel", "loss"), 1.38, at_least=False),
    Target("brackets that hold the whole spectrum's answer, at worst", held_by_brackets, 0.99),
)


# -- the page ------------------------------------------------------------------------------


def rank_page(results: dict[str, Any]) -> list[str]:
    lines = [
        "# How many components",
        "",
        f"Nine kinds of noise (`benchmarks/noise_models.py`), {results['draws']} draws of each.",
        "",
    ]
    lines += report.summary_table(results["summary"])
    lines += ["## Hits", "", "Share of the draws with exactly the right number; mean k.", ""]
    lines += rule_table(results["models"], lambda one: f"{one['hit']:.2f} ({one['mean']:.3g})")
    lines += ["## Loss", "", "Squared error against the clean signal over the least possible.", ""]
    lines += rule_table(results["models"], lambda one: report.shown(one["loss"]))
    lines += [
        f"## ScreeNOT from {LISTED} eigenvalues and the total",
        "",
        f"{results['bracket_draws']} draws of each: how often the bracket holds the answer of the",
        "whole spectrum, its mean and largest width, and how often the likely answer is the same.",
        "",
    ]
    body = [
        (
            one["name"].removesuffix(" bracket"),
            f"{one['held']:.3f}",
            f"{one['width']:.2f}",
            str(one["widest"]),
            f"{one['same']:.3f}",
        )
        for one in results["brackets"]
    ]
    return lines + report.table(("noise", "held", "width", "widest", "same"), body)


def rule_table(models: Cases, cell: Callable[[dict[str, Any]], str]) -> list[str]:
    names = list(dict.fromkeys(name for model in models for name in model["rules"]))
    head = ("rule", *(f"{model['name']} k={model['rank']}" for model in models))
    body = [
        (name, *(cell(m["rules"][name]) if name in m["rules"] else "–" for m in models))
        for name in names
    ]
    return report.table(head, body)
