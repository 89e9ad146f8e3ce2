"""Columns and rows are chosen by name, range, glob and number, and names win."""

import pytest

from eigenlens.cli.selection import select_positions
from eigenlens.errors import OptionError

LABELS = ["id", "Sepal.Length", "Sepal.Width", "a:b", "2", "x, y", "*", "name"]
SORTS = {"@numeric": [1, 2, 3], "@text": [0, 7]}


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        (["Sepal.Width"], [2]),
        (["Sepal.Width,Sepal.Length"], [2, 1]),
        (["Sepal.Width", "id"], [2, 0]),
        (["Sepal.*"], [1, 2]),
        (["id:Sepal.Width"], [0, 1, 2]),
        (["Sepal.Width:id"], [0, 1, 2]),
        (["a:b"], [3]),
        (["a:b:2"], [3, 4]),
        (["Sepal.Width:a:b"], [2, 3]),
        (["2"], [4]),
        (["3"], [3]),
        (["0:1"], [0, 1]),
        (["6:"], [6, 7]),
        ([":Sepal.Length"], [0, 1]),
        (["x, y"], [5]),
        (['"x, y",id'], [5, 0]),
        (["*"], [6]),
        (["@numeric"], [1, 2, 3]),
        (["@text,2"], [0, 7, 4]),
        (["id,id"], [0]),
        ([" id , name "], [0, 7]),
        (["?ame"], [7]),
    ],
)
def test_what_is_typed_is_what_is_meant(typed, places):
    assert select_positions(typed, LABELS, "--columns", SORTS) == places


def test_rows_of_the_same_name_are_chosen_together():
    assert select_positions(["a"], ["a", "b", "a"], "--sup-rows") == [0, 2]


def test_a_misspelled_name_is_answered_with_the_right_one():
    with pytest.raises(OptionError, match=r"Did you mean 'Sepal\.Length'\?"):
        select_positions(["Sepal.Lenght"], LABELS, "--columns")


def test_a_glob_that_matches_nothing_is_an_error():
    with pytest.raises(OptionError, match=r"Petal\.\*"):
        select_positions(["Petal.*"], LABELS, "--columns")


@pytest.mark.parametrize("typed", ["@numbers", "99", "id:nobody"])
def test_what_is_not_there_is_an_error(typed):
    with pytest.raises(OptionError, match=typed):
        select_positions([typed], LABELS, "--columns", SORTS)


@pytest.mark.parametrize("typed", ["no\nsuch", "7" * 5000])
def test_whatever_is_typed_is_answered_in_our_words(typed):
    with pytest.raises(OptionError, match="is not known"):
        select_positions([typed], LABELS, "--columns", SORTS)


def test_names_may_stand_on_lines_of_their_own():
    assert select_positions(["a\nc\n"], ["a", "b", "c"], "--columns") == [0, 2]
