"""What everything else descends from: one error and one warning."""

from __future__ import annotations

import sys
import warnings
from typing import Self

__all__ = ["EigenlensError", "NotCertified"]


class EigenlensError(Exception):
    """Whatever eigenlens raises on purpose."""


class NotCertified(UserWarning):
    """The tolerance asked for was not proven; the result comes with what was."""

    @classmethod
    def reached(cls, tolerance: float, reached: float, passes: int) -> Self:
        return cls(
            f"tolerance={tolerance:.3g} was asked for, but {reached:.3g} was proven after {passes} "
            f"passes. Allow more passes, pass tolerance={reached:.1g} or more, or solver='svd'."
        )

    @classmethod
    def stopped(cls, passes: int, reached: float) -> Self:
        return cls(
            f"the solver ended after {passes} pass(es), when its eigenvalues were proven to "
            f"{reached:.3g} only, relative to themselves. Allow it more passes (scikit-learn's "
            f"name: iterated_power), leave their number open, or leave the solver to svd_solver="
            f"'auto'."
        )

    @classmethod
    def indefinite(cls, name: str, share: float, least: float) -> Self:
        return cls(
            f"the centered {name!r} kernel matrix is not positive semidefinite: {share:.2%} of it "
            f"is negative, down to the eigenvalue {least:.4g}. The components asked for are of its "
            f"positive part, and so is what is proven."
        )

    @classmethod
    def gap(cls, tolerance: float, reached: float, steps: int) -> Self:
        return cls(
            f"tolerance={tolerance:.3g} was asked for, but after {steps} steps the objective is "
            f"proven to {reached:.3g} of itself only. Allow more steps (max_iterations=), or pass "
            f"tolerance={reached:.1g} or a larger penalty."
        )

    def warn(self) -> None:
        """Point at the line outside eigenlens that made the call, however deep it came from."""
        level, frame = 1, sys._getframe(1)
        while frame.f_back is not None and is_ours(frame.f_globals.get("__name__", "")):
            level, frame = level + 1, frame.f_back
        warnings.warn(self, stacklevel=level + 1)


def is_ours(module: str) -> bool:
    return module.partition(".")[0] == __name__.partition(".")[0]
