"""Pre-images: rows whose images in the kernel's space come near given scores.

| kernel                 | method                                                                  |
|------------------------|-------------------------------------------------------------------------|
| linear                 | exact: the image is a weighted sum of anchors, and so is the row        |
| rbf, exponential       | "fixed_point": the mean of the anchors, each weighted by how much it    |
|                        | belongs to the image and how near it is; ridge where weights cancel     |
| any                    | "ridge": rows as a smooth function of scores, learned from the data     |

Scores say p = sum_i w_i k(z_i, .). The row nearest to it climbs sum_i w_i k(z_i, x):

    x  <-  (1 - s) x + s  sum_i w_i g_i z_i / sum_i w_i g_i,   g_i = k(z_i, x) or its like

from the anchor with the nearest scores; s is halved for a row that would not climb.
Source   Mika et al. 1999 for the fixed point; Bakir, Weston and Schoelkopf 2004 for the ridge.
Differs  from both: damped, never divides by weights that cancel; the ridge's width and penalty are
         chosen on held-out rows, in the scores' own scale.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array, IntArray
from eigenlens.errors import MemoryBudgetError
from eigenlens.kernel.dot import Linear
from eigenlens.kernel.points import Points, points_of
from eigenlens.kernel.request import KernelRequest
from eigenlens.kernel.ridge import RidgePreimage, learn_ridge

if TYPE_CHECKING:
    from eigenlens.kernel.subspace import KernelSubspace

__all__ = ["PREIMAGES", "FixedPointPreimage", "LinearPreimage", "Preimage", "add_preimage"]

PREIMAGES = ("fixed_point", "ridge")
BLOCK_BYTES = 4 << 20
MOST_STEPS = 100
STEP_TOLERANCE = 1e-6  # relative to the spread of the anchors: a step below this is the last
CANCELLED = 0.05  # weights whose sum is below this part of their magnitudes point nowhere
LEAST_STEP = 1 / 16


class Preimage(Protocol):
    @property
    def name(self) -> str: ...

    def rows_for(self, model: KernelSubspace, scores: Float64Array) -> Float64Array:
        """Rows (q, d) for scores (q, k), before the model's shift is added."""

    def truncated(self, k: int) -> Preimage | None:
        """For the leading k scores; None where it would have to be learned anew."""

    def learned_from(self, model: KernelSubspace) -> tuple[Float64Array, Float64Array]:
        """Scores (c, k), and what goes with each to make a row (c, d)."""


@runtime_checkable
class DistanceKernel(Protocol):
    """A kernel of the distance, towards whose values a row can climb."""

    def pull(self, points: Points, anchors: Points) -> tuple[Float64Array, Float64Array]: ...


def add_preimage(model: KernelSubspace, request: KernelRequest, rows: Any) -> KernelSubspace:
    """The model, able to turn scores back into rows where that was asked for.

    `rows` are some of the data, to learn from.
    """
    if request.preimage is None:
        return model
    if isinstance(model.kernel, Linear):
        return replace(model, preimage=LinearPreimage())
    needed = 8 * 4 * rows.shape[0] * rows.shape[1]
    if needed > request.budget:
        raise MemoryBudgetError.too_small(request.budget, needed)
    scores = np.asarray(model.project(rows))
    ridge = learn_ridge(scores, points_of(rows, 0, model.shift).dense(), request.penalty)
    climbs = request.preimage == "fixed_point" and isinstance(model.kernel, DistanceKernel)
    return replace(model, preimage=FixedPointPreimage(ridge) if climbs else ridge)


@dataclass(frozen=True)
class LinearPreimage:
    name = "linear"

    def rows_for(self, model: KernelSubspace, scores: Float64Array) -> Float64Array:
        weights = image_weights(model, scores)
        found: Float64Array = weights @ model.anchors.rows
        return found

    def truncated(self, k: int) -> LinearPreimage:
        return self

    def learned_from(self, model: KernelSubspace) -> tuple[Float64Array, Float64Array]:
        return model.anchor_scores, model.anchors.dense()


