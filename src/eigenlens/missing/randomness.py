"""Little's test: whether cells are missing completely at random.

    sum over patterns of n_p (x_O - m_O)' S_OO^-1 (x_O - m_O)   ~   chi2(sum |O_p| - d)

x_O is the mean of the rows with that pattern of holes. A small p-value says that what is missing
goes with what is observed. Nothing in the data can say whether it goes with the missing values
themselves.

Source   Little 1988.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.missing.completer import Completer
from eigenlens.missing.patterns import distinct_patterns

__all__ = ["LittleTest", "compare_patterns"]


@dataclass(frozen=True)
class LittleTest:
    statistic: float
    freedom: int
    p_value: float
    patterns: int


def compare_patterns(completer: Completer, rows: Float64Array) -> LittleTest | None:
    """None where all rows lack the same cells: then there is nothing to compare."""
    from scipy.stats import chi2

    rows = rows[~np.isnan(rows).all(axis=1)]
    deviations, holes = completer.in_units(rows)
    patterns, member = distinct_patterns(holes)
    counts = np.bincount(member, minlength=len(patterns)).astype(float)
    means = np.zeros((len(patterns), holes.shape[1]))
    np.add.at(means, member, deviations)
    means /= counts[:, None]
    ones = np.ones(len(patterns))
    logs = completer.law.complete(np.zeros_like(means), patterns, ones).deviances
    distances = completer.law.complete(means, patterns, ones).deviances - logs
    freedom = int((~patterns).sum()) - holes.shape[1]
    if len(patterns) < 2 or freedom < 1:
        return None
    statistic = float(counts @ distances)
    return LittleTest(statistic, freedom, float(chi2.sf(statistic, freedom)), len(patterns))
