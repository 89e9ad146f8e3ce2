"""Stability: would half of the rows have led to the same answer?

Rows with weights are that many copies, of which half are drawn, as of repeated rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import RankError
from eigenlens.rank.derived_rows import (
    TableBuffer,
    derive_rows,
    rows_of_prepared_table,
    select_part,
)
from eigenlens.rank.quick_spectrum import spectrum_of_source
from eigenlens.rank.repeated_rows import most_copies, repeated_rows
from eigenlens.rank.rule import Rule
from eigenlens.rank.spectrum import Spectrum
from eigenlens.sources.protocol import Source
from eigenlens.table.preparation import Preparation, is_learned_scale
from eigenlens.table.workspace import Workspace

__all__ = ["over_halves"]

FEWEST_ROWS = 40
WHOLE = 400  # tables with a side no longer than this show all their eigenvalues
LOOKS = (26, 52, 104)  # of the others so many at first, and more where that is not enough
DIGITS = 1e-2  # an eigenvalue of some thousand rows is known no better


def over_halves(
    source: Source,
    preparation: Preparation,
    rules: Sequence[Rule],
    draws: int,
    workspace: Workspace,
    rng: np.random.Generator,
) -> Mapping[str, list[int]]:
    """By rule, what it says about random halves of the rows, sorted; none of very few or many."""
    if not FEWEST_ROWS <= preparation.total_weight <= most_copies(source.shape[0]):
        return {}
    rows = repeated_rows(
        rows_of_prepared_table(source, preparation, workspace), preparation.weights
    )
    found: dict[str, list[int]] = {rule.name: [] for rule in rules}
    buffer = TableBuffer()
    standardized = is_learned_scale(preparation.scale)
    for _ in range(draws):
        chosen = np.zeros(rows.shape[0], dtype=bool)
        chosen[rng.permutation(rows.shape[0])[: rows.shape[0] // 2]] = True
        half = derive_rows(
            rows, workspace, select_part(chosen), (int(chosen.sum()), rows.shape[1]), buffer
        )
        weights = None if rows.weights is None else rows.weights[chosen]
        total = float(half.shape[0]) if weights is None else float(weights.sum())
        seen = Preparation(preparation.center, None, weights, total)
        unanswered = list(rules)
        for spectrum in longer_and_longer(half, seen, workspace, rng):
            for rule in list(unanswered):
                answer = ask_rule(rule, replace(spectrum, standardized=standardized))
                if answer is not None:
                    found[rule.name].append(int(answer.value))
                    unanswered.remove(rule)
            if not unanswered:
                break
    return {name: sorted(ranks) for name, ranks in found.items()}


def longer_and_longer(
    half: Source, preparation: Preparation, workspace: Workspace, rng: np.random.Generator
) -> Iterator[Spectrum]:
    """The whole spectrum of a small table; of others more and more leading values."""
    most = preparation.most_components(half.shape)
    for count in (most,) if most <= WHOLE else LOOKS:
        yield spectrum_of_source(half, preparation, count, DIGITS, workspace, rng).spectrum


def ask_rule(rule: Rule, spectrum: Spectrum) -> Verdict | None:
    try:
        verdict = rule.choose(spectrum)
    except RankError:
        return None
    if verdict is None or (verdict.high or 0) - (verdict.low or 0) > 1:
        return None  # too little of the spectrum was looked at
    return verdict
