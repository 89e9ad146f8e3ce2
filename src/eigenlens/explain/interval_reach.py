"""interval_reach: how many deviations of bootstrap samples an interval reaches to either side.

    q  =  Student's quantile with (n-1)/2 degrees of freedom  x  sqrt(n / (n-1))

The deviation over the samples is an estimate from n rows too, and that of a variance has about half
as many degrees of freedom as there are rows. For logarithms of eigenvalues q is multiplied by

    sqrt(2 / (3 (n-1)/(n+1) - 1))

because the deviation depends on fourth moments, which samples of n rows know too low: exact where
rows are normal, where the excess 3 - 1 = 2 is expected to show as 3 (n-1)/(n+1) - 1.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["IntervalReach", "interval_reach"]


@dataclass(frozen=True)
class IntervalReach:
    of_log_eigenvalue: float
    of_loading: float


def interval_reach(n: float, level: float) -> IntervalReach:
    """For `n` rows; `level` is the share of tables whose interval should hold the truth."""
    from scipy.special import stdtrit

    student = float(stdtrit(max(1.0, (n - 1) / 2), (1 + level) / 2)) * (n / (n - 1)) ** 0.5
    excess = max(3 * (n - 1) / (n + 1) - 1, 0.1)
    return IntervalReach(student * (2 / excess) ** 0.5, student)
