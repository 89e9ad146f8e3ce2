"""Ceilings: proven upper bounds on the leading eigenvalues.

    C  <=  [[H, F'], [F, mu I]]  (Loewner)   =>   its eigenvalues bound those of C, one by one.

This is the sharpest statement that H, F and mu allow; the classical residual^2 / gap bounds follow
from it. Where no gap is proven the bound is still valid, only wider.

| what is at hand                   | mu from    | kind           | cost               |
|-----------------------------------|------------|----------------|--------------------|
| the span is the whole space       | -          | deterministic  | nothing            |
| the trace already meets the need  | trace      | deterministic  | nothing            |
| the matrix itself                 | Cholesky   | deterministic  | p^3/3 flops        |
| products only, certify="full"     | probes     | probabilistic  | a few thin passes  |
| products only, certify="fast"     | guess      | heuristic      | nothing            |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.leftover import is_below, trace_leftover
from eigenlens.certificate.probes import probed_leftovers
from eigenlens.certificate.rounding import Rounded, Rounding, rounding_of
from eigenlens.table.sides import MatrixSide, Side

__all__ = ["Ceilings", "Enough", "ceilings_of_everything", "find_ceilings"]

FAILURE = 1e-7  # of one set of probes
MOST_PROBE_PASSES = 8
Enough = Callable[[Float64Array, float], bool]  # (ceilings, leftover) -> good enough to stop


@dataclass(frozen=True)
class Ceilings:
    """`values` bound the leading eigenvalues, one more than asked for; `leftover` is mu's bound."""

    values: Float64Array
    leftover: float
    kind: str
    failure_probability: float
    rule: str


def find_ceilings(
    side: Side,
    ritz: Ritz,
    count: int,
    matrix: Float64Array | None,
    full: bool,
    enough: Enough,
    rng: np.random.Generator,
) -> Ceilings:
    """Upper bounds on the leading `count` eigenvalues, with no more work than `enough` asks."""
    rounding = rounding_of(side, ritz, count)

    def settled(leftover: float, kind: str, rule: str, failure: float = 0.0) -> Ceilings:
        roof = leftover + rounding.leftover
        return Ceilings(raised(ritz, roof, rounding, count), roof, kind, failure, rule)

    if ritz.size == side.size:
        return ceilings_of_everything(side, ritz, count)
    by_trace = settled(trace_leftover(side.trace, ritz), "deterministic", "trace")
    if enough(by_trace.values, by_trace.leftover):
        return by_trace
    if matrix is not None:
        proven = by_cholesky(side, ritz, matrix, by_trace.leftover, rng)
        return settled(proven, "deterministic", "Cholesky") if proven is not None else by_trace
    if not full:
        guess = float(ritz.values[min(count, ritz.size) - 1] + ritz.residuals.max())
        return settled(min(guess, by_trace.leftover), "heuristic", "guess")
    return probed(side, ritz, by_trace, enough, settled, rng)


def ceilings_of_everything(side: Rounded, ritz: Ritz, count: int) -> Ceilings:
    """Where the span is the whole space only rounding stands between Ritz values and truth."""
    values = np.pad(ritz.values + rounding_of(side, ritz, ritz.size).values, (0, count))
    return Ceilings(values[:count], 0.0, "deterministic", 0.0, "the span is the whole space")


def by_cholesky(
    side: Side, ritz: Ritz, matrix: Float64Array, most: float, rng: np.random.Generator
) -> float | None:
    """Probes say where to try (products with a matrix at hand are free), Cholesky proves it."""
    roof = most
    probes = probed_leftovers(MatrixSide(matrix, side), ritz.span, FAILURE, rng)
    for _, (_, bound) in zip(range(MOST_PROBE_PASSES), probes, strict=False):
        roof = min(roof, bound)
    for roof_tried in (roof, 1.1 * roof):
        if roof_tried < most and is_below(matrix, ritz, roof_tried):
            return roof_tried
    return None


def probed(
    side: Side,
    ritz: Ritz,
    best: Ceilings,
    enough: Enough,
    settled: Callable[[float, str, str, float], Ceilings],
    rng: np.random.Generator,
) -> Ceilings:
    """Passes with a few random vectors until the bound serves, or cannot serve any more."""
    probes = probed_leftovers(side, ritz.span, FAILURE, rng)
    for _, (reached, bound) in zip(range(MOST_PROBE_PASSES), probes, strict=False):
        if bound < best.leftover:
            best = settled(bound, "probabilistic", "probes", FAILURE)
        if enough(best.values, best.leftover):
            break
        hopeful = settled(reached, "probabilistic", "probes", FAILURE)
        if not enough(hopeful.values, hopeful.leftover):
            break  # even the smallest leftover still possible would not do: the span must improve
    return best


def raised(ritz: Ritz, leftover: float, rounding: Rounding, count: int) -> Float64Array:
    """Eigenvalues of the matrix that is larger than C, plus what rounding may have hidden."""
    width = len(ritz.coupling)
    size = ritz.size
    whole = np.zeros((size + width, size + width))
    whole[np.arange(size), np.arange(size)] = ritz.values
    whole[size:, :size] = ritz.coupling
    whole[:size, size:] = ritz.coupling.T
    whole[np.arange(size, size + width), np.arange(size, size + width)] = leftover
    bounds = np.append(np.linalg.eigvalsh(whole), np.full(count, leftover))
    bounds = np.sort(bounds)[::-1][:count]
    # Couplings lost to rounding enter as residual^2 / gap, or as they are where there is no gap.
    known = len(rounding.values)
    noise = float(rounding.residuals.max(initial=0.0))
    gaps = np.maximum(bounds - leftover, noise)
    hidden = noise * (noise / gaps) if noise > 0 else np.zeros(count)
    allowance = np.full(count, float(rounding.values.max(initial=0.0)))
    allowance[:known] = rounding.values
    result: Float64Array = bounds + allowance + hidden
    return result
