"""Check times: when to find the Ritz values of a Krylov space that grows a few columns at a time.

The eigenvectors of the small matrix cost as much as many narrow products. So they are found twice,
to see how fast errors fall, and then when the accuracy asked for is likely to have been reached.
Too early costs a small decomposition, too late some products; nothing rests on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.solvers.step import Ask, Step

__all__ = ["CheckTimes"]

SHARE = 0.5  # of the columns that seem to be missing: errors fall faster and faster
TINY = 1e-30


@dataclass(frozen=True)
class Level:
    """How far the leading pairs had come with so many columns, as decimal logarithms."""

    columns: int
    rank: int
    error: float  # of eigenvalues, relative
    residual: float  # relative to the last value asked for and the one beyond
    gap: float  # between these two, as a number

    def missing(self, ask: Ask) -> float:
        """Decades between here and what is asked for."""
        missing = self.error - float(np.log10(ask.accuracy))
        if ask.angle > 0 and self.gap > ask.gap:
            missing = max(missing, self.residual - float(np.log10(ask.angle)))
        return missing


class CheckTimes:
    """After every pass, or `lazily`: after those passes that may be the last."""

    def __init__(self, lazily: bool) -> None:
        self.lazily = lazily
        self.before: Level | None = None
        self.level: Level | None = None

    def is_due(self, columns: int, width: int, ask: Ask) -> bool:
        return not self.lazily or columns >= self.next_columns(width, ask)

    def next_columns(self, width: int, ask: Ask) -> int:
        now, before = self.level, self.before
        if now is None or now.rank != ask.rank:
            return ask.rank + max(ask.rank // 2, 10) + width
        missing = now.missing(ask)
        if missing <= 0:
            return now.columns + width
        more = now.columns // 6
        if before is not None and before.rank == ask.rank and before.columns < now.columns:
            fallen = (before.missing(ask) - missing) / (now.columns - before.columns)
            # A few single columns say little of what follows, and each costs more than looking.
            most = now.columns // (8 if width == 1 else 2)
            more = int(min(SHARE * missing / fallen, most)) if fallen > 0 else most
        return now.columns + max(more, width)

    def note(self, step: Step, ritz: Ritz, ask: Ask) -> None:
        """Remember how far this step has come."""
        if not self.lazily or ritz.size <= ask.rank:
            return
        values = np.maximum(step.values[: ask.rank + 1], TINY)
        error = float((step.errors[: ask.rank] / values[:-1]).max())
        middle = float(np.sqrt(values[-2] * values[-1]))
        residual = float(ritz.residuals[: ask.rank].max()) / middle
        self.before, self.level = (
            self.level,
            Level(
                ritz.size,
                ask.rank,
                float(np.log10(max(error, TINY))),
                float(np.log10(max(residual, TINY))),
                float(values[-2] - values[-1]) / middle,
            ),
        )

    def restarted(self) -> None:
        """Columns begin to count anew: what they say of speed is gone."""
        self.before = self.level = None
