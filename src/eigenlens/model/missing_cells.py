"""What a model knows about the missing cells of its table: `model.missing`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.completer import Completer
from eigenlens.missing.treatment import Treatment
from eigenlens.missing.unstored import UnstoredSource
from eigenlens.missing.worst_case import find_worst_case

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["MissingCells", "missing_cells_of", "truncate_missing"]

FEW = 0.01  # share of holes up to which the worst case may say anything


@dataclass(frozen=True, eq=False)
class MissingCells:
    """How many cells are missing, how they were estimated, and what is proven about that.

    Attributes
    ----------
    engine : "gaussian" or "lowrank".
    cells, share, rows, empty_rows : missing cells, their share, rows that lack some, rows that lack
        all (which are left out).
    log_likelihood, trail : of the observed cells, penalized by the prior, after the last pass and
        after every pass; it never falls.
    defect, change : by how much one more step would change the expected covariance matrix, relative
        to it and, in the units of the eigenvalues, as a Frobenius norm.
    angle : bound on the sine of the angle by which one more step would turn the subspace.
    rate, distance : how fast steps shrink, and an estimate of what is left to the fixed point.
    worst_angle : bound on the sine of the angle for *any* values within their columns' ranges; 1
        where nothing is claimed.
    unstored : whether what a sparse table does not store is missing, in new rows too.
    hidden_cells, hidden_error : cells hidden on purpose, and their root mean squared error in
        standard deviations of their columns.
    outlying : how many of `cells` are there but outlying, and treated as missing.
    uncertain : how many cells have less than full weight.
    """

    engine: str
    cells: int
    share: float
    rows: int
    empty_rows: int
    trail: Float64Array
    defect: float
    change: float
    angle: float
    rate: float
    distance: float
    passes: int
    worst_angle: float
    hidden_cells: int
    hidden_error: float
    column_errors: Float64Array
    completer: Completer
    unstored: bool = False
    outlying: int = 0
    uncertain: int = 0

    @property
    def log_likelihood(self) -> float:
        return float(self.trail[-1])

    def sentences(self) -> list[str]:
        """For people, after the sentences of the certificate."""
        said = []
        if self.empty_rows:
            rows = (
                "row without any cell was" if self.empty_rows == 1 else "rows without any cell were"
            )
            said.append(f"{self.empty_rows} {rows} left out.")
        if self.uncertain:
            return [*said, self.weighted_sentence(), self.rest_sentence()]
        if not self.cells:
            return [
                *said,
                "No cell is missing; new rows that lack some can be filled and projected.",
            ]
        also = f", {self.outlying} of them as outlying" if self.outlying else ""
        said.append(
            f"{self.share:.2%} of the cells are {'treated as ' if also else ''}missing "
            f"({self.cells} in {self.rows} row{'s' * (self.rows != 1)}{also}): the bounds above "
            f"are about the covariance matrix expected given the observed cells."
        )
        said.append(self.rest_sentence())
        if self.worst_angle < 0.5:
            said.append(
                f"Whatever the missing values are within the ranges of their columns, the subspace "
                f"turns by a sine of at most {self.worst_angle:.2g}."
            )
        return said

    def weighted_sentence(self) -> str:
        missing = f" and {self.cells} none" if self.cells else ""
        return (
            f"{self.uncertain} cells have less than full weight{missing}: the bounds above are "
            f"about the covariance matrix expected given the cells and their weights."
        )

    def rest_sentence(self) -> str:
        turned = (
            "no bound on how far one more step would turn the subspace is proven"
            if self.angle >= 1
            else f"one more step would turn the subspace by a sine of at most {self.angle:.1e}"
        )
        return f"The estimate is at rest to {self.defect:.1e} (relative); {turned}."

    def __str__(self) -> str:
        return " ".join(self.sentences())


def missing_cells_of(model: Subspace, treatment: Treatment) -> MissingCells | None:
    """The record for a model that was fitted to expected moments; None for any other."""
    expectation = treatment.expectation
    if expectation is None:
        return None
    observed, fixed = expectation.observed, expectation.fixed_point
    change = 0.0
    if observed.holes or expectation.uncertain:
        change = change_of(model, expectation.moments, expectation.next_moments)
    return MissingCells(
        engine=str(expectation.choice.value),
        cells=observed.holes,
        share=observed.share,
        rows=observed.rows - observed.complete_rows,
        empty_rows=observed.empty_rows,
        trail=np.array(fixed.trail),
        defect=fixed.defect,
        change=change,
        angle=turn_bound(model, change),
        rate=fixed.rate,
        distance=fixed.distance,
        passes=fixed.passes_before + fixed.passes,
        worst_angle=worst_angle(model, treatment),
        hidden_cells=expectation.hidden.count,
        hidden_error=expectation.hidden.error,
        column_errors=expectation.hidden.column_errors,
        completer=expectation.completer,
        unstored=treatment.reader is not None
        and isinstance(treatment.reader.source, UnstoredSource),
        uncertain=expectation.uncertain,
    )


def truncate_missing(holes: MissingCells | None, model: Subspace) -> MissingCells | None:
    """The same cells for a model with fewer components, whose angles are others."""
    if holes is None:
        return None
    return replace(holes, angle=turn_bound(model, holes.change), worst_angle=1.0)


def change_of(model: Subspace, here: Moments, there: Moments) -> float:
    """How far apart, in the Frobenius norm, the matrices are that a model was fitted to."""
    return float(np.linalg.norm(prepare_cells(model, there) - prepare_cells(model, here)))


def prepare_cells(model: Subspace, moments: Moments) -> Float64Array:
    """The matrix whose eigenvectors are the components, from moments in the units of the data."""
    matrix = moments.second_moment(model.mean is not None)
    if model.scale is not None:
        scale = model.scale
        if standardize_cells(model):  # of levels squares may round below 0: their scale is given
            scale = np.sqrt(moments.squares / (moments.weight - 1))
        matrix = matrix / np.outer(scale, scale)
    result: Float64Array = matrix / model.proof.facts.divisor
    return result


def standardize_cells(model: Subspace) -> bool:
    return bool(model.provenance["settings"].get("scale") == "std")


def turn_bound(model: Subspace, change: float) -> float:
    """Davis and Kahan: the sine by which a change of the matrix may turn the subspace."""
    unit = model.proof.facts.unit**2
    if not model.n_components:
        return 0.0
    low = float(model.certificate.eigenvalue_bounds[-1, 0])
    gap = low - float(model.proof.ceilings.values[-1]) * unit - change
    return min(1.0, change / gap) if gap > 0 else 1.0


def worst_angle(model: Subspace, treatment: Treatment) -> float:
    """Any values in the holes: Wedin's bound for the completed table, and what C* adds to that."""
    expectation, reader = treatment.expectation, treatment.reader
    if expectation is None or reader is None or expectation.observed.share > FEW:
        return 1.0
    if model.categories is not None:  # any level in the holes: nothing is claimed
        return 1.0
    spread = expectation.observed.spread
    scale = np.ones(len(spread)) if model.scale is None else model.scale
    worst = find_worst_case(reader, expectation.completer, scale)
    rank = model.n_components
    if worst is None or not rank:
        return 1.0
    units = spread / scale
    sums, divisor = expectation.fixed_point.sums, model.proof.facts.divisor
    centered = sums.completed - sums.weight * np.outer(sums.shift, sums.shift)
    values = np.linalg.eigvalsh(centered * np.outer(units, units))[::-1]
    roots = np.sqrt(np.maximum(values, 0.0))
    below = float(roots[rank]) if rank < len(roots) else 0.0
    extra = float(np.linalg.norm(sums.spread * np.outer(units, units))) / divisor
    return min(1.0, worst.angle(float(roots[rank - 1]), below) + turn_bound(model, extra))
