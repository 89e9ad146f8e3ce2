"""Spectrum: the part of the eigenvalues a rule may look at."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.rounding import rounding_of_total
from eigenlens.rank.storage_rounding import storage_variance
from eigenlens.sources.traits import traits_of
from eigenlens.table.sides import FeatureSide
from eigenlens.table.table import TableOperator

__all__ = [
    "FEWEST_COLUMNS",
    "NEGLIGIBLE_SHARE",
    "Spectrum",
    "SpectrumOrigin",
    "count_words",
    "held_words",
    "known_spectrum",
    "small_vectors",
    "spectrum_of_values",
]

NEGLIGIBLE_SHARE = 1e-8
FEWEST_COLUMNS = 22  # ScreeNOT replaces ten eigenvalues from the next ten, and needs two more
SAME_VARIANCE = 1e-6
# Whose eigenvalues they are: who is short of some if they are too few.
SpectrumOrigin: TypeAlias = Literal["solver", "model", "look"]


@dataclass(frozen=True)
class Spectrum:
    """Leading eigenvalues from below (`values`), the total variance, and how many there can be.

    `leftover` bounds the variance of every direction outside those listed, where that is known,
    and `coupling` is the sum of squares with which the two parts of C are coupled. `ceilings` bound
    the leading eigenvalues from above; `rounding` is the relative error of the total. `rows` is the
    number of rows, or the sum of their weights; `variances` are those of the single columns,
    `vectors` (d, listed) the eigenvectors where a small table shows all of them. `storage` is the
    variance that the digits of stored numbers add to a direction. Variances times `unit` are in the
    units of the data.
    """

    values: Float64Array
    total: float
    most: int
    rows: float
    columns: int
    centered: bool = True
    variances: Float64Array | None = None
    leftover: float | None = None
    coupling: float = 0.0
    ceilings: Float64Array | None = None
    rounding: float = 0.0
    unit: float = 1.0
    storage: float = 0.0
    standardized: bool = False  # by the deviations of these rows, or of more rows than these
    vectors: Float64Array | None = None
    coarse: bool = False  # of float32 products: what seems to be rounding may be more
    shown: SpectrumOrigin = "solver"

    @property
    def complete(self) -> bool:
        """Whether all the variance is listed: nothing but rounding is missing."""
        return self.tail <= self.rounding * self.total + self.columns * self.storage

    @property
    def floor_of_sums(self) -> float:
        """Variance, summed over any number of directions, that arithmetic cannot tell from zero."""
        return max(self.rounding, self.columns * EPS) * self.total + self.columns * self.storage

    @property
    def floor(self) -> float:
        """The same for one direction: the norm of what rounding adds to C, not its trace."""
        largest = float(self.values.max(initial=0.0))
        middle = math.sqrt(self.total) * math.sqrt(largest)  # their product may overflow
        return max(self.rounding, self.columns * EPS) * middle + self.storage

    @property
    def blurred(self) -> bool:
        """Whether some of it may be more than nothing, and rounding alone hides that."""
        return bool(self.complete or np.any(self.values <= self.floor))

    @property
    def rank(self) -> int:
        """How many of the listed directions hold more than rounding."""
        return int(np.count_nonzero(self.values > self.floor))

    @property
    def negligible(self) -> float:
        """Variance of a direction that is nothing beside every single column.

        Columns that vary in r directions up to a ten-thousandth of their deviation have rank r for
        every purpose: no noise of theirs would leave so little.
        """
        if self.variances is None:
            return 0.0
        varying = self.variances[self.variances > self.floor]
        return NEGLIGIBLE_SHARE * float(varying.min()) if varying.size else 0.0

    @property
    def varying(self) -> int:
        """How many columns vary at all."""
        if self.variances is None:
            return self.columns
        return max(int(np.count_nonzero(self.variances > self.floor)), 1)

    @property
    def is_small(self) -> bool:
        """Whether there are too few columns to learn from them what noise looks like."""
        return self.columns < FEWEST_COLUMNS

    @property
    def is_standardized(self) -> bool:
        """Whether all columns that vary do so by the same amount."""
        if self.standardized or self.variances is None:
            return self.standardized
        varying = self.variances[self.variances > self.floor]
        return bool(varying.size and varying.max() <= varying.min() * (1 + SAME_VARIANCE))

    @property
    def freedom(self) -> float:
        """Degrees of freedom: what sums of squares were divided by."""
        return self.rows - self.centered

    @property
    def smaller(self) -> float:
        """How many eigenvalues noise would fill: the smaller side of the table."""
        return min(self.freedom, self.columns)

    @property
    def aspect(self) -> float:
        """The smaller side of the table over the larger: at most 1."""
        return self.smaller / max(self.freedom, self.columns)

    @property
    def tops(self) -> Float64Array:
        """The leading eigenvalues from above, where that is known."""
        tops = self.values.copy()
        if self.ceilings is not None:
            known = min(len(tops), len(self.ceilings))
            tops[:known] = np.maximum(tops[:known], self.ceilings[:known])
        return tops

    @property
    def tail(self) -> float:
        """The variance of everything not listed."""
        return max(self.total - float(self.values.sum()), 0.0)

    def squares_total(self) -> tuple[float, float]:
        """Bounds on the sum of all squared eigenvalues: exact when all are listed."""
        known = float(np.square(self.values).sum()) + 2 * self.coupling
        if self.complete:
            return known, known
        # The tail is smallest in squares when spread evenly, largest when packed under the roof.
        least = self.tail**2 / self.most
        roof = float(self.values[-1]) if self.leftover is None else self.leftover
        return known + least, known + max(least, self.tail * min(max(roof, 0.0), self.tail))

    def filled(self) -> Spectrum:
        """Without directions that hold nothing: noise is looked for where noise can be.

        Columns that do not vary are left out. Where the whole spectrum is listed so are columns
        that follow from others, or rows, whichever side is the smaller one.
        """
        varying = self.varying
        most = min(self.most, varying)
        seen = replace(self, values=self.values[:most], most=most, columns=varying)
        return seen.within(max(self.rank, 1)) if self.complete and self.rank < most else seen

    def within(self, most: int) -> Spectrum:
        """The same values of a table that varies in `most` directions: its smaller side."""
        tall = self.columns <= self.freedom
        rows, columns = (self.rows, most) if tall else (most + self.centered, self.columns)
        return replace(self, values=self.values[:most], most=most, rows=rows, columns=columns)


def known_spectrum(
    values: Float64Array, total: float, limit: int, rows: float, columns: int, **known: Any
) -> Spectrum:
    """What is known of a table that can vary in `limit` directions; its rows may have weights.

    Weights are numbers of copies, and so many rows could vary in more directions than copies can.
    Directions of which it is known that they hold nothing are listed as zeros.
    """
    copies = int(rows - known.get("centered", True))
    most = max(limit, min(copies, columns))
    seen = Spectrum(np.maximum(values[:limit], 0.0), total, most, rows, columns, **known)
    if len(seen.values) < limit and not seen.complete:
        return seen
    missing = most - len(seen.values)
    if missing <= 0:
        return seen
    return replace(seen, values=np.concatenate([seen.values, np.zeros(missing)]))


def spectrum_of_values(table: TableOperator, values: Float64Array, **more: Any) -> Spectrum:
    """What rules may look at, of a table some eigenvalues of which are known."""
    if "spectrum" not in table.kept:  # the same for all values: a proof asks several times
        table.kept["spectrum"] = facts_for_rules(table)
    limit, known = table.kept["spectrum"]
    weight = table.preparation.total_weight * traits_of(table.source).informative_share
    return known_spectrum(
        values, table.total_variance, limit, weight, table.shape[1], **known, **more
    )


def facts_for_rules(table: TableOperator) -> tuple[int, dict[str, Any]]:
    """In how many directions the rows can vary, and what a spectrum says besides eigenvalues."""
    variances = table.feature_variances
    return table.directions, {
        "centered": table.preparation.center,
        "variances": variances,
        "rounding": rounding_of_total(FeatureSide(table), table.total_variance),
        "unit": table.unit**2,
        "coarse": not table.rows.precise,
        "storage": storage_variance(
            table.source.dtype, table.mean_in_units, variances, table.shape
        ),
    }


def held_words(rank: int) -> str:
    """The beginning of a reason: "1 component holds", "12 components hold"."""
    return "1 component holds" if rank == 1 else f"{rank} components hold"


def count_words(rank: int) -> str:
    """The beginning of a reason that counts what stands out."""
    if rank == 0:
        return "there may be no structure to find: no component is"
    return "1 component is" if rank == 1 else f"{rank} components are"


def small_vectors(table: TableOperator, ritz: Ritz) -> dict[str, Float64Array]:
    """The eigenvectors of a small table all of which are known, for the rule of small tables."""
    columns = table.shape[1]
    whole = columns < FEWEST_COLUMNS and ritz.size == columns == len(ritz.span)
    return {"vectors": ritz.vectors(columns)} if whole else {}
