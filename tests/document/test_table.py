"""Table: figures for people and for other programs."""

import re

import numpy as np
import pytest

from eigenlens.document.table import Table
from eigenlens.errors import OptionError


def table():
    return Table(
        {"rule": ["gap", "dpa"], "k": [3, None], "margin": [0.123456, 2.0], "ok": [True, False]}
    )


def test_text_is_aligned_and_short():
    lines = str(table()).splitlines()

    assert lines[0].split() == ["rule", "k", "margin", "ok"]
    assert lines[1].split() == ["gap", "3", "0.1235", "yes"]
    assert lines[2].split() == ["dpa", "–", "2", "no"]


def test_frames_have_the_same_columns():
    assert list(table().to_pandas().columns) == ["rule", "k", "margin", "ok"]
    assert table().to_polars()["k"].to_list() == [3, None]


def test_csv_has_every_digit(tmp_path):
    text = table().to_csv(tmp_path / "rules.csv")

    assert text.splitlines()[1] == "gap,3,0.123456,True"
    assert (tmp_path / "rules.csv").read_text() == text


def test_markdown_is_a_table_whatever_the_entries():
    lines = Table({"a": ["x|y"], "b": [1.5]}).to_markdown().splitlines()

    assert lines == ["| a | b |", "| --- | ---: |", "| x\\|y | 1.5 |"]


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "[a](b)", "`c`", "**d**", "a\\|b"])
def test_what_comes_from_outside_stays_text_in_markdown(name):
    shown = Table({name: [name]}, (name,)).to_markdown()

    assert not re.search(r"(?<!\\)[<`*\[]", shown)


def test_what_would_steer_a_terminal_is_spelled_out():
    shown = str(Table({"\x1b[31m": ["a\nb", "\u202e"]}, ()))

    assert "\x1b" not in shown
    assert len(shown.splitlines()) == 3


def test_html_escapes():
    assert "&lt;b&gt;" in Table({"a": ["<b>"]})._repr_html_()


def test_lines_and_columns_are_at_hand():
    assert next(table().lines())["rule"] == "gap"
    assert table()["k"] == [3, None]
    assert len(table()) == 2


def test_long_tables_are_cut_on_the_screen_only():
    long = Table({"n": list(range(100))})

    assert "and 40 more lines" in str(long)
    assert len(long.to_csv().splitlines()) == 101


def test_notebooks_are_screens_too():
    long = Table({"n": list(range(100))})

    assert long._repr_html_().count("<tr>") == 1 + 60
    assert "and 40 more lines" in long._repr_html_()
    assert long.to_html().count("<tr>") == 1 + 100


def test_notes_stand_below_text_markdown_and_html_and_not_among_the_figures():
    noted = Table({"a": [1]}, ("Q is 0 <here>.", "More."))

    assert str(noted).splitlines()[-3:] == ["", "Q is 0 <here>.", "More."]
    assert noted.to_markdown().endswith("| 1 |\n\nQ is 0 &lt;here&gt;.\n\nMore.")
    assert noted.to_html().endswith("</table><p>Q is 0 &lt;here&gt;.</p><p>More.</p>")
    assert "Q is 0" not in noted.to_csv()
    assert list(noted.to_pandas().columns) == ["a"]


def test_long_notes_are_wrapped_at_the_width_of_the_page():
    lines = str(Table({"a": [1]}, ("word " * 60,))).splitlines()

    assert max(map(len, lines)) <= 120
    assert len(lines) == 2 + 1 + 3


def test_a_table_of_nothing_is_empty_text():
    assert str(Table({})) == ""


def test_truth_values_of_numpy_are_yes_and_no():
    assert str(Table({"ok": np.array([True, False])})).split() == ["ok", "yes", "no"]


def test_an_unknown_column_is_named():
    with pytest.raises(OptionError, match=r"'kk'.*k"):
        table()["kk"]


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(OptionError, match="equal length"):
        Table({"a": [1], "b": [1, 2]})
