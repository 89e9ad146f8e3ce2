"""map_figure: two Bokeh figures that share their rows: the map, and T2 against Q.

They come without data. The script of the page fills in the columns that are asked for, so that no
text of the data is ever part of a program. A selection in one figure shows in the other.
"""

from __future__ import annotations

import json
from typing import Any

from eigenlens.plots.style import LIGHT

__all__ = ["library", "map_figures"]

HEIGHT = 480
FEW_TO_NAME = 200
ROWS = ("x", "y", "t2", "q", "c", "m", "id", "text")
NAME_COLUMNS = ("name", "shiftX", "shiftY", "nameOdd", "shiftXOdd", "shiftYOdd")


def map_figures(columns: dict[str, Any]) -> dict[str, Any]:
    """The document of both figures, as Bokeh's script takes it."""
    from bokeh.core.json_encoder import serialize_json
    from bokeh.document import Document
    from bokeh.models import ColumnDataSource, LinearColorMapper

    rows = ColumnDataSource({name: [] for name in (*ROWS, *NAME_COLUMNS)}, name="rows")
    extra = ColumnDataSource({name: [] for name in ("x", "y", "t2", "q", "id")}, name="extra")
    colors = LinearColorMapper(
        palette=[LIGHT.main], low=0, high=1, name="colors", nan_color=LIGHT.faint
    )
    named = columns["ids"] is not None and columns["rows"] <= FEW_TO_NAME
    big = figure_of("map", match_aspect=True)
    density_under(big)
    arrows_on(big)
    roots = [big]
    names = [axis["name"] for axis in columns["axes"]]
    if "T²" in names and "Q" in names:
        axes = {axis["name"]: in_units(axis) for axis in columns["axes"] if "limits" in axis}
        far = reaches_far(axes)
        kind = "log" if far else "linear"
        odd = figure_of(
            "odd",
            x_axis_type=kind,
            y_axis_type=kind,
            x_range=reach(axes["T²"], far),
            y_range=reach(axes["Q"], far),
        )
        limits_on(odd, axes)
        roots.append(odd)
    document = Document()
    for figure in roots:
        points_on(figure, rows, extra, colors, columns["rows"])
        if named:
            names_on(figure, rows)
        document.add_root(figure)
    # Bokeh's own records become plain JSON by way of its text.
    plain: dict[str, Any] = json.loads(serialize_json(document.to_json()))
    return plain


def figure_of(name: str, **options: Any) -> Any:
    from bokeh.plotting import figure

    drawn = figure(
        name=name,
        height=HEIGHT,
        sizing_mode="stretch_width",
        tools="pan,wheel_zoom,box_zoom,lasso_select,box_select,tap,reset",
        active_drag="lasso_select",
        active_scroll=None,
        toolbar_location="above",
        **options,
    )
    drawn.toolbar.logo = None
    drawn.xgrid.visible = drawn.ygrid.visible = False
    drawn.background_fill_color = drawn.border_fill_color = None
    drawn.outline_line_color = None
    drawn.axis.axis_label_text_font_style = "normal"
    drawn.axis.axis_label_text_font_size = "13px"
    drawn.axis.major_label_text_font_size = "12px"
    return drawn


def points_on(figure: Any, rows: Any, extra: Any, colors: Any, count: int) -> None:
    from bokeh.models import HoverTool

    x, y = ("x", "y") if figure.name == "map" else ("t2", "q")
    few = max(count, 1)
    size = min(max(10 * (60 / few) ** 0.2, 3.0), 10)
    alpha = min(max((1500 / few) ** 0.45, 0.12), 0.85)
    points = figure.scatter(
        x,
        y,
        source=rows,
        marker={"field": "m"},
        size=size,
        fill_color={"field": "c", "transform": colors},
        line_color=None,
        fill_alpha=alpha,
        selection_fill_alpha=1.0,
        selection_line_color=LIGHT.ink,
        nonselection_fill_alpha=0.2 * alpha,
    )
    points.name = f"points-{figure.name}"
    others = figure.scatter(
        x, y, source=extra, marker="diamond_cross", size=12, fill_color=None, line_width=1.5,
        line_color=LIGHT.ink,
    )  # fmt: skip
    others.name = f"extra-{figure.name}"
    figure.add_tools(
        HoverTool(renderers=[points], tooltips=[("row", "@id"), ("", "@text")]),
        HoverTool(renderers=[others], tooltips=[("supplementary row", "@id")]),
    )


