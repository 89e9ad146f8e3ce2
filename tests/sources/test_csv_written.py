"""CSV as people write it: decimal commas, thousands, percent, currency, encodings, line breaks."""

import gzip

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.errors import DataError, FileError, OptionError
from eigenlens.sources import open_source
from eigenlens.sources.files import csv_file
from eigenlens.sources.files.quoted_rows import quoted_pieces, row_ends
from eigenlens.sources.text_columns import text_column
from tests.sources.written import rows_in, text_file


def columns_text(*columns, names="abcdef", separator=";"):
    lines = [separator.join(names[: len(columns)])]
    lines += [separator.join(row) for row in zip(*columns, strict=True)]
    return "\n".join(lines) + "\n"


PLAIN = ["1", "2", "3"]


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        (["0,5", "1,25", "-3"], [0.5, 1.25, -3]),
        (["1.234,5", "12,0", "3"], [1234.5, 12, 3]),
        (["1,234.5", "12.0", "3"], [1234.5, 12, 3]),
        (["1,234,567", "12", "3,000,000"], [1234567, 12, 3e6]),
        (["1 234,5", "12,0", "3"], [1234.5, 12, 3]),
        (["1\u202f234", "12", "3"], [1234, 12, 3]),
        (["1'234.5", "12.0", "3"], [1234.5, 12, 3]),
        (["12.5%", "3 %", "0"], [12.5, 3, 0]),
        (["12,5 %", "3,25 %", "NA"], [12.5, 3.25, np.nan]),
        (["$4.50", "-$1,200.00", "($3.00)"], [4.5, -1200, -3]),
        (["4,50 €", "1.200,00 €", "-3,00 €"], [4.5, 1200, -3]),
        (["EUR 4.50", "EUR 1", ""], [4.5, 1, np.nan]),
        (["\u22124.5", "1", "2"], [-4.5, 1, 2]),
        (["1,5e3", "2,5e-1", "3"], [1500, 0.25, 3]),
    ],
)
def test_numbers_are_read_as_written_and_it_is_said(tmp_path, written, numbers):
    source = open_source(text_file(tmp_path, columns_text(written, PLAIN)))

    assert source.names == ("a", "b")
    np.testing.assert_array_equal(rows_in(source)[:, 0], numbers)
    assert ("numbers" in source.traits.decided) == (written[0] != "\u22124.5")


def test_what_was_found_is_a_choice_of_the_model(tmp_path):
    text = columns_text(["0,5", "1,25", "7,5"], ["1.234", "2.345", "3.001"], ["5%", "7%", "9%"])

    model = el.fit(text_file(tmp_path, text), 1)

    np.testing.assert_allclose(model.mean, [37 / 12, 6580 / 3, 7])
    reason = model.choices["numbers"].reason
    assert "decimal commas, since column 'a' holds '0,5'" in reason
    assert "points of thousands ('b')" in reason
    assert "numbers with '%' ('c')" in reason


UNCLEAR = columns_text(["1,234", "5,678", "9,012"], PLAIN)


def test_a_sign_that_may_mean_two_things_is_an_error_that_names_both_options(tmp_path):
    source = open_source(text_file(tmp_path, UNCLEAR))

    with pytest.raises(FileError, match=r"line 2: column 'a' holds '1,234'.*decimal=',' or thou"):
        rows_in(source)
    np.testing.assert_array_equal(rows_in(source.only(["b"]))[:, 0], [1, 2, 3])


@pytest.mark.parametrize(
    ("options", "first"), [({"decimal": ","}, 1.234), ({"thousands": ","}, 1234)]
)
def test_an_option_decides_what_a_sign_means(tmp_path, options, first):
    source = open_source(text_file(tmp_path, UNCLEAR), **options)

    assert rows_in(source)[0, 0] == first


@pytest.mark.parametrize(("other", "first"), [("0,5", 1.234), ("0.5", 1234)])
def test_another_column_decides_what_a_sign_means(tmp_path, other, first):
    text = columns_text(["1,234", "5,678", "9,012"], [other] * 2 + ["3"])

    assert rows_in(open_source(text_file(tmp_path, text)))[0, 0] == first


