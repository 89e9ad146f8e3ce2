"""One small table, its models, and every figure as a call: a new figure is a new line."""

from functools import cache

import numpy as np

import eigenlens
from eigenlens import plots
from tests.explain.classics import DECATHLON, EVENTS

__all__ = ["BY_ROWS", "FIGURES", "decathlon", "levels", "model", "plane_with_one_row_off"]


@cache
def decathlon():
    """41 named rows, ten events, then rank, points and the competition."""
    table = DECATHLON.frame()
    table["Competition"] = DECATHLON.groups
    return table


@cache
def model(k=5):
    return eigenlens.fit(decathlon()[list(EVENTS)], k, scale="std")


@cache
def model_with_holes():
    """The model, and the rows it was fitted to."""
    rows = decathlon()[list(EVENTS)].copy()
    rows.iloc[:9, 3], rows.iloc[5:8, 0] = np.nan, np.nan
    return eigenlens.fit(rows, 5, scale="std", missing="auto"), rows


@cache
def plane_with_one_row_off():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((300, 2)) @ rng.standard_normal((2, 6))
    rows += 0.1 * rng.standard_normal(rows.shape)
    rows[7, 3] += 4
    return rows


@cache
def levels():
    """Competitions and halves of the ranking, beside three events."""
    table = decathlon()
    half = np.where(table["Rank"] <= table["Rank"].median(), "first", "second")
    frame = table[[*EVENTS[:3], "Competition"]].assign(half=half)
    return eigenlens.fit(frame, 3, categories=["Competition", "half"])


@cache
def pictures():
    return np.random.default_rng(0).standard_normal((40, 6, 5))


@cache
def two_columns():
    return np.random.default_rng(0).standard_normal((40, 2)) @ [[2, 1], [0, 0.5]]


@cache
def cellwise():
    return eigenlens.fit(plane_with_one_row_off(), 2, robust="cells")


FIGURES = {
    "images": lambda **given: plots.images(eigenlens.fit(pictures(), 5), **given),
    "rebuilt": lambda **given: plots.rebuilt(
        eigenlens.fit(pictures(), 5), pictures(), k=(1, 5), **given
    ),
    "projection": lambda **given: plots.projection(
        eigenlens.fit(two_columns(), 1), two_columns(), **given
    ),
    "categories": lambda **given: plots.categories(levels(), **given),
    "scree": lambda **given: plots.scree(model(), **given),
    "scores": lambda **given: plots.scores(model(), decathlon(), **given),
    "biplot": lambda **given: plots.biplot(model(), decathlon(), **given),
    "cells": lambda **given: plots.cells(cellwise(), plane_with_one_row_off(), **given),
    "circle": lambda **given: plots.circle(model(), **given),
    "contributions": lambda **given: plots.contributions(model(), **given),
    "missing": lambda **given: plots.missing(*model_with_holes(), **given),
    "outliers": lambda **given: plots.outliers(model(), decathlon(), **given),
    "reconstruction": lambda **given: plots.reconstruction(model(), decathlon(), **given),
    "spectrum": lambda **given: plots.spectrum(model(), **given),
    "convergence": lambda **given: plots.convergence(model(), **given),
    "pairs": lambda **given: plots.pairs(model(), decathlon(), **given),
}
BY_ROWS = ("scores", "biplot", "outliers", "pairs")
