"""Sampling intervals with missing cells say what the holes take from the rows."""

import numpy as np
import pytest

import eigenlens as el
from tests.missing.drawn import draw_holes, draw_table


def widths(table):
    return np.log(np.array(table["high"]) / np.array(table["low"]))


@pytest.mark.parametrize("engine", ["gaussian", "lowrank"])
def test_intervals_are_wider_than_those_of_the_complete_table(engine):
    rows = draw_table(120, 5, 0)
    lacking = draw_holes(rows, 0.4, 0)
    model = el.fit(lacking, 2, missing=engine)

    found = el.explain.sampling_intervals(model, lacking)

    complete = el.explain.sampling_intervals(el.fit(rows, 2), rows)
    # Twenty groups know a spread to 16 %, so that one of two intervals may be shorter.
    assert widths(complete).sum() < widths(found).sum() < 3 * widths(complete).sum()
    assert (np.array(found["low"]) < model.eigenvalues).all()
    assert (np.array(found["proportion_high"]) > model.explained_ratio).all()


def test_few_holes_change_little():
    rows = draw_table(300, 4, 1)
    lacking = rows.copy()
    lacking[5, 2] = np.nan
    model = el.fit(lacking, 2, missing="auto")

    found = el.explain.sampling_intervals(model, lacking)

    complete = el.explain.sampling_intervals(el.fit(rows, 2), rows)
    assert widths(found) == pytest.approx(widths(complete), rel=0.4)


def test_intervals_hold_the_truth():
    spread = np.sqrt([6.0, 3.0, 1.5, 1.0, 0.5])
    inside = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        rows = rng.standard_normal((80, 5)) * spread
        rows[rng.random(rows.shape) < 0.2] = np.nan
        table = el.explain.sampling_intervals(el.fit(rows, 2, missing="gaussian"), rows)
        ends = zip(table["low"], table["high"], (6, 3), strict=True)
        inside += [low <= value <= high for low, high, value in ends]

    assert np.sum(inside) >= 17  # of 20 intervals of 95 %: fewer in 2 of 100 such tests


def test_without_rows_there_are_none():
    lacking = draw_holes(draw_table(60, 4, 2), 0.2, 2)

    with pytest.raises(el.OptionError, match="rows of the fit"):
        el.explain.sampling_intervals(el.fit(lacking, 2, missing="auto"))


def test_the_first_screen_has_them(tmp_path):
    from typer.testing import CliRunner

    from eigenlens.cli.main import app

    lacking = draw_holes(draw_table(60, 4, 3), 0.2, 3)
    path = tmp_path / "rows.csv"
    np.savetxt(path, lacking, delimiter=",", header="a,b,c,d", comments="")

    said = CliRunner().invoke(app, ["fit", str(path), "-k", "2", "--missing", "auto"]).stdout

    line = next(line for line in said.splitlines() if "PC1" in line and "%" in line)
    assert " to " in line
