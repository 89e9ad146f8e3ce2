"""Mistakes are answered in words, before anything is drawn."""

import numpy as np
import pytest
from matplotlib import pyplot

import eigenlens
from eigenlens import plots
from eigenlens.errors import EigenlensError, OptionError, RankError
from tests.explain.classics import EVENTS
from tests.plots.gallery import BY_ROWS, FIGURES, decathlon, model

by_rows = pytest.mark.parametrize("name", BY_ROWS)


@pytest.fixture(autouse=True)
def nothing_is_drawn():
    before = pyplot.get_fignums()
    yield
    assert pyplot.get_fignums() == before


@by_rows
def test_a_column_that_does_not_exist_has_a_nearest_name(name):
    with pytest.raises(OptionError, match=r"color='Competion'.*Did you mean 'Competition'"):
        FIGURES[name](color="Competion")


@by_rows
def test_colors_of_the_wrong_length_are_counted(name):
    with pytest.raises(OptionError, match=r"40 entries needs one for each of the 41 rows"):
        FIGURES[name](color=["a"] * 40)


def test_a_name_needs_named_columns():
    rows = decathlon()[list(EVENTS)].to_numpy()

    with pytest.raises(OptionError, match=r"color='points' needs data with named columns"):
        plots.scores(eigenlens.fit(rows, 2), rows, color="points")


@pytest.mark.parametrize("color", [3, 2.5, np.zeros((41, 2))])
def test_colors_are_one_value_per_row(color):
    with pytest.raises(OptionError, match="one value per row"):
        FIGURES["scores"](color=color)


def test_a_column_of_missing_numbers_is_no_color():
    with pytest.raises(OptionError, match="missing values only"):
        FIGURES["scores"](color=[np.nan] * 41)


def test_shapes_are_groups():
    with pytest.raises(OptionError, match=r"shape='Points' needs groups.*color="):
        FIGURES["scores"](shape="Points")


@pytest.mark.parametrize("name", ["scores", "biplot", "circle"])
def test_fewer_components_than_asked_for(name):
    with pytest.raises(RankError, match=r"6 components were requested, but this model has 5"):
        FIGURES[name](components=(1, 6))


@pytest.mark.parametrize("name", ["scores", "biplot"])
def test_one_component_makes_no_plane_of_other_rows(name):
    with pytest.raises(RankError, match=r"2 components were requested, but this model has 1"):
        getattr(plots, name)(model().truncate(1), decathlon()[:20])


def test_one_component_makes_no_pairs_of_other_rows():
    with pytest.raises(EigenlensError, match="2 to 8 of them"):
        plots.pairs(model().truncate(1), decathlon()[:20])


@pytest.mark.parametrize("asked", [9, [1, 9]])
def test_pairs_of_more_components_than_there_are(asked):
    with pytest.raises(RankError, match="9 components were requested, but this model has 5"):
        FIGURES["pairs"](components=asked)


@pytest.mark.parametrize("name", ["scores", "biplot"])
def test_a_group_of_one_has_no_ellipse(name):
    groups = ["alone"] + ["others"] * 40

    with pytest.raises(OptionError, match=r"'alone' has 1.*ellipse=None"):
        FIGURES[name](color=groups, ellipse="confidence")


def test_a_kind_of_ellipse_that_does_not_exist():
    with pytest.raises(OptionError, match="Did you mean 'confidence'"):
        FIGURES["scores"](ellipse="confidense")


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_is_a_share(level):
    with pytest.raises(OptionError, match="between 0 and 1"):
        FIGURES["scores"](ellipse="confidence", level=level)


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("biplot", {"scaling": "row"}, "Did you mean 'rows'"),
        ("biplot", {"top": ["400 m"]}, "Did you mean '400m'"),
        ("biplot", {"top": 0}, "top=0 must be a whole number"),
        ("circle", {"top": "Discuss"}, "Did you mean 'Discus'"),
        ("circle", {"color": "cos"}, "Did you mean 'cos2'"),
        ("circle", {"color": ["a", "b"]}, "one for each of the 10 variables. Pass 10 values"),
        ("contributions", {"color": ["a"]}, "one for each of the 10 variables"),
        ("scores", {"ax": pyplot}, "ax= of type module needs axes of matplotlib"),
        ("scores", {"annotate": ["Ojaniem"]}, "Did you mean 'Ojaniemi'"),
        ("scores", {"annotate": "all"}, "True, False, or labels"),
        ("scores", {"color": "T2", "groups": "Competition"}, "groups= for groups, color= for"),
        ("pairs", {"groups": np.linspace(0, 1, 41)}, "groups= with numbers"),
        ("scores", {"components": (1, 1)}, "different ones"),
        ("scores", {"components": 1}, "2 of them"),
        ("scores", {"components": ("PC1", "axis 2")}, "component='axis 2' is not known"),
        ("scores", {"components": (0, 1)}, "0 components"),
        ("outliers", {"annotate": -1}, "whole number from 0"),
        ("outliers", {"annotate": "all"}, "annotate='all' must be a whole number from 0"),
        ("outliers", {"law": "moment"}, "Did you mean 'moments'"),
        ("scree", {"k": 6}, "6 components were requested, but this model has 5"),
        ("scree", {"rules": "kaiser"}, r"choose_rank\(data\)"),
        ("scree", {"top": 0}, "whole number from 1"),
        ("scree", {"top": "5"}, "top='5' must be a whole number from 1"),
        ("scree", {"k": 1.5}, "1.5 components"),
        ("contributions", {"row": 3}, "both the data and the row"),
        ("contributions", {"components": 6}, "6 components"),
        ("contributions", {"top": 0}, "whole number from 1"),
        ("contributions", {"top": 2.5}, "top=2.5 must be a whole number from 1"),
        ("biplot", {"top": True}, "top=True must be a whole number from 1"),
        ("reconstruction", {"top": ["Discuss"]}, "Did you mean 'Discus'"),
    ],
)
def test_an_option_that_does_not_fit_is_explained(name, given, words):
    with pytest.raises(OptionError, match=words):
        FIGURES[name](**given)


def test_a_statistic_that_does_not_exist():
    with pytest.raises(OptionError, match="Possible: 'T2', 'Q'"):
        plots.contributions(model(), decathlon(), "SEBRLE", statistic="T")


def test_with_all_components_kept_there_is_no_plot_of_q():
    with pytest.raises(RankError, match=r"variance left out of the model.*truncate\(9\)"):
        plots.outliers(model(10), decathlon())


def test_with_all_components_kept_there_is_no_q_to_color_by():
    with pytest.raises(RankError, match=r"color='Q' with all of the variance.*truncate\(9\)"):
        plots.scores(model(10), decathlon(), color="Q")


@pytest.mark.parametrize("name", ["scree", "reconstruction", "convergence"])
def test_a_model_without_components_has_no_picture(name):
    rows = np.random.default_rng(0).standard_normal((300, 20))
    empty = eigenlens.fit(rows)
    assert empty.n_components == 0

    given = (rows,) if name == "reconstruction" else ()
    with pytest.raises(RankError, match="a model with components"):
        getattr(plots, name)(empty, *given)


def test_convergence_is_of_models_not_of_data():
    with pytest.raises(OptionError, match="DataFrame needs to be fitted"):
        plots.convergence(model(), decathlon())


def test_what_is_not_a_model_is_no_model():
    with pytest.raises(OptionError, match="fitted"):
        plots.scree(decathlon())
