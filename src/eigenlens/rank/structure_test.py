"""Is there anything in a small table at all? Two tests that need the eigenvalues only.

    sphericity     columns as they are:      f d / 2 (d sum t^2 / (sum t)^2 - 1)      John 1972
                   every direction has the same variance; chi^2, d (d + 1) / 2 - 1 degrees
    independence   standardized columns:     f sum over pairs of r^2                  Schott 2005
                   no column correlates with another; chi^2, d (d - 1) / 2 degrees

f = n - 1 degrees of freedom of the rows. Both hold with more columns than rows (Ledoit and Wolf
2002), where the likelihood ratio does not exist. Rows are taken as normal; the second depends on
that little, for the mean of r^2 is 1 / f for independent columns of any distribution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.rank.spectrum import Spectrum

__all__ = ["StructureTest", "check_structure"]


@dataclass(frozen=True)
class StructureTest:
    name: str  # "sphericity" or "independence"
    statistic: float
    degrees: int
    p: float


def check_structure(spectrum: Spectrum) -> StructureTest:
    """Of all eigenvalues: those that are not listed hold nothing."""
    from scipy.special import chdtrc

    d, freedom = spectrum.columns, spectrum.freedom
    shares = spectrum.values / spectrum.total
    spread = d * float(np.square(shares).sum())  # 1 where all are equal
    if spectrum.is_standardized:
        # With t summing to d: sum t^2 = d + 2 sum over pairs of r^2.
        name, statistic, degrees = "independence", freedom * d * (spread - 1) / 2, d * (d - 1) // 2
    else:
        name, degrees = "sphericity", d * (d + 1) // 2 - 1
        statistic = freedom * d * (spread - 1) / 2
    return StructureTest(name, statistic, degrees, float(chdtrc(degrees, max(statistic, 0.0))))
