"""Stability: would half of the rows have led to the same answer?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import FloatArray
from eigenlens.errors import RankError
from eigenlens.rank.derived import Change, derived
from eigenlens.rank.look import Room, look_at
from eigenlens.rank.rule import Rule
from eigenlens.rank.spectrum import Spectrum
from eigenlens.sources.array import ArraySource
from eigenlens.sources.protocol import Source
from eigenlens.table.build import table_of
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
    table = table_of(source, preparation, room.block_bytes)
    whole = derived(table)
    if isinstance(whole, ArraySource):  # prepared and kept: need not be read again
        plain = Preparation(False, None, None, float(whole.shape[0]))
        table = table_of(whole, plain, room.block_bytes)
    found: dict[str, list[int]] = {rule.name: [] for rule in rules}
    for _ in range(draws):
        chosen = rng.permutation(table.shape[0])[: table.shape[0] // 2]
        rows = np.zeros(table.shape[0], dtype=bool)
        rows[chosen] = True
        half = derived(table, only(rows), (len(chosen), table.shape[1]))
        spectrum = spectrum_of(half, preparation.weights is None, room, rng)
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
    return None if verdict is None else int(verdict.value)


def only(rows: npt.NDArray[np.bool_]) -> Change:
    def change(start: int, block: FloatArray) -> FloatArray:
        return block[rows[start : start + len(block)]]

    return change
