"""row_info: what is known of the rows beside the numbers of the fit: labels, groups, other columns.

| asked for                   | what is taken                                                    |
|-----------------------------|------------------------------------------------------------------|
| labels=None                 | the index of a pandas frame; else the identifier, see below;     |
|                             | else positions from 0                                            |
| groups=None                 | columns of text with 2 to MOST_GROUPS groups; [] means none      |
| a name, or several          | these columns of the data                                        |
| a list (labels), a mapping  | the entries themselves, one per row                              |

Identifier   a first column headed like an index (`rownames`, or nothing) if it holds text; else the
             first column of text whose entries all differ; else a first column headed so that
             counts. The command line asks the same `find_identifier`.
Groups       of a category with a single row nothing is said: it has no spread.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray
from eigenlens.document.phrases import count_things, enquote, format_entry
from eigenlens.document.table import Table
from eigenlens.errors import OptionError, UnsupportedData
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.model_rows import labels_of
from eigenlens.explain.outliers import outliers
from eigenlens.explain.outside_columns import is_missing, read_columns
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace
from eigenlens.sources import frame
from eigenlens.sources.files import path
from eigenlens.sources.files.contents import contents_of
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of

__all__ = [
    "MOST_TEXTS",
    "UNNAMED",
    "ExtraRows",
    "RowInfo",
    "as_groups",
    "column_name",
    "describe_rows",
    "drop_single_rows",
    "find_identifier",
    "index_column",
    "is_grouping",
    "judge_extra_rows",
]

INDEX_HEADINGS = ("", "rownames", "row.names", "row_names", "unnamed: 0")
MOST_GROUPS = 20
MOST_AS_GROUPS = 50  # distinct numbers of a column that was asked for as groups
MOST_TEXTS = 8  # columns looked at where none was asked for
MOST_OTHERS = 8
UNNAMED = "(no name)"


@dataclass(frozen=True, eq=False)
class RowInfo:
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

    @property
    def outside(self) -> dict[str, AnyArray]:
        """Groups and other columns that were asked for, together."""
        return {**self.groups, **self.columns}

    @property
    def has_names(self) -> bool:
        return not isinstance(self.labels, range)


def describe_rows(
    data: Any,
    count: int,
    *,
    labels: Any = None,
    groups: Any = None,
    columns: Any = None,
    analyzed: Sequence[str] | None = None,
) -> RowInfo:
    """What was asked for, or found, for each of `count` rows; `analyzed`: columns of the model."""
    if path.accepts(data):
        data = open_source(data)
    texts = {} if labels is not None and groups is not None else text_columns(data, count)
    names, named_by = name_rows(data, count, labels, texts)
    if groups is None:
        grouped = {name: values for name, values in texts.items() if is_grouping(values)}
    else:
        given = read_columns(data, groups, count)
        grouped = {name: as_groups(values) for name, values in given.items()}
    kept, remarks = drop_single_rows(grouped)
    others = {} if columns is None else read_columns(data, columns, count)
    outside = {name: values for name, values in others.items() if name not in kept}
    taken = {*kept, *outside, *(analyzed or ()), labels if isinstance(labels, str) else ""}
    more = {} if analyzed is None else other_numbers(data, count, taken)
    return RowInfo(names, named_by, kept, outside, more, tuple(remarks))


@dataclass(frozen=True, eq=False)
class ExtraRows:
    """Rows that were no part of the fit; `table`: their T2 and Q, by the limits for new rows."""

    labels: list[str]
    source: Source
    table: Table


def judge_extra_rows(model: Subspace, rows: Any, labels: Any) -> ExtraRows:
    """`labels`: a column that these rows have too, or one name for each."""
    source = match_columns(model, rows)
    names = describe_rows(rows, source.shape[0], labels=labels, groups=[]).labels
    texts = [str(one) for one in names]
    return ExtraRows(texts, source, outliers(model, source, new=True, labels=texts))


# -- labels --------------------------------------------------------------------------------


def index_column(names: Sequence[str]) -> int | None:
    """The first column, where its heading says that it names or counts the rows."""
    return 0 if len(names) > 1 and names[0].strip().lower() in INDEX_HEADINGS else None


def find_identifier(
    index: int | None, texts: Sequence[int], all_differ: Callable[[int], bool]
) -> int | None:
    """The column that names the rows: `index` if it is text, else a text that differs in each."""
    if index in texts:
        return index
    return next((place for place in texts[:MOST_TEXTS] if all_differ(place)), index)


def name_rows(
    data: Any, count: int, labels: Any, texts: Mapping[str, AnyArray]
) -> tuple[Sequence[Any], str]:
    if isinstance(labels, str | int):
        (values,) = read_columns(data, labels, count).values()
        return [label_text(value) for value in values.tolist()], f"by {column_name(str(labels))}"
    if labels is not None:
        given = labels_of(data, labels, count)
        if isinstance(labels, range):
            return labels, "by position"
        return [label_text(value) for value in given], "as given"
    pandas = sys.modules.get("pandas")
    framed = pandas is not None and isinstance(data, pandas.DataFrame)
    if framed and not isinstance(data.index, pandas.RangeIndex):  # type: ignore[union-attr]
        return [label_text(value) for value in data.index], "by the index of the frame"
    headings = column_headings(data)
    places = [headings.index(name) for name in texts if name in headings]
    found = find_identifier(
        index_column(headings), places, lambda place: all_different(texts[headings[place]])
    )
    if found is None:
        return range(count), "by position, from 0"
    name = headings[found]
    values = texts[name] if name in texts else read_columns(data, [name], count)[name]
    return [label_text(value) for value in values.tolist()], f"by {column_name(name)}"


def column_headings(data: Any) -> list[str]:
    if frame.accepts(data):
        return [str(name) for name in frame.as_frame(data).columns]
    if isinstance(data, StoredSource):
        return list(contents_of(data.reader).names) if data.reader.names is not None else []
    return []


def all_different(values: AnyArray) -> bool:
    known = [value for value in values.tolist() if not is_missing(value)]
    return len(set(known)) == len(values) > 1


def column_name(name: str) -> str:
    return f"column {enquote(name)}" if name.strip() else "the column without a name"


def label_text(value: Any) -> str:
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
    elif isinstance(data, StoredSource):
        names = list(traits_of(data).left_out)
    else:
        names = []
    return read_columns(data, names[:MOST_TEXTS], count)


def other_numbers(data: Any, count: int, taken: Collection[str]) -> dict[str, AnyArray]:
    """Columns of numbers, some of them finite, that are not among those `taken`."""
    if frame.accepts(data):
        table = frame.as_frame(data)
        pairs = zip(table.columns, table.schema.dtypes(), strict=True)
        names = [name for name, kind in pairs if isinstance(name, str) and kind.is_numeric()]
    elif isinstance(data, StoredSource):
        names = list(data.names or ())
    else:
        names = []
    found = read_columns(data, [name for name in names if name not in taken][:MOST_OTHERS], count)
    numbers = {name: values.astype(np.float64) for name, values in found.items()}
    return {name: values for name, values in numbers.items() if np.isfinite(values).any()}


def is_grouping(values: AnyArray) -> bool:
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
    texts[:] = [None if is_missing(one) else label_text(one) for one in values.tolist()]
    return texts


def drop_single_rows(
    grouped: Mapping[str, AnyArray],
) -> tuple[dict[str, AnyArray], list[str]]:
    """The groups without categories of one row, and remarks about those."""
    kept, remarks = dict(grouped), []
    for name, values in grouped.items():
        sizes = Counter(str(value) for value in values.tolist() if not is_missing(value))
        alone = {group for group, size in sizes.items() if size == 1}
        if not alone or values.dtype.kind == "f":
            continue
        if len(alone) == len(sizes):
            raise OptionError.needs(
                Phrase(
                    "{}, where each of {:,} groups has one row only,",
                    SetOption("groups", name),
                    len(alone),
                ),
                "groups of 2 rows or more",
                Phrase("if these are names of rows, pass {}", SetOption("labels", name)),
            )
        kept[name] = values.astype(object)
        kept[name][[str(value) in alone for value in values.tolist()]] = None
        remarks.append(
            f"{count_things(len(alone), 'group')} of {enquote(name)} with a single row "
            f"{'is' if len(alone) == 1 else 'are'} left out of what is said about groups."
        )
    return kept, remarks
