"""Kernel: what this room asks of a function k(x, y) that stands for an inner product.

Write your own by giving a class these names; `eigenlens.KernelPCA(kernel=...)` takes an instance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable

from eigenlens.algebra.typing import Float64Array
from eigenlens.kernel.points import Points

__all__ = ["Kernel", "KernelValues"]

# Points -> their kernel values with anchors that were fixed before, (r, m), fresh.
KernelValues: TypeAlias = Callable[[Points], Float64Array]


@runtime_checkable
class Kernel(Protocol):
    """A frozen value; parameters are its fields."""

    @property
    def name(self) -> str: ...

    @property
    def is_psd(self) -> bool | None:
        """Whether every matrix of it is positive semidefinite, by theory; None: not known."""

    @property
    def moves(self) -> bool:
        """Whether the centered matrix stays the same when all rows are shifted alike."""

    def against(self, anchors: Points) -> KernelValues:
        """Kernel values with these anchors; what can be worked out once is worked out here."""

    def diagonal(self, points: Points) -> Float64Array:
        """k(x, x) of every point, exact."""

    def roundings(self, longest: float, width: int) -> float:
        """By how many roundings of sqrt(k(x, x) k(y, y)) a value may be off.

        For |x|^2 <= `longest`, after the shift, of rows with `width` columns.
        """
