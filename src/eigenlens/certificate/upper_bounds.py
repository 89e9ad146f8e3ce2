"""Ceilings: proven upper bounds on the leading eigenvalues.

    C  <=  [[H, F'], [F, mu I]]  (Loewner)   =>   its eigenvalues bound those of C, one by one.

This is the sharpest statement that H, F and mu allow; the classical residual^2 / gap bounds follow
from it. Where no gap is proven the bound is still valid, only wider.

| what is at hand                   | mu from    | kind           | cost               |
|-----------------------------------|------------|----------------|--------------------|
| the span is the whole space       | -          | deterministic  | nothing            |
| the trace already meets the need  | trace      | deterministic  | nothing            |
| the matrix in float32             | its rest   | deterministic  | nothing            |
| the matrix itself                 | Cholesky   | deterministic  | p^3/3 flops        |
| products only, certify="full"     | probes     | probabilistic  | a few thin passes  |
| products only, certify="fast"     | guess      | heuristic      | nothing            |
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.larger_matrix import eigenvalue_bounds_above, falling
from eigenlens.certificate.leftover import bounds_by_sharing, is_below, trace_leftover
from eigenlens.certificate.probes import count_probes, passes_of_probes, probe_leftover
from eigenlens.certificate.resting_pairs import likely_leftover, pairs_enough, resting_pairs
from eigenlens.certificate.rounding import HasRounding, Rounding, rounding_of
from eigenlens.table.sides import MatrixSide, Side

__all__ = [
    "Enough",
    "UpperBounds",
    "bounds_by_trace",
    "bounds_for_count",
    "bounds_if_exact",
    "bounds_of_whole_space",
    "find_upper_bounds",
]

FAILURE = 1e-7  # of one set of probes
MOST_PROBE_PASSES = 60  # flat spectra need tens; most need two to four
LAST_PROBE_PASSES = 2
LEAST_MARGIN = 1.003  # of a bound beside what is reached: a single probe takes 180 passes for it
WORTH_A_CHANCE = 0.999  # of failing: bounds that are no better than proven ones are not taken
PROBED = ("probabilistic", "probes", FAILURE)
PASSES_PER_CHECK = 6  # bounds are found again after a sixth more: each costs eigenproblems
CLOSE_FACTOR = 1.05  # a bound within this factor of what is reached is not worth another product
MOST_USEFUL = 1.5  # times the last eigenvalue asked for: a larger leftover would be its ceiling
Enough = Callable[[Float64Array, float], bool]  # (ceilings, leftover) -> good enough to stop


@dataclass(frozen=True)
class UpperBounds:
    """`values` bound the leading eigenvalues, one more than asked for; `leftover` is mu's bound."""

    values: Float64Array
    leftover: float
    kind: str
    failure_probability: float
    rule: str
    foothold: int  # how many leading Ritz vectors the argument rests on


def find_upper_bounds(
    side: Side,
    ritz: Ritz,
    count: int,
    matrix: Float64Array | None,
    full: bool,
    enough: Enough,
    rng: np.random.Generator,
    rounding: Rounding | None = None,
    is_last: bool = False,
    outside: float | None = None,
) -> UpperBounds:
    """Upper bounds on the leading `count` eigenvalues, with no more work than `enough` asks.

    `rounding`: what is allowed for these pairs, all of them where they span the whole space; None:
    that of products of `side`. `is_last`: no better pairs will come, so a second pass of probes is
    worth its cost: it brings the bound from ten or thirty times what is left down to three or five.
    `outside`: a bound on what these pairs leave, where there is one.
    """
    if ritz.size == side.size:
        return bounds_of_whole_space(side, ritz, count, rounding)
    rounding = rounding_of(side, ritz, count) if rounding is None else rounding
    by_trace = bounds_by_shared_rest(side, ritz, count, rounding)
    if by_trace.leftover <= most_useful(ritz, rounding, count):
        by_trace = bounds_by_trace(side, ritz, count, rounding)
    if enough(by_trace.values, by_trace.leftover):
        return by_trace
    if outside is not None:
        read = bounds_from_leftover(ritz, rounding, count, outside, "deterministic", "read-out")
        if enough(read.values, read.leftover):
            return read
    rng = data_dependent_generator(rng, side)
    resting = resting_pairs(ritz, count - 1, side)
    if matrix is not None:
        found = bounds_of_matrix(side, ritz, resting, rounding, count, matrix, enough, rng)
        return bounds_by_trace(side, ritz, count, rounding) if found is None else found
    if not full:
        return bounds_from_leftover(
            resting, rounding, count, likely_leftover(ritz, resting), "heuristic", "guess"
        )
    found = bounds_by_probes(side, resting, rounding, count, by_trace, enough, rng, is_last)
    if enough(found.values, found.leftover):
        return found
    by_trace = bounds_by_trace(side, ritz, count, rounding)
    both = np.minimum(found.values, by_trace.values)
    serves = found.rule == "probes" and both.sum() < WORTH_A_CHANCE * by_trace.values.sum()
    return replace(found, values=both) if serves else by_trace


