"""CSV: whether the first line holds names, what is said about it, and how to say otherwise."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.errors import FileError, OptionError
from eigenlens.sources import open_source
from tests.sources.written import rows_in, text_file

ROWS = np.random.default_rng(0).standard_normal((40, 3))
FRAME = pd.DataFrame(ROWS, columns=["a", "b", "c"])


def csv_of(tmp_path, frame=FRAME, **options):
    frame.to_csv(tmp_path / "t.csv", **options)
    return tmp_path / "t.csv"


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("a,b\n1,2\n3,5\n", True, "they are names"),
        ("1,2\n3,5\n4,4\n", False, "it is a row"),
        ("0,1,2\n3,5,9\n4,4,1\n", True, "counts from 0"),
    ],
)
def test_what_the_first_line_was_taken_for_is_said(tmp_path, text, value, words):
    choice = el.fit(text_file(tmp_path, text), 1).choices["header"]

    assert choice.value is value
    assert choice.rule == "first line"
    assert words in choice.reason
    assert "set 'header'" in choice.reason
    assert choice.evidence["first_line"] == text.split("\n")[0].split(",")


def test_names_that_are_numbers_can_be_had(tmp_path):
    path = text_file(tmp_path, "1990,1991\n3.5,2\n1,7\n")

    assert open_source(path).shape == (3, 2)
    source = open_source(path, header=True)

    assert source.names == ("1990", "1991")
    assert el.fit(source, 1).choices["header"].rule == "request"
    np.testing.assert_array_equal(rows_in(source), [[3.5, 2], [1, 7]])


def test_a_first_row_that_counts_can_be_had(tmp_path):
    path = text_file(tmp_path, "0,1,2\n4,5,9\n4,4,1\n")

    source = open_source(path, header=False)

    assert source.names is None
    np.testing.assert_array_equal(rows_in(source), [[0, 1, 2], [4, 5, 9], [4, 4, 1]])


def test_names_taken_for_a_row_are_found_out(tmp_path):
    path = csv_of(tmp_path, index=False)

    with pytest.raises(FileError, match=r"line 1: column 'column 1' holds 'a'"):
        el.fit(el.open(path, header=False), 2)


def test_a_header_is_asked_for_in_every_file(tmp_path):
    for part in "12":
        text_file(tmp_path, f"{part},7,8\n{part}.5,2,3\n3,4,5\n", f"{part}.csv")

    for data in (tmp_path, str(tmp_path / "*.csv"), [tmp_path / "1.csv", tmp_path / "2.csv"]):
        assert open_source(data, header=False).shape == (6, 3)
        with pytest.raises(FileError, match="same columns"):  # '1' in one is '2' in the other
            open_source(data, header=True)


def test_files_that_differ_in_their_header_are_counted(tmp_path):
    text_file(tmp_path, "a,b\n1,2\n3,5\n", "1.csv")
    text_file(tmp_path, "1,2\n9,5\n", "2.csv")

    choice = el.fit(tmp_path, 1).choices["header"]

    assert choice.value == "in some files"
    assert "in 1 of 2 files" in choice.reason


@pytest.mark.parametrize("data", [ROWS, FRAME, "t.npy", ["t.npy"]], ids=str)
def test_data_without_a_first_line_take_no_header(tmp_path, monkeypatch, data):
    monkeypatch.chdir(tmp_path)
    np.save("t.npy", ROWS)

    with pytest.raises(OptionError, match=r"header=True needs .*CSV.*Omit it"):
        el.open(data, header=True)


def test_an_opened_source_takes_no_header(tmp_path):
    with pytest.raises(OptionError, match="header=False needs"):
        el.open(el.open(csv_of(tmp_path)), header=False)


def test_what_stands_between_entries_can_be_said(tmp_path):
    path = text_file(tmp_path, "a|b\n1|2\n3|5\n")

    assert open_source(path, delimiter="|").shape == (2, 2)


@pytest.mark.parametrize("wrong", ["", "||", "\n", '"'])
def test_one_letter_stands_between_entries(tmp_path, wrong):
    path = text_file(tmp_path, "a|b\n1|2\n3|5\n")

    with pytest.raises(OptionError, match="one letter"):
        open_source(path, delimiter=wrong)


def test_columns_of_an_opened_file_may_be_chosen_later(tmp_path):
    path = text_file(tmp_path, "1990,1991,1992\n3.5,2,1\n1,7,0\n4,4,4\n")

    model = el.fit(el.open(path, header=True), 1, columns=["1992", "1990"])

    assert model.feature_names == ("1992", "1990")
    np.testing.assert_allclose(model.eigenvalues, el.fit([[1, 3.5], [0, 1], [4, 4]], 1).eigenvalues)


def test_an_opened_file_in_another_order_is_projected_by_name(tmp_path):
    model = el.fit(FRAME, 2)

    scores = model.project(el.open(csv_of(tmp_path, FRAME[["c", "a", "b"]])))

    np.testing.assert_allclose(scores, model.project(FRAME), atol=1e-12)


@pytest.mark.parametrize("header", [0, 1, "infer", "yes"])
def test_a_header_is_there_or_not(tmp_path, header):
    with pytest.raises(OptionError, match=r"header=.* is not known. Possible: True, False, None"):
        open_source(csv_of(tmp_path), header=header)
