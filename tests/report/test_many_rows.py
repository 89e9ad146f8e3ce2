"""Many rows: a sample over all of them, the odd ones kept, within the bytes promised."""

import base64
import json
import re

import numpy as np
import pytest

import eigenlens
from eigenlens.digest.digest import digest_of
from eigenlens.digest.row_info import describe_rows
from eigenlens.report.map_columns import map_columns, shown_rows


def facts(rows, k=3, **given):
    info = describe_rows(rows, len(rows), **given)
    return digest_of(eigenlens.fit(rows, k), rows, info)


def table(n, d, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((n, 3)) @ rng.standard_normal((3, d)) * 3
    return (rows + rng.standard_normal((n, d))).astype(np.float32)


def values_of(axis):
    raw = base64.b64decode(axis["data"])
    if axis["kind"].startswith("float"):
        return np.frombuffer(raw, axis["kind"])
    steps = np.frombuffer(raw, "<u2") * (axis["to"] - axis["from"]) / axis["steps"] + axis["from"]
    return np.exp(steps) if axis["log"] else steps


@pytest.fixture(scope="module")
def many():
    rows = table(120_000, 5)
    rows[77] += 40
    return facts(rows)


def test_above_100_000_rows_a_sample_keeps_every_row_past_a_limit(many):
    assert len(shown_rows(many)) < 40_000
    assert set(many.beyond_limits) <= set(shown_rows(many).tolist())
    assert 77 in shown_rows(many)


def test_the_density_counts_all_rows_in_every_plane(many):
    columns = map_columns(many)

    assert columns["of"] == 120_000
    assert columns["rows"] == len(shown_rows(many))
    # Three components are kept, and a fourth is there to look at.
    assert set(columns["density"]) == {"0,1", "0,2", "0,3", "1,2", "1,3", "2,3"}
    positions = np.frombuffer(base64.b64decode(columns["positions"]), "<i4")
    assert np.array_equal(positions, shown_rows(many))


def test_up_to_100_000_rows_every_row_is_shown():
    columns = map_columns(facts(table(2000, 5)))

    assert columns["rows"] == 2000
    assert columns["positions"] is None
    assert columns["density"] == {}


def test_steps_are_finer_than_anyone_can_see():
    seen = facts(table(25_000, 5))
    columns = map_columns(seen)
    axes = {axis["name"]: axis for axis in columns["axes"]}

    for place in range(3):
        axis = axes[f"PC{place + 1}"]
        assert axis["kind"] == "uint16"
        step = (axis["to"] - axis["from"]) / axis["steps"]
        assert np.abs(values_of(axis) - seen.scores[:, place]).max() <= 0.51 * step + 1e-9
    ratio = values_of(axes["Q"]) / np.asarray(seen.outliers["Q"])
    assert np.abs(np.log(ratio)).max() <= (axes["Q"]["to"] - axes["Q"]["from"]) / 65534


def test_one_far_row_does_not_take_all_steps():
    rows = table(25_000, 5)
    rows[0] += 1e6

    axis = next(one for one in map_columns(facts(rows))["axes"] if one["name"] == "PC1")

    assert axis["kind"] == "float32"


@pytest.mark.parametrize("unit", [1e60, 1e-60])
def test_numbers_that_float32_does_not_hold_are_kept_whole(unit):
    seen = facts(table(50, 5).astype(np.float64) * unit)

    axis = next(one for one in map_columns(seen)["axes"] if one["name"] == "PC1")

    assert np.array_equal(values_of(axis), seen.scores[:, 0])


def test_columns_stay_within_their_bytes():
    rows = table(25_000, 40)
    ids = [f"a rather long name of a row {place}" for place in range(25_000)]

    size = len(json.dumps(map_columns(facts(rows, 12, labels=ids))))

    assert size <= 2_600_000 * 1.03


def test_costly_questions_are_asked_of_some_rows_and_it_is_said(many):
    assert many.sampled.sample[0].shape[0] == 5000
    assert (
        many.sampled.sample_note
        == "Based on 5,000 of the 120,000 rows, drawn at random to save time."
    )
    assert facts(table(300, 4)).sampled.sample_note == ""


@pytest.mark.slow
def test_a_page_of_1_800_rows_by_64_has_at_most_3_megabytes(tmp_path):
    from sklearn.datasets import load_digits

    digits = load_digits()
    model = eigenlens.fit(digits.data, 0.95)
    group = {"digit": digits.target.astype(str)}

    page = eigenlens.report(model, digits.data, tmp_path / "page.html", groups=group)

    assert page.stat().st_size <= 3_000_000


@pytest.mark.slow
def test_a_page_of_many_rows_says_so_and_draws_them(tmp_path, visit):
    rows = table(120_000, 5)
    path = eigenlens.report(eigenlens.fit(rows, 3), rows, tmp_path / "page.html")
    text = re.sub(r"\s+", " ", path.read_text("utf-8"))

    page = visit(path)
    page.select_option("#map-x", index=2)
    page.wait_for_timeout(500)

    assert path.stat().st_size <= 6_000_000
    assert "of the 120,000 rows are drawn as points: every row beyond a 99 % limit" in text
    assert "The shading shows the density of all rows" in text
    assert page.complaints == []
    density = "Bokeh.documents[0].get_model_by_name('density').data"
    assert page.evaluate(f"{density}.image.length") == 1
