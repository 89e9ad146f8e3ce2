"""What a certificate of a union needs to know of its two parts, rounding included.

With s the step between the means and d its error, the scatter of the union moves by

    (s d' + d s' + d d') w_a w_b / w

so rounded means matter as much as they are far apart. Everything else is the sum of what was said
of the parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.certify import TableFacts
from eigenlens.certificate.rounding import lapack_error
from eigenlens.table.roundings import UNIT_ROUNDOFF, Roundings

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["Union", "united_facts"]

DOUBLE = UNIT_ROUNDOFF[8]


@dataclass(frozen=True)
class Union:
    """The moments of all rows, and how they become a covariance matrix."""

    moments: Moments
    scale: Float64Array | None
    divisor: float
    unit: float
    standardized: bool

    @property
    def multipliers(self) -> Float64Array:
        """From the units of the data to those of the matrix."""
        ones = np.ones_like(self.moments.mean)
        return (ones if self.scale is None else ones / self.scale) / self.unit


def united_facts(
    first: Subspace, second: Subspace, union: Union, covariance: Float64Array
) -> TableFacts:
    one, two = first.proof.facts, second.proof.facts
    rows, size = first.n_rows + second.n_rows, len(covariance)
    total = float(np.trace(covariance))
    step, _ = step_between(first, second, union)
    share = share_of_step(first, second, union)
    diagonal = share * step**2 + np.maximum(
        products_of(first, union) + products_of(second, union), np.diag(covariance)
    )
    roundings = united_roundings(first, second, union)
    lost = 2 * roundings.relative * float(diagonal.sum()) + roundings.of_matrix * total
    return TableFacts(
        size=size,
        most_components=min(rows - 1 if first.mean is not None else rows, size),
        weight=union.moments.weight,
        divisor=union.divisor,
        unit=union.unit,
        total_variance=total,
        total_rounding=lost + size * roundings.norm,
        diagonal=diagonal,
        roundings=roundings,
        passes=one.passes + two.passes,
        bytes_read=one.bytes_read + two.bytes_read,
    )


def products_of(model: Subspace, union: Union) -> Float64Array:
    """The squares that the products of one model were made of, as a part of the union's matrix."""
    facts = model.proof.facts
    own = np.ones(facts.size) if model.scale is None else model.scale
    sizes = facts.unit * own * union.multipliers
    found: Float64Array = facts.diagonal[: len(sizes)] * sizes**2 * (facts.divisor / union.divisor)
    return found


def united_roundings(first: Subspace, second: Subspace, union: Union) -> Roundings:
    """Term by term the larger of the two; norms add up."""
    one, two = first.proof.facts.roundings, second.proof.facts.roundings
    step, off = map(np.linalg.norm, step_between(first, second, union))
    moved = share_of_step(first, second, union) * float((2 * step + off) * off)
    norms = [norm_within(model, union) for model in (first, second)]
    scale = max(one.scale, two.scale)
    return Roundings(
        products=max(one.products, two.products),
        conversion=max(one.conversion, two.conversion),
        shift=max(one.shift, two.shift),
        weights=max(one.weights, two.weights),
        correction=max(one.correction, two.correction),
        scale=own_scale_error(first, second, union) if union.standardized else scale,
        divisor=max(one.divisor, two.divisor, DOUBLE),
        merge=sum(norms) + moved,
    )


def step_between(
    first: Subspace, second: Subspace, union: Union
) -> tuple[Float64Array, Float64Array]:
    """The step between the means in the units of the matrix, and how far it may be off."""
    if first.mean is None:
        nothing = np.zeros_like(union.multipliers)
        return nothing, nothing
    step = first.moments.step_to(second.moments)
    off = mean_error(first) + mean_error(second) + DOUBLE * np.abs(step)
    return step * union.multipliers, off * union.multipliers


def share_of_step(first: Subspace, second: Subspace, union: Union) -> float:
    weights = first.moments.weight * second.moments.weight
    return weights / union.moments.weight / union.divisor


def mean_error(model: Subspace) -> Float64Array:
    """How far the mean may be off, in the units of the data."""
    facts, moments = model.proof.facts, model.moments
    own = np.ones(len(moments.mean)) if model.scale is None else model.scale
    sizes = np.sqrt(facts.diagonal * (facts.divisor / facts.weight)) * facts.unit * own
    found: Float64Array = facts.roundings.relative * sizes
    if facts.roundings.reading:
        found = found + DOUBLE * np.hypot(moments.mean, np.sqrt(moments.squares / moments.weight))
    return found if moments.tail is not None else found + DOUBLE * np.abs(moments.mean)


def norm_within(model: Subspace, union: Union) -> float:
    """How far, in norm, one model's matrix may be off, as a part of the union's.

    One that was not kept is V diag(t) V', made of vectors and values that LAPACK found.
    """
    facts, norm = model.proof.facts, model.proof.facts.roundings.norm
    if model.moments.scatter is None:
        norm += 2 * lapack_error(facts.size) * float(model.proof.ritz.values.max(initial=0.0))
    own = np.ones(facts.size) if model.scale is None else model.scale
    sizes = facts.unit * own * union.multipliers
    return norm * float((sizes**2).max()) * facts.divisor / union.divisor


def own_scale_error(first: Subspace, second: Subspace, union: Union) -> float:
    """Relative error of the deviations of a union, which come of the squares of both parts."""
    step, off = step_between(first, second, union)
    share = share_of_step(first, second, union)
    relative = max(first.proof.facts.roundoff, second.proof.facts.roundoff)
    squares = products_of(first, union) + products_of(second, union) + share * step**2
    lost = 2 * relative * squares + share * (2 * np.abs(step) + off) * off
    variances = union.moments.squares * union.multipliers**2 / union.divisor
    return float((lost / variances).max()) / 2 + 2 * DOUBLE
