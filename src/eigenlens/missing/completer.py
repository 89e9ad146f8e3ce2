"""Completer: what is kept of an engine to fill the holes of any row, with errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.missing.law import Law

__all__ = ["Completer", "Completion", "OutlierScreen"]

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Completion:
    """Rows with their holes filled, and the standard errors of the filled cells (0 elsewhere)."""

    rows: Float64Array
    errors: Float64Array
    holes: BoolArray


class OutlierScreen(Protocol):
    """Which cells of a row are not to be believed, given a law of the rows."""

    def find_outlying(self, law: Law, deviations: Float64Array, absent: BoolArray) -> BoolArray: ...


@dataclass(frozen=True)
class Completer:
    """What is kept to fill the holes of any row: the law of the rows, in the units of the columns.

    `calibration` multiplies the standard errors: it was learned from cells hidden on purpose.
    `screen`: what tells outlying cells, which are filled like missing ones; None: all are believed.
    `support`: observed cells of each column. The law itself was learned from so many, which makes
    a prediction from a row at the distance D of the mean more uncertain, as in any regression:

        variance * (1 + (1 + D) / support)
    """

    law: Law
    center: Float64Array
    spread: Float64Array
    calibration: Float64Array
    screen: OutlierScreen | None = None
    support: Float64Array | None = None  # None: the law is taken as known

    def error_factors(self, columns: IntArray, distances: Float64Array) -> Float64Array:
        """What standard errors of the law are multiplied by, in these columns of each row."""
        factors = self.calibration[columns]
        if self.support is not None:
            factors = factors * np.sqrt(1 + (1 + distances[:, None]) / self.support[columns])
        return factors

    def in_units(self, rows: Float64Array) -> tuple[Float64Array, BoolArray]:
        """Deviations from the mean, 0 in the holes, and where the holes are."""
        holes = np.isnan(rows)
        deviations = (rows - self.center) / self.spread - self.law.mean
        deviations[holes] = 0.0
        if self.screen is not None:
            holes |= self.screen.find_outlying(self.law, deviations, holes)
            deviations[holes] = 0.0
        return deviations, holes

    def complete(self, rows: Float64Array) -> Completion:
        filled, errors = rows.copy(), np.zeros(rows.shape)
        if self.screen is None:
            holes = np.isnan(rows)
            lacking = np.flatnonzero(holes.any(axis=1))
            deviations, some = self.in_units(rows[lacking])
        else:
            deviations, holes = self.in_units(rows)
            lacking = np.flatnonzero(holes.any(axis=1))
            deviations, some = deviations[lacking], holes[lacking]
        mean = self.center + self.spread * self.law.mean
        expected, variances, distances = self.law.predict_holes(deviations, some)
        filled[lacking] = np.where(some, mean + self.spread * expected, rows[lacking])
        every = np.broadcast_to(np.arange(len(self.center)), some.shape)
        factors = self.error_factors(every, distances)
        errors[lacking] = np.sqrt(np.maximum(variances, 0.0)) * factors * self.spread
        return Completion(filled, errors, holes)
