"""Reading options: which part of an object with several tables is meant, and how it is laid out.

| option            | of                        | meaning                                        |
|-------------------|---------------------------|------------------------------------------------|
| `layer`, `obsm`   | AnnData                   | which matrix; default X                        |
| `mask_var`        | AnnData                   | which genes; default `var["highly_variable"]`  |
| `rows`            | arrays of 3 and more axes | the axes that are rows; the others are columns |
| `normalize`       | tables of numbers         | "l2": every row divided by its length          |

Anything else is refused: an option that does nothing would be taken for one that does.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, TypedDict

import numpy as np

from eigenlens.errors import ArgumentError, OptionError
from eigenlens.errors.phrasing import SetOption
from eigenlens.sources import frame, sparse
from eigenlens.sources.annotated import (
    HIGHLY_VARIABLE,
    GeneMask,
    chosen_genes,
    genes_picked,
    is_anndata,
    matrix_of,
    names_along,
)
from eigenlens.sources.array import plain_array
from eigenlens.sources.dask import collection
from eigenlens.sources.layout import flatten_axes
from eigenlens.sources.normalized import normalize_rows
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Columns, Source

__all__ = [
    "ReadArguments",
    "Reading",
    "describe_reading",
    "open_annotated",
    "refuse_unexpected",
]

OMIT = "omit it for other kinds of data"


class ReadArguments(TypedDict, total=False):
    """Options of `fit` that say how to read the data; see the module for their meaning."""

    layer: str | None
    obsm: str | None
    mask_var: GeneMask
    rows: int | tuple[int, ...] | None
    normalize: str | None


@dataclass(frozen=True)
class Reading:
    layer: str | None = None
    obsm: str | None = None
    mask_var: Any = HIGHLY_VARIABLE
    rows: int | tuple[int, ...] | None = None
    normalize: str | None = None

    def refuse_unless_anndata(self) -> None:
        """`layer` and the like mean nothing elsewhere."""
        for one in fields(self)[:3]:
            value = getattr(self, one.name)
            if value is not None and not (isinstance(value, str) and value == HIGHLY_VARIABLE):
                raise OptionError.needs(SetOption(one.name, value), "an AnnData", OMIT)

    def refuse_beside(self, option: str) -> None:
        """Where a table is not read as rows of numbers but as `option` says."""
        self.refuse_unless_anndata()
        for one in fields(self)[3:]:
            if getattr(self, one.name) is not None:
                raise OptionError.excludes(option, one.name)

    def open_annotated(self, data: Any, columns: Columns | None) -> Source:
        if self.rows is not None:
            raise OptionError.needs(SetOption("rows", self.rows), "an array", OMIT)
        return open_annotated(data, columns, self.layer, self.obsm, self.mask_var)

    def lay_out(self, data: Any) -> Any:
        """Arrays of several axes as a table, with `rows=`; all else as it is."""
        return data if self.rows is None else flatten_cube(data, self.rows)

    def finish(self, source: Source) -> Source:
        return normalize_rows(source, self.normalize)


def describe_reading(reading: ReadArguments) -> dict[str, dict[str, str]]:
    """What new rows must be read like, for the settings of a model; nothing where all is plain."""
    remembered = {name: reading.get(name) for name in ("layer", "obsm", "normalize")}
    given = {name: str(value) for name, value in remembered.items() if value is not None}
    return {"reading": given} if given else {}


def open_annotated(
    data: Any, columns: Columns | None, layer: str | None, obsm: str | None, mask_var: Any
) -> Source:
    """A matrix of an AnnData; genes by name where `columns` are given, else by `mask_var`."""
    assert is_anndata(data)
    matrix = matrix_of(data, layer, obsm)
    mask = None if columns is not None else chosen_genes(data, mask_var, obsm)
    picked = genes_picked(matrix.names, mask, columns)
    if isinstance(matrix.held, Source):
        whole = isinstance(picked, slice) and picked == slice(0, matrix.held.shape[1])
        return matrix.held if whole else pick_stored(matrix.held, picked)
    positions = None if isinstance(picked, slice) else picked
    source = open_source(matrix.held, columns=picked if positions is None else positions)
    return names_along(source, matrix.names, picked)


def pick_stored(source: Any, picked: Any) -> Source:
    """Some columns of what lies in a file, or of some of its rows."""
    from dataclasses import replace

    if hasattr(source, "kept"):
        rows: Source = replace(source, source=pick_stored(source.source, picked))
        return rows
    inside = np.arange(source.reader.shape[1])[source.picked][picked]
    found: Source = source.only(inside)
    return found


def flatten_cube(data: Any, rows: int | tuple[int, ...]) -> Any:
    """Axes `rows` first, as one; the others as the columns. A view where memory allows."""
    is_frame = frame.accepts(data) or (collection.accepts(data) and collection.is_frame(data))
    plain = is_frame or (hasattr(data, "ndim") and hasattr(data, "reshape"))
    cube = data if plain else plain_array(data)
    if is_frame or cube.ndim < 2 or sparse.accepts(data):
        raise OptionError.needs(SetOption("rows", rows), "an array of two or more axes", OMIT)
    axes = axes_given(rows)
    known = [axis % cube.ndim for axis in axes if -cube.ndim <= axis < cube.ndim]
    if len(set(known)) != max(1, len(axes)) or len(axes) >= cube.ndim:
        raise OptionError.needs(
            SetOption("rows", rows),
            f"different axes from 0 to {cube.ndim - 1}, and one axis left for the columns",
            "name the axes whose positions are the rows",
        )
    return flatten_axes(cube, tuple(known))


def axes_given(rows: Any) -> tuple[int, ...]:
    """One axis or several; nothing where they are no whole numbers."""
    try:
        return tuple(map(operator.index, rows if isinstance(rows, Iterable) else (rows,)))
    except TypeError:
        return ()


def refuse_unexpected(given: Iterable[str], others: Iterable[str]) -> None:
    """Names that are no argument of `fit`, whose own arguments are `others`."""
    known = [*others, *ReadArguments.__annotations__]
    for name in given:
        if name in (open_source.__kwdefaults__ or {}):
            raise ArgumentError.of_open(name)
        if name not in known:
            raise ArgumentError.unexpected(name, known)
