"""Which column plays which part, where options speak of the same one."""

import pytest

from tests.cli.typed import NAMES, document, typed


def analyzed(*words):
    result = typed("fit", *words, "-k", "1", "-o", "m.eigenlens", "--no-summary", "--force")
    assert result.exit_code == 0, result.stderr
    return document("show", "m.eigenlens")["result"]["feature_names"], result.stderr


@pytest.mark.parametrize("option", ["--sup-cols", "--weights", "--group", "--id"])
@pytest.mark.parametrize("which", ["@numeric", "height:rooms", "*e*,rooms,width"])
def test_a_column_with_another_part_is_no_part_of_the_analysis(data, option, which):
    names, said = analyzed(data, "--columns", which, "-x", "name,kind", option, "income")

    assert set(names) == set(NAMES) - {"income"}
    assert "'income': used as id, group, weight or supplementary column" in said


@pytest.mark.parametrize("nothing", ["", ",", " "])
def test_columns_that_name_nothing_are_not_all_of_them(data, nothing):
    result = typed("fit", data, "--columns", nothing)

    assert result.exit_code == 2
    assert "needs a name" in result.stderr


@pytest.mark.parametrize("options", [("-x", "age"), ("-c", "height,width,income,rooms")])
@pytest.mark.parametrize("verb", [("transform", "run.eigenlens"), ("report", "run.eigenlens")])
def test_columns_of_a_model_cannot_be_left_out(model, verb, options):
    rows = ("data.csv",) if verb[0] == "transform" else ("--data", "data.csv")

    result = typed(*verb, *rows, *options)

    assert result.exit_code == 2
    assert "leaving out 'age'" in result.stderr
    assert "found by name" in result.stderr


def test_options_of_the_fit_may_be_repeated_with_its_model(model):
    plain = typed("transform", model, "data.csv").stdout

    assert typed("transform", model, "data.csv", "-c", "@numeric", "-x", "kind").stdout == plain


# -- options that are looked at before the work ---------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("transform", "run.eigenlens", "data.csv", "--level", "99"), "--level 99 needs a number"),
        (("transform", "run.eigenlens", "data.csv", "--convention", "R"), "--convention R"),
        (("fit", "data.csv", "--convention", "R"), "--convention R"),
        (("choose", "run.eigenlens", "--weights", "age"), "--weights needs data"),
        (("report", "run.eigenlens", "--data", "data.csv", "--no-center"), "--center needs data"),
        (("report", "run.eigenlens", "--data", "data.csv", "-k", "3"), "-k needs data"),
        (("plot", "run.eigenlens", "scores", "--data", "data.csv", "--color", "x"), "--color x"),
        (
            ("plot", "run.eigenlens", "scores", "--data", "data.csv", "--color", "*e"),
            "--color '*e' needs a single column",
        ),
        (
            ("plot", "run.eigenlens", "contributions", "--data", "data.csv", "--id", "")
            + ("--row", "r1"),
            "--row r1 needs a number",
        ),
        (("fit", "run.eigenlens"), "eigenlens show run.eigenlens"),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, tuple) else "",
)
def test_what_does_not_fit_is_said_in_the_words_of_the_shell(model, words, told):
    result = typed(*words)

    assert result.exit_code in (2, 3)
    assert told in result.stderr
    assert result.stdout == ""
