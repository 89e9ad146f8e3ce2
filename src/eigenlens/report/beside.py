"""beside: what stands beside the numbers of the fit: names of rows, groups, other columns.

| asked for                   | what is taken                                                    |
|-----------------------------|------------------------------------------------------------------|
| id=None                     | the index of a pandas frame; else a column of text whose entries |
|                             | all differ; else positions from 0                                |
| group=None                  | columns of text with 2 to MOST_GROUPS groups; [] means none      |
| a name, or several          | these columns of the data                                        |
| a list (id), a mapping      | the entries themselves, one per row                              |

Of a group, a category with a single row is left out of what is said about groups: it has no spread.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray
from eigenlens.document.phrases import format_entry
from eigenlens.errors import OptionError, UnsupportedData
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.beside import entries, is_missing, named_columns
from eigenlens.explain.reading import labels_of
from eigenlens.sources import frame
from eigenlens.sources.files import path
from eigenlens.sources.open import open_source
from eigenlens.sources.traits import traits_of

__all__ = ["Beside", "beside_rows"]

MOST_GROUPS = 20
MOST_AS_GROUPS = 50  # distinct numbers of a column that was asked for as groups
MOST_TEXTS = 8  # columns looked at where none was asked for
MOST_OTHERS = 8
UNNAMED = "(no name)"


@dataclass(frozen=True, eq=False)
class Beside:
    """`labels`: one per row; `named_by`: where they come from; columns: name -> entries.

    `others`: columns of numbers that nobody asked for, to color by; `remarks`: what a reader should
    know about how all these were taken.
    """

    labels: Sequence[Any]
    named_by: str
    groups: Mapping[str, AnyArray] = field(default_factory=dict)
    columns: Mapping[str, AnyArray] = field(default_factory=dict)
    others: Mapping[str, AnyArray] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def beside_rows(
    data: Any, count: int, id: Any, group: Any, columns: Any, fitted: Sequence[str] | None = None
) -> Beside:
    """What was asked for, or found, for each of `count` rows; `fitted`: columns of the model."""
    remarks: list[str] = []
    found = {} if id is not None and group is not None else text_columns(data, count)
    labels, named_by = names_of(data, count, id, found)
    if group is None:
        grouped = {name: values for name, values in found.items() if fit_for_groups(values)}
    else:
        grouped = {name: as_groups(values) for name, values in asked(data, group, count).items()}
    kept = {}
    for name, values in grouped.items():
        kept[name], alone = without_singles(values)
        if alone and not any(one is not None for one in kept[name].tolist()):
            raise OptionError.needs(
                Phrase(
                    "{}, where each of {:,} groups has one row only,",
                    SetOption("group", name),
                    len(alone),
                ),
                "groups of 2 rows or more",
                Phrase("if these are names of rows, pass {}", SetOption("id", name)),
            )
        if alone:
            remarks.append(
                f"{len(alone)} of the groups of {name} have one row only and are left out of what "
                f"is said about groups."
            )
    beside = {} if columns is None else asked(data, columns, count)
    beside = {name: values for name, values in beside.items() if name not in kept}
    taken = {*kept, *beside, *(fitted or ()), str(id) if isinstance(id, str) else ""}
    others = {} if fitted is None else other_numbers(data, count, taken)
    return Beside(labels, named_by, kept, beside, others, tuple(remarks))


def asked(data: Any, given: Any, count: int) -> dict[str, AnyArray]:
    """Columns by name, from the data or from a mapping or frame."""
    if frame.accepts(given):
        table = frame.as_frame(given)
        taken = {str(name): entries(table[:, i]) for i, name in enumerate(table.columns)}
    elif isinstance(given, Mapping):
        taken = {str(name): entries(values) for name, values in given.items()}
    else:
        names = [given] if isinstance(given, str | int) else list(given)
        taken = named_columns(data, names) if names else {}
    for name, values in taken.items():
        if values.shape != (count,):
            raise OptionError.needs(
                f"column {name!r} of shape {values.shape}",
                f"one entry for each of the {count} rows",
                "pass a list or an array of that length",
            )
    return taken


# -- names of rows -------------------------------------------------------------------------


def names_of(
    data: Any, count: int, id: Any, found: Mapping[str, AnyArray]
) -> tuple[Sequence[Any], str]:
    if isinstance(id, str | int):
        (values,) = asked(data, id, count).values()
        return [label(value) for value in values.tolist()], f"by {called(str(id))}"
    if id is not None:
        given = labels_of(data, id, count)
        return id if isinstance(id, range) else [label(value) for value in given], "as given"
    pandas = sys.modules.get("pandas")
    framed = pandas is not None and isinstance(data, pandas.DataFrame)
    if framed and not isinstance(data.index, pandas.RangeIndex):  # type: ignore[union-attr]
        return [label(value) for value in data.index], "by the index of the frame"
    for name, values in found.items():
        known = [value for value in values.tolist() if not is_missing(value)]
        if len(known) == count and len(set(known)) == count:
            return [label(value) for value in known], f"by {called(name)}, whose entries all differ"
    return range(count), "by position, from 0"


def called(name: str) -> str:
    return f"column {name!r}" if name.strip() else "a column without a name"


def label(value: Any) -> str:
    if is_missing(value) or (isinstance(value, str) and not value.strip()):
        return UNNAMED
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return format_entry(value) if isinstance(value, float) else str(value)


# -- groups --------------------------------------------------------------------------------


def text_columns(data: Any, count: int) -> dict[str, AnyArray]:
    """The columns that are not numbers, as far as the data can tell."""
    if frame.accepts(data):
        table = frame.as_frame(data)
        kinds = table.schema.dtypes()
        names = [
            name
            for name, kind in zip(table.columns, kinds, strict=True)
            if str(kind) in ("String", "Boolean", "Categorical") or str(kind).startswith("Enum")
        ]
    elif path.accepts(data):
        names = list(traits_of(open_source(data)).left_out)
    else:
        names = []
    return asked(data, names[:MOST_TEXTS], count)


def other_numbers(data: Any, count: int, taken: Collection[str]) -> dict[str, AnyArray]:
    """Columns of numbers, some of them finite, that are not among those `taken`."""
    if frame.accepts(data):
        table = frame.as_frame(data)
        pairs = zip(table.columns, table.schema.dtypes(), strict=True)
        names = [name for name, kind in pairs if isinstance(name, str) and kind.is_numeric()]
    elif path.accepts(data):
        names = list(open_source(data).names or ())
    else:
        names = []
    found = asked(data, [name for name in names if name not in taken][:MOST_OTHERS], count)
    numbers = {name: values.astype(np.float64) for name, values in found.items()}
    return {name: values for name, values in numbers.items() if np.isfinite(values).any()}


def fit_for_groups(values: AnyArray) -> bool:
    known = [value for value in values.tolist() if not is_missing(value)]
    sizes = Counter(map(str, known))
    return 2 <= len(sizes) <= MOST_GROUPS and min(sizes.values()) >= 2


def as_groups(values: AnyArray) -> AnyArray:
    """Texts, also of numbers where they are few; many different numbers stay numbers."""
    if values.dtype.kind in "iuf" and len(np.unique(values)) > MOST_AS_GROUPS:
        return values.astype(np.float64)
    if values.dtype.kind == "c":
        raise UnsupportedData.complex_numbers(values.dtype)
    texts = np.empty(len(values), dtype=object)
    texts[:] = [None if is_missing(one) else label(one) for one in values.tolist()]
    return texts


def without_singles(values: AnyArray) -> tuple[AnyArray, list[str]]:
    if values.dtype.kind == "f":
        return values, []
    sizes = Counter(str(value) for value in values.tolist() if not is_missing(value))
    alone = [name for name, size in sizes.items() if size == 1]
    if not alone:
        return values, []
    kept = values.astype(object)
    kept[[str(value) in set(alone) for value in values.tolist()]] = None
    return kept, alone
