"""The only list of rules, and how `k` is read.

| k                           | rule                                                            |
|-----------------------------|-----------------------------------------------------------------|
| 7                           | that many components                                            |
| 0.95                        | fraction: smallest k holding at least that much variance        |
| "auto"                      | small_table below 22 columns, else screenot         denoising   |
| "fraction:0.95"             | as 0.95 (default 0.95)                              compression |
| "frobenius:0.9"             | the same for squared eigenvalues (default 0.9)      compression |
| "gap"                       | where the spectrum falls most steeply               detection   |
| "dpa"                       | above the edge of noise with the columns' variances detection   |
| "parallel", "parallel:flip" | above twins of the data (flip, permute, gauss)      detection   |
| "small_table"               | the fall that stands out, of few columns            denoising   |
| "screenot"                  | the best cut under unknown noise                    denoising   |
| "bcv"                       | the best prediction of quarters held out            denoising   |
| "kaiser", "broken_stick", "gavish_donoho", "minka", "bai_ng", "gcv", "kritchman_nadler"       |
|                             | as references: people ask for them                              |
| DPA(level=0.01)             | a rule object, its options given                                |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from numbers import Integral, Real

import numpy as np

from eigenlens.errors import ChunkError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.errors.remedies import PythonCode
from eigenlens.rank.automatic import Automatic
from eigenlens.rank.bai_ng import BaiNg
from eigenlens.rank.bcv import BCV
from eigenlens.rank.broken_stick import BrokenStick
from eigenlens.rank.count import Count
from eigenlens.rank.dpa import DPA
from eigenlens.rank.fraction import Fraction
from eigenlens.rank.frobenius import Frobenius
from eigenlens.rank.gap import Gap
from eigenlens.rank.gavish_donoho import GavishDonoho
from eigenlens.rank.gcv import GCV
from eigenlens.rank.kaiser import Kaiser
from eigenlens.rank.kritchman_nadler import KritchmanNadler
from eigenlens.rank.minka import Minka
from eigenlens.rank.null_tables import NULLS
from eigenlens.rank.parallel import Parallel
from eigenlens.rank.rule import Learner, Rule
from eigenlens.rank.screenot import ScreeNOT
from eigenlens.rank.small_table import SmallTable
from eigenlens.rank.spectrum import FEWEST_COLUMNS
from eigenlens.rank.threshold import FEWEST_ROWS
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import Inertia, traits_of
from eigenlens.table.preparation import Preparation
from eigenlens.table.workspace import Workspace

__all__ = ["RULES", "inform_rule", "rule_for"]


MOST_CELLS = 20_000  # of a small table: 19 permuted ones take a second
NEARLY_ALL = 0.9  # of what complete rows would say: fewer than 5 % of the cells are missing

Build = Callable[[str, str | None], Rule]  # from the name, and what is written after the colon


def with_fraction(rule: Callable[[float], Rule], usual: float) -> Build:
    """For rules that take a fraction after a colon."""

    def built(name: str, given: str | None) -> Rule:
        try:
            fraction = usual if given is None else float(given)
        except ValueError:
            fraction = np.nan
        if not 0 < fraction < 1:
            raise RankError.not_a_fraction(name, given, usual)
        return rule(fraction)

    return built


def with_null(name: str, given: str | None) -> Rule:
    if given is not None and given not in NULLS:
        raise RankError.unknown_null(given, NULLS)
    return Parallel(given)


def without_option(rule: Callable[[], Rule]) -> Build:
    """For rules that take nothing after a colon."""

    def built(name: str, given: str | None) -> Rule:
        if given is not None:
            raise RankError.takes_nothing(name, given)
        return rule()

    return built


RULES: Mapping[str, Build] = {
    "auto": without_option(Automatic),
    "fraction": with_fraction(Fraction, 0.95),
    "frobenius": with_fraction(Frobenius, 0.9),
    "gap": without_option(Gap),
    "dpa": without_option(DPA),
    "parallel": with_null,
    "screenot": without_option(ScreeNOT),
    "small_table": without_option(SmallTable),
    "bcv": without_option(BCV),
    "kaiser": without_option(Kaiser),
    "broken_stick": without_option(BrokenStick),
    "gavish_donoho": without_option(GavishDonoho),
    "minka": without_option(Minka),
    "bai_ng": without_option(BaiNg),
    "gcv": without_option(GCV),
    "kritchman_nadler": without_option(KritchmanNadler),
}


def rule_for(k: object, shape: tuple[int, int], most: int, centered: bool) -> Rule:
    """The rule behind the argument `k`, checked against the table's limits."""
    if isinstance(k, np.ndarray | np.generic) and np.ndim(k) == 0:
        k = k.item()
    if isinstance(k, bool):
        raise RankError.not_positive(k)
    if isinstance(k, Integral):
        count = int(k)
        if count < 1:
            raise RankError.not_positive(k)
        if count > most:
            raise RankError.too_large(count, shape, centered)
        return Count(count)
    if isinstance(k, Real):
        return Fraction(float(k))
    if isinstance(k, Rule) and not isinstance(k, type):
        return k
    if not isinstance(k, str):
        raise RankError.unknown_rule(k, RULES)
    name, colon, given = k.partition(":")
    if name not in RULES:
        raise RankError.unknown_rule(k, RULES)
    return RULES[name](name, given if colon else None)


