"""rows: where every row lies, and which rows are outliers, in what way and why."""

from __future__ import annotations

from typing import Any

from eigenlens.digest.digest import EXPLAINED_ROWS, Digest
from eigenlens.digest.group_order import ordered_groups
from eigenlens.digest.summary import outlier_sentences
from eigenlens.document.page import Chart, Gallery, Section, answer_section, show_table
from eigenlens.document.phrases import enquote, shorten
from eigenlens.document.table import Table
from eigenlens.errors import EigenlensError
from eigenlens.plots.contributions import contributions
from eigenlens.plots.outliers import outliers
from eigenlens.plots.scores import scores
from eigenlens.report.drawing import chart, compact_axes, move_legend_below
from eigenlens.report.map_columns import shown_rows

__all__ = ["map_section", "outliers_section"]

MAP_COLUMNS = 5
MAP_ROWS = 100
CHARTS = 3
BARS = 10


def map_section(digest: Digest) -> Section:
    n, model = digest.source.shape[0], digest.drawn
    says = [
        f"Every row is a point; rows that lie close together are similar in the components shown. "
        f"Rows are named {digest.rows.named_by}."
    ]
    shown = len(shown_rows(digest))
    if shown < n:
        says.append(
            f"{shown:,} of the {n:,} rows are drawn as points: every row beyond a 99 % limit, and "
            f"a sample of the others, spread over the plane. The shading shows the density of all "
            f"rows."
        )
    parts: list[Any] = []
    if model.n_components >= 2:
        name = next(iter(ordered_groups(digest)), None)
        color = None if name is None else {name: digest.rows.groups[name]}
        held = float(model.explained_ratio[:2].sum())
        parts.append(
            chart(
                "map",
                "Map of rows",
                f"Every row as a point in the plane of PC1 and PC2, which hold {held:.1%} of the "
                f"variance" + (f", colored by {enquote(name)}." if name else "."),
                lambda theme: move_legend_below(
                    scores(
                        model,
                        digest.source,
                        color=color,
                        labels=digest.rows.labels,
                        ax=compact_axes(),
                        theme=theme,
                    )
                ),
                "eigenlens.plots.scores(model, data)",
                most=20,
            )
        )
    parts.append(farthest_rows(digest))
    return answer_section(
        "map", "Map of rows", says, parts, [one for one in (digest.not_kept_note,) if one]
    )


def farthest_rows(digest: Digest) -> Any:
    """The rows farthest out, with their scores; the script shows those that are selected."""
    count = min(MAP_COLUMNS, digest.map_components)
    table = digest.outliers
    far = digest.farthest[:MAP_ROWS]
    columns: dict[str, Any] = {"row": [str(table["row"][place]) for place in far]}
    for index in range(count):
        columns[f"PC{index + 1}"] = digest.scores[far, index].tolist()
    for name in ("T2", "Q", "quadrant"):
        columns[name] = [table[name][place] for place in far]
    caption = (
        "All rows"
        if len(table) <= MAP_ROWS
        else f"The {MAP_ROWS} rows farthest out, of {len(table):,}"
    )
    return show_table(
        Table(columns),
        caption,
        code="eigenlens.explain.rows(model, data)",
        headings={"T2": "T²"},
        name="map-table",
    )


def outliers_section(digest: Digest) -> Section:
    says = [*outlier_sentences(digest), *count_beyond_limits(digest)]
    parts = [*outlier_chart(digest), *worst_rows(digest)]
    return answer_section("outliers", "Outliers", says, parts)


def count_beyond_limits(digest: Digest) -> list[str]:
    if not digest.has_limits:
        return []
    n, count = digest.source.shape[0], len(digest.beyond_limits)
    few, many = (f"{share * n:,.0f}" if n >= 100 else f"{share * n:.2g}" for share in (0.01, 0.02))
    return [
        f"{count:,} of {n:,} rows {'exceeds' if count == 1 else 'exceed'} a 99 % limit; of "
        f"ordinary rows about {few} to {many} would."
    ]


def outlier_chart(digest: Digest) -> list[Any]:
    def draw(theme: str) -> Any:
        return outliers(digest.model, digest.source, labels=digest.rows.labels, theme=theme)

    try:
        return [
            chart(
                "outliers",
                "Distance within the components (T²) and to them (Q)",
                "Every row by T², its distance within the components, and Q, its squared distance "
                "to them, with the 95 % and 99 % limits of both.",
                draw,
                "eigenlens.plots.outliers(model, data)",
                most=20,
            )
        ]
    except EigenlensError:
        return []  # without both limits there is no such picture; the table below has what there is


def worst_rows(digest: Digest) -> list[Any]:
    table, rows = digest.outliers, digest.beyond_limits[:EXPLAINED_ROWS]
    if not rows:
        return []
    lines: dict[str, list[Any]] = {"row": [str(table["row"][row]) for row in rows]}
    for name in ("T2", "Q", "quadrant"):
        lines[name] = [table[name][row] for row in rows]
    lines["check first"] = [", ".join(shorten(v, 30) for v in one[:3]) for one in digest.reasons]
    every = len(digest.beyond_limits) == len(rows)
    listed = show_table(
        Table(lines),
        "Rows beyond the 99 % limits"
        if every
        else f"The {len(rows)} rows farthest beyond the limits",
        code="eigenlens.explain.outliers(model, data)",
        headings={"T2": "T²", "quadrant": "kind"},
        sentences=("check first",),
    )
    return [
        listed,
        Gallery(tuple(row_chart(digest, place) for place in range(min(CHARTS, len(rows))))),
    ]


def row_chart(digest: Digest, place: int) -> Chart:
    row = digest.beyond_limits[place]
    name, label = digest.row_name(row), shorten(digest.rows.labels[row], 40)
    statistic = digest.main_statistic(row)
    shown = "T²" if statistic == "T2" else "Q"
    # The others go by their numbers: their names may repeat this one.
    called: list[Any] = [*range(len(digest.explained_rows))]
    called[place] = label
    return chart(
        f"row-{place + 1}",
        f"What makes {name} unusual",
        f"Bars of what each variable adds to the {shown} of {name}, the largest first. An error in "
        f"one variable shows in the bars of others: the table above says which to check first.",
        lambda theme: contributions(
            digest.model,
            digest.explained_rows,
            label,
            statistic=statistic,
            top=BARS,
            labels=called,
            theme=theme,
        ),
        f"eigenlens.plots.contributions(model, data, {row!r}, statistic={statistic!r})",
    )
