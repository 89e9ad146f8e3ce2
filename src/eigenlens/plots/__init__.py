"""Plots: pictures of what `explain` puts into tables; one figure per file.

Promises     `plots.X(model[, data], *, ax=None, color=None, ...)` draws, returns the axes, and
             neither shows nor prints. Every axis that is a component carries its percent; colors
             are safe for every color vision; `theme` is "light" or "dark". `plots.data(figure)`
             gives the numbers as a `Table`. A mistake is an error before anything is drawn.
Knows        tables of `explain`, scores of a model, matplotlib (inside functions only).
Knows not    pages, files, the command line.
Many rows    above 100 000 a density of all and a stratified sample; statistics from all rows.
One more     a file with one public function, and one line in `HOMES` below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eigenlens.lazy import make_lazy

# Public name -> its file, loaded on first use.
HOMES = {
    "biplot": "eigenlens.plots.biplot",
    "categories": "eigenlens.plots.categories",
    "cells": "eigenlens.plots.cells",
    "circle": "eigenlens.plots.circle",
    "contributions": "eigenlens.plots.contributions",
    "convergence": "eigenlens.plots.convergence",
    "data": "eigenlens.plots.figure_data",
    "images": "eigenlens.plots.images",
    "missing": "eigenlens.plots.missing",
    "outliers": "eigenlens.plots.outliers",
    "pairs": "eigenlens.plots.pairs",
    "projection": "eigenlens.plots.projection",
    "rebuilt": "eigenlens.plots.rebuilt",
    "reconstruction": "eigenlens.plots.reconstruction",
    "scores": "eigenlens.plots.scores",
    "scree": "eigenlens.plots.scree",
    "spectrum": "eigenlens.plots.spectrum",
}

__all__ = list(HOMES)


make_lazy(__name__)

if TYPE_CHECKING:
    from eigenlens.plots.biplot import biplot as biplot
    from eigenlens.plots.categories import categories as categories
    from eigenlens.plots.cells import cells as cells
    from eigenlens.plots.circle import circle as circle
    from eigenlens.plots.contributions import contributions as contributions
    from eigenlens.plots.convergence import convergence as convergence
    from eigenlens.plots.figure_data import data as data
    from eigenlens.plots.images import images as images
    from eigenlens.plots.missing import missing as missing
    from eigenlens.plots.outliers import outliers as outliers
    from eigenlens.plots.pairs import pairs as pairs
    from eigenlens.plots.projection import projection as projection
    from eigenlens.plots.rebuilt import rebuilt as rebuilt
    from eigenlens.plots.reconstruction import reconstruction as reconstruction
    from eigenlens.plots.scores import scores as scores
    from eigenlens.plots.scree import scree as scree
    from eigenlens.plots.spectrum import spectrum as spectrum
