"""Kernels that somebody else works out: a matrix at hand, or a function of two rows.

    precomputed   rows of the data are rows of the matrix; new ones are values with every training
                  row, (r, n)
    pairs         k(x, y) called for every pair: slow, but any formula will do

Neither is known to be positive semidefinite. Exact mode looks at the eigenvalues; landmark mode
meets a negative distance where it is not, and its proof says that it rests on that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import KernelError, OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.kernel.points import Points
from eigenlens.kernel.protocol import KernelValues

__all__ = ["Pairs", "Precomputed"]


@dataclass(frozen=True)
class Precomputed:
    name = "precomputed"
    is_psd = None
    moves = False

    def against(self, anchors: Points) -> KernelValues:
        columns = anchors.numbers
        return lambda points: np.ascontiguousarray(points.dense()[:, columns])

    def diagonal(self, points: Points) -> Float64Array:
        """Of training rows; of others it is not in the matrix."""
        if (points.numbers < 0).any():
            raise OptionError.needs(
                Phrase("the distance of new rows under {}", SetOption("kernel", "precomputed")),
                "their kernel values with themselves, which the rows do not hold",
                "pass the kernel as a function or by name",
            )
        rows = points.dense()
        return np.ascontiguousarray(rows[np.arange(len(rows)), points.numbers])

    def roundings(self, longest: float, width: int) -> float:
        return 2.0


@dataclass(frozen=True)
class Pairs:
    function: Callable[..., Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)

    is_psd = None
    moves = False

    @property
    def name(self) -> str:
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def against(self, anchors: Points) -> KernelValues:
        others = anchors.dense()

        def see(points: Points) -> Float64Array:
            rows = points.dense()
            values = [self.value(x, z) for x in rows for z in others]
            return np.array(values).reshape(len(rows), len(others))

        return see

    def diagonal(self, points: Points) -> Float64Array:
        return np.array([self.value(x, x) for x in points.dense()])

    def value(self, one: Float64Array, other: Float64Array) -> float:
        found = self.function(one, other, **self.parameters)
        try:
            return float(found)
        except (TypeError, ValueError):
            raise KernelError.not_a_number(self.name, found) from None

    def roundings(self, longest: float, width: int) -> float:
        return 64.0
