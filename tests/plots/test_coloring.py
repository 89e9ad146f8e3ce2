"""What `color=` and `shape=` may be, and what becomes of it."""

import numpy as np
import pandas
import polars
import pytest

import eigenlens
from eigenlens import explain, plots
from eigenlens.errors import OptionError
from eigenlens.plots.coloring import ColorGroups, ColorScale, read_colors
from tests.plots.gallery import BY_ROWS, FIGURES, decathlon, model

NAMES = ["b", "a", "b", "c"]


@pytest.mark.parametrize(
    "given",
    [
        NAMES,
        np.array(NAMES),
        np.array(NAMES, dtype=object),
        pandas.Series(NAMES),
        pandas.Categorical(NAMES, categories=["a", "b", "c", "unused"]),
        polars.Series(NAMES),
    ],
    ids=["list", "array", "objects", "pandas", "categories", "polars"],
)
def test_words_are_groups(given):
    found = read_colors(given, None, 4)

    assert isinstance(found, ColorGroups)
    assert found.names == ("a", "b", "c")
    assert list(found.entries()) == NAMES


@pytest.mark.parametrize(
    "frame", [pandas.DataFrame({"who": NAMES}), polars.DataFrame({"who": NAMES})]
)
def test_a_column_of_a_frame_is_found_by_name(frame):
    found = read_colors("who", frame, 4)

    assert found.title == "who"
    assert list(found.entries()) == NAMES


def test_categories_of_a_frame_that_no_row_has_are_no_groups():
    frame = pandas.DataFrame({"who": pandas.Categorical(NAMES, categories=["a", "b", "c", "d"])})

    assert read_colors("who", frame, 4).names == ("a", "b", "c")


def test_few_whole_numbers_are_groups_in_their_order_and_many_are_a_scale():
    assert read_colors([10, 2, 2, 10], None, 4).names == ("2", "10")
    assert isinstance(read_colors(np.arange(8), None, 8), ColorScale)
    assert isinstance(read_colors([0.0, 1.0, 0.0], None, 3), ColorScale)
    assert read_colors([True, False], None, 2).names == ("False", "True")


def test_missing_words_are_a_group_of_their_own():
    assert read_colors(["a", None, "a"], None, 3).names == ("a", "missing")


def test_beyond_seven_groups_the_smallest_are_one():
    words = [name for place, name in enumerate("abcdefghij") for _ in range(place + 1)]

    found = read_colors(words, None, len(words))

    assert found.names == ("e", "f", "g", "h", "i", "j", "other (4 groups)")
    assert found.sizes[-1] == 1 + 2 + 3 + 4


def test_missing_numbers_are_outside_the_range():
    found = read_colors([1.0, np.nan, 3.0], None, 3)

    assert (found.low, found.high) == (1, 3)


def test_groups_differ_in_shape_as_well_as_in_color():
    ax = plots.scores(model(), decathlon(), color="Competition", annotate=False)

    first, second = ax.collections
    assert len(first.get_offsets()) == 13
    assert len(first.get_paths()[0].vertices) != len(second.get_paths()[0].vertices)
    assert tuple(first.get_facecolor()[0]) != tuple(second.get_facecolor()[0])


def test_the_legend_counts_the_groups():
    ax = plots.scores(model(), decathlon(), color="Competition")

    (key,) = ax.figure.legends
    assert key.get_title().get_text() == "Competition"
    assert [text.get_text() for text in key.get_texts()] == ["Decastar (13)", "OlympicG (28)"]


def test_color_and_shape_are_in_the_numbers():
    ax = plots.scores(model(), decathlon(), color="Points", shape="Competition")

    table = plots.data(ax)
    assert list(table["Points"]) == list(decathlon()["Points"])
    assert list(table["Competition"]) == list(decathlon()["Competition"])


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_is_colored_by_its_columns_words_or_numbers(ending, tmp_path):
    path = tmp_path / f"decathlon.{ending}"
    getattr(decathlon(), f"to_{ending}")(path, index=False)

    ax = plots.scores(model(), path, color="Points", shape="Competition")

    assert list(plots.data(ax)["Points"]) == list(decathlon()["Points"])
    assert list(plots.data(ax)["Competition"]) == list(decathlon()["Competition"])
    with pytest.raises(OptionError, match="Did you mean 'Competition'"):
        plots.scores(model(), path, color="Competion")


@pytest.mark.parametrize("name", ["scores", "biplot", "outliers", "pairs"])
@pytest.mark.parametrize("measure", ["T2", "Q", "cos2"])
def test_rows_are_colored_by_what_the_model_says_of_them(name, measure):
    ax = getattr(plots, name)(model(2), decathlon(), color=measure)

    if measure == "cos2":
        table = explain.rows(model(2), decathlon())
        expected = np.reshape(table["cos2"], (41, 2)).sum(axis=1)
    else:
        expected = np.array(explain.outliers(model(2), decathlon())[measure])
    host = ax.child_axes[1] if name == "pairs" else ax
    shown = host.collections[0].get_array()
    assert np.asarray(shown) == pytest.approx(expected)


def test_the_numbers_have_the_measure_by_its_name():
    ax = plots.scores(model(2), decathlon(), color="Q")

    assert list(plots.data(ax)["Q"]) == explain.outliers(model(2), decathlon())["Q"]


def test_cos2_is_that_of_the_plane_shown():
    ax = plots.scores(model(3), decathlon(), components=(1, 3), color="cos2")

    cos2 = np.reshape(explain.rows(model(3), decathlon())["cos2"], (41, 3))
    assert plots.data(ax)["cos2"] == pytest.approx(cos2[:, 0] + cos2[:, 2])


def test_a_column_of_that_name_comes_first():
    own = decathlon().assign(Q=np.linspace(0, 1, 41))

    ax = plots.scores(model(2), own, color="Q")

    assert list(plots.data(ax)["Q"]) == list(own["Q"])


def test_measures_need_no_names_and_are_named_where_a_name_is_not_known():
    rows = decathlon()[list(model().feature_names)].to_numpy()
    plain = eigenlens.fit(rows, 2)

    assert plots.data(plots.scores(plain, rows, color="T2"))["T2"] == pytest.approx(
        explain.outliers(plain, rows)["T2"]
    )
    with pytest.raises(OptionError, match=r"color='t2' needs data with named columns, or 'T2'"):
        plots.scores(plain, rows, color="t2")
    with pytest.raises(OptionError, match=r"color='cos' is not known.*Did you mean 'cos2'"):
        plots.scores(model(), decathlon(), color="cos")


def test_the_circle_is_colored_by_cos2():
    ax = plots.circle(model(), color="cos2")

    assert len({text.arrow_patch.get_facecolor() for text in ax.texts if text.arrow_patch}) > 5


@pytest.mark.parametrize("name", BY_ROWS)
def test_groups_are_colors_by_group(name):
    by_group = plots.data(FIGURES[name](groups="Competition"))

    by_color = plots.data(FIGURES[name](color="Competition"))
    assert by_group.to_csv() == by_color.to_csv()
