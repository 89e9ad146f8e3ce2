"""certify: from Ritz pairs on the feature side, ceilings and plain facts to the certificate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.record import Certificate
from eigenlens.certificate.rounding import rounding_of
from eigenlens.certificate.separation import component_sines, find_clusters, subspace_sine
from eigenlens.certificate.upper_bounds import UpperBounds, falling
from eigenlens.sources.traits import traits_of
from eigenlens.table.roundings import Roundings
from eigenlens.table.table import TableOperator

__all__ = ["TableFacts", "certify", "facts_of_table"]


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
    once = not traits_of(table.source).re_readable  # then a product reads a matrix, not the data
    return TableFacts(
        size=table.shape[1],
        most_components=table.preparation.directions(table.shape),
        weight=table.preparation.total_weight,
        divisor=table.divisor,
        unit=table.unit,
        total_variance=table.total_variance,
        total_rounding=table.total_rounding,
        diagonal=table.tallied_variances if from_triangle else table.uncorrected_variances,
        roundings=table.roundings,
        passes=1 if once else table.meter.passes,
        bytes_read=table.source.stored_bytes if once else table.meter.bytes_read,
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
    sampling = values * np.sqrt(2 / facts.weight)
    shares = np.divide(
        roofs[:-1] - values,
        sampling,
        out=np.zeros_like(values),
        where=values > 10 * rounding.values,
    )
    totals = exact_facts(facts, captured, float(rounding.values.sum()), moved)
    return Certificate(
        captured_ratio=min(captured / facts.total_variance, 1.0),
        reconstruction_error=max(facts.total_variance - captured, 0.0) * facts.divisor * unit,
        eigenvalue_bounds=np.column_stack([floors, roofs[:-1]]) * unit,
        angle_bounds=sines,
        subspace_angle=subspace_sine(smallest, float(roofs[-1]), spread),
        suboptimality=max(best - least, 0.0) / best if best > 0 else 0.0,
        clusters=tuple(tuple(run) for run in find_clusters(sines, floors, roofs)),
        kind=ceilings.kind,
        failure_probability=ceilings.failure_probability,
        passes=facts.passes,
        bytes_read=facts.bytes_read,
        sampling_share=float(shares.max(initial=0.0)),
        rounding=rounding.values * unit,
        hazard=float(facts.diagonal.sum() / facts.total_variance),
        rule=ceilings.rule,
        residuals=residuals * unit,
        backward_error=spread * unit,
        captured_bounds=totals.captured,
        reconstruction_bounds=totals.left * (facts.divisor * unit),
        total_variance_bounds=totals.total * unit,
    )


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