def bounds_of_matrix(
    side: Side,
    ritz: Ritz,
    resting: Ritz,
    rounding: Rounding,
    count: int,
    matrix: Float64Array,
    enough: Enough,
    rng: np.random.Generator,
) -> UpperBounds | None:
    """By a factorization of the matrix at hand; None where none proves anything."""
    few = ritz.leading(min(pairs_enough(count - 1), ritz.size - 1))
    likely = likely_leftover(ritz, few)
    hoped = bounds_from_leftover(few, rounding, count, likely, "deterministic", "Cholesky")
    if enough(hoped.values, hoped.leftover) and is_below(matrix, few, likely):
        return hoped
    proven = bounds_by_cholesky(side, resting, matrix, side.trace, rng)
    if proven is None:
        return None
    return bounds_from_leftover(resting, rounding, count, proven, "deterministic", "Cholesky")


def most_useful(ritz: Ritz, rounding: Rounding, count: int) -> float:
    """No larger leftover helps: the ceiling of the last eigenvalue asked for would be as high."""
    return MOST_USEFUL * float(ritz.values[count - 2]) + 10 * rounding.leftover + 3 * rounding.trace


def bounds_from_leftover(
    ritz: Ritz,
    rounding: Rounding,
    count: int,
    leftover: float,
    kind: str,
    rule: str,
    failure: float = 0.0,
) -> UpperBounds:
    """What follows from a bound on the leftover."""
    roof = leftover + rounding.leftover
    values = eigenvalue_bounds_above(ritz, roof, rounding, count)
    return UpperBounds(values, roof, kind, failure, rule, ritz.size)


def bounds_of_whole_space(
    side: HasRounding, ritz: Ritz, count: int, rounding: Rounding | None = None
) -> UpperBounds:
    """Where the span is the whole space only rounding stands between Ritz values and truth."""
    rounding = rounding_of(side, ritz, ritz.size) if rounding is None else rounding
    moved = falling(ritz.values[: len(rounding.values)] + rounding.values)
    values = np.concatenate([moved, np.zeros(count)])
    rule = "the span is the whole space"
    return UpperBounds(values[:count], 0.0, "deterministic", 0.0, rule, ritz.size)


def data_dependent_generator(rng: np.random.Generator, side: Side) -> np.random.Generator:
    """A generator that the seed and the data decide together.

    Probes of a seed that everyone knows could be foreseen, and a table made orthogonal to them.
    Sums over all rows are known only once there is a table.
    """
    data = np.frombuffer(side.digest, dtype=np.uint32)
    return np.random.default_rng([*rng.integers(1 << 32, size=4), *data])


def bounds_by_trace(
    side: Side, ritz: Ritz, count: int, rounding: Rounding | None = None
) -> UpperBounds:
    """What is proven without another look at the data."""
    if ritz.size == side.size:
        return bounds_of_whole_space(side, ritz, count, rounding)
    rounding = rounding_of(side, ritz, count) if rounding is None else rounding
    shared = bounds_by_shared_rest(side, ritz, count, rounding)
    rest = trace_leftover(side.trace, ritz) + rounding.trace
    found = bounds_from_leftover(ritz, rounding, count, rest, "deterministic", "trace")
    return replace(found, values=np.minimum(found.values, shared.values))


def bounds_by_shared_rest(side: Side, ritz: Ritz, count: int, rounding: Rounding) -> UpperBounds:
    """What the trace proves without any couplings: no eigenproblem."""
    rest = trace_leftover(side.trace, ritz) + rounding.trace
    # Ritz values are rounded too, each by a part of what the trace is.
    values = bounds_by_sharing(ritz.values, rest + rounding.trace, count)
    values += float(rounding.values.max(initial=0.0))
    roof = rest + rounding.leftover
    return UpperBounds(values, roof, "deterministic", 0.0, "trace", ritz.size)