def names_on(figure: Any, rows: Any) -> None:
    """Names of rows beside their points, where rows are not many; the script finds their places."""
    x, y = ("x", "y") if figure.name == "map" else ("t2", "q")
    which = "" if figure.name == "map" else "Odd"
    words = figure.text(
        x, y, text=f"name{which}", source=rows, x_offset={"field": f"shiftX{which}"},
        y_offset={"field": f"shiftY{which}"}, text_align="center", text_baseline="middle",
        text_font_size="11px",
        text_alpha=0.85, nonselection_text_alpha=0.15, text_color=LIGHT.ink,
    )  # fmt: skip
    words.name = f"names-{figure.name}"


def arrows_on(figure: Any) -> None:
    """Variables as lines from the center, with their names; filled in where they are wanted."""
    from bokeh.models import ColumnDataSource

    ends = ColumnDataSource(
        {name: [] for name in ("x", "y", "nameX", "nameY", "name")}, name="arrows"
    )
    lines = figure.segment(0, 0, "x", "y", source=ends, line_width=1.4, line_color=LIGHT.ink)
    words = figure.text(
        "nameX", "nameY", text="name", source=ends, text_font_size="12px", text_font_style="bold",
        text_align="center", text_baseline="middle", text_color=LIGHT.ink,
    )  # fmt: skip
    lines.name, words.name = "arrow lines", "arrow names"
    lines.level = words.level = "annotation"


def density_under(figure: Any) -> None:
    from bokeh.models import ColumnDataSource, LinearColorMapper

    source = ColumnDataSource(
        {name: [] for name in ("image", "x", "y", "dw", "dh")}, name="density"
    )
    shades = LinearColorMapper(
        palette=["#ffffff"], low=1, high=255, low_color=(0, 0, 0, 0), name="shades"
    )
    figure.image(
        "image", "x", "y", "dw", "dh", source=source, color_mapper=shades, level="underlay"
    )


def in_units(axis: dict[str, Any]) -> dict[str, Any]:
    """An axis of T2 or Q as it is drawn."""
    limits = {
        level: None if limit is None else limit / axis["unit"]
        for level, limit in axis["limits"].items()
    }
    return {"limits": limits} | {name: axis[name] / axis["unit"] for name in ("low", "farthest")}


def limits_on(figure: Any, axes: dict[str, Any]) -> None:
    from bokeh.models.annotations import Span

    sides: tuple[tuple[str, Any], ...] = (("T²", "height"), ("Q", "width"))
    for name, dimension in sides:
        for level, limit in axes[name]["limits"].items():
            if limit is not None:
                dash = "solid" if level == "99" else "dotted"
                line = Span(location=limit, dimension=dimension, line_dash=dash, name="limit")
                figure.add_layout(line)


def reach(axis: dict[str, Any], log: bool) -> tuple[float, float]:
    """From the nearest row to the farthest, supplementary ones too, or to a limit beyond it."""
    high = max(axis["farthest"], axis["limits"]["99"] or 0.0) or 1.0
    return (0.8 * axis["low"], 1.3 * high) if log else (-0.03 * high, 1.06 * high)


def reaches_far(axes: dict[str, Any]) -> bool:
    """As in `plots.outliers`: logarithmic axes where a row would squeeze the others."""
    far = [
        axes[name]["limits"]["99"] is not None
        and axes[name]["farthest"] > 8 * axes[name]["limits"]["99"]
        for name in ("T²", "Q")
    ]
    return any(far) and all(axes[name]["low"] > 0 for name in ("T²", "Q"))


def library() -> str:
    """Bokeh's script, of which these figures need the first part only: no widgets, no tables.

    Nor WebGL: where a machine has no graphics card, 100 000 rows take it five times as long.
    """
    from bokeh.resources import Resources

    script: str = Resources(mode="inline", minified=True, components=["bokeh"]).js_raw[0]
    return script.replace("</script", "<\\/script")
