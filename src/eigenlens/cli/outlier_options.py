"""outlier_options: what a fit is told about outliers, and about the precision of cells."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["CellErrorsFile", "CellWeightsFile", "FailOn", "RobustWay"]


RobustWay = Annotated[
    str | None,
    typer.Option(
        "--robust",
        rich_help_panel="Analysis",
        metavar="HOW",
        help="Outliers: wrap (cells far out lose their pull), rows (outlying rows are left out), "
        "cells (outlying cells are estimated from the others).",
    ),
]
CellWeightsFile = Annotated[
    str | None,
    typer.Option(
        "--cell-weights",
        rich_help_panel="Data",
        metavar="FILE",
        help="Table of weights, one per cell: relative precisions; 0 for missing.",
    ),
]
CellErrorsFile = Annotated[
    str | None,
    typer.Option(
        "--errors",
        rich_help_panel="Data",
        metavar="FILE",
        help="Table of the cells' errors of measurement, as standard deviations.",
    ),
]
FailOn = Annotated[
    str | None,
    typer.Option(
        "--fail-on",
        rich_help_panel="Output",
        metavar="WHAT",
        help="outliers: exit with code 10 if there are any.",
    ),
]
