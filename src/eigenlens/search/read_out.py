"""read_out: float64 for the answer alone, where float32 products have found it.

    float32   C' = A'A / divisor, its leading eigenvectors V, and what lies beyond them
    float64   H and F of one thin product C V

V is off by rounding in float32, which enters eigenvalues squared: as residual^2 / gap. What is left
outside V is bounded by the float32 matrix and by how far that may be from C. So a tolerance far
below float32 costs a product of 4 n d k, not n d^2 again; Krylov passes are not made again either.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from eigenlens.algebra.ritz import Ritz, ritz_of_image
from eigenlens.certificate.resting_pairs import pairs_enough
from eigenlens.certificate.rounding import rounding_of
from eigenlens.certificate.target import Target
from eigenlens.search.prove import Prover, SearchResult, Shortfall
from eigenlens.solvers.rates import gram_seconds, thin_seconds
from eigenlens.solvers.step import Solver, Step
from eigenlens.solvers.stopping import Reason
from eigenlens.table.sides import FeatureSide, Side, exposure_of
from eigenlens.table.table import TableOperator

__all__ = ["is_worth_exploring", "read_out_in_double"]

SMALLEST_TOLERANCE = 1e-10  # what float32 components leave, squared, may be as much
SPARE, SPARE_PART = 5, 4  # columns beyond those asked for, at least, and as a part of them
READ = Reason("float32 products had found it, and one product in float64 read it out", final=False)


def is_worth_exploring(table: TableOperator, target: Target, solver: Solver, rank: int) -> bool:
    """Whether to look for it in float32, although the proof will need float64."""
    if target.rounding_relative < SMALLEST_TOLERANCE:
        return False
    if not solver.forms_matrix:
        return True
    if solver.sided(table.shape):
        return False
    n, d = table.shape
    reading = thin_seconds(n * d, columns_to_read(rank, d), False)
    return reading + gram_seconds(n, d, True) < gram_seconds(n, d, False)


def columns_to_read(count: int, size: int) -> int:
    return min(count + max(SPARE, count // SPARE_PART), size - 1)


def read_out_in_double(
    prover: Prover, found: SearchResult | Shortfall, step: Step, count: int
) -> SearchResult | None:
    """The components of a float32 step with a proof in float64; None where that is not enough.

    In any case products are in float64 from now on.
    """
    table, side, ritz = prover.table, prover.side, step.read_out()
    by_single = found if isinstance(found, SearchResult) else None
    width, outside = known_outside(side, step, ritz, count, by_single)
    table.compute_in_double()
    if width < count:
        return None
    # Where the target is met, it is the rank that float32 products could not tell.
    if by_single is not None and by_single.met:
        return None
    if step.matrix is not None and not isinstance(side, FeatureSide):
        return None
    vectors = np.ascontiguousarray(ritz.vectors(width))
    read = ritz_of_image(vectors, side.apply(vectors), exposure_of(side, vectors))
    passes = step.passes + 1
    again = Step(passes, read.values, np.zeros(width), lambda: read, outside=outside)
    outcome = prover.prove(again, count, READ)
    if not isinstance(outcome, SearchResult) or not outcome.met:
        return None
    if by_single is None:
        return outcome
    # How evenly all eigenvalues share the variance is known well enough from float32.
    evidence = {**by_single.stop.evidence, **outcome.stop.evidence}
    return replace(outcome, stop=replace(outcome.stop, evidence=evidence))


def known_outside(
    side: Side, step: Step, ritz: Ritz, count: int, found: SearchResult | None
) -> tuple[int, float | None]:
    """How many of the pairs to read out, and a bound on the variance outside them, if known."""
    if ritz.size == side.size:
        width = columns_to_read(count, side.size)
        rounding = rounding_of(side, ritz, count)
        return width, float(ritz.values[width]) + rounding.leftover
    if step.matrix is not None and found is not None:  # no chance was in its proof
        return found.ceilings.foothold, found.ceilings.leftover
    return min(pairs_enough(count), ritz.size), None
