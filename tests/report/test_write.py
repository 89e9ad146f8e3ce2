"""The door of the report: what comes back, what is refused, and that no half file is left."""

import errno
import importlib.util
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import eigenlens
from eigenlens.document.table import write_whole
from eigenlens.errors import DataError, FileError, OptionError, UnsupportedData, WeightsError

RNG = np.random.default_rng(0)
ROWS = RNG.standard_normal((60, 5)) * [5, 3, 1, 1, 1]
MODEL = eigenlens.fit(ROWS, 2)


def test_the_page_is_where_it_was_asked_for_and_opened_only_if_asked(tmp_path, monkeypatch):
    import webbrowser

    shown, target = [], tmp_path / "page.html"
    monkeypatch.setattr(webbrowser, "open", shown.append)

    assert eigenlens.report(MODEL, ROWS, str(target), show=True) == target
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [target]
    assert shown == [target.as_uri()]


def test_report_is_the_function_also_after_its_room_was_imported():
    import eigenlens.report.sections

    assert callable(eigenlens.report)


def test_the_same_seed_gives_the_same_page_but_for_the_time(tmp_path):
    one, two = (
        eigenlens.report(MODEL, ROWS, tmp_path / name, title="t", command="c").read_text("utf-8")
        for name in ("one.html", "two.html")
    )

    def still(text):
        return [line for line in text.splitlines() if "Made with" not in line]

    different = [(a, b) for a, b in zip(still(one), still(two), strict=True) if a != b]
    # Bokeh numbers its models on and on within a process.
    assert all("map-plan" in a for a, _ in different)


# -- what is refused -----------------------------------------------------------------------


def refused(error, words, tmp_path, *arguments, **given):
    target = given.pop("target", tmp_path / "page.html")
    with pytest.raises(error, match=words):
        eigenlens.report(*arguments, target, **given)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_rows_that_are_not_those_of_the_fit(tmp_path):
    refused(OptionError, r"40 row.*fitted to 60.*supplementary_rows=", tmp_path, MODEL, ROWS[:40])


def test_columns_that_are_not_those_of_the_fit(tmp_path):
    refused(DataError, "fitted on 5", tmp_path, MODEL, ROWS[:, :4])


def test_a_model_that_is_none(tmp_path):
    refused(OptionError, "eigenlens.fit", tmp_path, "model", ROWS)


@pytest.mark.parametrize("option", ["labels", "groups", "supplementary_columns"])
def test_an_unknown_column_has_a_nearest_name(tmp_path, option):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(ROWS, schema=["aa", "bb", "cc", "dd", "ee"])
    model = eigenlens.fit(frame, 2)

    refused(UnsupportedData, "Did you mean 'dd'", tmp_path, model, frame, **{option: "ddd"})


def test_a_group_with_entries_for_other_rows(tmp_path):
    refused(OptionError, "each of the 60 rows", tmp_path, MODEL, ROWS, groups={"g": ["a", "b"]})


def test_names_for_other_rows(tmp_path):
    refused(OptionError, "each of the 60 rows", tmp_path, MODEL, ROWS, labels=["a", "b"])


def test_groups_that_are_names_of_rows(tmp_path):
    names = [f"row {place}" for place in range(60)]

    refused(OptionError, "pass labels='g'", tmp_path, MODEL, ROWS, groups={"g": names})


def test_weights_that_the_fit_had_are_asked_for(tmp_path):
    weights = np.arange(1.0, 61.0)
    model = eigenlens.fit(ROWS, 2, weights=weights)

    refused(OptionError, "Pass weights=", tmp_path, model, ROWS)
    refused(WeightsError, "60 rows", tmp_path, model, ROWS, weights=weights[:7])
    assert eigenlens.report(model, ROWS, tmp_path / "page.html", weights=weights).exists()


def test_a_folder_that_is_not_there(tmp_path):
    target = tmp_path / "gone" / "page.html"

    refused(FileError, "there is no folder", tmp_path, MODEL, ROWS, target=target)


def test_a_folder_in_place_of_a_file(tmp_path):
    refused(FileError, "it is a folder", tmp_path, MODEL, ROWS, target=tmp_path)


def test_a_folder_without_permission(tmp_path, monkeypatch):
    # Root may write everywhere, and tests may be run by root.
    monkeypatch.setattr(os, "access", lambda path, mode: False)

    refused(FileError, "no permission", tmp_path, MODEL, ROWS)


def test_a_full_disk_leaves_the_old_page_as_it_was(tmp_path, monkeypatch):
    target = tmp_path / "page.html"
    target.write_text("old")
    write = Path.write_bytes

    def full(path, data):
        write(path, data[:100])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(FileError, match="the disk is full"):
        write_whole(target, "new")

    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("package", ["jinja2", "matplotlib", "bokeh"])
def test_a_missing_package_is_named_with_what_to_type(tmp_path, monkeypatch, package):
    find = importlib.util.find_spec
    door = sys.modules["eigenlens.report.write"]
    monkeypatch.setattr(
        door, "find_spec", lambda name: None if name == package else find(name), raising=True
    )

    refused(OptionError, rf"{package}.*eigenlens\[report\]", tmp_path, MODEL, ROWS)


def test_a_seed_that_is_none(tmp_path):
    refused(OptionError, "seed=", tmp_path, MODEL, ROWS, seed="x")
