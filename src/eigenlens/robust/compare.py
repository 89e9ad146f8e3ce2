"""The comparison beside every classical fit: would the components turn without outlying cells?

    angle    between the components and those of the wrapped cells
    chance   the angle between the wrapped components of two random halves of the rows (median)
    share    of cells beyond four robust scales

Components differ by more than chance where angle > 0.45 chance and the share is beyond what heavy
tails give (0.5 %, and chance), or where angle > 1.7 chance, whatever the share: one bad row turns
a component. Normal tables have ratios of 0.2 to 0.6, and so have tables with t noise of 5 degrees
of freedom, of which 0.3 % of the cells are beyond. What the far cells are is `far_cells.py`.

Cost     first the medians of a few rows, beside the variances of all, which settles it for most
         tables; then those of a sample, and its products. Halves are compared to first order:
         their covariance matrices are sums of eight parts, and eigenvectors turn by the difference
         over the gaps.
Misses   tables wider than 128 columns that are not long: a matrix of their size costs too much;
         tables in which one value is frequent.
Source   Raymaekers and Rousseeuw 2021 (wrapping); Davis and Kahan 1970 (the first order).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.robust.far_cells import FarCells, describe_far_cells
from eigenlens.robust.location import END, ColumnScales, wrap_deviations
from eigenlens.sources.moments_only import MomentsSource
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import peek_rows, traits_of
from eigenlens.table.preparation import Preparation, column_names
from eigenlens.table.shift import RowSample

__all__ = ["WrappedComparison", "compare_with_wrapped"]

SAMPLE_CELLS = 1 << 15
FEWEST, WIDEST = 40, 128  # rows, columns; wider tables are compared where they are long
LONG, WIDEST_OF_ALL = 200, 1000  # rows per column
MAD = 1.482602218505602
TAILS = 0.005  # share of cells beyond four scales that heavy tails have
UNEVEN = 3.0  # variance over squared robust scale, from which a few cells may hold most of it
FEW_ROWS = 256  # whose medians are good enough to see that nothing is far out
CLEARLY = 0.67  # of the limits: medians of few rows are off by a tenth
FAR, FAR_ALONE = 0.45, 1.7  # angle over chance, with outlying cells and without
VERY_FAR, LARGE_TURN = 4.0, 25.0  # angle over chance, degrees: worth a warning
PARTS = 8
VERY_LARGE = 1e100
HALF_EQUAL = "about half of the cells of a column are equal, so that no cell of it is far out"
ONE_VALUE = "one value is frequent, as zero is among counts, so that the others would be far out"
FREQUENT = 0.2  # share of cells that are zero or at the median; rounded numbers have some


@dataclass(frozen=True)
class WrappedComparison:
    """Angles in degrees; `components`: how many were compared."""

    share: float
    cells: int
    components: int
    angle: float = 0.0
    chance: float = np.inf
    model_angle: float = 0.0
    far: FarCells | None = None
    unsuited: str | None = None

    @property
    def differs(self) -> bool:
        tails = TAILS + 1.5 * np.sqrt(TAILS / self.cells)
        turned = self.share > tails and self.angle > FAR * self.chance
        return bool(turned or self.model_angle > FAR_ALONE * self.chance)

    @property
    def is_drastic(self) -> bool:
        turn = max(self.angle, self.model_angle)
        large = turn > VERY_FAR * self.chance and turn > LARGE_TURN
        return self.differs and large and (self.far is None or self.far.may_be_errors)

    def verdict(self, source: Source) -> Verdict:
        evidence: dict[str, Any] = {
            "differs": self.differs,
            "drastic": self.is_drastic,
            "outlying_share": self.share,
            "angle": max(self.angle, self.model_angle),
            "chance": self.chance,
            "components": self.components,
        }
        if self.unsuited is not None:
            return Verdict("not compared", "values", self.unsuited, evidence)
        if self.differs and self.far is not None:
            evidence |= {"pattern": self.far.pattern, "lag_correlation": self.far.lag_correlation}
            which = "component" if self.components == 1 else f"{self.components} components"
            turn = max(self.angle, self.model_angle)
            said = self.far.say(self.share, column_names(source))
            reason = (
                f"{said}; without their pull the first {which} would "
                f"turn by {turn:.0f} degrees (two halves of the rows differ by {self.chance:.0f}); "
                f"{self.far.advice}"
            )
            return Verdict("differs", "comparison", reason, evidence)
        reason = (
            f"{self.share:.2%} of the cells lie far from the middle of their column; the "
            f"components are those of a robust fit but for chance"
        )
        return Verdict("agrees", "comparison", reason, evidence)


def compare_with_wrapped(
    source: Source,
    preparation: Preparation,
    components: Float64Array,
    variances: Float64Array,
    sample: RowSample | None = None,
) -> Verdict | None:
    """None where there is nothing to compare: no rows, raw or weighted ones, few of them.

    `variances`: of the columns, over all rows, in the units of the data. `sample`: some of the
    rows, where they are at hand.
    """
    count, width = source.shape
    rank = len(components)
    unsuited = isinstance(source, MomentsSource) or source.is_sparse or not preparation.center
    if unsuited or preparation.weights is not None or not rank or width < 2 or count < FEWEST:
        return None
    traits = traits_of(source)
    if traits.remote or not traits.re_readable:
        return None
    if width > WIDEST and (count < LONG * width or width > WIDEST_OF_ALL):
        reason = "the table is too wide to be compared with a robust fit in passing"
        return Verdict("not compared", "width", reason)
    compared = min(rank, width - 1)
    with np.errstate(all="ignore"):
        rows = peek_rows(source, FEW_ROWS) if sample is None else sample.rows
        scales, share = quick_scales(rows)
        uneven = float((variances / np.square(scales.scale)).max())
        if share <= CLEARLY * TAILS and uneven <= CLEARLY * UNEVEN:
            found = WrappedComparison(share, rows.size, compared)
            return found.verdict(source)
        obstacle = why_unsuited(rows, scales)
        if obstacle is not None:
            found = WrappedComparison(share, rows.size, compared, unsuited=obstacle)
            return found.verdict(source)
        if len(rows) < count:
            rows = peek_rows(source, max(FEW_ROWS, 2 * width, SAMPLE_CELLS // width))
        found = compare_rows(rows, preparation, components, len(rows) >= count)
        return found.verdict(source)


def why_unsuited(rows: Float64Array, scales: ColumnScales) -> str | None:
    """Why distances from the medians say little, as a few rows show it as well as many."""
    if not (scales.scale > 0).all():
        return HALF_EQUAL
    usual = np.count_nonzero(rows == scales.location) + np.count_nonzero(rows == 0)
    return ONE_VALUE if usual > FREQUENT * rows.size else None


def compare_rows(
    rows: Float64Array, preparation: Preparation, components: Float64Array, is_whole: bool
) -> WrappedComparison:
    rank = min(len(components), rows.shape[1] - 1)
    centered = rows - rows.mean(axis=0)
    variances = np.einsum("ij,ij->j", centered, centered) / len(rows)
    scales, share = quick_scales(rows)
    uneven = float((variances / np.square(scales.scale)).max())
    if share <= TAILS and uneven <= UNEVEN:
        return WrappedComparison(share, rows.size, rank)
    unsuited = why_unsuited(rows, scales)
    if unsuited is not None:
        return WrappedComparison(share, rows.size, rank, unsuited=unsuited)
    deviations = (rows - scales.location) / scales.scale
    wrapped = wrap_deviations(deviations)
    wrapped -= wrapped.mean(axis=0)
    spreads = np.sqrt(np.einsum("ij,ij->j", wrapped, wrapped) / len(rows))
    wrapped *= scales.scale / np.maximum(spreads, np.finfo(float).tiny)
    if isinstance(preparation.scale, str):
        centered /= np.sqrt(np.maximum(variances, np.finfo(float).tiny))
        wrapped /= scales.scale
    elif isinstance(preparation.scale, np.ndarray):
        centered, wrapped = centered / preparation.scale, wrapped / preparation.scale
    found = measure_turn(centered, wrapped, components, share, is_whole)
    return replace(found, far=describe_far_cells(deviations)) if found.differs else found


def quick_scales(rows: Float64Array) -> tuple[ColumnScales, float]:
    """Medians and median deviations, and the share of cells beyond four scales."""
    middle = len(rows) // 2
    cells = rows.T.copy()  # line by line, each in any order
    cells.partition(middle, axis=1)
    location = cells[:, middle].copy()
    cells -= location[:, None]
    np.abs(cells, out=cells)
    cells.partition(middle, axis=1)
    scale = MAD * cells[:, middle]
    far = np.count_nonzero(cells > (END * scale)[:, None])
    return ColumnScales(location, scale), float(far) / rows.size


def measure_turn(
    centered: Float64Array,
    wrapped: Float64Array,
    components: Float64Array,
    share: float,
    is_whole: bool,
) -> WrappedComparison:
    count, width = wrapped.shape
    largest = max(float(np.abs(centered).max()), float(np.abs(wrapped).max()))
    if largest > VERY_LARGE:  # in other units: angles are the same, and squares do not overflow
        power = np.frexp(largest)[1]
        centered, wrapped = np.ldexp(centered, -power), np.ldexp(wrapped, -power)
    # Every eighth row in one part: neighbors in the table may be alike.
    parts = np.array([wrapped[start::PARTS].T @ wrapped[start::PARTS] for start in range(PARTS)])
    sizes = np.array([len(range(start, count, PARTS)) for start in range(PARTS)], dtype=np.float64)
    values, vectors = np.linalg.eigh(parts.sum(axis=0) / count)
    values, vectors = values[::-1], vectors[:, ::-1]
    rank = len(components)
    if rank >= width:
        rank = clearest_cut(values)
    chance = angle_by_chance(parts, sizes, values, vectors, rank)
    own = np.ascontiguousarray(components[:rank].T)
    if is_whole:
        turned = angle_between(vectors[:, :rank], own)
        return WrappedComparison(share, wrapped.size, rank, turned, chance, turned)
    classical = np.linalg.eigh(centered.T @ centered)[1][:, ::-1]
    return WrappedComparison(
        share,
        wrapped.size,
        rank,
        angle_between(vectors[:, :rank], classical[:, :rank]),
        chance,
        angle_between(vectors[:, :rank], own),
    )


def clearest_cut(values: Float64Array) -> int:
    """Where all components are kept, those above the largest fall of the first ten are compared."""
    some = np.maximum(values[: min(11, len(values))], np.finfo(float).tiny)
    return int(np.argmax(some[:-1] / some[1:])) + 1


def angle_by_chance(
    parts: Float64Array,
    sizes: Float64Array,
    values: Float64Array,
    vectors: Float64Array,
    rank: int,
) -> float:
    """The median angle between the components of two halves of the rows, in degrees."""
    kept, rest = vectors[:, :rank], vectors[:, rank:]
    turned = rest.T @ (parts @ kept)
    gaps = np.maximum(values[:rank] - values[rank:, None], np.finfo(float).tiny)
    halves = [half for half in combinations(range(PARTS), PARTS // 2) if half[0] == 0]
    angles = []
    for half in halves[::2]:
        chosen = np.isin(np.arange(PARTS), half)
        one = turned[chosen].sum(axis=0) / sizes[chosen].sum()
        other = turned[~chosen].sum(axis=0) / sizes[~chosen].sum()
        with np.errstate(over="ignore", invalid="ignore"):
            moved = (one - other) / gaps
            squares = moved.T @ moved
        if not np.isfinite(squares).all():  # eigenvalues so close that anything turns them
            angles.append(np.pi / 2)
            continue
        largest = np.linalg.eigvalsh(squares)[-1]
        angles.append(np.arctan(np.sqrt(max(float(largest), 0.0))))
    return float(np.degrees(np.median(angles)))


def angle_between(one: Float64Array, other: Float64Array) -> float:
    """The largest principal angle of two orthonormal bases, in degrees."""
    apart = one - other @ (other.T @ one)
    return float(np.degrees(np.arcsin(min(1.0, float(np.linalg.norm(apart, 2))))))
