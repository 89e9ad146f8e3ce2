"""Frames: pandas, polars, pyarrow and whatever else narwhals reads, with their column names.

A pandas frame of one float dtype is read as views of its memory; every other frame is cut first and
converted then, block by block. Nulls become NaN.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.errors import DataError, UnsupportedData
from eigenlens.errors.row_place import RowPlace
from eigenlens.sources import sparse
from eigenlens.sources.block import as_block, spans
from eigenlens.sources.columns import (
    Picked,
    count_picked,
    part_of_columns,
    pick_columns,
    repeated_labels,
)
from eigenlens.sources.list_frame import (
    ListFrameSource,
    holds_lists,
    list_labels,
    open_list_frame,
)
from eigenlens.sources.own_precision import float_for
from eigenlens.sources.protocol import Columns, FloatArray, IntArray
from eigenlens.sources.sparse import SparseSource
from eigenlens.sources.traits import Traits

if TYPE_CHECKING:
    from narwhals.stable.v2 import DataFrame

__all__ = ["FrameSource", "accepts", "column_labels", "source_from", "unwrap_narwhals"]

# Bytes of one entry where numpy has no dtype of that name.
ENTRY_BYTES = {"boolean": 1, "decimal": 16, "int128": 16, "uint128": 16, "unknown": 16}


@dataclass(frozen=True, eq=False)
class FrameSource:
    frame: DataFrame[Any]
    picked: Picked
    names: tuple[str, ...] | None
    dtype: np.dtype[Any]
    stored_bytes: int
    one_dtype: bool
    float_stored: bool
    single: tuple[bool, ...]  # of each column: whether float32 holds it
    left_out: Mapping[str, str] = field(default_factory=dict)  # columns by name: why

    is_sparse = False

    @property
    def traits(self) -> Traits:
        return Traits(
            left_out=self.left_out,
            float_stored=self.float_stored,
            locate_rows=self.locate_rows,
        )

    def locate_rows(self, rows: Sequence[int]) -> dict[int, RowPlace]:
        """The labels of a pandas index, where they are more than a count."""
        if not self.frame.implementation.is_pandas_like():
            return {}
        index = self.frame.to_native().index
        if type(index).__name__ == "RangeIndex":
            return {}
        return {row: RowPlace(name=str(index[row])) for row in rows}

    @property
    def shape(self) -> tuple[int, int]:
        return self.frame.shape[0], count_picked(self.picked)

    def blocks(self, rows_per_block: int) -> Iterator[FloatArray]:
        for rows in spans(self.shape[0], rows_per_block, "rows_per_block"):
            # Rows first: pandas would copy a list of columns in full.
            yield as_block(self.values(pick_from_frame(self.frame[rows], self.picked)), self.dtype)

    def panels(self, columns_per_panel: int) -> Iterator[FloatArray]:
        for columns in spans(self.shape[1], columns_per_panel, "columns_per_panel"):
            part = pick_from_frame(self.frame, part_of_columns(self.picked, columns))
            yield as_block(self.values(part), self.dtype)

    def sample(self, indices: IntArray) -> FloatArray:
        rows = pick_from_frame(self.frame[np.asarray(indices, dtype=np.int64)], self.picked)
        values: FloatArray = self.values(rows).astype(np.float64, order="C")
        return values

    def values(self, part: DataFrame[Any]) -> Any:
        if part.implementation.is_pandas_like():
            # A view where the frame is one array of that dtype. Through narwhals mixed and nullable
            # columns are cast one at a time: 53 to 236 ms for 4096 x 1000, against 2 to 10 ms.
            with np.errstate(over="ignore"):
                return part.to_native().to_numpy(dtype=self.dtype, na_value=np.nan)
        if not self.one_dtype and part.implementation.is_pyarrow():
            import pyarrow

            # Whole numbers beyond 2^53 are rounded, as everywhere; Arrow would refuse them.
            kind = pyarrow.from_numpy_dtype(self.dtype)
            native = part.to_native()
            return np.column_stack([one.cast(kind, safe=False) for one in native.itercolumns()])
        if not self.one_dtype:
            import narwhals.stable.v2 as nw

            # Left to themselves, mixed columns come out as Python objects.
            part = part.select(
                nw.all().cast(nw.Float32 if self.dtype.itemsize == 4 else nw.Float64)
            )
        return part.to_numpy()

    def __repr__(self) -> str:
        kind = self.frame.implementation.name.lower()
        return f"FrameSource({self.shape[0]} x {self.shape[1]}, {kind})"


def pick_from_frame(part: DataFrame[Any], picked: Picked) -> DataFrame[Any]:
    if isinstance(picked, slice):
        whole = picked == slice(0, part.shape[1])
        return part if whole else part[:, picked]
    positions: list[int] = picked.tolist()
    return part[:, positions]


def accepts(data: object) -> bool:
    if isinstance(data, np.ndarray | list | tuple):
        return False
    import narwhals.stable.v2 as nw

    data = unwrap_narwhals(data)
    return bool(nw.dependencies.is_into_dataframe(data)) or is_record_batch(data)


def unwrap_narwhals(data: object) -> object:
    """The frame inside a narwhals frame, which may be of another version than ours."""
    narwhals = sys.modules.get("narwhals")
    if narwhals is None:
        return data

    inside: object = data
    if isinstance(data, narwhals.DataFrame | narwhals.LazyFrame):
        inside = data.to_native()
    return inside


def is_record_batch(data: object) -> bool:
    pyarrow = sys.modules.get("pyarrow")
    return pyarrow is not None and isinstance(data, pyarrow.RecordBatch)


def source_from(data: Any, columns: Columns | None) -> FrameSource | ListFrameSource | SparseSource:
    if is_sparse_frame(data):
        return sparse_source(data, columns)
    frame = as_frame(data)
    labels = plain_labels(frame.columns)
    if holds_lists(frame, frame.schema.dtypes()):
        lists = open_list_frame(frame, columns)
        if lists is not None:
            return lists
    picked = pick_columns(columns, labels if any_strings(labels) else range(len(labels)))
    chosen = np.arange(len(labels))[picked].tolist()
    dtypes = frame.schema.dtypes()
    kinds = [dtypes[i] for i in chosen]
    names = [labels[i] for i in chosen]
    refuse_not_numeric(frame, chosen, kinds)
    spellings = set(map(str, kinds))
    single = tuple(str(kind) in ("Float32", "Float16") for kind in kinds)
    return FrameSource(
        frame=frame,
        picked=picked,
        names=tuple(map(str, names)) if all(isinstance(name, str) for name in names) else None,
        dtype=float_for(single),
        stored_bytes=frame.shape[0] * sum(map(entry_bytes, kinds)),
        one_dtype=spellings in ({"Float32"}, {"Float64"}),
        float_stored=spellings <= {"Float16", "Float32", "Float64"},
        single=single,
    )


def is_sparse_frame(data: Any) -> bool:
    """Whether all columns of a pandas frame are sparse, with 0 for what is not stored."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(data, pandas.DataFrame) or not len(data.columns):
        return False
    kinds = data.dtypes.tolist()
    return all(isinstance(one, pandas.SparseDtype) and one.fill_value == 0 for one in kinds)


