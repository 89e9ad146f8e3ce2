"""map_columns: the rows of the interactive map, small enough for a page.

    a coordinate    float32; above 20 000 rows 16 bits between its ends
    a color         8 bits: the group, or one of 255 steps

T2 and Q are stepped on a logarithmic scale. Columns are taken while the budget of bytes lasts:
components first, then groups, then the variables that contribute most. Where only some rows are
shown, counts of all rows in every plane come with them.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array, IntArray
from eigenlens.digest.digest import Digest
from eigenlens.digest.group_order import ordered_groups
from eigenlens.document.phrases import shorten
from eigenlens.explain.model_rows import variable_names
from eigenlens.explain.outliers import QUADRANTS
from eigenlens.explain.outside_columns import numbers_at
from eigenlens.plots.coloring import ColorGroups, read_colors
from eigenlens.plots.density import DENSITY_ABOVE, count_in_cells, stratified_sample
from eigenlens.plots.style import percent_label

__all__ = ["MapColumns", "map_columns", "shown_rows"]

EXACT_ROWS = 20_000
SAMPLED = 20_000  # rows of the map beside those beyond a limit, where not all are shown
MOST_FLAGGED = 200_000
SMALL_ROWS, SMALL_PAGE_BYTES, LARGE_PAGE_BYTES = 5000, 700_000, 2_600_000
MOST_COMPONENTS = 30
MOST_COLORS = 64
MOST_ARROWS = 60
PIXELS = 96
STEPS8, STEPS16 = 254, 65534
MISSING_CODE = 255
LARGEST = 1e30  # for float32, with room to spare


@dataclass
class MapColumns:
    """What goes into the page, as plain values; `left`: bytes that may still be spent."""

    left: float
    axes: list[dict[str, Any]] = field(default_factory=list)
    colors: list[dict[str, Any]] = field(default_factory=list)

    def afford(self, rows: int, bytes_each: int) -> bool:
        """Whether one more column fits; if so it is paid for."""
        price = rows * bytes_each * 4 / 3
        if price > self.left:
            return False
        self.left -= price
        return True


def map_columns(digest: Digest) -> dict[str, Any]:
    """Everything the script needs, ready for JSON."""
    rows = shown_rows(digest)
    n = digest.source.shape[0]
    page = MapColumns(SMALL_PAGE_BYTES if len(rows) <= SMALL_ROWS else LARGE_PAGE_BYTES)
    ids = None
    if not isinstance(digest.rows.labels, range):
        ids = [shorten(digest.rows.labels[row]) for row in rows]
        page.left -= sum(len(one.encode("utf-8", "replace")) + 3 for one in ids)
    add_axes(page, digest, rows)
    add_groups(page, digest, rows)
    add_others(page, digest, rows)
    add_variables(page, digest, rows)
    return {
        "rows": len(rows),
        "of": n,
        "ids": ids,
        "positions": None if len(rows) == n else encode_bytes(rows.astype("<i4")),
        "axes": page.axes,
        "colors": page.colors,
        "density": densities(digest, page) if len(rows) < n else {},
        "pixels": PIXELS,
        "extra": extra_columns(digest, page),
        "arrows": arrows(digest),
    }


def shown_rows(digest: Digest) -> IntArray:
    """All rows, or those beyond a limit and a sample over the plane of the others."""
    n = digest.source.shape[0]
    if n <= DENSITY_ABOVE:
        return np.arange(n)
    beyond = np.array(digest.beyond_limits[:MOST_FLAGGED], dtype=np.intp)
    group = np.zeros(n, dtype=np.intp)
    return np.union1d(beyond, stratified_sample(plane_of(digest), group, SAMPLED))


def plane_of(digest: Digest) -> Float64Array:
    """The first two coordinates there are, (n, 2)."""
    scores = digest.scores
    if scores.shape[1] >= 2:
        return scores[:, :2]
    off = np.asarray(digest.outliers["Q"], dtype=np.float64)
    return np.column_stack([scores[:, 0] if scores.shape[1] else off, off])


def component_label(digest: Digest, index: int) -> str:
    """'PC3 (11.1%), not kept'."""
    kept = index < digest.model.n_components
    label = percent_label(digest.model if kept else digest.wider, index)
    return label if kept else f"{label}, not kept"


# -- coordinates ---------------------------------------------------------------------------


def add_axes(page: MapColumns, digest: Digest, rows: IntArray) -> None:
    model, table = digest.model, digest.outliers
    bytes_each = 4 if len(rows) <= EXACT_ROWS else 2
    for name, label in (("T2", "T²: distance within the components"), ("Q", "Q: distance to them")):
        values = np.asarray(table[name], dtype=np.float64)
        if name == "T2" and not model.n_components:
            continue
        page.afford(len(rows), bytes_each)
        limits = {level: table[f"{name}_limit_{level}"][0] for level in ("95", "99")}
        others = [] if digest.extra is None else digest.extra.table[name]
        shown: dict[str, Any] = {"name": name.replace("2", "²"), "label": label, "limits": limits}
        shown["farthest"] = float(max([values.max(), *others]))
        shown["unit"] = unit_of(values)
        page.axes.append(shown | step_column(values, rows, bytes_each, log=True))
    reserve = 0.35 * page.left
    for index in range(min(digest.map_components, MOST_COMPONENTS)):
        if index >= 2 and page.left - len(rows) * bytes_each * 4 / 3 < reserve:
            break
        page.afford(len(rows), bytes_each)
        values = digest.scores[:, index]
        shown = {
            "name": f"PC{index + 1}",
            "label": component_label(digest, index),
            "unit": unit_of(values),
        }
        page.axes.insert(index, shown | step_column(values, rows, bytes_each, log=False))


def unit_of(values: Float64Array) -> float:
    """What to draw numbers in: 1, or a power of ten where the map could not square them."""
    most = float(np.abs(values).max(initial=0.0))
    if most == 0 or 1 / LARGEST < most < LARGEST:
        return 1.0
    return float(10.0 ** np.floor(np.log10(most)))


def step_column(values: Float64Array, rows: IntArray, bytes_each: int, log: bool) -> dict[str, Any]:
    """The values of some rows, and the ends of all of them; `log`: steps of equal ratio."""
    low, high = float(values.min()), float(values.max())
    ends = {"low": low, "high": high}
    if bytes_each == 4 or too_coarse(values, low, high, log):
        return ends | floats(values[rows])
    if log:
        floor = max(high, np.finfo(np.float64).tiny) * 1e-12
        low, high = float(np.log(max(low, floor))), float(np.log(max(high, floor)))
        values = np.log(np.maximum(values, floor))
    steps = np.rint((values[rows] - low) * (STEPS16 / ((high - low) or 1.0)))
    return ends | {
        "kind": "uint16",
        "from": low,
        "to": high,
        "steps": STEPS16,
        "log": log,
        "data": encode_bytes(steps.astype("<u2")),
    }


def too_coarse(values: Float64Array, low: float, high: float, log: bool) -> bool:
    """Whether one far row would leave the others a few steps only."""
    middle = float(np.subtract(*np.quantile(values, [0.75, 0.25])))
    return not log and (high - low) / STEPS16 > 0.01 * middle > 0


# -- colors --------------------------------------------------------------------------------


def add_groups(page: MapColumns, digest: Digest, rows: IntArray) -> None:
    """Groups and outside columns, and where a row stands between the limits."""
    outside = {**ordered_groups(digest), **digest.rows.columns}
    for name, values in outside.items():
        if page.afford(len(rows), 1):
            page.colors.append(color_column(name, values, rows))
    names = digest.outliers["quadrant"]
    if all(name is not None for name in names) and page.afford(len(rows), 1):
        codes = np.array([QUADRANTS.index(str(name)) for name in names])
        page.colors.append(group_column("Limits", ColorGroups("Limits", QUADRANTS, codes), rows))


def color_column(name: str, values: AnyArray, rows: IntArray) -> dict[str, Any]:
    found = read_colors({name: values}, None, len(values))
    if isinstance(found, ColorGroups):
        return group_column(name, found, rows)
    return shade_column(name, np.asarray(values, dtype=np.float64), rows)


def group_column(name: str, groups: ColorGroups, rows: IntArray) -> dict[str, Any]:
    return {
        "name": shorten(name),
        "groups": [shorten(one) for one in groups.names],
        "sizes": groups.sizes.tolist(),
        "data": encode_bytes(groups.codes[rows].astype("u1")),
    }


def shade_column(name: str, values: Float64Array, rows: IntArray) -> dict[str, Any]:
    known = np.isfinite(values)
    low, high = float(values[known].min()), float(values[known].max())
    steps = np.rint((np.where(known, values, low) - low) * (STEPS8 / ((high - low) or 1.0)))
    steps = np.where(known, steps, MISSING_CODE)[rows]
    return {
        "name": shorten(name),
        "low": low,
        "high": high,
        "steps": STEPS8,
        "data": encode_bytes(steps.astype("u1")),
    }


def add_others(page: MapColumns, digest: Digest, rows: IntArray) -> None:
    for name, values in digest.rows.others.items():
        if page.afford(len(rows), 1):
            page.colors.append(
                shade_column(name, np.where(np.isfinite(values), values, np.nan), rows)
            )


def add_variables(page: MapColumns, digest: Digest, rows: IntArray) -> None:
    """The variables of the model, those first that make most of the components."""
    model = digest.model
    parts = np.square(model.components).T @ model.eigenvalues
    order = np.argsort(-parts, kind="stable")[:MOST_COLORS]
    wanted = [int(place) for place in order if page.afford(len(rows), 1)]
    names = variable_names(model)
    values = numbers_at(digest.source, wanted)
    for column, place in enumerate(wanted):
        page.colors.append(shade_column(names[place], values[:, column], rows))


# -- beside the rows of the fit ------------------------------------------------------------


def densities(digest: Digest, page: MapColumns) -> dict[str, str]:
    """Of all rows in every plane of the components shown: from 0 (none) to 255 (most)."""
    places = [i for i, axis in enumerate(page.axes) if axis["name"].startswith("PC")]
    found = {}
    for first, second in combinations(places, 2):
        counts = count_in_cells(digest.scores[:, [first, second]], PIXELS)
        levels = np.ceil(255 * np.log1p(counts) / np.log1p(counts.max()))
        found[f"{first},{second}"] = encode_bytes(levels.astype("u1"))
    return found


def arrows(digest: Digest) -> dict[str, Any]:
    """The correlations of some variables with every component, the largest of them first."""
    along = digest.correlations
    there = np.flatnonzero(np.isfinite(along).all(axis=1))
    order = there[np.argsort(-np.square(along[there]).sum(axis=1), kind="stable")][:MOST_ARROWS]
    names = variable_names(digest.model)
    return {
        "names": [shorten(names[place], 24) for place in order],
        "ends": [[round(float(one), 3) for one in axis] for axis in along[order].T],
    }


def extra_columns(digest: Digest, page: MapColumns) -> dict[str, Any] | None:
    extra = digest.extra
    if extra is None:
        return None
    axes = []
    for axis in page.axes:
        if axis["name"].startswith("PC"):
            axes.append(digest.extra_scores[:, int(axis["name"][2:]) - 1])
        else:
            axes.append(np.asarray(extra.table[axis["name"].replace("²", "2")], dtype=np.float64))
    return {
        "ids": [shorten(one) for one in extra.labels],
        "axes": [floats(values) for values in axes],
    }


def floats(values: Float64Array) -> dict[str, str]:
    """In half the bytes, unless the numbers are too large or too small for that."""
    size = np.abs(values[values != 0])
    fits = size.max(initial=0.0) < LARGEST and size.min(initial=1.0) > 1 / LARGEST
    kind = "float32" if fits else "float64"
    return {"kind": kind, "data": encode_bytes(values.astype(np.dtype(kind).newbyteorder("<")))}


def encode_bytes(values: AnyArray) -> str:
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode("ascii")
