"""Paths, patterns, folders and lists: which files they stand for, and what is said when none."""

import errno
import os
import pathlib

import numpy as np
import pytest

import eigenlens as el
from tests.sources.kinds import small_table


@pytest.fixture
def folder(tmp_path):
    rows = small_table()
    np.save(tmp_path / "b.npy", rows[4:])
    np.save(tmp_path / "a.npy", rows[:4])
    (tmp_path / "readme.txt").write_text("not a table")
    (tmp_path / ".hidden.npy").write_text("nor this")
    return tmp_path


def rows_of(data):
    return np.vstack(list(el.open(data).blocks(3)))


@pytest.mark.parametrize("made", [str, pathlib.Path])
def test_one_file(folder, made):
    np.testing.assert_array_equal(rows_of(made(folder / "a.npy")), small_table()[:4])


def test_a_pattern_is_all_that_match_in_the_order_of_their_names(folder):
    np.testing.assert_array_equal(rows_of(str(folder / "*.npy")), small_table())


def test_a_list_keeps_its_own_order(folder):
    given = [folder / "b.npy", folder / "a.npy"]

    np.testing.assert_array_equal(rows_of(given), small_table()[[*range(4, 11), *range(4)]])


def test_a_folder_is_every_table_in_it(folder):
    np.testing.assert_array_equal(rows_of(folder), small_table())


def test_a_home_folder_is_known(folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder))

    np.testing.assert_array_equal(rows_of("~/a.npy"), small_table()[:4])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("c.npy", ["there is no file", "c.npy"]),
        ("c" * 5000 + ".npy", ["name is too long", "shorter name", "ccc…ccc"]),
        ("*.parquet", ["no file matches", "*.parquet"]),
        ("readme.txt", ["readme.txt", "'.npy'", "'.parquet'", ".csv.gz"]),
    ],
)
def test_what_is_not_there_is_said(folder, name, words):
    with pytest.raises(el.FileError) as refused:
        el.open(folder / name)

    assert [word for word in words if word not in str(refused.value)] == []


def test_an_empty_folder_and_an_empty_file(tmp_path):
    (tmp_path / "none").mkdir()
    (tmp_path / "zero.npy").touch()

    with pytest.raises(el.FileError, match="no file matches"):
        el.open(tmp_path / "none")
    with pytest.raises(el.FileError, match="is empty"):
        el.open(tmp_path / "zero.npy")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(folder):
    (folder / "a.npy").chmod(0)

    with pytest.raises(el.FileError, match="may not be read"):
        el.open(folder / "a.npy")


def test_a_file_that_changes_between_passes_is_an_error(folder):
    source = el.open(folder / "a.npy")
    np.save(folder / "a.npy", small_table()[:5])

    with pytest.raises(el.FileError, match="changed while it was being read"):
        list(source.blocks(2))


def test_a_model_projects_a_path_and_writes_scores(folder):
    model = el.fit(small_table(), 2)

    whole = model.project(folder)
    written = model.project(folder, out=folder / "scores.csv")

    np.testing.assert_allclose(whole, model.project(small_table()), atol=1e-12)
    assert len(written.read_text().splitlines()) == 1 + len(small_table())


def test_scores_that_cannot_be_written_leave_nothing_behind(folder):
    model = el.fit(small_table(), 2)

    with pytest.raises(el.FileError, match="could not be written"):
        model.project(folder, out=folder / "nowhere" / "scores.npy")

    assert not list(folder.rglob("scores*"))


def test_a_file_that_is_gone_is_missed_at_the_first_look(folder):
    source = el.open(folder / "a.npy")
    (folder / "a.npy").unlink()

    with pytest.raises(el.FileError, match="there is no such file"):
        el.fit(source, 1)


def test_a_disk_that_fails_is_said_to(folder, monkeypatch):
    def failing(*_):
        raise OSError(errno.EIO, "Input/output error")

    source = el.open(folder / "a.npy", columns=[0, 2])
    monkeypatch.setattr("eigenlens.sources.files.npy_file.read_exactly", failing)

    with pytest.raises(el.FileError, match=r"a.npy' could not be read: Input/output error"):
        list(source.blocks(2))


def test_errors_of_a_users_program_stay_what_they_are():
    def blocks():
        yield small_table()
        raise FileNotFoundError("mine")

    with pytest.raises(FileNotFoundError, match="mine"):
        el.open(blocks)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_refused_and_not_waited_for(folder):
    os.mkfifo(folder / "pipe.csv")

    with pytest.raises(el.FileError, match=r"a pipe or a device.*iterator of blocks"):
        el.open(folder / "pipe.csv")
