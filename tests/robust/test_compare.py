"""The comparison beside every classical fit: silent on ordinary tables, and on heavy tails."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.robust.compare import angle_by_chance, measure_turn
from tests.robust.tables import draw_clean, plant_cells, plant_rows, read_messy

DRAWS = 60


def differs(rows, k=3, **options):
    return el.fit(rows, k, solver="covariance", **options).choices["robust"].evidence["differs"]


def draw_tails(seed):
    _, plane = draw_clean(200, 20, seed)
    rng = np.random.default_rng([seed, 5])
    return rng.standard_normal((200, 3)) * [5, 4, 3] @ plane.T + rng.standard_t(5, (200, 20))


def test_normal_tables_agree():
    assert np.mean([differs(draw_clean(200, 20, seed)[0]) for seed in range(DRAWS)]) <= 0.03


def test_heavy_tails_are_no_errors():
    assert np.mean([differs(draw_tails(seed)) for seed in range(DRAWS)]) <= 0.1


def test_planted_cells_are_noticed():
    found = [differs(plant_cells(draw_clean(200, 20, s)[0], 0.03, s)[0]) for s in range(DRAWS)]

    assert np.mean(found) >= 0.95


@pytest.mark.parametrize("scale", [None, "std"])
def test_one_bad_row_is_noticed(scale):
    rows, _ = draw_clean(200, 10, 3)
    bad = rows.copy()
    bad[7] = 200 * np.random.default_rng(0).standard_normal(10)

    verdict = el.fit(bad, 3, scale=scale).choices["robust"]

    assert verdict.value == "differs"
    assert "degrees" in verdict.reason
    assert not differs(rows, scale=scale)


def test_all_components_are_compared_by_their_clearest_cut():
    rows, plane = draw_clean(300, 6, 4)
    spoiled, _ = plant_rows(rows, plane, 0.05, 4)

    assert differs(spoiled, k=6)
    assert not differs(rows, k=6)


def test_tables_with_a_frequent_value_are_left_alone():
    counts = np.random.default_rng(0).poisson(0.3, (300, 8)).astype(float) ** 3

    assert not differs(counts, k=2)


def pattern_of(rows, k=3):
    return el.fit(rows, k, solver="covariance").choices["robust"].evidence.get("pattern")


def test_planted_cells_and_rows_are_told_apart():
    tables = [draw_clean(200, 20, seed) for seed in range(20)]
    cells = [pattern_of(plant_cells(rows, 0.05, s)[0]) for s, (rows, _) in enumerate(tables)]
    rows = [pattern_of(plant_rows(*table, 0.05, s)[0]) for s, table in enumerate(tables)]

    assert np.mean([pattern == "cells" for pattern in cells]) >= 0.9
    assert np.mean([pattern == "rows" for pattern in rows]) >= 0.9


def test_skewed_columns_are_named_and_not_called_errors():
    frame = pd.DataFrame(np.exp(draw_clean(300, 6, 1)[0] / 3), columns=list("abcdef"))

    verdict = el.fit(frame, 2).choices["robust"]

    assert verdict.evidence["pattern"] == "skewed"
    assert not verdict.evidence["drastic"]
    assert "need not be errors" in verdict.reason
    assert any(f"'{name}'" in verdict.reason for name in frame)


def test_smooth_tails_are_not_called_errors():
    rng = np.random.default_rng(0)
    plane = np.linalg.qr(rng.standard_normal((50, 3)))[0]
    rows = rng.standard_normal((1000, 3)) * [5, 4, 3] @ plane.T + rng.standard_t(3, (1000, 50))

    verdict = el.fit(rows, 3).choices["robust"]

    assert verdict.evidence["pattern"] == "tails"
    assert "need not be errors" in verdict.reason


def test_a_trend_is_called_a_trend():
    steps = np.random.default_rng(0).standard_normal((1500, 4)) / 100
    growth = np.linspace(0, 1, 1500)[:, None] ** 6 * [3, 2, 1, 2]
    prices = 100 * np.exp(np.cumsum(steps, axis=0) + growth)

    verdict = el.fit(prices, 1).choices["robust"]

    assert verdict.evidence["pattern"] == "trend"
    assert "lag-one correlation 0.9" in verdict.reason or "correlation 1.00" in verdict.reason
    assert "need not be errors" in verdict.reason


def test_what_cannot_be_compared_is_not_said_to_agree():
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.standard_normal((100, 3)), rng.random(100) < 0.3])

    verdict = el.fit(rows, 2).choices["robust"]

    assert verdict.value == "not compared"
    assert "half of the cells" in verdict.reason
    assert verdict.evidence["differs"] is False


def test_wide_tables_are_not_compared():
    rows = np.random.default_rng(1).standard_normal((60, 300))

    assert el.fit(rows, 2).choices["robust"].value == "not compared"
    assert "robust" not in el.fit(rows[:20], 2).choices


def test_rounded_numbers_are_compared():
    rows, _ = read_messy("hbk", slice(0, 3))

    assert el.fit(rows, 2).choices["robust"].value == "differs"


def test_eigenvalues_that_agree_to_the_last_digit_turn_by_any_angle():
    # Columns of sizes from 1e-262 to 1e101 ended in numpy's "Eigenvalues did not converge".
    parts = np.random.default_rng(0).standard_normal((8, 4, 4))
    parts = parts + parts.transpose(0, 2, 1)

    angle = angle_by_chance(parts, np.ones(8), np.ones(4), np.eye(4), 2)

    assert angle == pytest.approx(90)


@pytest.mark.parametrize("seed", range(3))
def test_numbers_whose_squares_overflow_are_compared_in_other_units(seed):
    rows = np.random.default_rng(seed).standard_normal((60, 5)) * [4, 3, 2, 1, 0.5]
    rows[0] *= 40

    one, two = (measure_turn(part, part, np.eye(5)[:2], 0.1, True) for part in (rows, 1e200 * rows))

    assert two.angle == pytest.approx(one.angle, rel=1e-9)
    assert two.chance == pytest.approx(one.chance, rel=1e-9)


def test_a_table_is_compared_alike_wherever_it_is_stored(tmp_path):
    # In memory by rows; in Parquet by columns; of a .npy file, places all over it are looked at.
    rows = plant_rows(*draw_clean(60, 5, 1), 0.05, 1)[0]
    frame = pd.DataFrame(rows, columns=list("abcde"))
    frame.to_parquet(tmp_path / "rows.parquet")
    np.save(tmp_path / "rows.npy", rows)
    kept = [rows, np.asfortranarray(rows), frame, *tmp_path.iterdir()]

    verdicts = [el.fit(one, 2, solver="covariance").choices["robust"] for one in kept]

    assert verdicts[0].value == "differs"
    assert len({verdict.reason for verdict in verdicts}) == 1
