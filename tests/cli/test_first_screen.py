"""The first screen names what was passed over, and how the file was read."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import eigenlens
from tests.cli.typed import typed
from tests.explain.classics import DECATHLON, EVENTS


def rows_of(count=40):
    return np.random.default_rng(5).standard_normal((count, 3)).round(2)


def screen_of(path):
    said = typed("fit", str(path), "-k", "2")
    assert said.exit_code == 0, said.stderr
    return " ".join(said.stdout.split())


@pytest.mark.parametrize(
    ("heading", "write", "sentence"),
    [
        ("a;b;c\n", lambda v: f"{v[0]};{v[1]};{v[2]}".replace(".", ","), "decimal commas."),
        (
            "a;b;c\n",
            lambda v: f"{v[0]} €;{v[1]};{v[2]}".replace(".", ","),
            "decimal commas; numbers with '€' in 'a'.",
        ),
        ("a,b,c\n", lambda v: f"{v[0]}%,{v[1]},{v[2]}", "numbers with '%' in 'a'."),
        ("A title\na,b,c\n", lambda v: f"{v[0]},{v[1]},{v[2]}", "a line above the table, passed"),
    ],
)
def test_how_a_file_is_written_is_said(tmp_path, heading, write, sentence):
    (tmp_path / "t.csv").write_text(heading + "".join(f"{write(row)}\n" for row in rows_of()))

    assert f"Found in the file: {sentence}" in screen_of(tmp_path / "t.csv")


def test_an_encoding_is_said_and_a_plain_file_needs_no_words(tmp_path):
    text = "a,b,c\n" + "".join(f"{x},{y},{z}\n" for x, y, z in rows_of())
    (tmp_path / "wide.csv").write_text(text, encoding="utf-16")
    (tmp_path / "plain.csv").write_text(text)

    assert "Found in the file: text in utf-16." in screen_of(tmp_path / "wide.csv")
    assert "Found in" not in screen_of(tmp_path / "plain.csv")


def test_columns_without_a_name_are_counted_and_an_index_is_the_first(tmp_path):
    lines = [f"{place},{x},{y},{z},,," for place, (x, y, z) in enumerate(rows_of())]
    (tmp_path / "t.csv").write_text(",a,b,c,,,\n" + "\n".join(lines) + "\n")

    said = "Not analyzed: the first column (row names), 3 columns without a name (no values)."
    assert said in screen_of(tmp_path / "t.csv")


def test_rows_left_out_are_named_on_the_screen_and_in_the_page(tmp_path):
    lines = [f"{x},{y},{z}" for x, y, z in rows_of(100)]
    lines[7] = "1.5,,2"
    (tmp_path / "t.csv").write_text("a,b,c\n" + "\n".join(lines) + "\n")
    page = tmp_path / "page.html"

    sentence = "1 of 100 rows has a missing number and is left out."
    assert sentence in screen_of(tmp_path / "t.csv")
    assert typed("fit", str(tmp_path / "t.csv"), "--report", str(page)).exit_code == 0
    assert sentence in page.read_text()


def test_a_file_of_words_names_the_way_to_analyze_them(tmp_path):
    (tmp_path / "t.csv").write_text("color,animal\n" + "red,dog\nblue,cat\n" * 9)

    said = typed("fit", str(tmp_path / "t.csv")).stderr

    assert "no column of numbers" in said
    assert "--categories auto" in said


def test_a_first_screen_does_not_wait_for_libraries_it_does_not_need(tmp_path):
    lines = [f"{x},{y},{z},{'up' if x > 0 else 'down'}" for x, y, z in rows_of()]
    (tmp_path / "t.csv").write_text("x,y,z,kind\n" + "\n".join(lines) + "\n")
    source = str(Path(eigenlens.__file__).parents[1])

    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "eigenlens", "fit", str(tmp_path / "t.csv")],
        env=os.environ | {"PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=True,
    )

    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "eigenlens.rank.noise_edge" in loaded
    assert not loaded & {"scipy.optimize", "scipy.stats", "sklearn", "pandas", "matplotlib"}


def test_ten_columns_fit_a_terminal_of_forty_lines(tmp_path):
    frame = pd.DataFrame({name: DECATHLON[name] for name in EVENTS}, index=DECATHLON.names)
    frame.to_csv(tmp_path / "t.csv")

    said = typed("fit", str(tmp_path / "t.csv"), "--columns", ",".join(EVENTS), "--scale")

    assert said.stdout.count("\n") <= 40
    assert "PC10" in said.stdout
