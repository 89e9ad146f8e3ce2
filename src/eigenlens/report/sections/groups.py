"""groups: columns from outside the fit, and how they go with the components."""

from __future__ import annotations

from collections import Counter
from typing import Any

from eigenlens.digest.digest import Digest
from eigenlens.digest.group_order import ordered_groups
from eigenlens.document.page import Section, answer_section, show_table
from eigenlens.document.phrases import enquote, list_words, shorten
from eigenlens.document.table import Table
from eigenlens.explain.supplementary import supplementary_columns
from eigenlens.plots.coloring import MAX_COLOR_GROUPS
from eigenlens.plots.ellipses import FEWEST
from eigenlens.plots.scores import scores
from eigenlens.report.drawing import chart

__all__ = ["groups_section"]

CHARTS = 3
SHOWN = 5
SHOWN_COMPONENTS = frozenset(f"PC{number + 1}" for number in range(SHOWN))


def groups_section(digest: Digest) -> Section:
    rows, model = digest.rows, digest.model
    columns = rows.outside
    title = "Groups and other columns"
    if not columns or not model.n_components:
        says = ["There are no groups or other columns to relate (groups=, supplementary_columns=)."]
        if columns:
            says = [f"The model keeps no component to relate {list_words(columns, 5)} to."]
        return answer_section("groups", title, says, extra_rows_table(digest), rows.remarks)
    table = supplementary_columns(model, digest.source, columns, weights=digest.given_weights)
    parts: list[Any] = [
        group_chart(digest, place, name, values)
        for place, (name, values) in enumerate(ordered_groups(digest).items())
        if place < CHARTS and digest.drawn.n_components >= 2 and values.dtype.kind != "f"
    ]
    parts += group_tables(table)
    return answer_section(
        "groups",
        title,
        digest.sentences("groups"),
        [*parts, *extra_rows_table(digest)],
        rows.remarks,
    )


def group_chart(digest: Digest, place: int, name: str, values: Any) -> Any:
    return chart(
        f"groups-{place + 1}",
        f"Rows by {enquote(name, 40)}",
        f"Rows in the plane of PC1 and PC2, colored and shaped by {enquote(name)}, with the region "
        f"where the mean of each group lies.",
        lambda theme: scores(
            digest.drawn,
            digest.source,
            color={name: values},
            ellipse="confidence" if all_have_ellipses(values) else None,
            annotate=False,
            labels=digest.rows.labels,
            theme=theme,
        ),
        f"eigenlens.plots.scores(model, data, color={shorten(name, 40)!r}, ellipse='confidence')",
        most=20,
    )


def all_have_ellipses(values: Any) -> bool:
    """Rows without a group are drawn as one too."""
    sizes = Counter(map(str, values.tolist()))
    return len(sizes) <= MAX_COLOR_GROUPS and min(sizes.values()) >= FEWEST


def group_tables(table: Table) -> list[Any]:
    """Numbers with their correlations, categories with their centroids and v-tests."""
    lines = [line for line in table.lines() if line["component"] in SHOWN_COMPONENTS]
    has = "category" in table.columns
    numbers = [line for line in lines if not has or line["category"] is None]
    groups = [line for line in lines if has and line["category"] is not None]
    parts = []
    if groups:
        names = ("variable", "category", "component", "centroid", "v_test", "eta2", "cos2")
        parts.append(
            show_table(
                Table({name: [line[name] for line in groups] for name in names}),
                "Groups: centroid, v-test (beyond ±2 is unusual) and explained share (η²)",
                code="eigenlens.explain.supplementary_columns(model, data, columns)",
                headings={"eta2": "η²", "v_test": "v-test", "cos2": "cos²"},
                places={"centroid": 2, "v_test": 2, "eta2": 3, "cos2": 3},
            )
        )
    if numbers:
        kept = ("variable", "component", "correlation", "cos2")
        parts.append(
            show_table(
                Table({name: [line[name] for line in numbers] for name in kept}),
                "Other columns of numbers: correlation with each component",
                code="eigenlens.explain.supplementary_columns(model, data, columns)",
                shaded={"correlation": 1.0},
                headings={"cos2": "cos²"},
                places={"correlation": 2, "cos2": 3},
            )
        )
    return parts


def extra_rows_table(digest: Digest) -> list[Any]:
    if digest.extra is None:
        return []
    extra = digest.extra
    columns: dict[str, Any] = {"row": extra.labels}
    for index in range(min(SHOWN, digest.map_components)):
        columns[f"PC{index + 1}"] = digest.extra_scores[:, index].tolist()
    for name in ("T2", "Q", "quadrant"):
        columns[name] = extra.table[name]
    return [
        show_table(
            Table(columns),
            "Supplementary rows, which were not part of the fit",
            code="eigenlens.explain.supplementary_rows(model, rows)",
            headings={"T2": "T²"},
        )
    ]
