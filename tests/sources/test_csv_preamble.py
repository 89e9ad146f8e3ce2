"""Lines above the table of a CSV file: passed over where that is certain, else by an option."""

import gzip

import numpy as np
import pytest

import eigenlens as el
from eigenlens.errors import FileError, OptionError
from eigenlens.sources import open_source
from tests.sources.written import rows_in, text_file

NUMBERS = "\n".join(f"{i},{i * i % 7},{i / 4},{i % 3}" for i in range(12)) + "\n"
NAMED = "a,b,c,d\n" + NUMBERS


@pytest.mark.parametrize(
    ("above", "table", "names"),
    [
        ("12,3,red,green,blue\n", NUMBERS, None),
        ("12,3\n", NUMBERS, None),
        ("# made by a program\n# on a Monday, at noon\n", NUMBERS, None),
        ("# made, on, a, Monday\n", NAMED, ("a", "b", "c", "d")),
        ("% twelve rows\n\n", NAMED, ("a", "b", "c", "d")),
        ("Measurements of May\n\n", NAMED, ("a", "b", "c", "d")),
        ("Station,Oslo\nLatitude,59.9\n", NAMED, ("a", "b", "c", "d")),
        ("Station;Oslo\n", NAMED.replace(",", ";"), ("a", "b", "c", "d")),
        ('"one, two"\n', NAMED, ("a", "b", "c", "d")),
    ],
)
def test_lines_above_the_table_are_passed_over_and_it_is_said(tmp_path, above, table, names):
    source = open_source(text_file(tmp_path, above + table))

    assert source.names == names
    assert source.shape == (12, 4)
    np.testing.assert_array_equal(rows_in(source)[:, 2], np.arange(12) / 4)
    chosen = source.traits.decided["skip_lines"]
    assert chosen.value == above.count("\n")
    assert "no part of the table" in chosen.reason
    assert "'skip_lines'" in chosen.reason
    assert el.fit(source, 1).choices["skip_lines"] == chosen


@pytest.mark.parametrize(
    "text",
    [
        NUMBERS,
        NAMED,
        "# a,b,c,d\n" + NUMBERS,
        "a,b,c\n" + NUMBERS,  # as R writes it
        '"a\nb",c,d,e\n' + NUMBERS,
        "1,2,3,4\n" + NUMBERS,
    ],
)
def test_a_table_that_begins_at_once_keeps_all_its_lines(tmp_path, text):
    source = open_source(text_file(tmp_path, text))

    assert "skip_lines" not in source.traits.decided
    assert source.shape[0] >= 12


@pytest.mark.parametrize(
    "text",
    [
        "a,b,c,d,e,f\n" + NUMBERS,  # six names for four columns: a broken header
        "7.5,8.5\n" + NUMBERS,  # a row that was cut off
        "1,2\n3,4,5\n6,7,8\n",
        "1,2\n3,4\n" + NUMBERS,  # two tables
    ],
)
def test_what_is_not_certain_is_an_error_that_names_the_option(tmp_path, text):
    with pytest.raises(FileError, match="skip_lines=1") as caught:
        rows_in(open_source(text_file(tmp_path, text)))

    assert caught.value.line is not None


def test_an_option_says_how_many_lines(tmp_path):
    path = text_file(tmp_path, "a,b,c,d,e,f\n" + NUMBERS)

    source = open_source(path, skip_lines=1)

    assert source.shape == (12, 4)
    assert source.traits.decided["skip_lines"].value == 1
    with pytest.raises(FileError, match="line 2, has 4 entries"):
        rows_in(open_source(text_file(tmp_path, "12,3,red,green,blue\n" + NUMBERS), skip_lines=0))


def test_lines_are_skipped_in_other_encodings_and_compressed_files(tmp_path):
    text = "Größe, Gewicht\n" + NAMED
    (tmp_path / "a.csv").write_bytes(text.encode("utf-16"))
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(text.encode()))

    for name in ("a.csv", "b.csv.gz"):
        for options in ({}, {"skip_lines": 1}):
            source = open_source(tmp_path / name, **options)
            assert source.names == ("a", "b", "c", "d")
            assert source.shape == (12, 4)


def test_errors_count_the_lines_of_the_file(tmp_path):
    text = "# one\n# two\n" + NAMED + "1,2,x,4\n"

    with pytest.raises(FileError) as caught:
        rows_in(open_source(text_file(tmp_path, text)))

    assert caught.value.line == 16


def test_more_lines_than_there_are_leave_nothing(tmp_path):
    with pytest.raises(FileError, match="empty"):
        open_source(text_file(tmp_path, NAMED), skip_lines=99)


@pytest.mark.parametrize("lines", [-1, 1.5, True])
def test_a_number_of_lines_is_a_whole_number(tmp_path, lines):
    with pytest.raises(OptionError, match="skip_lines"):
        open_source(text_file(tmp_path, NAMED), skip_lines=lines)
