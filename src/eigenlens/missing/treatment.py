"""What a fit does about missing cells, before the table is built.

| missing=                | what follows                                                        |
|-------------------------|---------------------------------------------------------------------|
| "error", "level"        | nothing: the first pass meets the holes and says where they are;    |
|                         | missing categories have become levels before                        |
| "drop"                  | rows with holes are left out                                        |
| "auto", "gaussian",     | the table is replaced by its expected moments; without holes it     |
| "lowrank", an engine    | stays as it is, and so does every bit of the answer                 |
| "unstored"              | what a sparse table does not store is unknown; then as "auto"       |
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.errors import DataError, NotCertified, OptionError
from eigenlens.errors.options import refuse_unknown
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.missing.cell_weights import CellWeights
from eigenlens.missing.choose import Engine, expect_rows
from eigenlens.missing.contrasts import ContrastSource, contrast_source, in_units_of_contrasts
from eigenlens.missing.engine_passes import EnginePasses
from eigenlens.missing.expectation import Expectation
from eigenlens.missing.gaussian import Gaussian
from eigenlens.missing.graded import expect_graded, is_graded, leave_out_weightless
from eigenlens.missing.lowrank import LowRank
from eigenlens.missing.memberships import MembershipExpectation, expect_memberships
from eigenlens.missing.null_moments import NullLevels, NullMoments
from eigenlens.missing.observed import (
    CellReader,
    ObservedCells,
    cell_blocks,
    observe_cells,
    rows_without_holes,
)
from eigenlens.missing.thin_evidence import warn_of_thin_evidence
from eigenlens.missing.unstored import UnstoredSource, mark_unstored
from eigenlens.sources.categories.encoding import encoding_of
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.moments_only import MomentsSource
from eigenlens.sources.protocol import Source
from eigenlens.sources.some_rows import SomeRows
from eigenlens.sources.traits import traits_of
from eigenlens.table.preparation import Preparation

__all__ = [
    "MISSING",
    "MissingLike",
    "Treatment",
    "moments_source_of",
    "treat_missing",
    "treat_weighted_cells",
]

MISSING = ("error", "drop", "auto", "gaussian", "lowrank", "unstored", "level")
MissingLike = str | Engine

NO_HOLES = Verdict("nothing to do", "no holes", "no cell of the table is missing")
WIDEST_LAW = 2000  # columns up to which a law is learned for new rows' sake alone
OTHER_PASSES = 2  # to observe the cells, and to read samples of rows
SUM_ROUNDINGS = 8.0  # of a sum over blocks of a few thousand rows, as for scatter matrices


@dataclass(frozen=True)
class Treatment:
    """The source and preparation to go on with, and what was done, where anything was."""

    source: Source
    preparation: Preparation
    choice: Verdict | None = None
    expectation: Expectation | None = None
    reader: CellReader | None = None


def treat_missing(
    source: Source,
    preparation: Preparation,
    missing: MissingLike,
    rng: np.random.Generator,
    passes: EnginePasses | None = None,
) -> Treatment:
    if not isinstance(missing, Gaussian | LowRank):
        refuse_unknown("missing", missing, MISSING)
    if missing in ("error", "level"):
        return Treatment(source, preparation)
    if missing == "drop":
        return drop_rows(source, preparation)
    if missing == "unstored":
        source, missing = mark_unstored(source), "auto"
    told = contrast_source(source, preparation.weights)
    observed = observe_cells(told, preparation.weights, passes)
    if isinstance(told, ContrastSource):
        observed = in_units_of_contrasts(observed, told)
    reader = CellReader(told, observed, preparation.weights, passes=passes)
    if observed.holes or observed.empty_rows:
        return expect_moments(reader, preparation, missing, rng)
    # The rows stay as they are; the law is for new rows, which may lack cells.
    learns = source.shape[1] <= WIDEST_LAW and bool((observed.low < observed.high).all())
    expectation = expect_cells(reader, missing, rng) if learns else None
    return Treatment(source, preparation, NO_HOLES, expectation)


def treat_weighted_cells(
    source: Source,
    preparation: Preparation,
    missing: MissingLike,
    weights: CellWeights,
    rng: np.random.Generator,
    passes: EnginePasses | None = None,
) -> Treatment:
    """Cells without weight are missing ones; those of small weight mostly what others suggest."""
    if weights.cells is None:
        return treat_missing(source, preparation, missing, rng, passes)
    cells = weigh_observed(source, weights.cells, missing)
    if not is_graded(cells):
        engine = "auto" if missing == "error" else missing
        masked = leave_out_weightless(source, cells)
        return treat_missing(masked, preparation, engine, rng, passes)
    expectation, reader = expect_graded(source, replace(weights, cells=cells), passes)
    moments = moments_source_of(expectation, reader)
    ready = replace(preparation, total_weight=expectation.fixed_point.sums.weight)
    return Treatment(moments, ready, expectation.choice, expectation, reader)


def weigh_observed(source: Source, cells: Float64Array, missing: MissingLike) -> Float64Array:
    """The weights of the cells, 0 for missing ones where these are no error."""
    observed, first = cells.copy(), 0
    for block in cell_blocks(source):
        some = observed[first : first + len(block)]
        unknown = np.isnan(block) & (some > 0)
        if unknown.any() and missing == "error":
            raise locate_not_finite(source)
        if unknown.any() and missing == "drop" and is_graded(cells):
            raise OptionError.needs(
                SetOption("missing", "drop"),
                "one weight per row; with one per cell, missing cells have weight 0",
                Phrase("pass {}", SetOption("missing", "auto")),
            )
        some[unknown] = 0.0
        first += len(block)
    return observed


def drop_rows(source: Source, preparation: Preparation) -> Treatment:
    kept = rows_without_holes(source)
    count, dropped = int(kept.sum()), int((~kept).sum())
    if not dropped:
        return Treatment(source, preparation, NO_HOLES)
    if count < 2:
        raise DataError.no_complete_rows(source.shape, count)
    weights = None if preparation.weights is None else preparation.weights[kept]
    total = float(count if weights is None else weights.sum())
    lack = "has missing cells and was" if dropped == 1 else "have missing cells and were"
    reason = f"{dropped} of {source.shape[0]} rows {lack} left out"
    choice = Verdict("drop", "request", reason, {"dropped_rows": dropped, "rows": count})
    ready = preparation.reweighted(weights, total)
    return Treatment(SomeRows(source, kept), ready, choice)


def expect_moments(
    reader: CellReader, preparation: Preparation, engine: MissingLike, rng: np.random.Generator
) -> Treatment:
    """The moments of the rows as they are expected, in the place of the rows."""
    expectation = expect_cells(reader, engine, rng)
    if not isinstance(reader.source, UnstoredSource):  # there it goes without saying
        warn_of_thin_evidence(reader)
    if not expectation.fixed_point.at_rest:
        found = expectation.fixed_point
        NotCertified.not_at_rest(found.defect, found.passes).warn()
    source = moments_source_of(expectation, reader)
    ready = preparation.reweighted(None, expectation.fixed_point.sums.weight)
    choice = explain_holes(expectation.choice, reader.observed)
    return Treatment(source, ready, choice, expectation, reader)


def expect_cells(reader: CellReader, engine: MissingLike, rng: np.random.Generator) -> Expectation:
    """What is expected of the cells; of categories, in terms of their indicators."""
    found, source = expect_rows(reader, engine, rng), reader.source
    return expect_memberships(found, source) if isinstance(source, ContrastSource) else found


def moments_source_of(expectation: Expectation, reader: CellReader) -> MomentsSource:
    """What stands for the rows of the source: the moments that are expected of them."""
    source, null = reader.source, NullMoments(reader, expectation.engine).draw
    if isinstance(source, ContrastSource):
        null = NullLevels(null, source.contrasts).draw
        source = source.source
    reached = expectation.fixed_point
    return MomentsSource(
        expectation.moments,
        source.names,
        source.stored_bytes,
        rounding_factor(expectation),
        expectation.observed.rows,
        null,
        expectation.observed.informative_share,
        traits_of(source).passes_to_open + OTHER_PASSES + reached.passes_before + reached.passes,
        encoding_of(source),
        traits_of(source).left_out,
    )


def explain_holes(choice: Verdict, observed: ObservedCells) -> Verdict:
    """The engine's verdict, beginning with what is missing."""
    words = (
        f"{observed.share:.2%} of the cells are missing" if observed.holes else "no cell is missing"
    )
    if observed.empty_rows:
        rows = "row was" if observed.empty_rows == 1 else "rows were"
        words += f", but {observed.empty_rows} {rows} left out for want of any cell"
    evidence = {
        "missing_cells": observed.holes,
        "missing_share": observed.share,
        "empty_rows": observed.empty_rows,
        **choice.evidence,
    }
    return replace(choice, reason=f"{words}; {choice.reason}", evidence=evidence)


def rounding_factor(expectation: Expectation) -> float:
    """By how many roundings the expected moments may be off: those of the systems solved, too."""
    law = expectation.fixed_point.law
    own = SUM_ROUNDINGS + 8.0 * law.condition_number
    return expectation.drift_of(own) if isinstance(expectation, MembershipExpectation) else own
