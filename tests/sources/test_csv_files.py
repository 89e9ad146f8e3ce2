"""CSV: what counts as a row, a name and a number, and errors that name the line."""

import gzip

import numpy as np
import pytest

from eigenlens.errors import DataError, FileError
from eigenlens.sources import open_source
from eigenlens.sources.files import csv_file, line_pieces
from tests.sources.written import rows_in, text_file


@pytest.mark.parametrize("missing", ["", "NA", "null", "NaN", "None", "<NA>", '""'])
def test_missing_entries_are_nan(tmp_path, missing):
    path = text_file(tmp_path, f"x,y\n1,2\n{missing},4\n")

    np.testing.assert_array_equal(rows_in(open_source(path)), [[1, 2], [np.nan, 4]])


def test_a_first_line_of_numbers_is_a_row(tmp_path):
    source = open_source(text_file(tmp_path, "1.5,2\n3,-4e2\n"))

    assert source.names is None
    np.testing.assert_array_equal(rows_in(source), [[1.5, 2], [3, -400]])


@pytest.mark.parametrize("header", ["0,1,2", ",0,1,2"])
def test_columns_numbered_by_a_frame_without_names_are_a_header(tmp_path, header):
    width = header.count(",") + 1
    line = ",".join(["7"] * width)

    source = open_source(text_file(tmp_path, f"{header}\n{line}\n{line}\n"))

    assert source.names == tuple(header.split(","))
    assert source.shape == (2, width)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "end"])
def test_blank_lines_do_not_count_and_the_last_line_may_lack_its_end(tmp_path, end, last):
    lines = ["", "x,y", "", "1,2", "", "", "3,4", "5,6"]
    path = text_file(tmp_path, end.join(lines) + end * bool(last))

    source = open_source(path)

    assert source.shape == (3, 2)
    np.testing.assert_array_equal(rows_in(source), [[1, 2], [3, 4], [5, 6]])


def test_separators_in_quotes_quoted_numbers_and_a_byte_order_mark_are_understood(tmp_path):
    text = '\ufeff"length, in m",place\n"1.5","Basel, BS"\n2,x\n'

    source = open_source(text_file(tmp_path, text))

    assert source.names == ("length, in m",)
    np.testing.assert_array_equal(rows_in(source), [[1.5], [2]])


def test_truth_values_are_one_and_zero(tmp_path):
    source = open_source(text_file(tmp_path, "x,ok\n1,true\n2,False\n3,\n"))

    np.testing.assert_array_equal(rows_in(source), [[1, 1], [2, 0], [3, np.nan]])


def long_text(bad_line=None, at=70_000, lines=80_000):
    body = ["7,text,8"] * lines
    if bad_line is not None:
        body[at] = bad_line
    return "x,word,y\n" + "\n".join(body) + "\n"


def test_a_decimal_point_may_come_late(tmp_path):
    path = text_file(tmp_path, long_text("7.25,text,8", at=79_999, lines=200_000))

    values = rows_in(open_source(path), 5000)

    assert values[79_999].tolist() == [7.25, 8]
    assert values[:, 0].sum() == 7 * 200_000 + 0.25


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_text_that_comes_late_is_named_with_its_line(tmp_path, name):
    path = tmp_path / name
    text = long_text("7,text,unknown", at=190_000, lines=200_000).encode()
    path.write_bytes(gzip.compress(text, 1) if name.endswith("gz") else text)
    source = open_source(path)

    with pytest.raises(FileError, match=rf"{name}', line 190002: column 'y' holds 'unknown'"):
        list(source.blocks(5000))


def test_text_that_comes_late_in_another_column_is_no_matter(tmp_path):
    path = text_file(tmp_path, long_text("7,text,unknown", at=190_000, lines=200_000))

    assert rows_in(open_source(path, ["x"]), 5000).sum() == 7 * 200_000


@pytest.mark.parametrize(("line", "found"), [("7,8", 2), ("7,a,b,8", 4)])
def test_a_ragged_line_is_named(tmp_path, line, found):
    source = open_source(text_file(tmp_path, long_text(line, 190_000, 200_000)))

    with pytest.raises(FileError, match=rf"t.csv', line 190002, has {found} entries, but .* has 3"):
        list(source.blocks(5000))


def test_a_ragged_line_near_the_top_is_named_at_opening(tmp_path):
    path = text_file(tmp_path, "\nx,y\n1,2\n\n1,2,3\n")

    with pytest.raises(FileError, match=r"line 5, has 3 entries, but the first line has 2"):
        open_source(path)


def test_a_quote_that_never_ends_is_an_error_that_names_its_line(tmp_path):
    with pytest.raises(FileError, match=r"line 3.*quotation mark"):
        list(open_source(text_file(tmp_path, 'x,word\n1,a\n2,"b\n3,c\n')).blocks(10))


def test_lines_ended_by_a_carriage_return_only_are_refused(tmp_path):
    with pytest.raises(FileError, match=r"end with a carriage return only"):
        open_source(text_file(tmp_path, "x,y\r1,2\r3,4\r"))


def test_names_that_occur_twice_are_refused(tmp_path):
    with pytest.raises(DataError, match=r"'x'"):
        open_source(text_file(tmp_path, "x,x\n1,2\n3,4\n"))


def test_a_sorted_plain_file_is_looked_at_all_over(tmp_path, monkeypatch):
    monkeypatch.setattr(line_pieces, "MARK_BYTES", 4096)
    path = text_file(tmp_path, "x\n" + "\n".join(map(str, range(20_000))) + "\n")

    seen = open_source(path).glance(64)

    assert seen.min() < 100
    assert seen.max() > 15_000


@pytest.mark.parametrize("start", [0, 1, 5000, 19_999])
def test_marks_lead_to_the_right_rows(tmp_path, monkeypatch, start):
    monkeypatch.setattr(line_pieces, "MARK_BYTES", 4096)
    monkeypatch.setattr(csv_file, "SMALLEST_PIECE", 1000)
    lines = "\n\n".join(map(str, range(20_000)))
    source = open_source(text_file(tmp_path, "x\n" + lines))

    assert source.shape == (20_000, 1)
    assert rows_in(source, 700, start)[:, 0].tolist() == list(range(start, 20_000))


def test_what_a_frame_wrote_is_what_is_read_whatever_the_size_of_a_piece(tmp_path, monkeypatch):
    rows = np.random.default_rng(0).standard_normal((3000, 5))
    text = "\n".join(",".join(map(repr, row)) for row in rows.tolist())
    path = text_file(tmp_path, "a,b,c,d,e\n" + text)

    for size in (100, 1000, 1 << 20):
        monkeypatch.setattr(csv_file, "SMALLEST_PIECE", size)
        monkeypatch.setattr(csv_file, "PIECE_BYTES", size)
        monkeypatch.setattr(csv_file, "FEWEST_LINES", 1)
        np.testing.assert_array_equal(rows_in(open_source(path), 700), rows)
