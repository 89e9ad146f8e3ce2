"""turning: rotations of loadings towards few large entries each, one frozen value per criterion.

    orthomax   max  sum l^4 - (g / p) sum_a (sum_j l_ja^2)^2      g = 1: varimax, g = 0: quartimax
    oblimin    min  sum_(a<b) sum_j l_ja^2 l_jb^2                 (direct quartimin, oblique)

Orthomax turns pairs of columns by the best angle there is, in closed form, until none moves: it
never gets worse, and says so where it had to be given up. Oblimin follows the projected gradient
over matrices T with columns of length one, loadings A inv(T)'.

Cost     O(p k^2) per sweep or step; p variables, k components.
Source   Kaiser 1958; Jennrich 2002; Bernaards and Jennrich 2005.
Differs  from R's varimax, which stops at a relative change of 1e-5: we go on to rounding, so the
         fourth digit may differ from what R prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.mixed_rotation import repeat_by_line, sum_by_column

__all__ = ["ROTATION_METHODS", "AxisRotation", "Oblimin", "Orthomax", "RotationCriterion"]

STILL = 1e-10  # radians: an angle that changes nothing
CLOSE = 1e-9  # of the projected gradient, for loadings with rows of length one
ROUNDING = 512 * float(np.finfo(np.float64).eps)
LEAST_GAIN = 0.5
HALVINGS = 40


@dataclass(frozen=True, eq=False)
class AxisRotation:
    """Columns of `axes` (k, k) have length one; loadings A become A inv(axes)'."""

    axes: Float64Array
    converged: bool


class RotationCriterion(Protocol):
    """A criterion and the way to its optimum."""

    @property
    def oblique(self) -> bool: ...

    def turn(self, loadings: Float64Array, starts: IntArray | None = None) -> AxisRotation:
        """`starts`: where the lines of each column begin (`mixed_rotation.py`)."""


@dataclass(frozen=True)
class Orthomax:
    """Orthogonal: `gamma` 1 is varimax (columns vary), 0 quartimax (rows are simple)."""

    gamma: float = 1.0
    max_sweeps: int = 500

    oblique = False

    def turn(self, loadings: Float64Array, starts: IntArray | None = None) -> AxisRotation:
        count = loadings.shape[1]
        turned, axes = loadings.copy(), np.eye(count)
        for _ in range(self.max_sweeps):
            largest = 0.0
            for first in range(count):
                for second in range(first + 1, count):
                    pair = [first, second]
                    angle = self.best_angle(turned[:, first], turned[:, second], starts)
                    cosine, sine = np.cos(angle), np.sin(angle)
                    plane = np.array([[cosine, -sine], [sine, cosine]])
                    turned[:, pair] = turned[:, pair] @ plane
                    axes[:, pair] = axes[:, pair] @ plane
                    largest = max(largest, abs(angle))
            if largest <= STILL:
                return AxisRotation(axes, True)
        return AxisRotation(axes, False)

    def best_angle(self, x: Float64Array, y: Float64Array, starts: IntArray | None) -> float:
        """By which x and y are turned in their plane to the largest criterion."""
        u, v = sum_by_column(np.square(x) - np.square(y), starts), sum_by_column(2 * x * y, starts)
        a, b, share = float(u.sum()), float(v.sum()), self.gamma / len(u)
        across = 2 * float(u @ v) - 2 * share * a * b
        apart = float(u @ u - v @ v) - share * (a * a - b * b)
        angle = float(np.arctan2(across, apart)) / 4
        rounding = ROUNDING * float(u @ u + v @ v)
        # What a turn gains is angle x slope; below rounding every angle is as good as none.
        return angle if abs(angle) * np.hypot(across, apart) > rounding else 0.0


@dataclass(frozen=True)
class Oblimin:
    """Oblique; `gamma` 0 is the usual one, negative values make the axes less oblique."""

    gamma: float = 0.0
    max_steps: int = 5000

    oblique = True

    def __post_init__(self) -> None:
        if not self.gamma <= 0:
            raise OptionError.needs(
                SetOption("gamma", self.gamma),
                "0 or less: above, axes may collapse",
                Phrase("pass {}", SetOption("gamma", 0)),
            )

    def turn(self, loadings: Float64Array, starts: IntArray | None = None) -> AxisRotation:
        axes, reach = np.eye(loadings.shape[1]), 1.0
        value, slope = self.criterion(loadings, axes, starts)
        for _ in range(self.max_steps):
            downhill = slope - axes * (axes * slope).sum(axis=0)
            steepness = float(np.square(downhill).sum())
            if np.sqrt(steepness) <= CLOSE:
                return AxisRotation(axes, True)
            reach *= 2
            for _ in range(HALVINGS):
                tried = axes - reach * downhill
                tried = tried / np.linalg.norm(tried, axis=0)
                better, its_slope = self.criterion(loadings, tried, starts)
                if value - better > LEAST_GAIN * reach * steepness:
                    break
                reach /= 2
            else:  # no step makes it better: this is as close as rounding allows
                return AxisRotation(axes, bool(np.sqrt(steepness) <= np.sqrt(CLOSE)))
            axes, value, slope = tried, better, its_slope
        return AxisRotation(axes, False)

    def criterion(
        self, loadings: Float64Array, axes: Float64Array, starts: IntArray | None = None
    ) -> tuple[float, Float64Array]:
        """The value, and its gradient by the axes."""
        inverse = np.linalg.inv(axes)
        turned = loadings @ inverse.T
        squares = sum_by_column(np.square(turned), starts)
        others = squares.sum(axis=1, keepdims=True) - squares
        others = others - self.gamma * others.mean(axis=0)
        gradient = turned * repeat_by_line(others, starts, len(turned))
        return float((squares * others).sum()) / 4, -(turned.T @ gradient @ inverse).T


ROTATION_METHODS: Mapping[str, RotationCriterion] = {
    "varimax": Orthomax(gamma=1.0),
    "quartimax": Orthomax(gamma=0.0),
    "oblimin": Oblimin(),
}
