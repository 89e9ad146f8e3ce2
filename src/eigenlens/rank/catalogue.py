"""The only list of rules, and how `k` is read.

| k                      | rule                                                     |
|------------------------|----------------------------------------------------------|
| 7                      | that many components                                     |
| 0.95                   | fraction: smallest k holding at least that much variance |
| "frobenius:0.9"        | the same for squared eigenvalues (default 0.9)           |
| "fraction:0.95"        | as 0.95 (default 0.95)                                   |
| "auto"                 | the fraction 0.95                                        |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Protocol

from eigenlens.errors import RankError
from eigenlens.rank.count import Count
from eigenlens.rank.fraction import Fraction
from eigenlens.rank.frobenius import Frobenius
from eigenlens.rank.spectrum import Spectrum
from eigenlens.verdict import Verdict

__all__ = ["RULES", "Rule", "rule_for"]

AUTOMATIC = 0.95


class Rule(Protocol):
    """Answers from what is known of the spectrum, or None: show me more."""

    @property
    def name(self) -> str: ...

    def first_guess(self, most: int) -> int:
        """How many components to look for at first."""

    def choose(self, spectrum: Spectrum) -> Verdict | None: ...

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        """What to say when more cannot be shown."""


RULES: Mapping[str, Callable[[float | None], Rule]] = {
    "auto": lambda given: Fraction(AUTOMATIC, because=" (what k='auto' means for now)"),
    "fraction": lambda given: Fraction(AUTOMATIC if given is None else given),
    "frobenius": lambda given: Frobenius() if given is None else Frobenius(given),
}


def rule_for(k: object, shape: tuple[int, int], most: int, centered: bool) -> Rule:
    """The rule behind the argument `k`, checked against the table's limits."""
    if isinstance(k, bool):
        raise RankError.not_positive(k)
    if isinstance(k, Integral):
        if k < 1:
            raise RankError.not_positive(k)
        if k > most:
            raise RankError.too_large(int(k), shape, centered)
        return Count(int(k))
    if isinstance(k, Real):
        return Fraction(float(k))
    if not isinstance(k, str):
        raise RankError.unknown_rule(repr(k), RULES)
    name, _, given = k.partition(":")
    if name not in RULES:
        raise RankError.unknown_rule(k, RULES)
    try:
        return RULES[name](float(given) if given else None)
    except ValueError as error:
        if isinstance(error, RankError):
            raise
        raise RankError.unknown_rule(k, RULES) from None
