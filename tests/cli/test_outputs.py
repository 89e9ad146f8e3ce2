"""Where files go: the data are never replaced, nor one output by another."""

import pytest

from tests.cli.typed import csv_text, numbers, typed

DAY = csv_text(numbers(), kinds=False)


@pytest.fixture
def days(here):
    """Two files of the same columns, one of them named as a table that `fit --tables` writes."""
    folder = here / "days"
    folder.mkdir()
    for name in ("monday.csv", "scores.csv"):
        (folder / name).write_text(DAY)
    return folder


@pytest.mark.parametrize("data", ["days/*.csv", "days", "days/monday.csv"])
@pytest.mark.parametrize(
    "words",
    [
        ("fit", "-k", "2", "-o", "days/monday.csv"),
        ("fit", "-k", "2", "--report", "days/monday.csv"),
        ("transform", "run.eigenlens", "-o", "days/monday.csv"),
        ("report", "-k", "2", "-o", "days/monday.csv"),
        ("autoencode", "--epochs", "0", "--codes", "days/monday.csv"),
    ],
)
def test_no_pattern_or_folder_lets_an_output_replace_the_data(days, model, data, words):
    result = typed(*words, data, "--force")

    assert result.exit_code == 3
    assert "what is read from" in result.stderr
    assert (days / "monday.csv").read_text() == DAY


def test_tables_do_not_replace_the_table_they_are_made_of(days):
    result = typed("fit", "days/scores.csv", "-k", "2", "--tables", "days", "--force")

    assert result.exit_code == 3
    assert "'days/scores.csv'" in result.stderr
    assert sorted(one.name for one in days.iterdir()) == ["monday.csv", "scores.csv"]
    assert (days / "scores.csv").read_text() == DAY


@pytest.mark.parametrize(
    "words",
    [
        ("fit", "-o", "one.html", "--report", "./one.html"),
        ("fit", "-o", "one", "--tables", "one"),
        ("fit", "--tables", ".", "--report", "scores.csv"),
        ("autoencode", "-o", "one.csv", "--codes", "one.csv"),
    ],
)
def test_two_outputs_of_one_name_are_refused(data, here, words):
    result = typed(*words, data, "--force")

    assert result.exit_code == 2
    assert "named for two outputs" in result.stderr
    assert [one.name for one in here.iterdir()] == ["data.csv"]
