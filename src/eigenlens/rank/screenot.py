"""ScreeNOT: the best cut under noise of unknown structure.

Question  denoising: which truncation is closest to the table without its noise?
Formula   eigenvalues above the cut of the pseudo-noise that is left when the `most` largest are
          replaced (`pseudo_noise.py`). `most` is 10, less on small tables so that
          2 most + 2 <= min(n, d), and doubled while the answer exceeds most / 2, or the singular
          values beyond fall four times as steeply up to some point as after it: then what was
          taken for noise is signal. Never larger than needed: the largest values of serially
          correlated noise would be replaced, too, and count as signal.
Needs     25 leading eigenvalues and the total: what is not listed enters by averages, and two
          extreme tails bracket the answer. More, where the last listed is still far above the rest.
Right     white noise, noise that differs between columns or rows or is correlated along either.
Wrong     heavy tails, where it keeps one or two too many; tables of few columns have too little
          noise to learn from: below four columns or rows, or where nothing is found in a table too
          small for most = 10, the edge of deterministic parallel analysis decides instead.
Without   noise at all, when at most half of the directions have any variance, the answer is
noise     the rank.
Source    Donoho, Gavish and Romanov 2023.
Differs   from the published code: any units, no full decomposition, and `most` finds itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError, RankError
from eigenlens.rank.dpa import LEVEL, beyond_edge
from eigenlens.rank.pseudo_noise import (
    best_cut,
    even_tail,
    likely_tail,
    two_point_tail,
    without_signal,
)
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum, count_words
from eigenlens.rank.tail_variance import noiseless
from eigenlens.rank.threshold import refuse_few_rows, refuse_short_spectrum, relative_distance

__all__ = ["ScreeNOT"]

FEWEST_VALUES = 4
FIRST_REPLACED = 10
SPARE = 4  # values beyond those replaced from: they narrow the bracket, and tell how it goes on
# Noise falls evenly: by the law of its edge the ratio is at most 1.7, with a long memory between
# rows 2.5 was seen; where signal ends among these values it is 16 and more.
STEEP = 4.0
# A value near the end of the list over the average of the rest: at most 4 in white noise, 5 where
# rows have a memory.
FAR_ABOVE = 6.0
FARTHEST = 85  # values that are looked at for that reason alone, enough to replace 40


class ScreeNOTCut(NamedTuple):
    """The answer for one `most`: the ends of the bracket, the likely answer and its cut."""

    low: int
    high: int
    rank: int
    bar: float
    most: int


@dataclass(frozen=True)
class ScreeNOT:
    """`widest` bracket that is an answer: wider ones ask for more of the spectrum. None: any."""

    most: int = FIRST_REPLACED
    widest: int | None = 1

    name = "screenot"
    question: ClassVar[Question] = "denoising"
    assumes: ClassVar[tuple[Assumption, ...]] = ("light tails",)
    needs_settled = True

    def __post_init__(self) -> None:
        if self.most < 1:
            raise OptionError.not_whole("most", self.most, 1)
        if self.widest is not None and self.widest < 0:
            raise OptionError.not_whole("widest", self.widest, 0)

    def first_guess(self, most: int) -> int:
        return min(most, usual_listing(self.most))

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        refuse_few_rows(self.name, spectrum.rows)
        simple = noiseless(self.name, spectrum)
        if simple is not None:
            return simple
        spectrum = spectrum.filled()
        limit = most_replaced(spectrum)
        if limit < 1:
            return by_edge(self.name, spectrum, f"fewer than {FEWEST_VALUES} columns or rows")
        found = settle_cut(spectrum, min(self.most, limit), limit, self.widest is None)
        if found is None or not self.is_enough(spectrum, found):
            return None
        if found.rank == 0 and not all_listed(spectrum) and above_rest(spectrum) > FAR_ABOVE:
            return None  # all that is listed may be signal, and nothing of the noise be seen
        verdict = verdict_of(self.name, spectrum, found, limit)
        return check_by_edge(verdict, spectrum) if limit < self.most else verdict

    def is_enough(self, spectrum: Spectrum, found: ScreeNOTCut) -> bool:
        """Whether the listed values are an answer, or more should be shown."""
        if self.widest is None or all_listed(spectrum):
            return True
        # To say that there is nothing takes a second look, too.
        doubtful = above_rest(spectrum) > FAR_ABOVE or found.rank == 0
        if doubtful and len(spectrum.values) < FARTHEST:
            return False
        return found.high - found.low <= self.widest

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        least, known = self.first_guess(spectrum.most), len(spectrum.values)
        need = f"{least} leading eigenvalues or more"
        if known >= least:  # and these did not settle it
            need = "leading eigenvalues further down, where noise begins"
        return refuse_short_spectrum(self.name, spectrum, need)


def usual_listing(most: int) -> int:
    """How many eigenvalues settle an answer as a rule: those replaced, as many again, and some."""
    return 2 * most + 1 + SPARE


def most_replaced(spectrum: Spectrum) -> int:
    """The most values that may be replaced: as many again, and one more, must be left."""
    side = min(int(spectrum.rows), spectrum.columns)
    return min((side - 2) // 2, (spectrum.most - 1) // 2)


def all_listed(spectrum: Spectrum) -> bool:
    return len(spectrum.values) >= spectrum.most


def above_rest(spectrum: Spectrum) -> float:
    """The last listed value but four over the average of those that are not listed.

    But four: if signal ended later than that, too little of the noise would be seen.
    """
    rest = spectrum.tail / max(spectrum.most - len(spectrum.values), 1)
    near_the_end = float(spectrum.values[max(-1 - SPARE, -len(spectrum.values))])
    return near_the_end / rest if rest > 0 else 0.0


def settle_cut(spectrum: Spectrum, most: int, limit: int, anyhow: bool) -> ScreeNOTCut | None:
    """The cut once `most` is large enough for it; None where that takes more values.

    Where the bracket leaves open whether to double, or `anyhow` with values that are not listed,
    both answers count.
    """
    listed = all_listed(spectrum) or len(spectrum.values) > 2 * most + SPARE
    if not (listed or anyhow):
        return None
    found = cut_bracket(spectrum, most)
    larger = most < limit and signal_goes_on(spectrum, most, limit)
    if most == limit or (2 * found.high <= most and not larger):
        return found
    double = min(2 * most, limit)
    known = all_listed(spectrum) or len(spectrum.values) > 2 * double + SPARE
    deeper = settle_cut(spectrum, double, limit, anyhow)
    if deeper is None or (known and (larger or 2 * found.low > most)):
        return deeper
    chosen = deeper if larger or 2 * found.rank > most else found
    low, high = min(found.low, deeper.low), max(found.high, deeper.high)
    return chosen._replace(low=low, high=high)


def signal_goes_on(spectrum: Spectrum, most: int, limit: int) -> bool:
    """Whether signal ends beyond `most`: the roots fall steeply up to some value, then evenly.

    All numbers that `most` may be doubled to are looked at: behind a flat stretch of signal the
    fall comes later.
    """
    roots = np.sqrt(spectrum.values[spectrum.values > spectrum.floor])
    last = len(roots) - 1
    while most < limit and most + 2 * SPARE <= last:
        ends = np.arange(most + SPARE, min(2 * most, last - SPARE) + 1)
        beyond = np.minimum(2 * ends - most, last)
        before = (roots[most] - roots[ends]) / (ends - most)
        after = (roots[ends] - roots[beyond]) / (beyond - ends)
        if np.any(before > STEEP * after):
            return True
        most *= 2
    return False


def cut_bracket(spectrum: Spectrum, most: int) -> ScreeNOTCut:
    # Divided by the largest: the squares and cubes below would leave the range of numbers.
    scale = float(spectrum.values[0])
    values = spectrum.values / scale
    left, count = spectrum.tail / scale, max(spectrum.most - len(values), 0)
    roof = roof_of(spectrum, most) / scale

    def cut(tail: Float64Array) -> float:
        whole = np.append(values, tail)
        return best_cut(without_signal(whole, most), spectrum.aspect)

    if count == 0 or left <= 0:
        likely = lowest = highest = cut(np.zeros(count))
    else:
        tails = (likely_tail, even_tail, two_point_tail)
        likely, *others = (cut(tail(left, count, roof)) for tail in tails)
        lowest, highest = min(likely, *others), max(likely, *others)
    low, rank, high = (int(np.count_nonzero(values > bar)) for bar in (highest, likely, lowest))
    if count and lowest <= 0:
        high = spectrum.most
    elif high == len(values) < spectrum.most:  # more may follow what is listed
        high = min(spectrum.most, high + int(left / lowest))
    if count and above_rest(spectrum) > FAR_ABOVE and len(values) < FARTHEST:
        high = max(high, most_replaced(spectrum))  # all may be signal, and more may follow
    return ScreeNOTCut(low, high, rank, likely * scale, most)


def roof_of(spectrum: Spectrum, most: int) -> float:
    """No value that is not listed is larger.

    The last listed values may be far from converged; where a bound is known it counts instead, and
    at most the last of those that the cut rests on anyway.
    """
    last = float(spectrum.values[-1])
    if spectrum.leftover is None:
        return last
    trusted = float(spectrum.values[min(2 * most, len(spectrum.values) - 1)])
    return min(spectrum.leftover, trusted)


def verdict_of(name: str, spectrum: Spectrum, found: ScreeNOTCut, limit: int) -> Verdict:
    bar = found.bar * spectrum.unit
    reason = f"{count_words(found.rank)} above {bar:.4g}, the best cut for noise as it is here"
    if found.rank == found.most == limit:
        reason += f"; {limit} is the most that can be told from noise in so small a table"
    if len(spectrum.values) > usual_listing(FIRST_REPLACED) and not all_listed(spectrum):
        reason += f"; {len(spectrum.values)} leading eigenvalues were needed to settle this"
    far = above_rest(spectrum)
    if not all_listed(spectrum) and far > FAR_ABOVE:
        reason += (
            f"; but eigenvalues near the last, {len(spectrum.values)}, are still {far:.0f} times "
            f"the average of those not looked at, so there may be more"
        )
    evidence = {
        "threshold": bar,
        "margin": relative_distance(spectrum.values, found.bar),
        "replaced": found.most,
        "listed": len(spectrum.values),
    }
    return Verdict(found.rank, name, reason, evidence, low=found.low, high=found.high)


# -- where there is no noise to learn from -----------------------------------------------------


def by_edge(name: str, spectrum: Spectrum, why: str) -> Verdict | None:
    found = beyond_edge(name, spectrum, LEVEL)
    if found is None:
        return None
    return replace(found, reason=f"{found.reason} (as 'dpa', with {why})")


def check_by_edge(verdict: Verdict, spectrum: Spectrum) -> Verdict:
    """Nothing found may mean that signal was replaced from signal, where there is little else."""
    if verdict.value > 0:
        return verdict
    why = "so few columns or rows to learn noise from"
    found = by_edge(verdict.rule, spectrum, why)
    if found is None:
        return verdict
    low, high = min(verdict.low, found.low), max(verdict.high, found.high)
    sure = all_listed(spectrum)
    return found if sure else replace(found, low=low, high=high)
