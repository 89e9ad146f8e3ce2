"""arithmetic: what rounding hides of the pairs of a step, and whether the target survives it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.ritz import Ritz
from eigenlens.certificate.resting_pairs import likely_leftover, resting_pairs
from eigenlens.certificate.rounding import Rounding, rounding_of
from eigenlens.certificate.target import Noise, Target, noise_of
from eigenlens.certificate.upper_bounds import bounds_if_exact
from eigenlens.solvers.step import Step
from eigenlens.table.sides import Side
from eigenlens.table.table import TableOperator

__all__ = ["Arithmetic"]


@dataclass
class Arithmetic:
    """Of products with one side of a table, in the precision it has at the time."""

    table: TableOperator
    side: Side
    target: Target
    newest: tuple[Ritz, Rounding] | None = None  # a proof asks for the same pairs several times

    def rounding(self, ritz: Ritz, count: int) -> Rounding:
        """Allowances for the leading pairs."""
        if self.newest is None or self.newest[0] is not ritz:
            self.newest = None
        count = min(count, ritz.size)
        if self.newest is None or len(self.newest[1].values) < count:
            needed = ritz.size if ritz.size == self.side.size else count
            self.newest = ritz, rounding_of(self.side, ritz, needed)
        return self.newest[1].leading(count)

    def rounding_for_bounds(self, ritz: Ritz, count: int) -> Rounding:
        """For those asked for and one more; for all where nothing is left outside."""
        return self.rounding(ritz, ritz.size if ritz.size == self.side.size else count + 1)

    def noise(self, ritz: Ritz, count: int) -> Noise:
        """What rounding hides of these pairs, and what it adds to their bounds."""
        rounding = self.rounding(ritz, count + 1)
        at_rest = bounds_if_exact(ritz, rounding, count + 1)[:-1]
        widths = np.maximum(at_rest - ritz.values[:count], 0.0)
        return noise_of(rounding.leading(count), widths, self.table.rows.precise)

    def spoils(self, ritz: Ritz, count: int, noise: Noise) -> bool:
        """Whether the target would be missed even if these pairs were exact."""
        at_best = bounds_if_exact(ritz, self.rounding(ritz, count + 1), count + 1)
        return not self.target.met(ritz.at_rest(), at_best, noise)

    def needs_double(self, step: Step, ritz: Ritz, count: int, noise: Noise) -> bool:
        """Whether float32 products leave probes no room. Of a matrix all is known as it is."""
        if self.table.rows.precise or step.matrix is not None or ritz.size == self.side.size:
            return False
        resting = resting_pairs(ritz, count, self.side)
        leftover, rounding = likely_leftover(ritz, resting), self.rounding(ritz, count + 1)
        at_best = bounds_if_exact(resting, rounding, count + 1, leftover)
        return not self.target.met(resting.at_rest(), at_best, noise)