@dataclass(frozen=True)
class FixedPointPreimage:
    """`ridge` answers where the weights of the anchors cancel."""

    ridge: RidgePreimage

    name = "fixed_point"

    def rows_for(self, model: KernelSubspace, scores: Float64Array) -> Float64Array:
        step = max(1, BLOCK_BYTES // (8 * model.n_anchors))
        parts = [
            self.climbed(model, scores[start : start + step])
            for start in range(0, len(scores), step)
        ]
        return np.concatenate(parts) if parts else np.empty((0, model.n_features))

    def climbed(self, model: KernelSubspace, scores: Float64Array) -> Float64Array:
        anchors, weights = model.anchors, image_weights(model, scores)
        rows = anchors.part(nearest_anchor(model, scores)).dense().copy()
        scale = float(np.sqrt(anchors.lengths.mean() / anchors.width))
        climb = FixedPointIteration(model, weights, rows)
        for _ in range(MOST_STEPS):
            moved = climb.step()
            if moved <= STEP_TOLERANCE * scale:
                break
        if climb.lost.any():
            rows[climb.lost] = self.ridge.rows_for(model, scores[climb.lost])
        return rows

    def truncated(self, k: int) -> None:
        return None

    def learned_from(self, model: KernelSubspace) -> tuple[Float64Array, Float64Array]:
        return self.ridge.learned_from(model)


class FixedPointIteration:
    """Rows on their way up; `rows` is changed in place, `lost` marks those without a direction."""

    def __init__(self, model: KernelSubspace, weights: Float64Array, rows: Float64Array) -> None:
        self.kernel, self.anchors = model.kernel, model.anchors
        self.weights, self.rows = weights, rows
        self.lost = np.zeros(len(rows), dtype=bool)
        self.share = np.ones(len(rows))
        self.active = np.arange(len(rows))
        self.height, self.target = self.look(rows, self.active)

    def look(self, rows: Float64Array, which: IntArray) -> tuple[Float64Array, Float64Array]:
        """How high rows are, and where the weighted mean of the anchors would put them."""
        points = Points(rows, np.full(len(rows), -1))
        values, pull = self.kernel.pull(points, self.anchors)  # type: ignore[attr-defined]
        weights = self.weights[which]
        height = np.einsum("ij,ij->i", values, weights)
        drawn = weights * pull
        total, magnitude = drawn.sum(axis=1), np.abs(drawn).sum(axis=1)
        gone = total <= CANCELLED * magnitude
        total[gone] = 1.0
        target = drawn @ self.anchors.rows / total[:, None]
        target[gone] = np.nan
        return height, target

    def step(self) -> float:
        """One step of every row that still moves; the longest of them."""
        if not len(self.active):
            return 0.0
        gone = np.asarray(np.isnan(self.target).any(axis=1))
        self.lost[self.active[gone]] = True
        self.keep(~gone)
        if not len(self.active):
            return 0.0
        here = self.rows[self.active]
        share = self.share[self.active][:, None]
        there = here + share * (self.target - here)
        height, target = self.look(there, self.active)
        up = height >= self.height
        self.share[self.active[~up]] /= 2
        moved = np.linalg.norm(there - here, axis=1)
        self.rows[self.active[up]] = there[up]
        self.height[up], self.target[up] = height[up], target[up]
        tired: AnyArray = np.asarray(self.share[self.active] < LEAST_STEP)
        self.keep(~(tired | (moved == 0)))
        return float(moved.max())

    def keep(self, which: AnyArray) -> None:
        self.active = self.active[which]
        self.height, self.target = self.height[which], self.target[which]


def image_weights(model: KernelSubspace, scores: Float64Array) -> Float64Array:
    """(q, m): the image of scores as a sum of the anchors' images."""
    return scores @ model.coefficients.T + model.mean_weights


def nearest_anchor(model: KernelSubspace, scores: Float64Array) -> IntArray:
    """For each line of scores the anchor whose own are nearest."""
    own = model.anchor_scores
    squares = np.square(own).sum(axis=1) - 2 * scores @ own.T
    found: IntArray = squares.argmin(axis=1)
    return found
