"""missing_shift: how far components turn if missing values are not what they are expected to be.

All filled cells of one column are moved by s of their standard errors e (delta adjustment). With F
the completed rows less their mean, C* changes to

    C* + s (a u' + u a') + s^2 b u u'        a = sum e_i F_i / divisor,  b = sum (e_i - mean e)^2 /
                                             divisor,  u = the column's unit vector

so one pass serves all columns and shifts. `turn` is the largest angle, in degrees, by which one of
the components turns at s or -s; `turns_at` is the smallest shift, up to five standard errors, at
which one turns by 45 degrees and so is nearer to another direction than to itself.

Source   Rubin 1977; Little and Rubin, section 15.5 (sensitivity to what is not missing at random).
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.explain.incomplete import prepare_incomplete
from eigenlens.missing.completer import Completion
from eigenlens.model.subspace import Subspace

__all__ = ["ColumnShifts"]

LARGEST_SHIFT, STEPS = 5.0, 20
ANOTHER = 45.0  # degrees


class ColumnShifts:
    """What the covariance matrix becomes if the filled cells of a column are moved."""

    def __init__(self, model: Subspace, completion: Completion) -> None:
        self.model = model
        rows = prepare_incomplete(model, completion.rows)
        errors = completion.errors if model.scale is None else completion.errors / model.scale
        divisor = model.proof.facts.divisor * len(rows) / model.n_rows
        if model.mean is not None:
            rows, errors = rows - rows.mean(axis=0), errors - errors.mean(axis=0)
        self.crossed = rows.T @ errors / divisor
        self.squares = np.square(errors).sum(axis=0) / divisor
        scatter = model.moments.second_moment(model.mean is not None)
        if model.scale is not None:
            scatter = scatter / np.outer(model.scale, model.scale)
        self.matrix = scatter / model.proof.facts.divisor
        self.standardized = model.provenance["settings"].get("scale") == "std"

    def turn(self, column: int, shift: float) -> float:
        """The largest angle by which a component turns, in degrees."""
        if not self.model.n_components:
            return np.nan
        matrix = self.matrix.copy()
        matrix[:, column] += shift * self.crossed[:, column]
        matrix[column, :] += shift * self.crossed[:, column]
        matrix[column, column] += shift**2 * self.squares[column]
        if self.standardized:
            sizes = np.sqrt(np.maximum(np.diag(matrix), 1e-300))
            matrix = matrix / np.outer(sizes, sizes)
        axes = np.linalg.eigh(matrix)[1][:, ::-1][:, : self.model.n_components].T
        along = np.abs(np.einsum("kd,kd->k", axes, self.model.components))
        return float(np.degrees(np.arccos(np.minimum(along, 1.0))).max())

    def turn_either_way(self, column: int, shift: float) -> float:
        return max(self.turn(column, shift), self.turn(column, -shift))

    def turns_at(self, column: int) -> float:
        """NaN where nothing turns within LARGEST_SHIFT."""
        for shift in np.linspace(0.0, LARGEST_SHIFT, STEPS + 1)[1:]:
            if self.turn_either_way(column, float(shift)) >= ANOTHER:
                return float(shift)
        return np.nan

    def table(self, columns: Float64Array, shift: float) -> dict[str, Float64Array]:
        """`turn` and `turns_at` of every column; NaN where none of its cells is missing."""
        lacking = np.asarray(columns) > 0
        every = range(len(lacking))
        turns = [self.turn_either_way(j, shift) if lacking[j] else np.nan for j in every]
        points = [self.turns_at(j) if lacking[j] else np.nan for j in every]
        return {"turn": np.array(turns), "turns_at": np.array(points)}
