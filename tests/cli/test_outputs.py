"""Where files go: the data are never replaced, nor one output by another."""

import resource
import signal
import subprocess
import sys

import numpy as np
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
    assert "which is being read" in result.stderr
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


# -- paths on stdout -----------------------------------------------------------------------


def test_a_path_on_stdout_is_one_line_however_long(model, here):
    folder = here / ("a long name " * 12)
    folder.mkdir()

    result = typed("export", model, "--to", "json", "-o", folder / "model.json")

    assert result.stdout == f"{folder / 'model.json'}\n"


# -- disks that are full -------------------------------------------------------------------


def small_files():
    """What a full disk does, to every file over a kilobyte."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("sense", "shades.npy", "-o", "out.npy"), b"Quality"),
        (("sense", "shades.npy", "-o", "out.png"), b"Quality"),
        (("autoencode", "data.csv", "--epochs", "0", "-o", "out.eigenlens"), b"No gain over PCA"),
        (("autoencode", "data.csv", "--epochs", "0", "--codes", "out.csv"), b"No gain over PCA"),
    ],
    ids=lambda one: one[-1] if isinstance(one, tuple) else "",
)
def test_a_full_disk_leaves_no_file_and_loses_no_answer(data, here, words, answer):
    np.save(here / "shades.npy", np.add.outer(np.sin(np.arange(24) / 4), np.arange(20) / 9))

    done = subprocess.run(
        [sys.executable, "-m", "eigenlens", *words],
        capture_output=True,
        check=False,
        preexec_fn=small_files,
    )

    assert done.returncode == 3
    assert b"largest size of a file" in done.stderr
    assert answer in done.stdout
    assert sorted(one.name for one in here.iterdir()) == ["data.csv", "shades.npy"]
