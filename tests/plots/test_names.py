"""Names of rows and variables: given ones are used, long ones cut, none is read as a formula."""

import numpy as np
import pytest
from matplotlib.text import Text

import eigenlens
from eigenlens import plots
from eigenlens.errors import OptionError
from eigenlens.plots.style import shorten_for_figure
from tests.explain.classics import EVENTS
from tests.plots.gallery import decathlon, model

FIGURES = {
    "scores": lambda **given: plots.scores(model(2), rows(), **given),
    "biplot": lambda **given: plots.biplot(model(2), rows(), **given),
    "outliers": lambda **given: plots.outliers(model(2), rows(), **given),
    "pairs": lambda **given: plots.pairs(model(), rows(), **given),
}


def rows():
    """The same numbers without the names that a pandas frame brings."""
    return decathlon()[list(EVENTS)].to_numpy()


@pytest.mark.parametrize("name", FIGURES)
def test_rows_are_called_as_they_are_named(name):
    names = [f"athlete {place}" for place in range(len(rows()))]

    table = plots.data(FIGURES[name](labels=names))

    column = "item" if name == "biplot" else "row"  # where variables have their lines too
    assert list(table[column])[: len(names)] == names


@pytest.mark.parametrize("name", FIGURES)
def test_a_name_is_wanted_for_every_row(name):
    with pytest.raises(OptionError, match="one label for each of the 41 rows"):
        FIGURES[name](labels=["only one"])


def test_the_bars_of_a_row_find_it_by_its_given_name():
    names = list(decathlon().index)

    by_name = plots.data(plots.contributions(model(2), rows(), names[7], labels=names))

    by_place = plots.data(plots.contributions(model(2), rows(), 7))
    assert list(by_name["Q_contribution"]) == list(by_place["Q_contribution"])


def test_a_long_name_is_cut_in_the_figure_and_whole_in_its_table():
    long = "x" * 10_000
    table = np.random.default_rng(0).standard_normal((30, 3)) * [3, 2, 1]
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(dict(zip([long, "b", "c"], table.T, strict=True)))

    ax = plots.contributions(eigenlens.fit(frame, 2))

    assert max(len(text.get_text()) for text in ax.figure.findobj(Text)) < 100
    assert long in list(plots.data(ax)["variable"])


@pytest.mark.parametrize("name", ["$x^{$", "$\\alpha$", "price in $", r"a\b"])
def test_no_name_is_read_as_a_formula(name):
    table = np.random.default_rng(0).standard_normal((30, 3)) * [3, 2, 1]
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(dict(zip([name, "b", "c"], table.T, strict=True)))

    ax = plots.circle(eigenlens.fit(frame, 2))

    ax.figure.canvas.draw()
    assert shorten_for_figure(name).replace(r"\$", "$") == name
