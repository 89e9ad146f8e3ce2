"""Stability: would half of the rows have led to the same answer?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from eigenlens.errors import RankError
from eigenlens.rank.derived import derived, only, prepared
from eigenlens.rank.look import Room, look_at
from eigenlens.rank.rule import Rule
from eigenlens.rank.spectrum import Spectrum
from eigenlens.sources.protocol import Source
from eigenlens.table.preparation import Preparation

__all__ = ["FEWEST_ROWS", "over_halves"]

FEWEST_ROWS = 40
WHOLE = 400  # tables with a side no longer than this show all their eigenvalues
SOME = 50
DIGITS = 1e-3


def over_halves(
    source: Source,
    preparation: Preparation,
    rules: Sequence[Rule],
    draws: int,
    room: Room,
    rng: np.random.Generator,
) -> Mapping[str, list[int]]:
    """By rule, what it says about random halves of the rows, sorted."""
    heavy = preparation.weights is not None  # such rows are centered already, by their own mean
    table = prepared(source, preparation, room)
    found: dict[str, list[int]] = {rule.name: [] for rule in rules}
    for _ in range(draws):
        chosen = rng.permutation(table.shape[0])[: table.shape[0] // 2]
        rows = np.zeros(table.shape[0], dtype=bool)
        rows[chosen] = True
        half = derived(table, room, only(rows), (len(chosen), table.shape[1]))
        spectrum = spectrum_of(half, preparation.center and not heavy, room, rng)
        for rule in rules:
            answer = asked(rule, spectrum)
            if answer is not None:
                found[rule.name].append(answer)
    return {name: sorted(ranks) for name, ranks in found.items()}


def spectrum_of(half: Source, center: bool, room: Room, rng: np.random.Generator) -> Spectrum:
    rows, columns = half.shape
    preparation = Preparation(center, None, None, float(rows))
    most = preparation.most_components(half.shape)
    look = look_at(half, preparation, most if most <= WHOLE else SOME, DIGITS, room, rng)
    variances = look.table.feature_variances / look.table.total_variance
    return Spectrum(look.shares, 1.0, most, rows, columns, center, variances, rounding=1e-9)


def asked(rule: Rule, spectrum: Spectrum) -> int | None:
    try:
        verdict = rule.choose(spectrum)
    except RankError:
        return None
    if verdict is None or (verdict.high or 0) - (verdict.low or 0) > 1:
        return None  # too little of the spectrum was looked at
    return int(verdict.value)
