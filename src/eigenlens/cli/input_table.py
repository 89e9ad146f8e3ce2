"""sheet: a table as the command line reads it: numbers to analyze, and what stands beside them.

The numbers stay in their files and are read block by block. Only columns that name, group or weigh
the rows are held, one entry per row.

Names of rows, where `--id` does not say, are found in files small enough to look through: a first
column that counts or names the rows (headed `rownames`, or not at all), or text that differs in
every row. Such a column is no part of the analysis, and a note says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.cli.category_options import CategoryOptions
from eigenlens.cli.columns import ChosenColumns, choose_columns, text_group_names
from eigenlens.cli.input_rows import (
    default_missing,
    rows_aside,
    say_dropped,
    say_left_out,
    select_names,
    select_rows,
)
from eigenlens.cli.options import OutsideOptions, ReadingOptions
from eigenlens.cli.standard_input import PIPE, opening_inputs
from eigenlens.cli.stderr import Messages
from eigenlens.digest.row_info import (
    UNNAMED,
    RowInfo,
    as_groups,
    column_name,
    drop_single_rows,
    is_grouping,
)
from eigenlens.errors import OptionError
from eigenlens.errors.options import refuse_unknown
from eigenlens.errors.phrasing import SetOption
from eigenlens.explain.outside_columns import named_columns
from eigenlens.missing.observed import rows_with_cells, rows_without_holes
from eigenlens.missing.treatment import MISSING
from eigenlens.missing.unstored import mark_unstored
from eigenlens.model.rows import match_columns
from eigenlens.sources.categories.encoding import encoding_of
from eigenlens.sources.categories.model_rows import open_model_rows
from eigenlens.sources.categories.open import CategoryRequest, open_categories
from eigenlens.sources.files import path
from eigenlens.sources.files.text_format import TextFormat
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.roles import ColumnRole, list_by_role
from eigenlens.sources.some_rows import RowMask, SomeRows
from eigenlens.sources.text_columns import text_column
from eigenlens.sources.traits import fingerprint_of, traits_of

if TYPE_CHECKING:
    from eigenlens.kernel.subspace import KernelSubspace
    from eigenlens.model.subspace import Subspace

__all__ = ["InputTable", "open_input"]

NO_ROLES, NO_CATEGORIES = OutsideOptions(), CategoryOptions()


@dataclass(frozen=True, eq=False)
class InputTable:
    """`id`: the column that names the rows; `names`: Arrow text, or None where they have none;
    `aside`: supplementary rows; `read_texts`: columns that may be groups, where none are named.
    """

    label: str
    files: tuple[Path, ...]
    source: Source
    id: str | None = None
    names: Any = None
    aside: Source | None = None
    aside_names: Any = None
    groups: Mapping[str, AnyArray] = field(default_factory=dict)
    beside: Mapping[str, AnyArray] = field(default_factory=dict)
    weights: Float64Array | None = None
    read_texts: Callable[[], Mapping[str, AnyArray]] | None = None
    not_analyzed: Sequence[ColumnRole] = ()
    missing: str = "error"  # what the fit is to do about missing cells
    dropped: Sequence[str] = ()  # what is said of rows that are left out

    def filled(self, model: Subspace) -> InputTable:
        """The same rows as the model sees them: with their missing cells filled."""
        if model.missing is None:
            return self
        return replace(self, source=match_columns(model, self.source))

    @cached_property
    def row_info(self) -> RowInfo:
        """Labels, groups and other columns; groups are looked for where none were asked for."""
        named_by = "by position, from 0" if self.id is None else f"by {column_name(self.id)}"
        groups = {name: as_groups(values) for name, values in self.groups.items()}
        if self.read_texts is not None:
            texts = self.read_texts()
            found = {name: as_groups(values) for name, values in texts.items()}
            groups = {name: values for name, values in found.items() if is_grouping(values)}
        kept, remarks = drop_single_rows(groups)
        columns = {name: values for name, values in self.beside.items() if name not in kept}
        remarks = [*remarks, *self.absence]
        return RowInfo(self.labels, named_by, kept, columns, remarks=tuple(remarks))

    @property
    def absence(self) -> list[str]:
        """The columns that are not analyzed, in one sentence, with their reasons; then rows."""
        if not self.not_analyzed:
            return [*self.dropped]
        return [f"Not analyzed: {list_by_role(self.not_analyzed)}.", *self.dropped]

    @property
    def title(self) -> str:
        """The name of the file, without its folders."""
        return self.label.rpartition("/")[2] if len(self.files) == 1 else self.label

    @property
    def fingerprint(self) -> str:
        """What tells these rows and columns, unchanged, from all others."""
        whole = fingerprint_of(self.source).encode("utf-8", "surrogatepass")
        return sha256(whole).hexdigest()

    @property
    def facts(self) -> dict[str, Any]:
        n, d = self.source.shape
        return {"rows": n, "columns": d, "dtype": str(self.source.dtype)}

    @property
    def labels(self) -> Sequence[Any]:
        return labels_in(self.names, self.source)

    @property
    def aside_labels(self) -> Sequence[Any]:
        return () if self.aside is None else labels_in(self.aside_names, self.aside)

    def block_of_names(self, span: slice) -> Any:
        """Names of consecutive rows, or their positions."""
        return names_at(self.names, span)

    def block_of_aside_names(self, span: slice) -> Any:
        return names_at(self.aside_names, span)


def names_at(names: Any, span: slice) -> Any:
    if names is None:
        return range(span.start, span.stop)
    return names.slice(span.start, span.stop - span.start)


def labels_in(names: Any, source: Source) -> Sequence[Any]:
    if names is None:
        return range(source.shape[0])
    return [UNNAMED if name is None else name for name in names.to_pylist()]


@contextmanager
def open_input(
    files: Sequence[str],
    reading: ReadingOptions,
    talk: Messages,
    beside: OutsideOptions = NO_ROLES,
    model: Subspace | KernelSubspace | None = None,
    categorical: CategoryOptions = NO_CATEGORIES,
    keeps_rows: bool = False,
) -> Iterator[InputTable]:
    """The table in these files, with the columns of the model; `keeps_rows`: all rows unasked."""
    if reading.missing is not None:
        refuse_unknown("missing", reading.missing, MISSING)
    label = "standard input" if PIPE in files else ", ".join(files)
    with opening_inputs(files, reading.format) as paths:
        # A slice: of files that differ in columns, those they share are read.
        shared = slice(None) if reading.columns or model is not None else None
        data: Any = paths[0] if len(paths) == 1 else paths
        delimiter = {"tab": "\t", r"\t": "\t"}.get(reading.delimiter or "", reading.delimiter)
        said = TextFormat.said_by(reading, delimiter)
        if categorical.takes_text or (model is not None and model.categories is not None):
            whole: Any = path.source_from(data, shared, said, texts=True)
        else:
            whole = open_source(data, shared, **said.asked)
        chosen = choose_columns(whole, reading, beside, talk, model, categorical.takes_text)
        source = open_analyzed(whole, chosen, reading, categorical, model)
        missing = reading.missing or default_missing(source, model, keeps_rows)
        asked = reading.missing is not None
        yield make_input(label, whole, source, chosen, missing, asked, beside, talk)


def open_analyzed(
    whole: Any,
    chosen: ChosenColumns,
    reading: ReadingOptions,
    categorical: CategoryOptions,
    model: Subspace | KernelSubspace | None,
) -> Source:
    """The columns to analyze: by the levels of the model where it has some, else as asked."""
    if model is not None:
        if model.categories is not None:
            estimated = model.missing is not None
            return open_model_rows(model.categories, model.mean, whole, estimated)
        return whole.only(list(chosen.analyzed))  # type: ignore[no-any-return]
    words = categorical.categories
    asked = words if words in ("drop", "auto", "counts") else words.split(",")
    missing = "error" if asked in ("drop", "counts") else reading.missing or "error"
    request = CategoryRequest(asked, categorical.rare, missing)
    if asked == "drop" and reading.missing != "level":
        return whole.only(list(chosen.analyzed))  # type: ignore[no-any-return]
    return open_categories(whole, list(chosen.analyzed), request)


def make_input(
    label: str,
    whole: Any,
    source: Source,
    chosen: ChosenColumns,
    missing: str,
    asked: bool,
    beside: OutsideOptions,
    talk: Messages,
) -> InputTable:
    """`missing`: "drop" leaves out rows with missing numbers, an engine those without a number."""
    names = None if chosen.id is None else text_column(whole, chosen.id, missing=False)
    aside = rows_aside(beside.sup_rows, names, source.shape[0])
    kept, dropped = ~aside, tuple[str, ...]()
    if missing == "drop":
        complete = rows_without_holes(source)
        dropped = say_dropped(complete, asked, talk)
        kept, aside = kept & complete, aside & complete
    elif missing not in ("error", "level"):
        some = rows_with_cells(mark_unstored(source) if missing == "unstored" else source)
        if not some.all():
            talk.note(say_left_out(some, "no number"))
        kept, aside = kept & some, aside & some
    columns = read_outside_columns(whole, chosen)
    refuse_words(columns, chosen.weights)
    return InputTable(
        label,
        traits_of(whole).files,
        select_rows(source, kept),
        chosen.id,
        select_names(names, kept),
        SomeRows(source, aside) if aside.any() else None,
        select_names(names, aside) if aside.any() else None,
        {name: columns[name][kept] for name in chosen.groups},
        {name: columns[name][kept] for name in chosen.beside},
        None if chosen.weights is None else columns[chosen.weights][kept],
        None if beside.group else lambda: read_text_groups(whole, chosen, kept),
        explain_left_out(chosen, source),
        "error" if missing in ("drop", "level") else missing,
        dropped,
    )


def explain_left_out(chosen: ChosenColumns, source: Source) -> Sequence[ColumnRole]:
    """Why columns take no part; those of categories are judged by all of their values."""
    encoding = encoding_of(source)
    if encoding is None or encoding.method == "ca":
        return chosen.not_analyzed
    known = {one.name: one for one in chosen.not_analyzed}
    named = [one for one in chosen.not_analyzed if one.name == chosen.id]
    others = [
        replace(known.get(name, ColumnRole(name, "text", why)), reason=why)
        for name, why in traits_of(source).left_out.items()
        if name != chosen.id
    ]
    return [*named, *others]


def read_text_groups(whole: Any, chosen: ChosenColumns, kept: RowMask) -> dict[str, AnyArray]:
    names = text_group_names(whole, chosen)
    found = named_columns(whole, names) if names else {}
    return {name: values[kept] for name, values in found.items()}


def refuse_words(columns: Mapping[str, AnyArray], weights: str | None) -> None:
    if weights is not None and columns[weights].dtype.kind not in "fiu":
        raise OptionError.needs(
            SetOption("weights", weights), "a column of numbers", "name one that holds counts"
        )


def read_outside_columns(whole: Any, chosen: ChosenColumns) -> dict[str, AnyArray]:
    wanted = [*chosen.groups, *chosen.beside, *([chosen.weights] if chosen.weights else [])]
    return named_columns(whole, list(dict.fromkeys(wanted))) if wanted else {}
