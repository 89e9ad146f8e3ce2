"""Autoencoders: is a gain over PCA found where there is one, and *no gain* said where there is not?

Curved sets must gain, flat ones must not, twenty draws of each; a `gain` is an interval above 0.
The loss of the curve of the lecture is judged on new rows. "Two normal numbers by one" is the hard
case: a network that winds through the plane does save error there, and so it does in every flat
cloud.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.flatness import lecture_curve

__all__ = ["DRY_CODERS", "FULL_CODERS", "coder_page", "coder_results"]

Rng = np.random.Generator


@dataclass(frozen=True)
class CoderSizes:
    rows: int
    draws: int
    hidden: int
    max_epochs: int


FULL_CODERS = CoderSizes(1000, 20, 64, 100)
DRY_CODERS = CoderSizes(60, 1, 4, 1)


@dataclass(frozen=True)
class Coded:
    name: str
    truth: str  # "gain" or "no gain"
    components: int
    make: Callable[[int, Rng], np.ndarray]


def digits(n: int, rng: Rng) -> np.ndarray:
    """The same rows whatever is asked for: draws differ in how they are shared out."""
    from sklearn.datasets import load_digits

    return np.asarray(load_digits().data if n > 100 else load_digits().data[:n])


def plane(n: int, rng: Rng) -> np.ndarray:
    turn = np.linalg.qr(rng.standard_normal((10, 5)))[0]
    return rng.standard_normal((n, 5)) @ turn.T + 0.1 * rng.standard_normal((n, 10))


def roll(n: int, rng: Rng) -> np.ndarray:
    from benchmarks.manifolds import roll as rolled

    return rolled(n, rng)


SETS = (
    Coded("curve of the lecture", "gain", 1, lecture_curve),
    Coded("handwritten digits", "gain", 8, digits),
    Coded("roll", "gain", 2, roll),
    Coded("normal plane, 5 in noise of 10", "no gain", 5, plane),
    Coded(
        "normal, deviations 1/i, 12",
        "no gain",
        3,
        lambda n, r: r.normal(size=(n, 12)) / np.arange(1, 13),
    ),
    Coded("normal, 20", "no gain", 5, lambda n, r: r.standard_normal((n, 20))),
    Coded("two normal numbers by one", "no gain", 1, lambda n, r: r.standard_normal((n, 2))),
)


def coder_results(sizes: CoderSizes) -> dict[str, Any]:
    """One line per set; nothing where torch is not installed."""
    if find_spec("torch") is None:
        return {"summary": [], "sets": [], "skipped": "torch is not installed"}
    lines = [line_of(one, number, sizes) for number, one in enumerate(SETS)]
    flat = [one for one in lines if one["truth"] == "no gain"]
    summary = [
        target(
            "curve of the lecture by one number: loss over PCA's on new rows, at worst",
            lines[0]["lost"][2],
            0.01,
            at_least=False,
        ),
        target("digits by 8 numbers: the lower end of the gain, at worst", lines[1]["low"][0], 0.0),
        target("flat sets: share judged no gain, at worst", min(one["right"] for one in flat), 0.9),
    ]
    return {"summary": summary, "sets": lines, "skipped": None}


def target(words: str, value: float, bound: float, at_least: bool = True) -> dict[str, Any]:
    met = (
        value > bound if at_least and bound == 0 else value >= bound if at_least else value <= bound
    )
    sign = ("> " if bound == 0 else "≥ ") if at_least else "≤ "
    verdict = "met" if met else "short"
    return {"words": words, "value": value, "target": f"{sign}{bound:g}", "verdict": verdict}


def line_of(one: Coded, number: int, sizes: CoderSizes) -> dict[str, Any]:
    from eigenlens.autoencoder import Autoencoder

    gains, lows, lost, right, flat = [], [], [], 0, []
    for draw in range(sizes.draws):
        rng = np.random.default_rng([7, number, draw])
        rows, new = one.make(sizes.rows, rng), one.make(sizes.rows, rng)
        coder = Autoencoder(
            one.components, hidden=sizes.hidden, max_epochs=sizes.max_epochs, random_state=draw
        ).fit(rows)
        found = coder.gain_
        said = "no gain" if found.low <= 0 else "gain"
        right += said == one.truth
        gains.append(found.evidence["gain"])
        lows.append(found.low)
        flat.append(str(found.evidence["flatness"]))
        lost.append(float(coder.residual(new).sum() / coder.model_.residual(new).sum()))
    return {
        "name": one.name,
        "truth": one.truth,
        "components": one.components,
        "draws": sizes.draws,
        "right": right / sizes.draws,
        "gain": spread(gains),
        "low": spread(lows),
        "lost": spread(lost),
        "flatness": max(set(flat), key=flat.count),
    }


def spread(values: list[float]) -> list[float]:
    return [float(min(values)), float(np.median(values)), float(max(values))]


def coder_page(results: dict[str, Any]) -> list[str]:
    from benchmarks.report import summary_table, table

    def three(values: list[float]) -> str:
        return " / ".join(f"{one:.3g}" for one in values)

    body = [
        (
            one["name"],
            str(one["components"]),
            one["truth"],
            f"{one['right']:.0%} of {one['draws']}",
            three(one["gain"]),
            three(one["low"]),
            one["flatness"],
        )
        for one in results["sets"]
    ]
    head = ("set", "k", "truth", "right", "saved: least / median / most", "lower end", "flatness")
    return [
        "# Autoencoders beside PCA",
        "",
        "The gain over PCA with as many components, on rows not trained on; "
        "`benchmarks/autoencoder.py`.",
        "",
        *([f"Skipped: {results['skipped']}."] if results["skipped"] else []),
        *summary_table(results["summary"]),
        *table(head, body),
    ]
