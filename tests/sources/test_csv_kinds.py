"""CSV: what is an index, a mistake, and what is text; and that it is said."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.errors import FileError
from eigenlens.sources import open_source
from tests.sources.written import rows_in, text_file

ROWS = np.random.default_rng(0).standard_normal((40, 3))
FRAME = pd.DataFrame(ROWS, columns=["a", "b", "c"])


def csv_of(tmp_path, frame=FRAME, **options):
    frame.to_csv(tmp_path / "t.csv", **options)
    return tmp_path / "t.csv"


# -- the index of a frame ------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, 1, 100])
def test_an_index_is_left_out_and_said_so(tmp_path, first):
    frame = FRAME.set_axis(np.arange(first, first + 40))

    model = el.fit(csv_of(tmp_path, frame), 2)

    assert model.feature_names == ("a", "b", "c")
    np.testing.assert_allclose(model.eigenvalues, el.fit(ROWS, 2).eigenvalues)
    assert model.choices["columns"].evidence["left_out"] == [""]
    assert "the index of a frame" in str(model.choices["columns"])


def test_an_index_of_rows_that_were_filtered_is_one(tmp_path):
    source = open_source(csv_of(tmp_path, FRAME[FRAME.a > 0]))

    assert source.names == ("a", "b", "c")


@pytest.mark.parametrize(("columns", "names"), [([0, 2], ("", "b")), (["a", ""], ("a", ""))])
def test_an_index_is_read_when_asked_for(tmp_path, columns, names):
    source = open_source(csv_of(tmp_path), columns)

    assert source.names == names
    assert rows_in(source)[:, names.index("")].tolist() == list(range(40))


@pytest.mark.parametrize("columns", [slice(None), slice(0, 3)])
def test_a_range_of_columns_does_not_ask_for_the_index(tmp_path, columns):
    assert "" not in open_source(csv_of(tmp_path), columns).names


@pytest.mark.parametrize(
    "index",
    [
        pd.Index(FRAME.a.to_numpy()),
        pd.Index(np.arange(40) % 7),
        pd.Index(np.arange(40)[::-1]),
        pd.RangeIndex(40, name="i"),
    ],
    ids=["floats", "repeated", "falling", "named"],
)
def test_other_numbers_in_front_are_a_column(tmp_path, index):
    source = open_source(csv_of(tmp_path, FRAME.set_axis(index)))

    assert source.shape == (40, 4)


def test_an_index_of_words_is_text(tmp_path):
    words = [f"row {place}" for place in range(40)]

    source = open_source(csv_of(tmp_path, FRAME.set_axis(words)))

    assert source.names == ("a", "b", "c")
    assert source.why_left_out == {"": "text that differs in every row"}


def test_a_single_column_without_a_name_is_no_index(tmp_path):
    assert open_source(text_file(tmp_path, '""\n1\n2\n3\n')).shape == (3, 1)


def test_files_with_an_index_are_put_together_without_it(tmp_path):
    FRAME[:20].to_csv(tmp_path / "1.csv")
    FRAME[20:].to_csv(tmp_path / "2.csv")
    FRAME.to_csv(tmp_path / "3.csv", index=False)

    source = open_source(str(tmp_path / "*.csv"))

    assert source.names == ("a", "b", "c")
    np.testing.assert_array_equal(rows_in(source), np.vstack([ROWS, ROWS]))


# -- mistakes and text ---------------------------------------------------------------------------


def column_text(values):
    return "x,y\n" + "".join(f"{value},{place % 5}\n" for place, value in enumerate(values))


@pytest.mark.parametrize("place", [0, 1, 57, 99])
@pytest.mark.parametrize("wrong", ["unknown", "12..5", "-", "?", "1O"])
def test_a_mistake_is_found_wherever_it_stands(tmp_path, place, wrong):
    values = [f"{number / 4}" for number in range(100)]
    values[place] = wrong
    path = text_file(tmp_path, column_text(values))

    with pytest.raises(FileError) as refused:
        el.fit(path, 1)

    for word in ("t.csv", "column 'x'", repr(wrong), f"line {place + 2}", "columns=[...]"):
        assert word in str(refused.value)
    assert el.fit(path, 1, columns=["y"]).feature_names == ("y",)


@pytest.mark.parametrize("values", [["ada", "bob"] * 5, ["17", "A/5 1", "18", "A/5 2", "19"] * 4])
def test_text_is_left_out_and_the_reason_shown(tmp_path, values):
    source = open_source(text_file(tmp_path, column_text(values)))

    assert source.names == ("y",)
    assert source.why_left_out["x"] == f"text with {len(set(values))} different values"


@pytest.mark.parametrize("missing", ["", "NA", "null", "nan"])
def test_a_missing_entry_is_no_mistake_but_no_number_either(tmp_path, missing):
    values = ["1.5"] * 10 + [missing] + ["2"] * 10

    with pytest.raises(el.DataError, match=r"1 missing cell .*row 10 \(line 12 of .*column 'x'"):
        el.fit(text_file(tmp_path, column_text(values)), 1)


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_other_separators_are_told_by_a_first_line_without_a_comma(tmp_path, separator):
    text = "a;b\n1.5;2\n3;4\n".replace(";", separator)

    source = open_source(text_file(tmp_path, text))

    assert source.names == ("a", "b")
    np.testing.assert_array_equal(rows_in(source), [[1.5, 2], [3, 4]])


@pytest.mark.parametrize("header", ["a,b,", "1,2,"])
def test_lines_that_end_with_the_separator_have_no_further_column(tmp_path, header):
    source = open_source(text_file(tmp_path, f"{header}\n3,5,\n4,4,\n"))

    assert source.shape[1] == 2
    assert "lines end with the separator" in " ".join(source.why_left_out.values())


def test_an_empty_column_that_has_a_name_is_not_dropped(tmp_path):
    with pytest.raises(el.DataError, match="2 missing cells"):
        el.fit(text_file(tmp_path, "a,b,c\n1,2,\n4,4,\n"), 1)


def test_a_long_text_is_shown_in_short(tmp_path):
    source = open_source(text_file(tmp_path, f"a,b\n{'x' * 1000},1\nc,2\n"))

    assert len(source.why_left_out["a"]) < 100
    with pytest.raises(FileError) as refused:
        open_source(tmp_path / "t.csv", ["a"])
    assert len(str(refused.value)) < 400


# -- letters -------------------------------------------------------------------------------------


def test_names_in_another_encoding_stay_apart(tmp_path):
    (tmp_path / "t.csv").write_bytes("höhe,hähe,ort\n1,2,Zürich\n3,5,Köln\n".encode("latin-1"))

    source = open_source(tmp_path / "t.csv")

    assert source.names == ("höhe", "hähe")
    assert source.left_out == ("ort",)


@pytest.mark.parametrize("header", ["a,b\n", ""])
def test_a_byte_order_mark_is_no_part_of_the_first_entry(tmp_path, header):
    source = open_source(text_file(tmp_path, f"\ufeff{header}1,2\n3,5\n"))

    assert source.names == (("a", "b") if header else None)
    np.testing.assert_array_equal(rows_in(source), [[1, 2], [3, 5]])


@pytest.mark.parametrize("name", ["T.TSV", "T.TSV.GZ", "t.Tsv.gz"])
def test_the_case_of_an_ending_is_no_matter(tmp_path, name):
    import gzip

    text = b"a\tb\n1\t2\n3\t5\n"
    (tmp_path / name).write_bytes(gzip.compress(text) if name.lower().endswith("gz") else text)

    assert open_source(tmp_path / name).names == ("a", "b")


# -- positions -----------------------------------------------------------------------------------

PEOPLE = "name,age,height\nada,36,1.7\nbob,41,1.6\neve,20,1.8\n"


def test_positions_are_those_in_the_file_as_they_are_in_a_frame(tmp_path):
    path = text_file(tmp_path, PEOPLE)

    for columns in ([2], [-1], ["height"], [False, False, True], slice(2, 3)):
        assert open_source(path, columns).names == ("height",)
    assert open_source(path, slice(0, 2)).names == ("age",)


@pytest.mark.parametrize("columns", [[0, 1], [True, True, False], ["name"]])
def test_text_asked_for_by_position_is_an_error_too(tmp_path, columns):
    with pytest.raises(FileError, match=r"column 'name' holds 'ada'"):
        open_source(text_file(tmp_path, PEOPLE), columns)


def test_without_names_positions_count_text_as_well(tmp_path):
    path = text_file(tmp_path, "ada,36,1.7\nbob,41,1.6\neve,20,1.8\nliz,30,1.7\n")

    source = open_source(path, [2], header=False)

    assert rows_in(source)[:, 0].tolist() == [1.7, 1.6, 1.8, 1.7]


@pytest.mark.parametrize("order", [("a.csv", "b.npy"), ("b.npy", "a.csv")])
def test_an_array_beside_a_file_with_an_index_has_none(tmp_path, order):
    FRAME.to_csv(tmp_path / "a.csv")
    np.save(tmp_path / "b.npy", ROWS)

    source = open_source([tmp_path / name for name in order])

    assert source.names == ("a", "b", "c")
    np.testing.assert_array_equal(rows_in(source), np.vstack([ROWS, ROWS]))


def test_a_file_cut_into_pieces_has_its_index_in_all_of_them(tmp_path):
    lines = FRAME.to_csv().splitlines(keepends=True)
    text_file(tmp_path, "".join(lines[:20]), "1.csv")
    text_file(tmp_path, "".join(lines[20:]), "2.csv")

    source = open_source(str(tmp_path / "*.csv"))

    np.testing.assert_array_equal(rows_in(source), ROWS)
    assert rows_in(open_source(str(tmp_path / "*.csv"), [0]))[:, 0].tolist() == list(range(40))
