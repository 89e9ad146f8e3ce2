"""Scores beside columns of the data: a frame in, the same kind of frame out.

| rows                              | comes back                                |
|-----------------------------------|-------------------------------------------|
| pandas, polars, pyarrow frames    | such a frame, with its index              |
| polars LazyFrame                  | a LazyFrame                               |
| Hugging Face Dataset              | a Dataset                                 |
| duckdb relations, other streams   | a pyarrow Table                           |
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.errors import OptionError, UnsupportedData
from eigenlens.errors.phrasing import SetOption
from eigenlens.model.scores_file import component_names
from eigenlens.sources import arrow_stream, frame

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["project_beside"]


def project_beside(model: Subspace, rows: Any, keep: Sequence[str]) -> Any:
    asked = [keep] if isinstance(keep, str) else list(keep)
    if frame.accepts(rows):
        return beside_frame(model, rows, asked)
    if arrow_stream.accepts(rows):
        return beside_stream(model, rows, asked)
    raise OptionError.needs(
        SetOption("keep", asked), "rows in a frame or a stream of Arrow", "pass a frame"
    )


def beside_frame(model: Subspace, rows: Any, keep: list[str]) -> Any:
    import narwhals.stable.v2 as nw

    given = frame.as_frame(rows)
    unknown = [name for name in keep if name not in given.columns]
    if unknown:
        raise UnsupportedData.unknown_columns(unknown, list(given.columns))
    kept, scores = given.select(keep), model.project(rows)
    names = component_names(model.n_components)
    if given.implementation.is_pandas_like():
        native = kept.to_native().copy()
        native[names] = scores  # by position: the index stays
        return native
    columns = [
        nw.new_series(name, np.ascontiguousarray(scores[:, place]), backend=given.implementation)
        for place, name in enumerate(names)
    ]
    return kept.with_columns(*columns).to_native()


def beside_stream(model: Subspace, rows: Any, keep: list[str]) -> Any:
    """One pass for the scores, one for the columns; the order is checked by the first."""
    import pyarrow

    _, batches = arrow_stream.read_batches(frame.unwrap_narwhals(rows))
    parts = []
    for batch in batches():
        table = batch.to_arrow() if hasattr(batch, "to_arrow") else batch
        unknown = [name for name in keep if name not in table.schema.names]
        if unknown:
            raise UnsupportedData.unknown_columns(unknown, list(table.schema.names))
        some = table.select(keep)
        whole = isinstance(some, pyarrow.Table)
        parts.append(some if whole else pyarrow.Table.from_batches([some]))
    found = pyarrow.concat_tables(parts)
    scores = model.project(rows)
    for place, name in enumerate(component_names(model.n_components)):
        found = found.append_column(name, pyarrow.array(scores[:, place]))
    return as_given(rows, found)


def as_given(rows: Any, table: Any) -> Any:
    polars, hugging = sys.modules.get("polars"), sys.modules.get("datasets")
    if polars is not None and isinstance(rows, polars.LazyFrame):
        return polars.from_arrow(table).lazy()
    if hugging is not None and isinstance(rows, hugging.Dataset):
        return hugging.Dataset(table.replace_schema_metadata())
    return table
