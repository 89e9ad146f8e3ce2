"""Plateau: the stretch of scales over which the dimension does not change.

The longest run of scales whose straight line through log dimension over log rank rises or falls by
no more than twice its standard error, or by 5 %, whichever is larger; of equally long ones the
flattest. A run above a smaller scale is none: noise adds dimensions at small distances, but nothing
takes any away there, so what rises is a curved sheet, or several windings, seen from afar.

Runs have three scales, or two where no three are level and the next larger scale is not lower. If
none are, the flattest three stand in, and when these change by more than a tenth there is no
plateau: no single number is given.

The plateau's own error knows even and normal clouds only. The one that is told is wider by half of
what the curve falls after the plateau, as it does where densities crowd unevenly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from eigenlens.geometry.curve import DimensionScale

__all__ = ["Plateau", "find_plateau", "widen_error"]

SHORTEST = 3
DRIFT = 0.05
FORMULA = 0.004
BROKEN = 0.10  # the flattest run changes by more than this share: there is no plateau


@dataclass(frozen=True)
class Plateau:
    scales: tuple[DimensionScale, ...]
    drift: float  # by what share the dimension changes from its first scale to its last
    holds: bool

    @property
    def broken(self) -> bool:
        return not self.holds and abs(self.drift) > BROKEN

    @property
    def dimension(self) -> float:
        return float(np.average([one.dimension for one in self.scales], weights=self.weights))

    @property
    def error(self) -> float:
        """Sampling errors of the scales are independent, ignorance of the shape is common to all.

        In an even density the ratio r[4k] / r[2k] says nothing about r[2k] / r[k]. What the clouds
        are expected to show is itself known to some tenths of a percent only.
        """
        weights = np.array(self.weights) / np.sum(self.weights)
        sampling = np.sqrt(np.sum(np.square(weights * [one.sampling for one in self.scales])))
        shape = np.hypot(weights @ [one.shape for one in self.scales], FORMULA * self.dimension)
        return float(np.hypot(sampling, shape))

    @property
    def weights(self) -> list[float]:
        return [1 / max(one.error, 1e-12) ** 2 for one in self.scales]


def widen_error(plateau: Plateau, scales: Sequence[DimensionScale]) -> float:
    """The standard error to tell: a curve that falls shows that the density is not even.

    A curve that rises after the plateau is a bent sheet seen from afar, and says nothing about it.
    """
    after = [one for one in scales if one.rank > plateau.scales[-1].rank and not one.tied]
    lowest = min((one.dimension for one in after), default=plateau.dimension)
    clear = any(is_clearly_below(one, plateau) for one in after)
    fall = (plateau.dimension - lowest) / 2 if clear else 0.0
    return float(np.hypot(plateau.error, fall))


def find_plateau(scales: Sequence[DimensionScale]) -> Plateau | None:
    """None where no scale is usable, or a single one of several: the others show a grid."""
    usable = [one for one in scales if not one.tied and np.isfinite(one.dimension)]
    if not usable or (len(usable) == 1 and len(scales) > 1):
        return None
    shortest = min(SHORTEST, len(usable))
    runs = list(steady_runs(usable, shortest))
    level = [one for one in runs if one.holds]
    if not level and len(usable) > 2:
        level = [one for one in steady_runs(usable, 2, steady=True) if one.holds]
    if level:
        longest = max(len(one.scales) for one in level)
        alike = [one for one in level if len(one.scales) == longest]
        return min(alike, key=lambda one: abs(one.drift))
    # The run that begins at the smallest scale has nothing below it: there is always one.
    short = [one for one in runs if len(one.scales) == shortest]
    return min(short, key=lambda one: abs(one.drift))


def steady_runs(
    usable: list[DimensionScale], shortest: int, steady: bool = False
) -> Iterator[Plateau]:
    """Runs that do not lie above a smaller scale; if `steady`, nor above the next larger one.

    Noise adds dimensions at small distances, but nothing takes any away there: a run above is what
    a sheet looks like from afar. Two scales on a falling curve are on their way down.
    """
    for start in range(len(usable)):
        for stop in range(start + shortest, len(usable) + 1):
            run = plateau_of_run(usable[start:stop])
            others = usable[:start] + (usable[stop : stop + 1] if steady else [])
            if not any(is_clearly_below(one, run) for one in others):
                yield run


def is_clearly_below(scale: DimensionScale, run: Plateau) -> bool:
    return scale.dimension + 2 * float(np.hypot(scale.error, run.error)) < run.dimension


def plateau_of_run(scales: Sequence[DimensionScale]) -> Plateau:
    drift, error = 0.0, 0.0
    if len(scales) > 1:
        x = np.log2([one.rank for one in scales])
        y = np.log([one.dimension for one in scales])
        sigma = np.array([one.error / one.dimension for one in scales])
        weights = 1 / np.maximum(sigma, 1e-12) ** 2
        middle = np.average(x, weights=weights)
        spread = float(np.sum(weights * (x - middle) ** 2))
        slope = float(np.sum(weights * (x - middle) * y)) / spread
        length = float(x[-1] - x[0])
        drift, error = slope * length, length / spread**0.5
    return Plateau(tuple(scales), drift, abs(drift) <= max(2 * error, DRIFT))
