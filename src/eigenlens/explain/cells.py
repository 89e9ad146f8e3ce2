"""cells: outlying cells, with what the other cells of their row suggest in their place.

expected   given the cells of the row that are not outlying (robust="cells"), or the robust location
           of the column (robust="wrap")
error      one standard error of that, or the robust scale of the column
residual   (value - expected) / error
flag       "outlying", "missing" or "usual"

Of a normal table about 1 % of the cells are flagged with robust="cells". That a cell is outlying
does not say that it is wrong: heavy tails have many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.remedies import PythonCode
from eigenlens.explain.convention import get_convention
from eigenlens.explain.model_rows import get_model, labels_of, variable_names
from eigenlens.missing.completed import CompletedSource
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import cell_blocks
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace
from eigenlens.robust.location import END
from eigenlens.robust.screen import measure_cells
from eigenlens.sources.protocol import Source

__all__ = ["FLAGS", "JudgedCells", "cells", "judge_cell_blocks", "raw_source"]

FLAGS = ("usual", "outlying", "missing")

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class JudgedCells:
    """Consecutive rows, (b, d) each; `residuals` are 0 where a cell is missing."""

    first_row: int
    values: Float64Array
    expected: Float64Array
    errors: Float64Array
    outlying: BoolArray

    @property
    def absent(self) -> BoolArray:
        return np.isnan(self.values)

    @property
    def residuals(self) -> Float64Array:
        apart = np.where(self.absent, 0.0, self.values - self.expected)
        return apart / np.where(self.errors > 0, self.errors, 1.0)


def cells(
    model: Any,
    data: Any,
    *,
    every: bool = False,
    labels: Sequence[Any] | None = None,
    convention: str | None = None,
) -> Table:
    """One line per outlying cell: `row column value expected error residual flag`.

    `model` was fitted with robust="cells" or "wrap"; `every`: all cells, not only outlying ones.
    The farthest come first.

    >>> import numpy as np, eigenlens
    >>> rng = np.random.default_rng(0)
    >>> rows = rng.standard_normal((300, 2)) @ rng.standard_normal((2, 6))
    >>> rows += 0.2 * rng.standard_normal(rows.shape)
    >>> rows[7, 3] = 30
    >>> table = cells(eigenlens.fit(rows, 2, robust="cells"), rows)
    >>> table["row"][0], table["column"][0], table["flag"][0]
    (7, 'x3', 'outlying')
    """
    model, style = get_model(model), get_convention(convention)
    source = raw_source(model, data)
    names, named = variable_names(model), labels_of(data, labels, source.shape[0])
    parts: dict[str, list[Any]] = {
        name: [] for name in ("row", "column", "value", "expected", "error", "residual", "flag")
    }
    for judged in judge_cell_blocks(model, source):
        wanted = np.ones_like(judged.outlying) if every else judged.outlying
        rows, columns = np.nonzero(wanted)
        kinds = judged.outlying + 2 * judged.absent
        parts["row"] += [named[judged.first_row + row] for row in rows.tolist()]
        parts["column"] += [names[column] for column in columns.tolist()]
        for name, numbers in (
            ("value", judged.values),
            ("expected", judged.expected),
            ("error", judged.errors),
            ("residual", judged.residuals),
        ):
            parts[name] += numbers[rows, columns].tolist()
        parts["flag"] += [FLAGS[kind] for kind in kinds[rows, columns].tolist()]
    order = np.argsort(-np.abs(np.array(parts["residual"])), kind="stable").tolist()
    held = {name: [numbers[place] for place in order] for name, numbers in parts.items()}
    held["value"] = [None if value != value else value for value in held["value"]]
    return style.table(held, [note_about(model)])


def raw_source(model: Subspace, data: Any) -> Source:
    """The rows as they are, outlying and missing cells and all."""
    if isinstance(data, CompletedSource):
        return data.source
    return match_columns(model, data, complete=False)


def note_about(model: Subspace) -> str:
    if model.robust is not None and model.robust.kind == "wrap":
        return f"Cells beyond {END:g} robust scales of their column; other columns are not asked."
    return (
        "Of a normal table about 1 % of the cells are outlying. An outlying cell need not be "
        "wrong: heavy tails have many."
    )


def judge_cell_blocks(model: Subspace, source: Source) -> Iterator[JudgedCells]:
    """One pass over the rows."""
    judge = judge_by_columns if has_wrapping(model) else judge_by_rows
    first = 0
    for block in cell_blocks(source):
        yield judge(model, block, first)
        first += len(block)


def has_wrapping(model: Subspace) -> bool:
    if model.robust is None or model.robust.kind == "rows":
        raise OptionError.needs(
            "explain.cells",
            "a model that tells outlying cells",
            PythonCode("fit it with eigenlens.fit(data, robust='cells'), or robust='wrap'"),
        )
    return model.robust.kind == "wrap"


def judge_by_columns(model: Subspace, block: Float64Array, first: int) -> JudgedCells:
    wrapping = None if model.robust is None else model.robust.wrapping
    if wrapping is None:
        raise RuntimeError("a wrapped model has its wrapping")
    with np.errstate(invalid="ignore"):
        outlying = np.abs(wrapping.standardize(block)) > END
    return JudgedCells(
        first,
        block,
        np.broadcast_to(wrapping.location, block.shape),
        np.broadcast_to(wrapping.scale, block.shape),
        outlying,
    )


def judge_by_rows(model: Subspace, block: Float64Array, first: int) -> JudgedCells:
    completer = None if model.missing is None else model.missing.completer
    if completer is None or not isinstance(completer.law, Normal):
        raise RuntimeError("a model that tells outlying cells has a normal law of its rows")
    law, absent = completer.law, np.isnan(block)
    deviations = (block - completer.center) / completer.spread - law.mean
    deviations[absent] = 0.0
    _, holes = completer.in_units(block)
    seen = measure_cells(law, deviations, holes)
    expected = completer.center + completer.spread * (law.mean + deviations - seen.residuals)
    errors = np.sqrt(seen.variances) * completer.spread * completer.calibration
    return JudgedCells(first, block, expected, errors, holes & ~absent)