def sparse_source(data: Any, columns: Columns | None) -> SparseSource:
    labels = plain_labels(list(data.columns))
    picked = pick_columns(columns, labels if any_strings(labels) else range(len(labels)))
    chosen = np.arange(len(labels))[picked]
    source = sparse.source_from(data.iloc[:, chosen].sparse.to_coo().tocsr(), None)
    names = [labels[place] for place in chosen.tolist()]
    named = all(isinstance(name, str) for name in names)
    return replace(source, names=tuple(names) if named else None)


def plain_labels(labels: Sequence[Any]) -> list[Any]:
    """Names of several levels as one: ("size", "mean") is "size/mean"."""
    return ["/".join(map(str, one)) if isinstance(one, tuple) else one for one in labels]


def column_labels(data: Any) -> list[Any]:
    """What columns can be asked for by: with those of lists, `embedding[0]` and so on."""
    table = as_frame(data)
    labels = list(table.columns)
    if holds_lists(table, table.schema.dtypes()):
        labels += list_labels(table)
    return labels


def any_strings(labels: Sequence[object]) -> bool:
    return any(isinstance(label, str) for label in labels)


def as_frame(data: Any) -> DataFrame[Any]:
    import narwhals.stable.v2 as nw

    data = unwrap_narwhals(data)
    if is_record_batch(data):
        data = sys.modules["pyarrow"].Table.from_batches([data])  # shares the batch's memory
    try:
        return nw.from_native(data, eager_only=True)
    except nw.exceptions.DuplicateError:
        labels = data.column_names if hasattr(data, "column_names") else list(data.columns)
        raise DataError.duplicate_names(repeated_labels(labels)) from None


def refuse_not_numeric(frame: DataFrame[Any], chosen: Sequence[int], kinds: Sequence[Any]) -> None:
    wrong, numeric = {}, []
    labels = frame.columns
    for position, kind in zip(chosen, kinds, strict=True):
        label = labels[position]
        if kind.is_numeric() or str(kind) == "Boolean":
            numeric.append(label)
        elif str(kind) == "Unknown":  # narwhals has no word for it, but pandas may hold numbers
            stored = getattr(frame[:, position].to_native(), "dtype", kind)
            if getattr(stored, "kind", "") == "c":
                raise UnsupportedData.complex_numbers(f"{stored} in column {label!r}")
            if stored != np.longdouble and not is_sparse_number(stored):
                wrong[str(label)] = str(stored)
        elif not holds_number_objects(frame, position, kind):
            wrong[str(label)] = str(kind)
    if wrong:
        raise UnsupportedData.not_numeric(wrong, numeric)


def is_sparse_number(kind: Any) -> bool:
    """A sparse column of pandas beside others: read as a plain one."""
    return getattr(getattr(kind, "subtype", None), "kind", "") in "biuf" and hasattr(
        kind, "fill_value"
    )


def holds_number_objects(frame: DataFrame[Any], position: int, kind: Any) -> bool:
    """Whether a pandas column of objects holds numbers, missing ones aside: as in an array."""
    if str(kind) != "Object" or not frame.implementation.is_pandas_like():
        return False
    values = frame[:, position].to_native()
    return all(value is None or isinstance(value, Real) for value in values)


def is_text_kind(kind: Any) -> bool:
    """Whether a column of this kind holds neither numbers nor truth values, for all we know."""
    name, inner = str(kind), getattr(kind, "inner", None)
    if inner is not None:  # lists of numbers are columns of numbers
        return not inner.is_numeric()
    return not (kind.is_numeric() or name in ("Boolean", "Unknown"))


def entry_bytes(kind: Any) -> int:
    name = str(kind).lower().split("(")[0]
    return ENTRY_BYTES.get(name) or np.dtype(name).itemsize
