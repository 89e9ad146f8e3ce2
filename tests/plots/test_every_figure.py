"""What holds for every figure: it gives back its axes, keeps to them, and is silent."""

import logging
import sys

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.colors import to_hex

import eigenlens
from eigenlens import plots
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.plots.style import DARK, LIGHT, THEMES
from tests.plots.gallery import FIGURES

every_figure = pytest.mark.parametrize("name", FIGURES)


def luminance(color):
    from matplotlib.colors import to_rgb

    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrast(one, two):
    """Of the web's accessibility guidelines: 1 is none, 21 is black on white."""
    low, high = sorted([luminance(one), luminance(two)])
    return (high + 0.05) / (low + 0.05)


def test_every_public_name_has_its_figure_here():
    assert {*FIGURES, "data"} == set(plots.__all__)


@every_figure
@pytest.mark.parametrize("theme", THEMES)
def test_a_figure_renders_in_light_and_dark_and_is_silent(name, theme, monkeypatch, capsys, caplog):
    monkeypatch.setattr(pyplot, "show", lambda *a, **k: pytest.fail("it called show"))

    with caplog.at_level(logging.INFO):
        ax = FIGURES[name](theme=theme)
        ax.figure.canvas.draw()

    assert isinstance(ax, Axes)
    assert to_hex(ax.figure.get_facecolor()) == THEMES[theme].paper.lower()
    assert len(pyplot.get_fignums()) == 1
    assert capsys.readouterr() == ("", "")
    assert caplog.records == []


@every_figure
def test_without_matplotlib_the_extra_is_named(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    with pytest.raises(OptionError, match=r"a plot needs matplotlib.*'eigenlens\[plots"):
        FIGURES[name]()


@every_figure
def test_given_axes_come_back_and_no_figure_is_made(name):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 5))

    ax = FIGURES[name](ax=right)

    assert ax is right
    assert not left.has_data()
    assert len(left.texts) == 0
    assert pyplot.get_fignums() == [figure.number]


@every_figure
def test_its_numbers_are_had_from_axes_and_from_the_figure(name):
    ax = FIGURES[name]()

    table = plots.data(ax)

    assert isinstance(table, Table)
    assert len(table) > 0
    assert plots.data(ax.figure) is table


@every_figure
def test_dark_paper_gets_light_ink_without_being_told(name):
    figure = pyplot.figure(facecolor="#101010")

    ax = FIGURES[name](ax=figure.add_subplot())

    assert to_hex(ax.xaxis.label.get_color()) == DARK.ink.lower()


@every_figure
def test_a_theme_that_is_not_known_leaves_no_empty_figure(name):
    with pytest.raises(OptionError, match=r"theme='drak'.*Did you mean 'dark'"):
        FIGURES[name](theme="drak")

    assert pyplot.get_fignums() == []


def test_numbers_of_something_else_are_an_error():
    figure = pyplot.figure()

    with pytest.raises(OptionError, match=r"plots\.data\(plots\.scree\(model\)\)"):
        plots.data(figure)


def test_a_figure_of_two_plots_asks_for_one_of_them():
    figure, (left, right) = pyplot.subplots(1, 2)
    FIGURES["scree"](ax=left)
    FIGURES["circle"](ax=right)

    with pytest.raises(OptionError, match="2 plots"):
        plots.data(figure)

    assert "correlation" not in plots.data(left).columns
    assert "cos2" in plots.data(right).columns


def test_yellow_is_never_on_white_and_black_never_on_dark():
    assert "#F0E442" not in LIGHT.groups
    assert "#000000" not in DARK.groups
    assert "#FFFFFF" not in LIGHT.groups


@pytest.mark.parametrize("look", THEMES.values(), ids=list(THEMES))
def test_words_and_marks_stand_out_from_the_paper(look):
    assert contrast(look.ink, look.paper) > 12
    assert all(contrast(color, look.paper) > 2.2 for color in look.groups)
    assert contrast(look.numbers(0), look.paper) > 2
    assert contrast(look.numbers(255), look.paper) > 2


@pytest.mark.parametrize("kind", ["scores", "biplot", "circle", "pairs"])
@pytest.mark.parametrize("scale", [None, "std"])
def test_a_model_of_one_component_has_a_second_axis_that_is_marked(kind, scale):
    rows = np.random.default_rng(0).standard_normal((60, 4)) * [5, 3, 1, 1]
    two = eigenlens.fit(rows, 2, scale=scale)

    ax = getattr(plots, kind)(eigenlens.fit(rows, 1, scale=scale), rows)

    last = ax.child_axes[-2] if kind == "pairs" else ax
    assert last.get_ylabel() == f"PC2 ({two.explained_ratio[1]:.1%}, not kept)"
    assert "not kept" not in (ax.get_xlabel())


@pytest.mark.parametrize("kind", ["scores", "biplot", "circle"])
def test_missing_cells_do_not_take_the_second_axis(kind):
    rows = np.random.default_rng(0).standard_normal((60, 4)) * [5, 3, 1, 1]
    rows[::7, 1] = np.nan
    two = eigenlens.fit(rows, 2, missing="auto")

    ax = getattr(plots, kind)(eigenlens.fit(rows, 1, missing="auto"), rows)

    assert ax.get_ylabel() == f"PC2 ({two.explained_ratio[1]:.1%}, not kept)"


def test_other_rows_do_not_tell_the_second_component():
    rows = np.random.default_rng(0).standard_normal((60, 4)) * [5, 3, 1, 1]

    with pytest.raises(eigenlens.RankError):
        plots.scores(eigenlens.fit(rows, 1), 2 * rows)
