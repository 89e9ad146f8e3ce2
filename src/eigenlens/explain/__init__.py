"""Explain: tables for people. Which variables make an axis, which rows are odd, what goes with it.

Promises     every answer is a `Table` in named columns, or a small record with a `.table()`; five
             things that others call "loadings" have five names; percent where a column says
             contribution, shares elsewhere; the model and the data are only read.
Knows        a fitted `Subspace`, rows in blocks, and columns that were no part of the fit.
Knows not    pictures, pages, the command line.
Weights      count as repeated rows, here as in the fit.
One more     a file with one public function, and one line in `HOMES` below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eigenlens.lazy import make_lazy

# Public name -> its file, loaded on first use.
HOMES = {
    "bootstrap": "eigenlens.explain.bootstrap",
    "categories": "eigenlens.explain.categories",
    "cells": "eigenlens.explain.cells",
    "compare": "eigenlens.explain.compare",
    "contributions": "eigenlens.explain.contributions",
    "data_check": "eigenlens.explain.data_check",
    "describe_axes": "eigenlens.explain.axes",
    "downstream": "eigenlens.explain.downstream",
    "eigenvalues": "eigenlens.explain.eigenvalues",
    "findings": "eigenlens.explain.findings",
    "missing": "eigenlens.explain.missing",
    "missing_patterns": "eigenlens.explain.missing_patterns",
    "outliers": "eigenlens.explain.outliers",
    "reconstruction": "eigenlens.explain.reconstruction",
    "rotate": "eigenlens.explain.rotation",
    "rows": "eigenlens.explain.rows",
    "sampling_intervals": "eigenlens.explain.sampling",
    "supplementary_columns": "eigenlens.explain.supplementary",
    "supplementary_rows": "eigenlens.explain.supplementary",
    "variables": "eigenlens.explain.variables",
}

__all__ = list(HOMES)


make_lazy(__name__)

if TYPE_CHECKING:
    from eigenlens.explain.axes import describe_axes as describe_axes
    from eigenlens.explain.bootstrap import bootstrap as bootstrap
    from eigenlens.explain.categories import categories as categories
    from eigenlens.explain.cells import cells as cells
    from eigenlens.explain.compare import compare as compare
    from eigenlens.explain.contributions import contributions as contributions
    from eigenlens.explain.data_check import data_check as data_check
    from eigenlens.explain.downstream import downstream as downstream
    from eigenlens.explain.eigenvalues import eigenvalues as eigenvalues
    from eigenlens.explain.findings import findings as findings
    from eigenlens.explain.missing import missing as missing
    from eigenlens.explain.missing_patterns import missing_patterns as missing_patterns
    from eigenlens.explain.outliers import outliers as outliers
    from eigenlens.explain.reconstruction import reconstruction as reconstruction
    from eigenlens.explain.rotation import rotate as rotate
    from eigenlens.explain.rows import rows as rows
    from eigenlens.explain.sampling import sampling_intervals as sampling_intervals
    from eigenlens.explain.supplementary import supplementary_columns as supplementary_columns
    from eigenlens.explain.supplementary import supplementary_rows as supplementary_rows
    from eigenlens.explain.variables import variables as variables
