"""Minka's rule: the number of components with the largest Bayesian evidence.

Question  detection: how many directions stand out of noise equally strong in all the others?
Formula   Laplace's approximation of log p(data | k), for k = 1 ... d - 1, with v the mean of the
          eigenvalues beyond k, l_j = t_j up to k and v beyond, m = d k - k (k + 1) / 2:

    - k log 2 + sum_{i <= k} [log gamma((d-i+1)/2) - (d-i+1)/2 log pi]        directions
    - n/2 sum_{i <= k} log t_i - n/2 (d-k) log v                              fit
    + (m+k)/2 log 2 pi - k/2 log n                                            volume
    - 1/2 sum_{i <= k} sum_{j > i} log[n (t_i - t_j) (1/l_j - 1/l_i)]         curvature

Needs     every eigenvalue, so no solver stops early, and at least as many rows as columns. d counts
          the directions that hold more than rounding: one column that follows from others would
          leave a v of nothing, and the largest evidence to all the rest.
Right     white noise and many more rows than columns.
Wrong     under any structure of the noise, where it runs away; it cannot answer 0.
Cost      O(d^2) for all k together: the double sum over pairs grows by one row at a time.
Source    Minka 2000, Automatic choice of dimensionality for PCA.
Differs   from scikit-learn's: O(d^2), not O(d^3); independent of the units of the data; equal
          eigenvalues are no error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.errors import RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum
from eigenlens.rank.tail_variance import noiseless
from eigenlens.rank.threshold import refuse_short_spectrum

__all__ = ["Minka", "log_evidence"]


@dataclass(frozen=True)
class Minka:
    """`empty_is_noise`: directions that hold nothing count as noise of variance 0, so that all
    others are kept, which is what scikit-learn's 'mle' means; otherwise they do not count at all.
    """

    empty_is_noise: bool = False

    name = "minka"
    question: ClassVar[Question] = "detection"
    assumes: ClassVar[tuple[Assumption, ...]] = ("white noise",)
    needs_settled = False

    def first_guess(self, most: int) -> int:
        return most

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        """Rows are counted by their weights where they have any."""
        rows, columns = spectrum.rows, spectrum.columns
        if rows < columns:
            raise RankError.needs(
                SetOption("k", "minka"),
                f"as many rows as columns, or more; here are {rows:.6g} rows and {columns} columns",
                Phrase("pass a fraction of the variance such as {}", SetOption("k", 0.95)),
            )
        if not spectrum.complete or len(spectrum.values) < spectrum.most:
            return None
        simple = None if self.empty_is_noise else noiseless(self.name, spectrum)
        if simple is not None:
            return simple
        if self.empty_is_noise and columns == 1:
            return Verdict(1, self.name, "there is only one direction")
        evidence = log_evidence(self.considered(spectrum), rows)
        rank = int(np.argmax(evidence)) + 1
        others = np.delete(evidence, rank - 1)
        lead = float(evidence[rank - 1] - others.max(initial=-np.inf))
        reason = f"of all numbers {rank} has the largest evidence"
        if np.isfinite(lead):
            reason += f", exp({lead:.1f}) times that of the next best"
        numbers = {
            "log_evidence": float(evidence[rank - 1]),
            "lead": lead if np.isfinite(lead) else None,
        }
        return Verdict(rank, self.name, reason, numbers)

    def considered(self, spectrum: Spectrum) -> Float64Array:
        if self.empty_is_noise:
            return np.pad(spectrum.values, (0, spectrum.columns - len(spectrum.values)))
        filled = spectrum.filled()
        return filled.values[: filled.most]

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        return refuse_short_spectrum(self.name, spectrum, f"all eigenvalues ({spectrum.most})")


def log_evidence(eigenvalues: Float64Array, rows: float) -> Float64Array:
    """For k = 1 ... d - 1, up to a constant; minus infinity where t_k is nothing but rounding."""
    from scipy.special import gammaln  # a fifth of a second to load, for this rule only

    size = len(eigenvalues)
    floor = size * EPS
    t = np.maximum(eigenvalues / eigenvalues[0], 0.0)
    k = np.arange(1, size)
    tail = np.maximum(np.cumsum(t[:0:-1])[::-1] / (size - k), floor)
    half = (size - k + 1) / 2
    directions = np.cumsum(gammaln(half) - half * np.log(np.pi) - np.log(2))
    with np.errstate(divide="ignore"):
        fit = -rows / 2 * (np.cumsum(np.log(t[:-1])) + (size - k) * np.log(tail))
    pairs = size * k - k * (k + 1) / 2
    volume = (pairs + k) / 2 * np.log(2 * np.pi) - k / 2 * np.log(rows)
    real = t[:-1] > floor
    curvature = np.where(real, curvatures(np.maximum(t, floor), tail), 0.0)
    evidence = directions + fit + volume - (pairs * np.log(rows) + curvature) / 2
    return np.where(real, evidence, -np.inf)


def curvatures(t: Float64Array, tail: Float64Array) -> Float64Array:
    """sum_{i <= k} sum_{j > i} log[(t_i - t_j) (1/l_j - 1/l_i)], for every k.

    Ties would make the logarithm infinite; gaps count as at least eps of the larger value.
    """
    size = len(t)
    gaps, inside = np.zeros(size - 1), np.zeros(size - 1)
    across = np.zeros(size - 1)
    for index in range(size - 1):
        before = t[:index]
        gaps[index] = np.log(np.maximum(t[index] - t[index + 1 :], EPS * t[index])).sum()
        inside[index] = log_gaps(1 / t[index], 1 / before).sum()
        across[index] = log_gaps(1 / tail[index], 1 / t[: index + 1]).sum()
    k = np.arange(1, size)
    total: Float64Array = np.cumsum(gaps) + np.cumsum(inside) + (size - k) * across
    return total


def log_gaps(larger: float, smaller: Float64Array) -> Float64Array:
    result: Float64Array = np.log(np.maximum(larger - smaller, EPS * larger))
    return result
