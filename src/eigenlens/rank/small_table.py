"""The rule for small tables: where the steepest fall is, once the table is known not to be noise.

Question  denoising: how many directions are worth keeping, where there are fewer than 22 columns
          and noise cannot be learned from them?
Formula   0 if sphericity (of standardized columns: independence) is not rejected at 1 %. Else the k
          with the largest drop of ln t beyond what noise would show (`eigenvalue_drops.py`), or a
          later one of at least half that size, if what follows it is even. Where the drop is less
          than 1.71 times the next ones, which smooth spectra reach, or within two standard errors,
          no cut is better than another: the fewest that hold 80 % of the variance.
Holes     take power from the test and blur the drops. `otherwise`, parallel analysis that permutes
          the observed cells, then answers where no drop stands out, and where the test rejects at
          20 % only.
Metric    columns as they are. Standardized ones, R, are first divided by u^(1/4), where
          u = 1 / diag(R^-1) is what the other columns leave of each: a column that shares nothing
          would else have an eigenvalue of 1 for itself, above the noise of all others.
Needs     all eigenvalues; of standardized columns their vectors too, where they are at hand.
Right     strong and moderate components, equal and unequal noise, any k from 0 to d - 1:
          benchmarks/results/small.md.
Wrong     rows with heavy tails look structured to the test of sphericity; components that are each
          many times the next, in noise that differs by column.
Source    Ahn and Horenstein 2013 (ratios); Guttman 1953 (u, image analysis). Together: ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.phrases import format_ratio
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.rank.eigenvalue_drops import drops_beyond_noise, is_clear_drop
from eigenlens.rank.rule import Assumption, Question, Rule
from eigenlens.rank.spectrum import FEWEST_COLUMNS, Spectrum, held_words
from eigenlens.rank.structure_test import StructureTest, check_structure
from eigenlens.rank.tail_variance import exact_rank, noiseless
from eigenlens.rank.threshold import refuse_few_rows, refuse_short_spectrum

__all__ = ["SmallTable"]

SMOOTH = float(np.log(2) / np.log(1.5))  # of two drops in a row, the most for powers i^-a
NEIGHBORS = 5
LATER = 0.5  # of the largest drop: a later one counts
ERRORS = 2.0  # standard errors
SHARE = 0.8  # of the variance, where no cut is better than another
DOUBT = 0.2  # a larger p is noise to every rule


@dataclass(frozen=True)
class SmallTable:
    """`level`: how often pure noise may be taken for structure; `otherwise`: the rule that answers
    in the place of the share, and of a test that is in doubt.
    """

    level: float = 0.01
    otherwise: Rule | None = None

    name = "small_table"
    question: ClassVar[Question] = "denoising"
    assumes: ClassVar[tuple[Assumption, ...]] = ()
    needs_settled = True

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise OptionError.needs(
                SetOption("level", self.level),
                "a probability between 0 and 1",
                Phrase("pass {}", SetOption("level", 0.01)),
            )

    def first_guess(self, most: int) -> int:
        return most

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        refuse_few_rows(self.name, spectrum.rows)
        if not spectrum.is_small:
            raise RankError.needs(
                SetOption("k", "small_table"),
                f"fewer than {FEWEST_COLUMNS} columns; here are {spectrum.columns}",
                Phrase("pass {}, which learns the noise of more columns", SetOption("k", "auto")),
            )
        simple = exact_rank(self.name, spectrum) or noiseless(self.name, spectrum)
        if simple is not None:
            return simple
        if not spectrum.complete and len(spectrum.values) < spectrum.most:
            return None
        test = check_structure(spectrum)
        if test.p > self.level:
            if self.otherwise is not None and test.p <= DOUBT:
                return self.leave_to_other(spectrum, test, f"p = {test.p:.2g} leaves doubt")
            return nothing_found(self.name, test, self.level)
        filled = spectrum.filled()
        values = np.maximum(filled.values[: filled.most], spectrum.floor)
        drops = drops_beyond_noise(comparable(spectrum, values), filled.freedom)
        rank = last_drop(drops, filled.freedom)
        if stands_out(drops, rank, filled.freedom):
            return by_drop(self.name, values, drops, rank, test)
        if self.otherwise is not None:
            return self.leave_to_other(spectrum, test, "the eigenvalues fall evenly")
        return by_share(self.name, values, drops, rank, test)

    def leave_to_other(self, spectrum: Spectrum, test: StructureTest, why: str) -> Verdict | None:
        """The other rule's verdict, and why it was asked."""
        found = self.otherwise.choose(spectrum) if self.otherwise is not None else None
        if found is None:
            return None
        evidence = {**facts(test), **found.evidence}
        return replace(found, reason=f"{why}, and {found.reason}", evidence=evidence)

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        return refuse_short_spectrum(self.name, spectrum, f"all eigenvalues ({spectrum.most})")


