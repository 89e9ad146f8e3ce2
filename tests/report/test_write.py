"""The door of the report: what comes back, what is refused, and that no half file is left."""

import numpy as np
import pytest

import eigenlens
from eigenlens.errors import FileError, OptionError, UnsupportedData

RNG = np.random.default_rng(0)
ROWS = RNG.standard_normal((60, 5)) * [5, 3, 1, 1, 1]
MODEL = eigenlens.fit(ROWS, 2)


def test_the_page_is_where_it_was_asked_for(tmp_path):
    target = tmp_path / "page.html"

    assert eigenlens.report(MODEL, ROWS, target) == target
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [target]


def test_report_is_the_function_also_after_its_room_was_imported():
    import eigenlens.report.page

    assert callable(eigenlens.report)


def test_rows_that_are_not_those_of_the_fit_are_refused(tmp_path):
    with pytest.raises(OptionError, match=r"40 row.*fitted to 60.*supplementary_rows="):
        eigenlens.report(MODEL, ROWS[:40], tmp_path / "page.html")

    assert list(tmp_path.iterdir()) == []


def test_an_unknown_column_has_a_nearest_name(tmp_path):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(ROWS, schema=["aa", "bb", "cc", "dd", "ee"])
    model = eigenlens.fit(frame, 2)

    with pytest.raises(UnsupportedData, match="Did you mean 'dd'"):
        eigenlens.report(model, frame, tmp_path / "page.html", group="ddd")


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileError, match="there is no folder"):
        eigenlens.report(MODEL, ROWS, tmp_path / "gone" / "page.html")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(FileError, match="it is a folder"):
        eigenlens.report(MODEL, ROWS, tmp_path)
