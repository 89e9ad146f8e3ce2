"""coloring: what `color=`, `groups=` and `shape=` mean, one entry per row.

    name of a column of the data    its entries
    "T2", "Q", "cos2"               what the model says of every row, unless a column is so called
    {name: one entry per row}       these, under that name
    one entry per row               text, truth values, categories and up to seven distinct
                                    whole numbers are groups; other numbers are a scale

Beyond seven groups the six largest keep their names and the rest is drawn as "other": nobody tells
eight colors apart. Ranges and groups come from all rows, also where only some are drawn.

measures: what the model says of every row, to color by: `color="T2"`, `"Q"` or `"cos2"`.

T2, Q   as in `explain.outliers`: how far out in the subspace, how far off it
cos2    share of a row's squared distance to the center that lies in the components shown
Cost    one more pass over the rows, made only if asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array, IntArray
from eigenlens.document.phrases import count_things
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.errors.remedies import PythonCode
from eigenlens.explain.distances import row_distances
from eigenlens.explain.left_out_spectrum import nothing_left
from eigenlens.explain.limits import keep_fewer_components
from eigenlens.explain.model_rows import scores_and_lengths
from eigenlens.explain.outside_columns import named_columns
from eigenlens.kernel.subspace import KernelSubspace
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace
from eigenlens.sources import frame
from eigenlens.sources.open import open_source
from eigenlens.sources.traits import traits_of

__all__ = [
    "MAX_COLOR_GROUPS",
    "ColorGroups",
    "ColorScale",
    "read_colors",
    "read_groups",
    "read_row_colors",
    "row_measures",
]

MAX_COLOR_GROUPS = 7
NO_MEASURES: Mapping[str, Callable[[], Float64Array]] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class ColorGroups:
    """`codes`: for each row the position of its group in `names`."""

    title: str | None
    names: tuple[str, ...]
    codes: IntArray

    @property
    def sizes(self) -> IntArray:
        return np.bincount(self.codes, minlength=len(self.names))

    def entries(self) -> AnyArray:
        return np.asarray(self.names, dtype=object)[self.codes]


@dataclass(frozen=True, eq=False)
class ColorScale:
    """Numbers, and their range over all rows."""

    title: str | None
    values: Float64Array
    low: float
    high: float

    def entries(self) -> AnyArray:
        return self.values


def read_colors(
    color: Any,
    data: Any,
    count: int,
    argument: str = "color",
    measures: Mapping[str, Callable[[], Float64Array]] = NO_MEASURES,
    items: str = "rows",
) -> ColorGroups | ColorScale | None:
    """Groups or a scale for `count` items, or None where no color was asked for.

    `measures`: what may be asked for by name besides columns.
    """
    if color is None:
        return None
    title, entries = entries_of(color, data, argument, measures)
    if len(entries) != count:
        raise OptionError.needs(
            Phrase("{} with {}", Option(argument), count_things(len(entries), "entry")),
            f"one for each of the {count} {items}",
            f"pass {count} values{', or the name of a column' if items == 'rows' else ''}",
        )
    if type(entries).__module__.startswith("pyarrow"):
        return make_color_groups(title, entries)
    values = np.asarray(entries)
    if values.ndim != 1:
        raise OptionError.needs(
            Phrase("{} of shape {}", Option(argument), values.shape),
            "one value per row",
            "pass a single column",
        )
    if values.dtype.kind == "f" or (values.dtype.kind in "iu" and too_many_groups(values)):
        return make_color_scale(title, values.astype(np.float64), argument)
    return make_color_groups(title, values)


def read_row_colors(
    color: Any,
    groups: Any,
    data: Any,
    count: int,
    measures: Mapping[str, Callable[[], Float64Array]] = NO_MEASURES,
) -> ColorGroups | ColorScale | None:
    """One color per row: by its group, or by `color`; both at once have no meaning."""
    if groups is None:
        return read_colors(color, data, count, measures=measures)
    if color is not None:
        raise OptionError.needs(
            Phrase("{} and {}", Option("color"), Option("groups")),
            "one of the two",
            Phrase("pass {} for groups, {} for numbers", Option("groups"), Option("color")),
        )
    return read_groups(groups, data, count, "groups")


def read_groups(groups: Any, data: Any, count: int, argument: str) -> ColorGroups | None:
    """As `read_colors`, but groups only: shapes, for one, have no order."""
    found = read_colors(groups, data, count, argument)
    if isinstance(found, ColorScale):
        raise OptionError.needs(
            SetOption(argument, groups)
            if isinstance(groups, str)
            else Phrase("{} with numbers", Option(argument)),
            f"groups: text, or at most {MAX_COLOR_GROUPS} distinct whole numbers",
            Phrase("pass numbers as {} instead", Option("color")),
        )
    return found


def entries_of(
    color: Any, data: Any, argument: str, measures: Mapping[str, Callable[[], Float64Array]]
) -> tuple[str | None, Any]:
    if isinstance(color, str):
        if color in measures and color not in names_in(data):
            return color, measures[color]()
        return color, column_named(color, data, argument, measures)
    if isinstance(color, Mapping) and len(color) == 1:
        ((called, entries),) = color.items()
        return str(called), entries
    name = getattr(color, "name", None)
    title = name if isinstance(name, str) else None
    if not hasattr(color, "__len__"):
        raise OptionError.needs(
            SetOption(argument, color),
            "the name of a column or one value per row",
            Phrase("pass {}, or a list", SetOption(argument, "name")),
        )
    return title, color


def names_in(data: Any) -> list[str]:
    """Of the columns, words too; none where columns have no names."""
    if data is None:
        return []
    if frame.accepts(data):
        return list(frame.as_frame(data).columns)
    source = open_source(data)
    return [] if source.names is None else [*source.names, *traits_of(source).left_out]


def column_named(name: str, data: Any, argument: str, measures: Iterable[str]) -> Any:
    """A column of a frame or of a file, as it is."""
    names = names_in(data)
    if not names:
        possible = "".join(f", or {one!r}" for one in measures)
        raise OptionError.needs(
            SetOption(argument, name),
            f"data with named columns{possible}",
            PythonCode(Phrase("pass one value per row instead: {}", Option(argument, "[...]"))),
        )
    if name not in names:
        raise OptionError.unknown(argument, name, [*names, *measures])
    if frame.accepts(data):
        column = frame.as_frame(data)[name]
        return column.to_numpy() if column.dtype.is_numeric() else column.to_arrow()
    return named_columns(data, [name])[name]


def too_many_groups(values: AnyArray) -> bool:
    """Whether whole numbers are too various to be groups; a glance settles most columns."""
    return (
        len(np.unique(values[:1000])) > MAX_COLOR_GROUPS
        or len(np.unique(values)) > MAX_COLOR_GROUPS
    )


def make_color_scale(title: str | None, values: Float64Array, argument: str) -> ColorScale:
    present = values[np.isfinite(values)]
    if not present.size:
        raise OptionError.needs(
            Phrase("{} of missing values only", Option(argument)), "numbers", "pass another column"
        )
    return ColorScale(title, values, float(present.min()), float(present.max()))


def flatten_arrow(pyarrow: Any, values: Any) -> Any:
    if isinstance(values, pyarrow.ChunkedArray):
        return values.combine_chunks()
    return pyarrow.array(values, from_pandas=True)


def make_color_groups(title: str | None, values: Any) -> ColorGroups:
    import pyarrow

    # Arrow finds the groups of a million texts in tens of milliseconds, numpy in seconds.
    try:
        arrow = values if isinstance(values, pyarrow.Array) else flatten_arrow(pyarrow, values)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError):
        arrow = pyarrow.array([str(value) for value in values])
    if isinstance(arrow, pyarrow.DictionaryArray):
        arrow = arrow.dictionary_decode()  # categories that no row has are no groups
    coded = arrow.dictionary_encode(null_encoding="encode")
    held = coded.dictionary.to_pylist()
    order = sorted(range(len(held)), key=lambda i: (held[i] is None, group_order(held[i])))
    position = np.empty(len(held), dtype=np.intp)
    position[order] = np.arange(len(held))
    codes = position[coded.indices.to_numpy(zero_copy_only=False)]
    names = ["missing" if held[i] is None else str(held[i]) for i in order]
    return ColorGroups(title, *pool_small_groups(names, codes))


def group_order(value: Any) -> tuple[bool, Any]:
    """Numbers in their order, then texts in theirs."""
    number = isinstance(value, int | float)
    return (not number, value if number else str(value))


def pool_small_groups(names: Sequence[str], codes: IntArray) -> tuple[tuple[str, ...], IntArray]:
    """The largest groups by name and the rest as one, where there are more than can be told."""
    if len(names) <= MAX_COLOR_GROUPS:
        return tuple(names), codes
    sizes = np.bincount(codes, minlength=len(names))
    kept = np.sort(np.argsort(-sizes, kind="stable")[: MAX_COLOR_GROUPS - 1])
    position = np.full(len(names), MAX_COLOR_GROUPS - 1)
    position[kept] = np.arange(len(kept))
    rest = f"other ({len(names) - len(kept)} groups)"
    return (*(names[i] for i in kept), rest), position[codes]


def row_measures(
    model: Subspace | KernelSubspace, data: Any, components: Iterable[int]
) -> Mapping[str, Callable[[], Float64Array]]:
    """Name -> how to compute it; of a kernel's components there are none."""
    if isinstance(model, KernelSubspace):
        return {}
    shown = list(components)

    def cos2() -> Float64Array:
        scores, lengths = scores_and_lengths(model, match_columns(model, data))
        inside = np.square(scores[:, shown]).sum(axis=1)
        return np.asarray(inside / np.where(lengths > 0, lengths, np.nan))

    def q() -> Float64Array:
        if nothing_left(model):
            raise RankError.needs(
                Phrase(
                    "{} with all of the variance in {}",
                    SetOption("color", "Q"),
                    count_things(model.n_components, "component"),
                ),
                "variance left out of the model",
                *keep_fewer_components(model, Phrase("pass {}", SetOption("color", "T2"))),
            )
        return row_distances(model, match_columns(model, data))[1]

    return {"T2": lambda: row_distances(model, match_columns(model, data))[0], "Q": q, "cos2": cos2}
