"""Small tables: is the number right, are exact ranks found, and do sampling intervals hold?

hit        share of the draws with exactly the number that was put in (`small_draws.py`)
exact      low-rank tables with nothing, or noise of 1e-6, added: gap, auto, dpa and `model.rank`
bracket    ScreeNOT from 25 eigenvalues and the total, over the nine noise models
interval   share of the 95 % intervals that hold the eigenvalue, or the share, of the population
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from statistics import mean
from typing import Any

import numpy as np

from benchmarks import report
from benchmarks.noise_models import MODELS
from benchmarks.rank import bracketed
from benchmarks.small_draws import CASES, UNEVEN, SmallCase, draw_table, spectrum_for
from benchmarks.targets import Target

__all__ = ["DRY_SMALL", "FULL_SMALL", "SmallSizes", "small_page", "small_results"]

BY_SPECTRUM = ("auto", "gap", "dpa", "screenot", "gcv", "minka", "kaiser", "fraction:0.95")
BY_ROWS = ("parallel:permute",)
EXACT = ("gap", "auto", "dpa")
PLANES = ((500, 3, 2), (60, 5, 4), (200, 10, 7), (300, 20, 15), (200, 1000, 10))
POPULATION = np.array([8.0, 4.0, 2.0, 1.0, 0.5, 0.25])
HEAVY = ("t with 5 degrees", "t with 7 degrees", "Laplace", "exponential")


@dataclass(frozen=True)
class SmallSizes:
    draws: int  # of every case
    parallel_draws: int
    exact_draws: int
    bracket_draws: int
    samples: int
    rows: tuple[int, ...]


FULL_SMALL = SmallSizes(300, 60, 8, 60, 400, (100, 300, 1000))
DRY_SMALL = SmallSizes(3, 1, 1, 1, 3, (100,))


def small_results(sizes: SmallSizes) -> dict[str, Any]:
    cases = [hits_of(case, sizes) for case in (*CASES, *UNEVEN)]
    exact = [exact_ranks(shape, sizes.exact_draws) for shape in PLANES]
    brackets = [bracketed(model, sizes.bracket_draws, seed=4) for model in MODELS]
    intervals = [
        coverage(name, rows, sizes.samples) for name, rows in product(SAMPLERS, sizes.rows)
    ]
    parts = {"tables": cases, "exact": exact, "brackets": brackets, "intervals": intervals}
    return {"summary": [target.line([parts]) for target in TARGETS], **parts, "draws": sizes.draws}


def hits_of(case: SmallCase, sizes: SmallSizes, seed: int = 11) -> dict[str, Any]:
    """By rule, how often it names the number that was put in."""
    from eigenlens import RankError, fit
    from eigenlens.rank.catalogue import rule_for

    found: dict[str, list[bool]] = {name: [] for name in (*BY_SPECTRUM, *BY_ROWS)}
    for draw, rng in enumerate(np.random.default_rng(seed).spawn(sizes.draws)):
        rows, rank = draw_table(case, rng)
        spectrum = spectrum_for(rows, case.scaled)
        for name in BY_SPECTRUM:
            rule = rule_for(name, rows.shape, spectrum.most, True)
            try:
                verdict = rule.choose(spectrum)
            except RankError:
                verdict = None
            found[name].append(verdict is not None and int(verdict.value) == rank)
        if draw < sizes.parallel_draws:
            for name in BY_ROWS:
                model = fit(rows, name, scale="std" if case.scaled else None, seed=draw)
                found[name].append(model.n_components == rank)
    rules = {name: mean(hits) for name, hits in found.items()}
    return {"name": case.name, "strength": case.strength, "rules": rules}


def exact_ranks(shape: tuple[int, int, int], draws: int) -> dict[str, Any]:
    """Over noise, precision and offset: how often the exact rank is the answer."""
    from eigenlens import fit

    rows, columns, rank = shape
    answers: dict[str, list[bool]] = {name: [] for name in (*EXACT, "model.rank")}
    for rng in np.random.default_rng(13).spawn(draws):
        plane = rng.standard_normal((rows, rank)) @ rng.standard_normal((rank, columns))
        dust = rng.standard_normal(plane.shape)
        for noise, kind, offset in product((0.0, 1e-6), (np.float32, np.float64), (0.0, 1e4)):
            data = (plane + noise * dust + offset).astype(kind)
            models = {name: fit(data, name) for name in EXACT}
            for name, model in models.items():
                answers[name].append(model.n_components == rank)
            if noise == 0:
                answers["model.rank"].append(models["auto"].rank.value == rank)
    hits = {name: mean(hits) for name, hits in answers.items()}
    return {"name": f"rank {rank} of {columns}, {rows} rows", "tables": draws * 8, "rules": hits}


# -- intervals -----------------------------------------------------------------------------

Sampler = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
SAMPLERS: dict[str, Sampler] = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "t with 5 degrees": lambda rng, shape: rng.standard_t(5, shape) / np.sqrt(5 / 3),
    "t with 7 degrees": lambda rng, shape: rng.standard_t(7, shape) / np.sqrt(7 / 5),
    "Laplace": lambda rng, shape: rng.laplace(size=shape) / np.sqrt(2),
    "exponential": lambda rng, shape: rng.exponential(size=shape) - 1,
}


def coverage(name: str, rows: int, samples: int) -> dict[str, Any]:
    """How often 95 % intervals of eigenvalues and shares hold those of the population."""
    from eigenlens import fit
    from eigenlens.explain import sampling_intervals

    shares = POPULATION / POPULATION.sum()
    values, parts, normal = [], [], []
    for rng in np.random.default_rng(17).spawn(samples):
        data = SAMPLERS[name](rng, (rows, len(POPULATION))) * np.sqrt(POPULATION)
        model = fit(data, len(POPULATION))
        table = sampling_intervals(model, data)
        values.append(holds(table["low"], table["high"], POPULATION))
        parts.append(holds(table["proportion_low"], table["proportion_high"], shares))
        plain = sampling_intervals(model)
        normal.append(holds(plain["low"], plain["high"], POPULATION))
    return {
        "name": name,
        "rows": rows,
        "eigenvalues": float(np.mean(values)),
        "shares": float(np.mean(parts)),
        "as_normal": float(np.mean(normal)),
    }


def holds(low: Any, high: Any, truth: np.ndarray) -> np.ndarray:
    found: np.ndarray = (np.asarray(low) <= truth) & (truth <= np.asarray(high))
    return found


# -- targets -------------------------------------------------------------------------------

Parts = list[dict[str, Any]]


def hits_at(strength: str, rule: str) -> Callable[[Parts], float]:
    def value(parts: Parts) -> float:
        return mean(one["rules"][rule] for one in parts[0]["tables"] if one["strength"] == strength)

    return value


def kept_of_noise(parts: Parts) -> float:
    return 1 - hits_at("noise", "auto")(parts)


def least_exact(parts: Parts) -> float:
    return min(hit for one in parts[0]["exact"] for hit in one["rules"].values())


def mean_width(parts: Parts) -> float:
    return mean(one["width"] for one in parts[0]["brackets"])


def least_held(parts: Parts) -> float:
    return min(one["held"] for one in parts[0]["brackets"])


def extreme_coverage(pick: Callable[..., float]) -> Callable[[Parts], float]:
    def value(parts: Parts) -> float:
        return pick(min_or_max for one in parts[0]["intervals"] for min_or_max in both(one))

    return value


def both(one: dict[str, Any]) -> tuple[float, float]:
    return one["eigenvalues"], one["shares"]


TARGETS = (
    Target("auto is right, strong components", hits_at("strong", "auto"), 0.95),
    Target("auto is right, moderate components", hits_at("moderate", "auto"), 0.8),
    Target("auto keeps something of noise", kept_of_noise, 0.05, at_least=False),
    Target("exact ranks found, at worst", least_exact, 1.0),
    Target("mean width of the bracket from 25 values", mean_width, 2.0, at_least=False),
    Target("brackets that hold the answer, at worst", least_held, 1.0),
    Target("coverage of 95 % intervals, at least", extreme_coverage(min), 0.93),
    Target("coverage of 95 % intervals, at most", extreme_coverage(max), 0.97, at_least=False),
)


# -- the page ------------------------------------------------------------------------------


def small_page(results: dict[str, Any]) -> list[str]:
    lines = [
        "# Small tables",
        "",
        "Drawn tables of 3 to 15 columns and 40 to 1000 rows with 0 to d - 1 components",
        f"(`benchmarks/small_draws.py`), {results['draws']} draws of each case.",
        "",
        *report.summary_table(results["summary"]),
        "## Hits",
        "",
        "Share of the draws with exactly the number that was put in.",
        "",
    ]
    names = (*BY_SPECTRUM, *BY_ROWS)
    body = [
        (one["name"], *(f"{one['rules'][name]:.2f}" for name in names)) for one in results["tables"]
    ]
    lines += report.table(("tables", *names), body)
    lines += [
        "## Exact ranks",
        "",
        "With nothing or noise of 1e-6 added, in float32 and float64, at 0 and 1e4 from the",
        "origin. `model.rank` where nothing was added.",
        "",
    ]
    heads = (*EXACT, "model.rank")
    body = [
        (one["name"], str(one["tables"]), *(f"{one['rules'][name]:.2f}" for name in heads))
        for one in results["exact"]
    ]
    lines += report.table(("tables", "draws", *heads), body)
    lines += ["## The bracket from 25 eigenvalues and the total", ""]
    body = [
        (one["name"].removesuffix(" bracket"), f"{one['held']:.3f}", f"{one['width']:.2f}")
        for one in results["brackets"]
    ]
    lines += report.table(("noise", "held", "width"), body)
    lines += [
        "## Sampling intervals",
        "",
        "Share of the 95 % intervals that hold the value of the population, whose eigenvalues are",
        "8, 4, 2, 1, 0.5 and 0.25, over all six; the last column takes the rows as normal.",
        "",
    ]
    body = [
        (
            one["name"],
            str(one["rows"]),
            f"{one['eigenvalues']:.3f}",
            f"{one['shares']:.3f}",
            f"{one['as_normal']:.3f}",
        )
        for one in results["intervals"]
    ]
    return lines + report.table(("rows", "n", "eigenvalues", "shares", "as normal"), body)