def comparable(spectrum: Spectrum, values: Float64Array) -> Float64Array:
    """The eigenvalues to compare: of standardized columns those of u^(-1/4) R u^(-1/4)."""
    vectors = spectrum.vectors
    if not spectrum.is_standardized or vectors is None or vectors.shape[1] != len(values):
        return values
    unshared = 1 / (np.square(vectors) @ (1 / values))
    rows = vectors * np.sqrt(values) / (unshared**0.25)[:, None]
    found: Float64Array = np.square(np.linalg.svd(rows, compute_uv=False))
    return found


def last_drop(drops: Float64Array, freedom: float) -> int:
    """Where signal ends: after the largest drop, or a later one before an even rest."""
    largest = int(np.argmax(drops)) + 1
    for later in range(len(drops) - 1, largest, -1):
        enough = drops[later - 1] >= LATER * drops[largest - 1]
        if enough and is_clear_drop(drops, later, freedom):
            return later
    return largest


def stands_out(drops: Float64Array, rank: int, freedom: float) -> bool:
    beside = float(drops[rank : rank + NEIGHBORS].max(initial=0.0))
    error = 2 / np.sqrt(freedom)
    return bool(drops[rank - 1] >= max(SMOOTH * beside, ERRORS * error))


# -- verdicts ----------------------------------------------------------------------------------


def nothing_found(name: str, test: StructureTest, level: float) -> Verdict:
    meant = {
        "sphericity": "that every direction has the same variance",
        "independence": "that no column correlates with another",
    }[test.name]
    reason = (
        f"there may be no structure to find: the test of {test.name}, {meant}, does not reject "
        f"(p = {test.p:.2g}, level {level:g})"
    )
    return Verdict(0, name, reason, {**facts(test), "margin": abs(test.p / level - 1)})


def by_drop(
    name: str, values: Float64Array, drops: Float64Array, rank: int, test: StructureTest
) -> Verdict:
    ratio = float(values[rank - 1] / values[rank])
    reason = f"eigenvalue {rank} is {format_ratio(ratio)} times the next, the fall that stands out"
    others = float(np.delete(drops, rank - 1).max(initial=0.0))
    evidence = {
        **facts(test),
        "ratio": ratio,
        "drop": float(drops[rank - 1]),
        "clear_cut": True,
        "margin": float(abs(1 - others / drops[rank - 1])),
    }
    return Verdict(rank, name, reason, evidence)


def by_share(
    name: str, values: Float64Array, drops: Float64Array, steepest: int, test: StructureTest
) -> Verdict:
    held = np.cumsum(values) / values.sum()
    rank = int(np.flatnonzero(held >= SHARE)[0]) + 1
    reason = (
        f"the eigenvalues fall evenly, without a clear cut; {held_words(rank)} "
        f"{held[rank - 1]:.1%} of the variance, the fewest that hold {SHARE:.0%}"
    )
    evidence = {
        **facts(test),
        "steepest": steepest,
        "drop": float(drops[steepest - 1]),
        "share": float(held[rank - 1]),
        "clear_cut": False,
        "margin": float(held[rank - 1] / SHARE - 1),
    }
    return Verdict(rank, name, reason, evidence)


def facts(test: StructureTest) -> dict[str, object]:
    return {"test": test.name, "statistic": test.statistic, "p": test.p}