@pytest.mark.parametrize(
    "written",
    [
        ["12.03.2020", "13.03.2020", "14.03.2020"],
        ["192.168.100.200", "192.168.100.201", "192.168.100.202"],
        ["1-2", "3-4", "5-6"],
        ["$5", "5 €", "£7"],
        ["5%", "0.05", "0.07"],
        ["5 kg", "6 kg", "7 kg"],
        ["a,b", "c,d", "e,f"],
    ],
)
def test_other_text_stays_text(tmp_path, written):
    source = open_source(text_file(tmp_path, columns_text(written, PLAIN, PLAIN)))

    assert source.names == ("b", "c")


def test_a_mistake_is_named_by_its_line_and_by_the_name_of_its_row(tmp_path):
    names, numbers = [f"row{i}" for i in range(40)], [f"{i},5" for i in range(40)]
    numbers[30] = "x"
    path = text_file(tmp_path, "\n" + columns_text(names, numbers, numbers))

    with pytest.raises(FileError, match=r"line 33 \(row 'row30'\): column 'b' holds 'x'"):
        el.fit(path, 1)


def test_a_missing_cell_is_named_by_its_line_and_by_the_name_of_its_row(tmp_path):
    text = columns_text(["Ann", "Bob", "Cid", "Dan"], ["1", "", "3", "5"], ["1", "2", "4", "4"])

    with pytest.raises(DataError, match=r"row 1 \(line 4 of the file, named 'Bob'\), column 'b'"):
        el.fit(text_file(tmp_path, "\n" + text), 1)


def test_a_missing_cell_of_several_files_is_named_with_its_file(tmp_path):
    paths = [text_file(tmp_path, "a,b\n1,2\n3,4\n", "a.csv"), tmp_path / "b.csv"]
    paths[1].write_text("a,b\n1,3\n3,\n")

    with pytest.raises(DataError, match=r"row 3 \(line 3 of '.*b\.csv'\), column 'b'"):
        el.fit(paths, 1)


def test_a_missing_cell_of_a_frame_is_named_by_its_label():
    frame = pd.DataFrame({"a": [1, np.nan, 3], "b": [1, 2, 4.0]}, index=["x", "y", "z"])

    with pytest.raises(DataError, match=r"row 1 \(named 'y'\), column 'a'"):
        el.fit(frame, 1)


# -- encodings -----------------------------------------------------------------------------------

LETTERS = "name;größe\nÄnne;1,5\nJosé;2,5\nZoë;4,0\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
def test_an_encoding_is_found_where_the_first_bytes_show_it(tmp_path, encoding, ending):
    data = LETTERS.encode(encoding)
    path = tmp_path / f"t.{ending}"
    path.write_bytes(gzip.compress(data) if ending.endswith("gz") else data)

    source = open_source(path)

    assert source.names == ("größe",)
    np.testing.assert_array_equal(rows_in(source)[:, 0], [1.5, 2.5, 4])
    assert text_column(source, "name").to_pylist() == ["Änne", "José", "Zoë"]
    assert ("encoding" in source.traits.decided) == (not encoding.startswith("utf-8"))


def test_an_encoding_may_be_named(tmp_path):
    (tmp_path / "t.csv").write_bytes("имя;a\nАнна;1\nБорис;2\n".encode("cp1251"))

    source = open_source(tmp_path / "t.csv", encoding="windows-1251")

    assert text_column(source, "имя").to_pylist() == ["Анна", "Борис"]


