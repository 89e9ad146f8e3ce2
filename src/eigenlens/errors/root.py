"""What everything else descends from: one error and one warning."""

from __future__ import annotations

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
