"""robust: fits that outlying rows or outlying cells do not turn.

Promises   a source and a preparation to go on with, in which outliers have lost their pull, and a
           verdict that says how many there were and how many could have been borne.
Knows      sources, and the engine for missing cells: an outlying cell becomes a missing one.
Knows not  solvers, certificates, models: a wrapped table, a table with weights of 0 and 1 and a
           table with holes are fitted like any other, and the certificate is about that table.
One more   treatment: a frozen class with `treat(source, preparation, rank, rng)`, and one line in
           `treatment.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eigenlens.lazy import make_lazy

# Public name -> its file, loaded on first use.
HOMES = {
    "Cells": "eigenlens.robust.cells",
    "Rows": "eigenlens.robust.rows",
    "Wrap": "eigenlens.robust.wrap",
}

__all__ = list(HOMES)


make_lazy(__name__)

if TYPE_CHECKING:
    from eigenlens.robust.cells import Cells as Cells
    from eigenlens.robust.rows import Rows as Rows
    from eigenlens.robust.wrap import Wrap as Wrap
