"""The only list of rules, and how `k` is read.

| k                      | rule                                                     |
|------------------------|----------------------------------------------------------|
| 7                      | that many components                                     |
| 0.95                   | fraction: smallest k holding at least that much variance |
| "frobenius:0.9"        | the same for squared eigenvalues (default 0.9)           |
| "fraction:0.95"        | as 0.95 (default 0.95)                                   |
| "minka"                | the largest Bayesian evidence; needs all eigenvalues     |
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
from eigenlens.rank.minka import Minka
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


# From what is written after the colon, the number of rows (or their weight) and of columns.
RULES: Mapping[str, Callable[[float | None, float, int], Rule]] = {
    "auto": lambda given, n, d: Fraction(AUTOMATIC, because=" (what k='auto' means for now)"),
    "fraction": lambda given, n, d: Fraction(AUTOMATIC if given is None else given),
    "frobenius": lambda given, n, d: Frobenius() if given is None else Frobenius(given),
    "minka": lambda given, n, d: Minka(n, d),
}
WITHOUT_NUMBER = {"auto", "minka"}


def rule_for(
    k: object,
    shape: tuple[int, int],
    most: int,
    centered: bool,
    weight: float | None = None,
) -> Rule:
    """The rule behind the argument `k`, checked against the table's limits.

    `weight` is the sum of the rows' weights; None: as many as there are rows.
    """
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
    if not isinstance(k, str):
        raise RankError.unknown_rule(repr(k), RULES)
    name, _, given = k.partition(":")
    if name not in RULES or (given and name in WITHOUT_NUMBER):
        raise RankError.unknown_rule(k, RULES)
    try:
        rows = shape[0] if weight is None else weight
        return RULES[name](float(given) if given else None, rows, shape[1])
    except ValueError as error:
        if isinstance(error, RankError):
            raise
        raise RankError.unknown_rule(k, RULES) from None
