"""columns: which column of a file plays which part, by what was asked and what is found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eigenlens.cli.options import OutsideOptions, ReadingOptions
from eigenlens.cli.selection import select_positions
from eigenlens.cli.stderr import Messages
from eigenlens.digest.row_info import MOST_TEXTS, find_identifier, index_column
from eigenlens.document.phrases import count_things
from eigenlens.errors import MismatchError, OptionError
from eigenlens.errors.options import refuse_unknown
from eigenlens.errors.phrasing import Option, Phrase, SetOption, list_words
from eigenlens.sources.files.contents import Contents, contents_of
from eigenlens.sources.roles import ColumnRole, roles_set_aside
from eigenlens.sources.text_columns import holds_texts, text_column

if TYPE_CHECKING:
    from eigenlens.kernel.subspace import KernelSubspace
    from eigenlens.model.subspace import Subspace

__all__ = ["ChosenColumns", "choose_columns", "text_group_names"]

LOOKED_THROUGH_BYTES = 64 << 20
CODE_ROLES = ("group", "number")


@dataclass(frozen=True)
class ChosenColumns:
    """`analyzed`: names, or positions where the file has none.

    `codes`: numbers that are groups; `not_analyzed`: why, of columns that nobody spoke of.
    """

    analyzed: tuple[Any, ...]
    id: str | None = None
    groups: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    weights: str | None = None
    codes: tuple[str, ...] = ()
    not_analyzed: Sequence[ColumnRole] = ()


def choose_columns(
    whole: Any,
    reading: ReadingOptions,
    beside: OutsideOptions,
    talk: Messages,
    model: Subspace | KernelSubspace | None = None,
    takes_text: bool = False,
) -> ChosenColumns:
    contents = contents_of(whole.reader)
    named = whole.reader.names is not None
    labels = list(contents.names) if named else [f"x{i}" for i in range(len(contents.names))]
    kinds = {
        "@numeric": [place for place in contents.numbers if place not in contents.aside],
        "@text": sorted(contents.others),
    }

    def places(which: Sequence[str] | None, option: str) -> list[int]:
        return select_positions(which, labels, option, kinds) if which else []

    groups, others = places(beside.group, "group"), places(beside.sup_cols, "sup_cols")
    weights = only_one(places(quote_typed(beside.weights), "weights"), beside.weights, "weights")
    row_names = only_one(places(quote_typed(reading.id), "id"), reading.id, "id")
    refuse_unknown("code_as", reading.code_as, CODE_ROLES)
    judged = {} if model is not None or reading.columns else judge_numbers_of(whole, contents)
    if reading.code_as == "number":
        judged = {place: role for place, role in judged.items() if role.role != "code"}
    index = first_index(contents, named, judged)
    if reading.id is None:
        row_names = label_column_of_fit(model, contents, named)
        if row_names is None:
            row_names = find_label_column(whole, contents, index, named)
    taken = {*groups, *others, weights, *([row_names] if reading.id else [])}
    dropped = set(places(reading.exclude, "exclude"))
    if reading.columns is None:
        usable = kinds["@numeric"] + (kinds["@text"] if takes_text else [])
        free = [place for place in sorted(usable) if place not in {*taken, row_names, index}]
        typed = [place for place in free if place not in judged] or free
        if takes_text:
            typed = free  # codes take part as categories
        judged = {place: role for place, role in judged.items() if place not in typed}
    else:
        typed = places(reading.columns, "columns")
        refuse_nothing(typed, reading.columns)
    analyzed = [place for place in typed if place not in dropped]
    if model is not None:
        if reading.columns or dropped:
            refuse_fewer(model, named, [labels[place] for place in analyzed])
        analyzed = columns_of_model(model, contents, named, analyzed, talk)
    else:
        analyzed = drop_other_uses(analyzed, taken, labels, talk)
    return ChosenColumns(
        tuple(labels[place] if named else place for place in analyzed),
        None if row_names is None else contents.names[row_names],
        tuple(contents.names[place] for place in groups),
        tuple(contents.names[place] for place in others if place not in groups),
        None if weights is None else contents.names[weights],
        tuple(role.name for place, role in judged.items() if is_free_code(role, place, taken)),
        ()
        if model is not None or reading.columns
        else explain_absence(contents, {*analyzed, *taken, *dropped}, row_names, judged),
    )


def judge_numbers_of(whole: Any, contents: Contents) -> dict[int, ColumnRole]:
    """Columns of numbers that are no measurements, by position."""
    if whole.reader.names is None:
        return {}
    places = {contents.names[place]: place for place in contents.numbers}
    return {places[one.name]: one for one in roles_set_aside(whole) if one.name in places}


def is_free_code(role: ColumnRole, place: int, taken: Collection[int | None]) -> bool:
    return role.role == "code" and place not in taken


def explain_absence(
    contents: Contents,
    spoken_of: Collection[int | None],
    row_names: int | None,
    judged: Mapping[int, ColumnRole],
) -> list[ColumnRole]:
    """Columns that are no part of the fit though nobody said so, each with its reason."""
    found = []
    for place, name in enumerate(contents.names):
        if place in spoken_of:
            continue
        if place in judged:
            found.append(judged[place])
        elif place == row_names:
            found.append(ColumnRole(name, "identifier", "it names the rows"))
        elif place in contents.aside:
            found.append(ColumnRole(name, "identifier", contents.aside[place]))
        else:
            role, why = contents.roles.get(place, "text"), contents.others.get(place, "")
            found.append(ColumnRole(name, role, why))
    return found


def drop_other_uses(
    analyzed: Sequence[int], taken: Collection[int | None], labels: Sequence[str], talk: Messages
) -> list[int]:
    """What names, groups or weighs the rows, or stands beside them, is no part of the fit."""
    both = [labels[place] for place in analyzed if place in taken]
    if both:
        talk.note(
            f"{list_words(both, 5)}: used as id, group, weight or supplementary column, "
            f"so not analyzed"
        )
    return [place for place in analyzed if place not in taken]


def refuse_nothing(places: Sequence[int], typed: Sequence[str]) -> None:
    if not places:
        raise OptionError.needs(
            SetOption("columns", ",".join(typed)), "a name", "name columns, or omit it for all"
        )


def refuse_fewer(model: Subspace | KernelSubspace, named: bool, left: Collection[str]) -> None:
    """Columns that the model has cannot be left out of its rows."""
    lacking = [name for name in model.feature_names or () if named and name not in left]
    if lacking:
        raise OptionError.needs(
            f"leaving out {list_words(lacking, 5)}, columns of the model,",
            "another model",
            Phrase(
                "omit {} and {}: columns of a model are found by name",
                Option("columns"),
                Option("exclude"),
            ),
        )


def quote_typed(name: str | None) -> list[str]:
    return [name] if name else []


def only_one(places: Sequence[int], typed: str | None, option: str) -> int | None:
    if len(places) > 1:
        raise OptionError.needs(SetOption(option, typed), "a single column", "name one of them")
    return places[0] if places else None


# -- names of rows -------------------------------------------------------------------------


def first_index(contents: Contents, named: bool, judged: Mapping[int, ColumnRole]) -> int | None:
    """The first column, where its heading or its numbers say that it names or counts the rows."""
    if contents.aside:
        return min(contents.aside)
    counters = [place for place, role in judged.items() if role.role == "identifier"]
    if counters:
        return min(counters)
    return index_column(contents.names) if named else None


def label_column_of_fit(
    model: Subspace | KernelSubspace | None, contents: Contents, named: bool
) -> int | None:
    """The column that named the rows of the fit, where it is here too."""
    name = None if model is None or not named else model.provenance.get("id")
    return contents.names.index(name) if name in contents.names else None


def find_label_column(whole: Any, contents: Contents, index: int | None, named: bool) -> int | None:
    """The column of names, by what a look at the file finds."""
    if not named or not holds_texts(whole):
        return None
    small = whole.reader.stored_bytes <= LOOKED_THROUGH_BYTES
    return find_identifier(
        index,
        text_places(contents),
        lambda place: small and all_different(whole, contents.names[place]),
    )


def text_places(contents: Contents) -> list[int]:
    """Columns that hold text, and not nothing at all."""
    return [place for place in sorted(contents.others) if contents.roles.get(place) != "empty"]


def all_different(whole: Any, name: str) -> bool:
    from pyarrow import compute

    texts = text_column(whole, name, missing=False)
    return bool(texts.null_count == 0 and compute.count_distinct(texts).as_py() == len(texts) > 1)


def text_group_names(whole: Any, chosen: ChosenColumns) -> list[str]:
    """Columns of text that may sort the rows into groups, where the file is small enough."""
    if not holds_texts(whole) or whole.reader.stored_bytes > LOOKED_THROUGH_BYTES:
        return []
    contents = contents_of(whole.reader)
    texts = [contents.names[place] for place in text_places(contents)][:MOST_TEXTS]
    names = [name for name in texts if name not in (chosen.id, *chosen.beside, chosen.weights)]
    return [*names, *chosen.codes]


# -- the model's columns -------------------------------------------------------------------


def columns_of_model(
    model: Subspace | KernelSubspace,
    contents: Contents,
    named: bool,
    others: Sequence[int],
    talk: Messages,
) -> list[int]:
    """By name where both have names, in whatever order; else by position."""
    wanted = model.feature_names
    if model.categories is not None:
        wanted = model.categories.column_names
    if wanted is None or not named:
        if len(others) != model.n_features:
            raise MismatchError.wrong_width((0, len(others)), model.n_features)
        if wanted is not None:
            talk.warn(
                "the file has no column names; its columns are taken in the order of the model"
            )
        return list(others)
    where = {name: place for place, name in enumerate(contents.names)}
    missing = [name for name in wanted if name not in where]
    extra = [contents.names[place] for place in others if contents.names[place] not in set(wanted)]
    if missing:
        raise MismatchError.missing_columns(missing, len(wanted), extra)
    found = [where[name] for name in wanted]
    if found != sorted(found):
        talk.note("columns are in another order than in the model and are matched by name")
    if extra:
        count = count_things(len(extra), "column")
        talk.note(f"{count} not in the model, ignored: {list_words(extra, 5)}")
    return found
