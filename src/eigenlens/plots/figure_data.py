"""numbers: what a figure shows, as a table.

Every plot leaves its table with the axes it drew on; `data(axes)` or `data(figure)` gives it back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from eigenlens.document.table import Table
from eigenlens.errors import OptionError

__all__ = ["data", "record_figure_data"]

# Kept beside the axes rather than on them: they belong to matplotlib, and go when it lets go.
TABLES: WeakKeyDictionary[Any, Table] = WeakKeyDictionary()


def record_figure_data(ax: Any, table: Table, *said: str | None) -> None:
    """`said`: what the figure leaves out of the table, if anything; it becomes a note."""
    notes = [f"In the figure: {words}." for words in said if words is not None]
    TABLES[ax] = replace(table, notes=(*table.notes, *notes)) if notes else table


def data(figure: Any) -> Table:
    """The numbers of a figure or of axes drawn by `eigenlens.plots`, as a `Table`."""
    axes = list(figure.axes) if hasattr(figure, "add_subplot") else [figure]
    found = [(ax, TABLES[ax]) for ax in axes if has_figure_data(ax)]
    tables = {id(table): table for _, table in found}
    if len(tables) == 1:
        return next(iter(tables.values()))
    if not tables:
        raise OptionError.needs(
            f"plots.data({type(figure).__name__})",
            "axes, or a figure, that a function of eigenlens.plots drew on",
            "pass what it returned: plots.data(plots.scree(model))",
        )
    raise OptionError.needs(
        f"plots.data(figure) of a figure with {len(tables)} plots",
        "one of them",
        "pass its axes, for example plots.data(figure.axes[0])",
    )


def has_figure_data(ax: Any) -> bool:
    try:
        return ax in TABLES
    except TypeError:  # neither axes nor anything that could be remembered
        return False
