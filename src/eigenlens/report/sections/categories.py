"""categories: which levels go with which component, of a model that was fitted with categories."""

from __future__ import annotations

from typing import Any

from eigenlens.digest.digest import Digest
from eigenlens.document.page import Section, answer_section, show_table
from eigenlens.document.phrases import enquote
from eigenlens.document.table import Table
from eigenlens.explain.categories import level_figures, require_categories
from eigenlens.plots.categories import categories
from eigenlens.report.drawing import chart

__all__ = ["categories_section"]

SHOWN = 5  # components
NAMED = 3  # columns in a sentence


def categories_section(digest: Digest) -> Section:
    model = digest.model
    encoding = require_categories(model)
    reason = model.choices["categories"].reason
    says = [f"{reason[0].upper()}{reason[1:]}."]
    parts: list[Any] = []
    if model.n_components and encoding.columns:
        says += [strongest_columns(digest, place) for place in range(min(2, model.n_components))]
    if digest.drawn.n_components >= 2:
        parts.append(level_chart(digest))
    if model.n_components:
        parts.append(level_table(digest))
    return answer_section("categories", "Categories", says, parts)


def strongest_columns(digest: Digest, place: int) -> str:
    """The columns that explain most of a component."""
    figures = level_figures(digest.model)
    shares = dict(zip(figures["column"], figures["eta2"][:, place].tolist(), strict=True))
    first = sorted(shares, key=lambda name: -shares[name])[:NAMED]
    words = ", ".join(f"{enquote(name)} ({shares[name]:.0%})" for name in first)
    return f"PC{place + 1} goes most with {words}: the share of its variance between their levels."


def level_chart(digest: Digest) -> Any:
    return chart(
        "categories-map",
        "Map of levels",
        "Levels in the plane of PC1 and PC2, as large as they are frequent, one color per column; "
        "arrows are correlations of numbers.",
        lambda theme: categories(digest.drawn, theme=theme),
        "eigenlens.plots.categories(model)",
        most=20,
    )


def level_table(digest: Digest) -> Any:
    figures, count = level_figures(digest.model), min(SHOWN, digest.model.n_components)
    columns: dict[str, Any] = {
        "column": figures["column"],
        "category": figures["category"],
        "rows": figures["weight"].tolist(),
    }
    for place in range(count):
        columns[f"PC{place + 1}"] = figures["coordinate"][:, place].tolist()
        columns[f"PC{place + 1} v-test"] = figures["v_test"][:, place].tolist()
    numbers = {name: 2 for name in columns if name.startswith("PC")}
    return show_table(
        Table(columns),
        "Levels: coordinate and v-test (beyond ±2 is more than chance) on each component",
        code="eigenlens.explain.categories(model, data)",
        places={**numbers, "rows": 0},
    )