def test_letters_that_come_late_are_an_error_that_names_the_option(tmp_path):
    lines = b"".join(b"name%d;%d\n" % (i, i) for i in range(200_000))
    (tmp_path / "t.csv").write_bytes(b"name;a\n" + lines + "José;3\n".encode("cp1252"))

    with pytest.raises(FileError, match=r"not UTF-8.*encoding='cp1252'"):
        text_column(open_source(tmp_path / "t.csv"), "name")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"encoding": "klingon"}, "'klingon'"),
        ({"decimal": "!"}, "decimal"),
        ({"thousands": "_"}, "thousands"),
        ({"thousands": ",", "decimal": ","}, "thousands"),
    ],
)
def test_an_unknown_way_of_writing_is_refused(tmp_path, options, words):
    with pytest.raises(OptionError, match=words):
        open_source(text_file(tmp_path, LETTERS), **options)


def test_only_text_files_are_written_in_some_way(tmp_path):
    np.save(tmp_path / "t.npy", np.eye(3))

    with pytest.raises(OptionError, match="CSV"):
        open_source(tmp_path / "t.npy", decimal=",")


# -- lines ---------------------------------------------------------------------------------------

BROKEN = 'id,"two\nlines",x\n"a\nb",1,2\nc,3,4\n"d ""e""\n,f",5,6\n'


@pytest.mark.parametrize("piece", [3, 17, 1 << 20])
def test_an_entry_in_quotes_may_hold_line_breaks(tmp_path, piece, monkeypatch):
    monkeypatch.setattr(csv_file, "PIECE_BYTES", piece)
    source = open_source(text_file(tmp_path, BROKEN))

    assert source.names == ("two lines", "x")
    np.testing.assert_array_equal(rows_in(source), [[1, 2], [3, 4], [5, 6]])
    assert text_column(source, "id").to_pylist() == ["a\nb", "c", 'd "e"\n,f']


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_pieces_end_where_rows_end_whatever_their_size(tmp_path, size):
    text_file(tmp_path, BROKEN)
    with (tmp_path / "t.csv").open("rb") as stream:
        pieces = list(quoted_pieces(stream, size, ","))

    assert b"".join(pieces) == BROKEN.encode()
    assert all(
        len(row_ends(piece, ",")) and row_ends(piece, ",")[-1] == len(piece) for piece in pieces
    )


def test_a_quote_within_an_entry_is_a_letter(tmp_path):
    source = open_source(text_file(tmp_path, 'what,x\n5" pipe,1\n3" pipe,2\n6" pipe,5\nrod,6\n'))

    np.testing.assert_array_equal(rows_in(source)[:, 0], [1, 2, 5, 6])


def test_a_missing_cell_below_line_breaks_is_named_by_its_line(tmp_path):
    with pytest.raises(DataError, match=r"row 2 \(line 6 of the file, named 'd'\)"):
        el.fit(text_file(tmp_path, 'id,x,y\n"a\nb",1,2\n"c\n",3,4\nd,,6\ne,7,5\n'), 1)


@pytest.mark.parametrize(
    "text",
    [
        "a,b,,\n1,2,,\n3,5,,\n",
        "a,b\n1,2,\n3,5,\n",
        "sep=;\na;b\n1;2\n3;5\n",
        "1;2\n3;5\n",
        '"a","b"\n"1","2"\n"3","5"\n',
    ],
)
def test_what_spreadsheets_write_beside_the_table_is_no_part_of_it(tmp_path, text):
    source = open_source(text_file(tmp_path, text))

    np.testing.assert_array_equal(rows_in(source), [[1, 2], [3, 5]])


def test_row_names_without_a_heading_are_no_numbers_to_analyze(tmp_path):
    model = el.fit(text_file(tmp_path, "a,b\nx,1,2\ny,3,5\nz,4,4\n"), 1)

    assert model.feature_names == ("a", "b")


@pytest.mark.parametrize(
    "text", ["1,5;2,5\n3,5;4,5\n", "name, first;x;y\nAnn, Bo;1,5;2,5\nC;3,5;4,5\n"]
)
def test_the_separator_is_the_one_that_cuts_all_lines_alike(tmp_path, text):
    np.testing.assert_array_equal(
        rows_in(open_source(text_file(tmp_path, text))), [[1.5, 2.5], [3.5, 4.5]]
    )
