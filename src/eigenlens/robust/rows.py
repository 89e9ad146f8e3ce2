"""Rows: outlying rows are found, and the fit goes on without them.

    1  the least outlying rows, at most a share `kept` of them        directions.py
    2  their plane; rows near it; their plane; concentration steps in it      (MCD)
    3  rows with score distance and orthogonal distance below their 97.5 % limits are kept, and
       the plane is that of the rows kept; repeated until the rows kept are the same again

What is returned are weights of 0 and 1, so the answer is a weighted fit with the usual certificate,
and a fixed point: the distances of that very fit give these weights.

Cost     a sample of the rows for 1 and 2; a pass or two over all rows for 3, and repetitions over
         those that may still change sides (`near_rows.py`).
Bears    40 % of outlying rows in trials (at 45 % it fails), in the plane or off it.
Source   Hubert, Rousseeuw and Vanden Branden 2005 (ROBPCA); differs in the shortest half, in the
         start, which leaves out rows twice as outlying as the median row, and in the fixed point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.phrases import count_things
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.robust.directions import measure_outlyingness
from eigenlens.robust.plane import Plane, fit_plane_to, limit_of_scores, mad_limit
from eigenlens.robust.row_table import RowTable

__all__ = ["WORKING_LIMIT", "RowSelection", "Rows", "leave_out_outlying"]

WORKING_LIMIT = 0.4
MORE_OUTLYING = 2.0  # times the median row: such rows do not take part in the start
MOST_STEPS = 50
MOST_RANK, ENOUGH_VARIANCE = 10, 0.9  # the plane where the number of components is not given
CONCENTRATION_STEPS = 100

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Rows:
    """`el.fit(data, robust="rows")`; `kept`: the largest share of rows that the start rests on."""

    kept: float = 0.75

    name = "rows"

    def __post_init__(self) -> None:
        if not 0.5 <= self.kept <= 1:
            raise OptionError.needs(
                SetOption("kept", self.kept),
                "a share from 0.5 to 1",
                Phrase("pass for example {}", SetOption("kept", 0.75)),
            )


@dataclass(frozen=True, eq=False)
class RowSelection:
    """Which rows are kept, and whether they reproduce themselves.

    `changing`: rows that one more step would keep or leave out instead; 0 at a fixed point.
    """

    kept: BoolArray
    plane_rank: int
    score_limit: float
    distance_limit: float
    steps: int
    changing: int

    @property
    def left_out(self) -> int:
        return int((~self.kept).sum())

    @property
    def share(self) -> float:
        return self.left_out / len(self.kept)

    def explain(self) -> Verdict:
        count, steps = len(self.kept), count_things(self.steps, "step")
        rest = (
            f"the distances of this fit give the same weights again, after {steps}"
            if not self.changing
            else f"rows that still change sides after {steps}: {self.changing}"
        )
        reason = (
            f"{self.left_out} of {count} rows ({self.share:.1%}) lie beyond the 97.5 % limits and "
            f"have weight 0; {rest}; up to {WORKING_LIMIT:.0%} outlying rows can be borne"
        )
        evidence = {
            "left_out_rows": self.left_out,
            "left_out_share": self.share,
            "fixed_point": not self.changing,
            "steps": self.steps,
            "plane": self.plane_rank,
            "score_limit": self.score_limit,
            "distance_limit": self.distance_limit,
            "working_limit": WORKING_LIMIT,
        }
        return Verdict("rows", "request", reason, evidence)


def leave_out_outlying(
    table: RowTable, rank: int | None, kept: float, rng: np.random.Generator
) -> RowSelection:
    """`rank`: of the plane that distances are measured from; None: 80 % of the variance."""
    with one_blas_thread():  # between the passes too: its idle helpers would take turns with ours
        return repeat_selection(table, rank, kept, rng)


def repeat_selection(
    table: RowTable, rank: int | None, kept: float, rng: np.random.Generator
) -> RowSelection:
    plane = table.lift(start_plane(table.prepared, rank, kept, rng))
    good = np.zeros(table.rows, dtype=bool)
    seen: set[bytes] = set()
    while True:
        found, distance_limit = table.judge(plane)
        changing = int((found != good).sum())
        packed = np.packbits(found).tobytes()
        if not changing or packed in seen or len(seen) == MOST_STEPS:
            break
        seen.add(packed)
        good = found
        plane = table.fit_plane(good, plane)
    score_limit = limit_of_scores(plane.rank)
    return RowSelection(good, plane.rank, score_limit, distance_limit, len(seen), changing)


def start_plane(
    rows: Float64Array, rank: int | None, kept: float, rng: np.random.Generator
) -> Plane:
    """From the least outlying rows of the sample to a plane with robust scatter in it."""
    count = len(rows)
    outlying = measure_outlyingness(rows, rng)
    order = np.argsort(outlying, kind="stable")
    most = min(rows.shape[1], count - 1)
    half = (count + min(rank or 1, most) + 1) // 2
    usual = int((outlying <= MORE_OUTLYING * outlying[order[half - 1]]).sum())
    first = max(half, min(int(2 * half - count + 2 * (count - half) * kept), usual))
    plane = fit_plane_to(rows[order[:first]], rank or min(MOST_RANK, most))
    if rank is None:
        plane = plane.leading(ENOUGH_VARIANCE)
    _, distances = plane.distances(rows)
    near = distances <= mad_limit(distances, plane)
    plane = fit_plane_to(rows[near], plane.rank)
    scores = (rows - plane.center) @ plane.basis
    start = np.argsort(np.where(near, outlying, np.inf), kind="stable")[:first]
    return plane.with_scatter(*concentrate(scores, start))


def concentrate(scores: Float64Array, chosen: npt.NDArray[np.intp]) -> tuple[Float64Array, ...]:
    """MCD's steps: the rows nearest by their own center and scatter, until they stay the same."""
    count = len(chosen)
    for _ in range(CONCENTRATION_STEPS):
        center = scores[chosen].mean(axis=0)
        scatter = np.atleast_2d(np.cov(scores[chosen].T))
        solved = np.linalg.lstsq(scatter, (scores - center).T, rcond=None)[0].T
        lengths = np.einsum("ij,ij->i", scores - center, solved)
        nearest = np.argsort(lengths, kind="stable")[:count]
        if np.array_equal(np.sort(nearest), np.sort(chosen)):
            break
        chosen = nearest
    return center, scatter, lengths
