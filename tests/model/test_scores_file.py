"""Scores written to a file: complete or not at all, and never over anybody else's."""

import os

import numpy as np
import pytest

import eigenlens as el
from tests.problems import make_table

ROWS = make_table(60, 5, 0)
MODEL = el.fit(ROWS, 2)
ENDINGS = [".npy", ".csv", ".parquet"]


@pytest.fixture
def given(tmp_path):
    np.save(tmp_path / "rows.npy", ROWS)
    return tmp_path / "rows.npy"


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_of_somebody_elses_is_left_alone(given, ending):
    beside = given.with_name(f"scores{ending}.part")
    beside.write_text("a letter")

    MODEL.project(given, out=given.with_name(f"scores{ending}"))

    assert beside.read_text() == "a letter"
    assert names_in(given.parent) == ["rows.npy", f"scores{ending}", f"scores{ending}.part"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_link_stays_and_what_it_points_at_is_replaced(given, ending):
    folder = given.parent / "elsewhere"
    folder.mkdir()
    target, link = folder / f"real{ending}", given.with_name(f"link{ending}")
    target.write_text("old")
    link.symlink_to(target)

    MODEL.project(given, out=link)

    assert link.is_symlink()
    np.testing.assert_allclose(rows_in(target), MODEL.project(ROWS), rtol=1e-12)


def rows_in(path):
    return np.vstack(list(el.open(path).blocks(100)))


@pytest.mark.parametrize("name", ["rows.npy", "also.npy", "./rows.npy"])
def test_the_rows_are_not_overwritten_by_their_scores(given, name, monkeypatch):
    monkeypatch.chdir(given.parent)
    os.link(given, given.with_name("also.npy"))
    before = given.read_bytes()

    for rows in (given, [given, given], el.open(given), np.load(given, mmap_mode="r")):
        with pytest.raises(el.FileError, match=r"being read.*another name"):
            MODEL.project(rows, out=name)

    assert given.read_bytes() == before


def test_scores_beside_the_rows_of_a_folder_are_not_taken_for_rows_the_next_time(given):
    MODEL.project(given.parent, out=given.with_name("scores.npy"))

    with pytest.raises(el.EigenlensError):
        MODEL.project(given.parent, out=given.with_name("scores.npy"))

    assert names_in(given.parent) == ["rows.npy", "scores.npy"]


def test_a_row_that_cannot_be_used_leaves_the_old_scores_and_nothing_else(given):
    out = given.with_name("scores.npy")
    MODEL.project(given, out=out)
    before, spoiled = out.read_bytes(), ROWS.copy()
    spoiled[50, 1] = np.nan

    with pytest.raises(el.DataError, match="row 50"):
        MODEL.project(spoiled, out=out)

    assert out.read_bytes() == before
    assert names_in(given.parent) == ["rows.npy", "scores.npy"]


@pytest.mark.parametrize("kind", ["folder", "device"])
def test_what_is_no_file_is_not_replaced(given, kind):
    out = given.with_name("scores.npy")
    out.mkdir() if kind == "folder" else out.symlink_to("/dev/full")

    with pytest.raises(el.FileError, match=rf"could not be written: it is a {kind}"):
        MODEL.project(given, out=out)

    assert names_in(given.parent) == ["rows.npy", "scores.npy"]


def test_a_home_folder_is_known_and_the_case_of_an_ending_is_no_matter(given, monkeypatch):
    monkeypatch.setenv("HOME", str(given.parent))

    path = MODEL.project(given, out="~/SCORES.NPY")

    assert path == given.with_name("SCORES.NPY")
    np.testing.assert_allclose(np.load(path), MODEL.project(ROWS))


def test_permissions_stay_as_they_were(given):
    out = given.with_name("scores.csv")
    out.write_text("old")
    out.chmod(0o604)

    MODEL.project(given, out=out)

    assert out.stat().st_mode & 0o777 == 0o604


@pytest.mark.parametrize("out", [None, "scores.npy"])
def test_an_iterator_is_refused_before_it_is_read(out, tmp_path):
    blocks = iter(np.array_split(ROWS, 3))

    with pytest.raises(el.DataError, match=r"fresh iterator.*project\(block\)"):
        MODEL.project(blocks, out=out if out is None else tmp_path / out)

    assert len(list(blocks)) == 3
    assert names_in(tmp_path) == []


@pytest.mark.parametrize(("out", "words"), [(3, "out=3 needs a path"), ("", "out='' is not known")])
def test_what_is_no_path_is_said_so(out, words):
    with pytest.raises(el.OptionError, match=words):
        MODEL.project(ROWS, out=out)


def test_a_path_of_bytes_is_one(given, monkeypatch):
    monkeypatch.chdir(given.parent)

    assert MODEL.project(given, out=b"scores.npy").name == "scores.npy"