def bounds_if_exact(
    ritz: Ritz, rounding: Rounding, count: int, leftover: float | None = None
) -> Float64Array:
    """What could be proven if these Ritz pairs were exact: only rounding is left.

    `leftover`: of the variance outside; None: no more than the last of those asked for holds.
    """
    if leftover is None:
        leftover = float(ritz.values[count - 1]) if ritz.size >= count else 0.0
    roof = max(leftover, 0.0) + rounding.leftover
    return eigenvalue_bounds_above(ritz.at_rest(), roof, rounding, count)


def bounds_for_count(
    side: Side, ritz: Ritz, ceilings: UpperBounds, rounding: Rounding, count: int
) -> UpperBounds:
    """The same leftover, for another number of eigenvalues."""
    if ritz.size == side.size:
        return bounds_of_whole_space(side, ritz, count, rounding)
    kept = ritz if ceilings.foothold == ritz.size else ritz.leading(ceilings.foothold)
    values = eigenvalue_bounds_above(kept, ceilings.leftover, rounding, count)
    return replace(ceilings, values=values)


def bounds_by_cholesky(
    side: Side, ritz: Ritz, matrix: Float64Array, most: float, rng: np.random.Generator
) -> float | None:
    """Probes say where to try (products with a matrix at hand are free), Cholesky proves it."""
    roof = most
    probes = probe_leftover(MatrixSide(matrix, side), ritz.span, FAILURE, rng)
    for _, seen in zip(range(MOST_PROBE_PASSES), probes, strict=False):
        roof = min(roof, seen.bound())
        if roof <= CLOSE_FACTOR * seen.reached:
            break
    for roof_tried in (roof, 1.1 * roof):
        if roof_tried < most and is_below(matrix, ritz, roof_tried):
            return roof_tried
    return None


def bounds_by_probes(
    side: Side,
    ritz: Ritz,
    rounding: Rounding,
    count: int,
    best: UpperBounds,
    enough: Enough,
    rng: np.random.Generator,
    is_last: bool,
) -> UpperBounds:
    """Passes with a few random vectors until the bound serves, or cannot serve any more.

    `is_last`: two are made even where it cannot, or four times as many of a single vector. Else
    none are made for a bound that would have to be as tight as hundreds of them make it: an equal
    of the last eigenvalue may be missing, which the solver finds sooner.
    """

    def improve(leftover: float) -> UpperBounds:
        now = bounds_from_leftover(ritz, rounding, count, leftover, *PROBED)
        both = np.minimum(now.values, best.values)
        better = enough(both, now.leftover) or both.sum() < WORTH_A_CHANCE * best.values.sum()
        return replace(now, values=both) if better else best

    def serves(leftover: float) -> bool:
        hopeful = bounds_from_leftover(ritz, rounding, count, leftover, *PROBED)
        return enough(hopeful.values, hopeful.leftover)

    useful, hoped = most_useful(ritz, rounding, count), -math.inf
    drawn = count_probes(side, ritz.size)
    probes = probe_leftover(side, ritz.span, FAILURE, rng, drawn)
    least = passes_of_probes(drawn, LAST_PROBE_PASSES if is_last else 1)
    most, margin = passes_of_probes(drawn, MOST_PROBE_PASSES), 1.0 if is_last else LEAST_MARGIN
    due = doubled = 1
    for made, seen in enumerate(islice(probes, most), start=1):
        if made < due:
            continue
        due += 1 + made // PASSES_PER_CHECK
        if seen.is_below(useful):
            best = improve(seen.bound())
            if enough(best.values, best.leftover):
                return best
        if made >= max(least, doubled) and seen.reached > hoped:  # for it costs an eigenproblem
            doubled = 2 * made
            # Half way up to the last eigenvalue: what serves there serves below it as well.
            lowest = margin * seen.reached
            levels = (lowest + float(ritz.values[count - 2])) / 2, lowest
            hoped = next((one for one in levels if one >= lowest and serves(one)), hoped)
            if hoped < seen.reached:
                break  # even the smallest bound to expect would not do: the span must improve
    return improve(seen.bound())