def gains_by_permuting(source: Source) -> bool:
    """Whether a small table lacks so many cells that its spectrum alone says too little."""
    rows, columns = source.shape
    small = columns < FEWEST_COLUMNS and rows * columns <= MOST_CELLS and rows >= FEWEST_ROWS
    return small and traits_of(source).informative_share < NEARLY_ALL


def inform_rule(
    rule: Rule,
    source: Source,
    preparation: Preparation,
    workspace: Workspace,
    rng: np.random.Generator,
    forgiving: bool = False,
) -> tuple[Rule, bool]:
    """The rule once it has seen what it needs to, and whether it was interrupted before.

    Some look at the data before anything else. `forgiving`: an interrupt leaves it with what it
    knows by then, if that is enough to answer.
    """
    if isinstance(rule, Automatic) and isinstance(preparation.scale, Inertia):
        rule = Kaiser() if traits_of(source).remote else Parallel()
    incomplete = traits_of(source).null_table is not None
    if isinstance(rule, Automatic) and incomplete:
        if not gains_by_permuting(source):
            return rule, False
        other, stopped = inform_rule(Parallel(), source, preparation, workspace, rng, forgiving)
        return replace(rule, otherwise=other), stopped
    if not hasattr(rule, "learn") or not isinstance(rule, Learner):
        return rule, False
    if incomplete and not isinstance(rule, Parallel):
        raise RankError.needs(
            SetOption("k", rule.name),
            "complete rows, and cells are missing",
            Phrase(
                "pass {}, which permutes the observed cells, or {}",
                SetOption("k", "parallel"),
                SetOption("k", "dpa"),
            ),
        )
    if not traits_of(source).re_readable and not incomplete:
        raise RankError.needs(
            SetOption("k", rule.name),
            "to read the rows again, and this stream can be read only once",
            PythonCode("pass a callable that returns a fresh iterator at each call"),
            Phrase(
                "pass {} or {}, which need only the spectrum",
                SetOption("k", "dpa"),
                SetOption("k", "screenot"),
            ),
        )
    if traits_of(source).remote:
        raise ChunkError.far_away(f"k={rule.name!r}")
    learned: list[Rule] = []
    try:
        for better in rule.learn(source, preparation, workspace, rng):
            learned = [better]
    except KeyboardInterrupt:
        if not (forgiving and learned):
            raise
        return learned[0], True
    return learned[0], False
