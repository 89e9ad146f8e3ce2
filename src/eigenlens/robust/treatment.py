"""What a fit does about outliers, before the table is built.

| robust=            | what follows                                                             |
|--------------------|--------------------------------------------------------------------------|
| None               | nothing                                                                  |
| "wrap", Wrap()     | the table is replaced by its wrapped cells, as they are read             |
| "rows", Rows()     | outlying rows get weight 0                                               |
| "cells", Cells()   | outlying cells become missing; the table is replaced by its expected     |
|                    | moments, as for missing cells                                            |
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import DataError, OptionError
from eigenlens.errors.options import refuse_unknown
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.missing.cell_weights import CellWeights
from eigenlens.missing.engine_passes import EnginePasses
from eigenlens.missing.treatment import (
    MissingLike,
    Treatment,
    moments_source_of,
    treat_missing,
    treat_weighted_cells,
)
from eigenlens.robust.cells import Cells, fit_cells
from eigenlens.robust.location import FEWEST_FOR_SCALES
from eigenlens.robust.record import RobustFit
from eigenlens.robust.row_table import RowTable
from eigenlens.robust.rows import Rows, leave_out_outlying
from eigenlens.robust.wrap import Wrap, explain_wrapping, learn_wrapping, wrap_cells
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.preparation import Preparation, column_names

__all__ = ["ROBUST", "RobustLike", "RobustTreatment", "treat_outliers"]

ROBUST = ("wrap", "rows", "cells")
RobustLike = str | Wrap | Rows | Cells | None
BY_NAME: dict[str, Wrap | Rows | Cells] = {"wrap": Wrap(), "rows": Rows(), "cells": Cells()}


@dataclass(frozen=True)
class RobustTreatment:
    """The table to go on with, what was done about missing cells in it, and about outliers."""

    treated: Treatment
    choice: Verdict | None = None
    record: RobustFit | None = None


def treat_outliers(
    source: Source,
    preparation: Preparation,
    robust: RobustLike,
    missing: MissingLike,
    k: Any,
    cells: CellWeights,
    rng: np.random.Generator,
    passes: EnginePasses | None = None,
) -> RobustTreatment:
    """`k`: as in `fit`; a number says how many components outlying rows are judged by.

    `passes`: where those over missing cells are recorded.
    """
    asked = read_robust(robust)
    if cells.cells is not None:
        if asked is not None:
            raise OptionError.excludes("robust", "weights")
        treated = treat_weighted_cells(source, preparation, missing, cells, rng, passes)
        return RobustTreatment(treated)
    if asked is None:
        return RobustTreatment(treat_missing(source, preparation, missing, rng, passes))
    refuse_unsuitable(source, preparation, asked.name)
    if isinstance(asked, Wrap):
        return wrap_table(source, preparation, asked, missing, rng, passes)
    if isinstance(asked, Cells):
        return leave_out_cells(source, preparation, asked, missing, rng)
    treated = treat_missing(source, preparation, missing, rng, passes)
    if treated.expectation is not None and treated.reader is not None:
        raise OptionError.needs(
            SetOption("robust", "rows"),
            "rows without missing cells",
            Phrase("pass {} to leave out rows that lack cells", SetOption("missing", "drop")),
            Phrase("pass {}, which takes tables with missing cells", SetOption("robust", "cells")),
        )
    return leave_out_rows(treated, asked, k, rng)


def read_robust(robust: RobustLike) -> Wrap | Rows | Cells | None:
    if robust is None or isinstance(robust, Wrap | Rows | Cells):
        return robust
    refuse_unknown("robust", robust, ROBUST)
    return BY_NAME[robust]


def refuse_unsuitable(source: Source, preparation: Preparation, name: str) -> None:
    given, traits = SetOption("robust", name), traits_of(source)
    if preparation.weights is not None:
        raise OptionError.excludes("robust", "weights")
    if source.is_sparse:
        raise OptionError.needs(
            given,
            "a dense table: where most cells are zero, the others would be the outliers",
            "pass a dense array if it fits in memory",
            Phrase("omit {}", Option("robust")),
        )
    if traits.remote or not traits.re_readable:
        raise OptionError.needs(
            given,
            "rows that can be read again by this process",
            "pass an array, a frame or a file",
            Phrase("omit {}", Option("robust")),
        )
    if source.shape[0] < FEWEST_FOR_SCALES:
        raise OptionError.needs(
            given,
            f"at least {FEWEST_FOR_SCALES} rows; the table has {source.shape[0]}",
            Phrase("omit {}", Option("robust")),
        )


def wrap_table(
    source: Source,
    preparation: Preparation,
    asked: Wrap,
    missing: MissingLike,
    rng: np.random.Generator,
    passes: EnginePasses | None = None,
) -> RobustTreatment:
    count = source.shape[0]
    places = np.arange(count)
    if asked.sample < count:
        places = np.sort(rng.choice(count, asked.sample, replace=False, shuffle=False))
    cells = np.asarray(source.sample(places), dtype=np.float64)
    if np.isinf(cells).any():
        raise locate_not_finite(source)
    wrapping = learn_wrapping(cells)
    if not wrapping.wrapped.any():
        raise DataError.no_robust_scale(column_names(source))
    share = wrapping.share_beyond(cells)
    names = [column_names(source)[j] for j in np.flatnonzero(~wrapping.wrapped)]
    treated = treat_missing(wrap_cells(source, wrapping), preparation, missing, rng, passes)
    choice = explain_wrapping(wrapping, share, names)
    return RobustTreatment(treated, choice, RobustFit("wrap", share, wrapping=wrapping))


def leave_out_rows(
    treated: Treatment, asked: Rows, k: Any, rng: np.random.Generator
) -> RobustTreatment:
    source, preparation = treated.source, treated.preparation
    scale = preparation.scale
    if not (scale is None or isinstance(scale, str | np.ndarray)):
        raise OptionError.excludes("robust", "categories")
    most = preparation.most_components(source.shape)
    whole = isinstance(k, Integral) and not isinstance(k, bool)
    rank = min(max(int(k), 1), most) if whole else None
    selection = leave_out_outlying(RowTable(source, scale, rng), rank, asked.kept, rng)
    if np.count_nonzero(selection.kept) < 2:
        raise OptionError.needs(
            SetOption("robust", "rows"),
            "a majority of rows that lie near a plane",
            Phrase("omit {}", Option("robust")),
        )
    weights = selection.kept.astype(np.float64)
    ready = replace(preparation, weights=weights, total_weight=float(weights.sum()))
    record = RobustFit("rows", selection.share, kept=selection.kept)
    return RobustTreatment(replace(treated, preparation=ready), selection.explain(), record)


def leave_out_cells(
    source: Source,
    preparation: Preparation,
    asked: Cells,
    missing: MissingLike,
    rng: np.random.Generator,
) -> RobustTreatment:
    if missing == "drop":
        dropped = treat_missing(source, preparation, missing, rng)
        source, preparation = dropped.source, dropped.preparation
    found = fit_cells(source, asked.limit, missing == "error", rng)
    expectation = found.expectation
    ready = replace(preparation, total_weight=expectation.fixed_point.sums.weight)
    moments = moments_source_of(expectation, found.reader)
    treated = Treatment(moments, ready, None, expectation)
    share = found.outlying / (source.shape[0] * source.shape[1])
    record = RobustFit("cells", share, screen=found.screen, outlying=found.outlying)
    return RobustTreatment(treated, found.explain(asked.limit), record)
