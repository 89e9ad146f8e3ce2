"""certify: from Ritz pairs on the feature side, ceilings and plain facts to the certificate.

Separation: how far single components, and the subspace they span, can be from the true ones.

    subspace   sin <= |R_k| / (t_k - ceiling_{k+1})                        (Davis and Kahan 1970)
    component  sin <= |r_i| / min(t_{i-1} - t_i, t_i - ceiling_{i+1})

Both need *proven* neighbors: lambda_{i-1} >= t_{i-1} always, and lambda_{i+1} <= ceiling_{i+1}.
The tempting t_{i+1} + |r_{i+1}| in place of the ceiling is false (test_false_gap).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.larger_matrix import falling
from eigenlens.certificate.record import Certificate
from eigenlens.certificate.rounding import rounding_of
from eigenlens.certificate.upper_bounds import UpperBounds
from eigenlens.sources.traits import traits_of
from eigenlens.table.roundings import Roundings
from eigenlens.table.table import TableOperator

__all__ = [
    "POPULATION_WEIGHT",
    "TableFacts",
    "certify",
    "component_sines",
    "facts_of_table",
    "find_clusters",
    "subspace_sine",
]

# Exactly so many rows: none were counted, and the matrix is taken as exact. Less one it is a power
# of two, so that dividing by it rounds nothing.
POPULATION_WEIGHT = 2.0**50 + 1
LEAST_NORMAL = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True)
class TableFacts:
    """What a certificate needs to know of a table once the passes are over."""

    size: int
    most_components: int
    weight: float
    divisor: float
    unit: float
    total_variance: float
    total_rounding: float  # how far the total variance may be off
    diagonal: Float64Array
    roundings: Roundings
    passes: int
    bytes_read: int

    @property
    def triangle_diagonal(self) -> Float64Array:
        return self.diagonal  # it was taken from the triangle's rows where there was one

    @property
    def roundoff(self) -> float:
        return self.roundings.relative


def facts_of_table(table: TableOperator, from_triangle: bool = False) -> TableFacts:
    traits = traits_of(table.source)
    once = not traits.re_readable  # then a product reads a matrix, not the data
    before = max(traits.passes_to_open, 1)
    return TableFacts(
        size=table.shape[1],
        most_components=table.directions,
        weight=table.preparation.total_weight,
        divisor=table.divisor,
        unit=table.unit,
        total_variance=table.total_variance,
        total_rounding=table.total_rounding,
        diagonal=table.tallied_variances if from_triangle else table.uncorrected_variances,
        roundings=table.roundings,
        passes=before if once else table.meter.passes,
        bytes_read=before * table.source.stored_bytes if once else table.meter.bytes_read,
    )


def certify(
    facts: TableFacts, ritz: Ritz, ceilings: UpperBounds, moved: float = 0.0
) -> Certificate:
    """`ritz` holds exactly the components that will be returned; `ceilings` one value more.

    `moved`: how far, in norm, the matrix meant may lie from the one all this was found of.
    """
    rounding = rounding_of(facts, ritz, ritz.size).more(moved)
    values, unit = ritz.values, facts.unit**2
    floors = falling(np.maximum(values - rounding.values, 0.0))
    own = np.append(falling(values + rounding.values), 0.0)
    roofs = np.maximum(ceilings.values + moved, own)
    if ritz.size >= facts.most_components:
        roofs[-1] = 0.0  # a table has no more eigenvalues than this
    residuals = ritz.residuals + rounding.residuals
    coupling = ritz.coupling_norm(ritz.size)
    spread = coupling + float(np.linalg.norm(rounding.residuals - moved)) + moved
    sines = component_sines(values, roofs, residuals, floors)
    smallest = float(values[-1]) if ritz.size else np.inf  # nothing is known to lie in nothing
    captured, best = float(values.sum()), float(roofs[:-1].sum())
    least = max(captured - float(rounding.values.sum()), 0.0)
    no_sample = facts.weight == POPULATION_WEIGHT
    rows = 1.0 if no_sample else facts.divisor  # of a population: the error expected of a row
    sampling = np.full_like(values, np.inf) if no_sample else values * np.sqrt(2 / facts.weight)
    shares = np.divide(
        roofs[:-1] - values,
        sampling,
        out=np.zeros_like(values),
        where=values > 10 * rounding.values,
    )
    totals = exact_facts(facts, captured, float(rounding.values.sum()), moved)
    return Certificate(
        captured_ratio=min(captured / facts.total_variance, 1.0),
        reconstruction_error=max(facts.total_variance - captured, 0.0) * unit * rows,
        eigenvalue_bounds=bounds_in_units(np.column_stack([floors, roofs[:-1]]), unit),
        angle_bounds=sines,
        subspace_angle=subspace_sine(smallest, float(roofs[-1]), spread),
        suboptimality=max(best - least, 0.0) / best if best > 0 else 0.0,
        clusters=tuple(tuple(run) for run in find_clusters(sines, floors, roofs)),
        kind=ceilings.kind,
        failure_probability=ceilings.failure_probability,
        passes=facts.passes,
        bytes_read=facts.bytes_read,
        sampling_share=float(shares.max(initial=0.0)),
        rounding=allowances_in_units(rounding.values, unit),
        hazard=float(facts.diagonal.sum() / facts.total_variance),
        rule=ceilings.rule,
        residuals=allowances_in_units(residuals, unit),
        backward_error=float(allowances_in_units(np.array(spread), unit)),
        captured_bounds=totals.captured,
        reconstruction_bounds=bounds_in_units(totals.left * rows, unit),
        total_variance_bounds=bounds_in_units(totals.total, unit),
    )


def bounds_in_units(bounds: Float64Array, unit: float) -> Float64Array:
    """Pairs in the units of the data. Below the least normal float digits are lost: outwards."""
    lower, upper = bounds[..., 0] * unit, allowances_in_units(bounds[..., 1], unit)
    lower = np.where(lower < LEAST_NORMAL, np.nextafter(lower, 0.0), lower)
    return np.stack([lower, upper], axis=-1)


def allowances_in_units(sizes: Float64Array, unit: float) -> Float64Array:
    found = sizes * unit
    lost = (found < LEAST_NORMAL) & (sizes > 0)
    return np.where(lost, np.nextafter(found, np.inf), found)


@dataclass(frozen=True)
class ExactFacts:
    """Between which bounds facts lie that need no proof, only arithmetic: (2,) each."""

    captured: Float64Array  # share of the total variance
    left: Float64Array  # variance outside the subspace
    total: Float64Array


def exact_facts(facts: TableFacts, captured: float, off: float, moved: float) -> ExactFacts:
    """`off`: how far the sum of the Ritz values may be from the variance captured."""
    total = facts.total_variance
    total_off = facts.total_rounding + facts.size * moved
    low, high = max(captured - off, 0.0), captured + off
    least, most = max(total - total_off, 0.0), total + total_off
    whole = most > 0
    return ExactFacts(
        captured=np.array(
            [
                low / most if whole else 0.0,
                min(high / least, 1.0) if least > 0 else 1.0,
            ]
        ),
        left=np.array([max(least - high, 0.0), max(most - low, 0.0)]),
        total=np.array([least, most]),
    )


def subspace_sine(value: float, ceiling_beyond: float, residual: float) -> float:
    """Bound on the sine of the largest principal angle between found and true subspace."""
    gap = value - ceiling_beyond
    return min(1.0, residual / gap) if gap > 0 else 1.0


def component_sines(
    values: Float64Array, ceilings: Float64Array, residuals: Float64Array, floors: Float64Array
) -> Float64Array:
    """Bound on the sine for each component; 1 where its neighbors cannot be told apart from it.

    `ceilings` has one entry more than `values`; `floors` are proven lower bounds.
    """
    above = np.append(np.inf, floors[:-1]) - values
    below = values - ceilings[1:]
    gaps = np.minimum(above, below)
    sines = np.divide(residuals, gaps, out=np.ones_like(values), where=gaps > 0)
    return np.minimum(sines, 1.0)


def find_clusters(sines: Float64Array, floors: Float64Array, ceilings: Float64Array) -> list[range]:
    """Runs of components about which only their common span can be stated.

    Neighbors belong together when their intervals overlap; a component that overlaps only what
    lies beyond the last one forms a run of its own.
    """
    runs: list[range] = []
    start = 0
    for index in range(len(sines)):
        if floors[index] > ceilings[index + 1]:  # a proven gap ends the run
            if index > start or sines[index] >= 1:
                runs.append(range(start, index + 1))
            start = index + 1
    if start < len(sines):
        runs.append(range(start, len(sines)))
    return runs
