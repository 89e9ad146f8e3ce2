"""Which engine completes the table: the one that predicts hidden cells best.

| asked for    | engine                                                                        |
|--------------|-------------------------------------------------------------------------------|
| "gaussian"   | the Gaussian engine, its prior pooled over some by hidden cells               |
| "lowrank"    | the low-rank engine                                                           |
| "auto"       | Gaussian, unless the low-rank engine predicts hidden cells better by 5 %,     |
|              | or a pass of the Gaussian one would take more than ten times as long          |

On tiny tables the choice by hidden cells is mostly noise, hence the margin.
"""

from __future__ import annotations

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import DataError
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.missing.expectation import Expectation
from eigenlens.missing.gaussian import Gaussian
from eigenlens.missing.hidden import Candidate, HiddenTest, mask_some_cells
from eigenlens.missing.lowrank import MOST_FACTORS, LowRank
from eigenlens.missing.observed import CellReader

__all__ = ["Engine", "expect_rows", "refuse_unusable"]

MARGIN = 0.95  # of the other's error on hidden cells: less is chance
LITTLE_WORK = 5e8  # multiplications of a pass of the Gaussian engine: a fraction of a second
MOST_TIMES = 10  # the work of a pass of the low-rank engine: more is not worth the few percent

Engine = Gaussian | LowRank


def expect_rows(reader: CellReader, asked: str | Engine, rng: np.random.Generator) -> Expectation:
    """The rows as they are expected given their observed cells, by the engine asked for."""
    refuse_unusable(reader)
    test = mask_some_cells(reader, rng)
    with one_blas_thread():  # blocks have threads of their own
        candidates = rehearse(reader, asked, test)
        chosen = best_of(candidates)
        verdict = explain_choice(chosen, candidates, test, asked)
        found = chosen.engine.solve(reader, rng)
    return Expectation(verdict, chosen.engine, reader.observed, found, test.judge(chosen.laws))


def rehearse(
    reader: CellReader, asked: str | Engine, test: HiddenTest
) -> list[Candidate[Gaussian] | Candidate[LowRank]]:
    """Engines with their options, and the laws they learn from the rows with hidden cells."""
    if not isinstance(asked, str):
        return [*asked.rehearse(reader, test)]
    found: list[Candidate[Gaussian] | Candidate[LowRank]] = []
    if asked == "gaussian" or (asked == "auto" and is_affordable(reader)):
        found += Gaussian().rehearse(reader, test)
    if asked in ("auto", "lowrank"):
        found += LowRank().rehearse(reader, test)
    return found


def best_of(
    candidates: list[Candidate[Gaussian] | Candidate[LowRank]],
) -> Candidate[Gaussian] | Candidate[LowRank]:
    """The first of each engine stands for it, and another engine than the first must be clearly
    better. Without hidden cells, the first.
    """
    best = candidates[0]
    other = next((one for one in candidates if type(one.engine) is not type(best.engine)), best)
    return other if other.error < MARGIN * best.error else best


def explain_choice(
    chosen: Candidate[Gaussian] | Candidate[LowRank],
    candidates: list[Candidate[Gaussian] | Candidate[LowRank]],
    test: HiddenTest,
    asked: str | Engine,
) -> Verdict:
    errors = {candidate.name: candidate.error for candidate in candidates}
    evidence = {"hidden_cells": test.count, "errors": errors, **chosen.options}
    if test.count == 0:
        reason = "no cell could be hidden to compare engines, so the prior is a careful one"
        return Verdict(chosen.engine.name, "no hidden cells", reason, evidence)
    error = errors[chosen.name]
    reason = (
        f"it predicts {test.count} hidden cells with an error of {error:.3g} standard deviations "
        f"({chosen.name})"
    )
    if asked == "auto" and not any(isinstance(one.engine, Gaussian) for one in candidates):
        reason += "; the Gaussian engine would take much longer and was not tried"
    rule = "hidden cells" if len(candidates) > 1 else "request"
    return Verdict(chosen.engine.name, rule, reason, evidence)


def is_affordable(reader: CellReader) -> bool:
    """Whether a pass of the Gaussian engine ends soon: it solves a system per row with holes, and
    has the covariances of these holes to add up.
    """
    observed, width = reader.observed, reader.source.shape[1]
    lacking = max(observed.rows - observed.complete_rows, 1)
    holes = observed.holes / lacking
    smaller = max(min(holes, width - holes), 1.0)
    work = lacking * (smaller**3 + holes**2 * smaller) + width**3
    other = observed.rows * width * MOST_FACTORS**2
    return bool(work <= max(LITTLE_WORK, MOST_TIMES * other))


def refuse_unusable(reader: CellReader) -> None:
    """Columns without two different values say nothing about their holes."""
    observed, names = reader.observed, reader.source.names
    empty = np.flatnonzero(observed.counts == 0)
    constant = np.flatnonzero((observed.counts > 0) & (observed.low == observed.high))
    constant = constant[observed.counts[constant] < observed.rows]
    for columns, refuse in ((empty, DataError.no_cells), (constant, DataError.one_value)):
        if columns.size:
            named = [names[j] if names else str(j) for j in columns.tolist()]
            raise refuse(list(dict.fromkeys(named)))
    if observed.rows < 2:
        raise DataError.one_row(reader.source.shape)
