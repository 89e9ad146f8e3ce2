"""Groups of rows: the one that is seen best colors the map; nothing vanishes."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.digest.digest import digest_of
from eigenlens.digest.group_order import ordered_groups, share_explained
from tests.cli.typed import document, typed

RNG = np.random.default_rng(5)
KIND = np.repeat(["a", "b", "c"], 20)
OTHER = np.tile(["x", "y"], 30)
ROWS = RNG.standard_normal((60, 3)) + 6 * (KIND[:, None] == ["a", "b", "c"])


@pytest.fixture
def table(tmp_path):
    frame = pd.DataFrame(ROWS, columns=["u", "v", "w"])
    frame.insert(0, "row", range(1, 61))
    frame["other"], frame["kind"], frame["year"] = OTHER, KIND, np.tile([2007, 2008, 2009], 20)
    frame["when"] = pd.date_range("2020-01-01", periods=30).strftime("%Y-%m-%d").repeat(2)
    frame.to_csv(tmp_path / "t.csv", index=False)
    return str(tmp_path / "t.csv")


def test_the_group_that_explains_most_of_the_plane_comes_first():
    frame = pd.DataFrame(ROWS, columns=["u", "v", "w"]).assign(other=OTHER, kind=KIND)

    digest = digest_of(el.fit(frame, 2), frame)

    assert list(digest.rows.groups) == ["other", "kind"]
    assert list(ordered_groups(digest)) == ["kind", "other"]


def test_a_share_is_one_minus_what_is_left_within_groups():
    plane = ROWS[:, :2]
    within = sum(((plane[one == KIND] - plane[one == KIND].mean(0)) ** 2).sum() for one in "abc")
    total = ((plane - plane.mean(0)) ** 2).sum()

    found = share_explained(plane, KIND.astype(object))

    assert found == pytest.approx(1 - within / total, abs=1e-12)


def test_every_column_that_is_not_analyzed_is_named_with_its_role(table):
    result = typed("fit", table, COLUMNS="200")
    told = document("fit", table)["result"]["not_analyzed"]

    assert "'row' (row names)" in result.stdout
    assert "'other' and 'kind' (groups)" in result.stdout
    assert "'year' (a code, not a measurement)" in result.stdout
    assert "'when' (dates or times)" in result.stdout
    assert set(told) == {"row", "other", "kind", "year", "when"}
    assert told["kind"] == "group: text with 3 different values"


def test_a_code_is_analyzed_on_request(table):
    told = document("fit", table, "--code-as", "number")

    assert told["data"]["columns"] == 4
    assert typed("fit", table, "--code-as", "word").exit_code == 2
