"""model_page: a model as a page: eigenvalues, what is proven, what was chosen and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eigenlens.cli.page import Grid, Listed, Page, Section, grid_of, said
from eigenlens.cli.spelling import in_shell
from eigenlens.listing import Table
from eigenlens.model.page import HEADINGS, Shown, headline, more, rows

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["choices", "eigenvalues", "model_page", "proven", "variables"]

MOST_LINES = 10
MOST_VARIABLES, MOST_AXES = 20, 5


def model_page(model: Subspace, title: str, closing: str = "") -> Page:
    sections = (eigenvalues(model), proven(model), choices(model))
    return Page(title, (headline(model),), sections, closing)


def eigenvalues(model: Shown, heading: str = "") -> Section:
    """One line per component; none where the model keeps none."""
    if not model.n_components:
        return Section(heading, ())
    grid = Grid(
        HEADINGS,
        tuple(rows(model, MOST_LINES)),
        (False, True, True, True, True),
        more(model, MOST_LINES),
        tuple(float(share) for share in model.explained_ratio[:MOST_LINES]),
        HEADINGS.index("proportion"),
    )
    return Section(heading, (grid,))


def variables(model: Subspace) -> Section:
    """Correlations of the variables with the leading components."""
    from eigenlens.explain import variables as explained

    count = model.n_components
    if not count:
        return Section("Variables", (said(["The model keeps no component."]),))
    table, shown = explained(model), min(count, MOST_AXES)
    wide = {"variable": list(table["variable"][::count])}
    for place in range(shown):
        wide[f"PC{place + 1}"] = list(table["correlation"][place::count])
    heading = "Correlations of the variables with the components"
    if shown < count:
        heading += f" (the first {shown} of {count})"
    return Section(heading, grid_of(Table(wide, table.notes), MOST_VARIABLES))


def proven(model: Shown) -> Section:
    return Section("What is proven", (said(model.certificate.sentences),))


def choices(model: Shown) -> Section:
    lines = tuple((name, in_shell(str(verdict))) for name, verdict in model.choices.items())
    return Section("What was chosen, and why", (Listed(lines, strong_until=" by "),))
