"""data_check: each check speaks when it should and is fine when it should be; KMO and Bartlett."""

import numpy as np
import pytest

import eigenlens
from eigenlens import explain
from eigenlens.explain.sphericity import kmo, sphericity
from tests.explain.classics import DECATHLON, EVENTS

RNG = np.random.default_rng(0)
PLAIN = RNG.standard_normal((400, 1)) + 0.7 * RNG.standard_normal((400, 4))


def checked(rows, k=2, **options):
    table = explain.data_check(eigenlens.fit(rows, k, **options), rows)
    return {line["check"]: line for line in table.lines()}


def partial_by_regression(rows, first, second):
    """What is left of two columns once all others are taken out of both, correlated."""
    others = np.delete(rows, [first, second], axis=1)
    others = np.column_stack([others, np.ones(len(rows))])
    left = [
        rows[:, one] - others @ np.linalg.lstsq(others, rows[:, one], rcond=None)[0]
        for one in (first, second)
    ]
    return np.corrcoef(left)[0, 1]


def test_a_plain_table_has_nothing_to_look_into():
    assert not any(line["look"] for line in checked(PLAIN).values())


@pytest.mark.parametrize(
    ("check", "rows", "words"),
    [
        ("rows per column", PLAIN[:12], "12 rows for 4 columns"),
        ("constant", np.column_stack([PLAIN, np.full(400, 3.0)]), "'x4' does not vary"),
        ("near-constant", np.column_stack([PLAIN, np.arange(400) < 9]), "'x4' has one value"),
        ("duplicated", np.column_stack([PLAIN, 32 + 1.8 * PLAIN[:, 1]]), "'x1' and 'x4'"),
        ("dependent", np.column_stack([PLAIN, PLAIN[:, :3].sum(1)]), "follows almost exactly"),
        ("spread", PLAIN * [1, 1, 1, 1000], "'x3' varies"),
        ("heavy tails", PLAIN + np.eye(400, 4) * 100, "far outside"),
        ("leverage", np.vstack([PLAIN, np.full(4, 1e4)]), "leverage of a row is 1;"),
        ("sphericity", RNG.standard_normal((50, 4)), "Chance alone could explain"),
    ],
)
def test_each_check_speaks_of_what_it_is_for(check, rows, words):
    line = checked(rows)[check]

    assert line["look"]
    assert words in line["remark"]


def test_of_a_total_and_its_parts_only_the_total_is_named():
    rows = np.column_stack([PLAIN, PLAIN.sum(1) + 0.01 * RNG.standard_normal(400)])

    line = checked(rows)["dependent"]

    assert line["value"] == 1
    assert line["remark"].startswith("'x4' follows")


def test_a_duplicate_is_no_dependent_column_too():
    assert not checked(np.column_stack([PLAIN, 2 * PLAIN[:, 1]]))["dependent"]["look"]


def test_scaling_takes_the_spread_out():
    line = checked(PLAIN * [1, 1, 1, 1000], scale="std")["spread"]

    assert not line["look"]
    assert line["value"] > 100
    assert "standardizing has removed" in line["remark"]


def test_few_rows_leave_out_what_needs_many():
    assert set(checked(PLAIN[:3], 1)) == {
        "rows per column", "constant", "near-constant", "duplicated", "spread", "heavy tails",
        "leverage",
    }  # fmt: skip


def test_kmo_is_made_of_correlations_given_all_other_columns():
    rows = DECATHLON.rows[:, : len(EVENTS)]
    correlation = np.corrcoef(rows, rowvar=False)
    pairs = [(a, b) for a in range(10) for b in range(10) if a != b]
    shared = sum(correlation[pair] ** 2 for pair in pairs)
    own = sum(partial_by_regression(rows, *pair) ** 2 for pair in pairs)

    assert kmo(correlation) == pytest.approx(shared / (shared + own), rel=1e-9)


def test_iris_has_the_figures_that_are_published():
    # R's psych: KMO 0.54, cortest.bartlett 706.96 with 6 degrees of freedom.
    from sklearn.datasets import load_iris

    correlation = np.corrcoef(load_iris().data, rowvar=False)

    assert kmo(correlation) == pytest.approx(0.54, abs=0.005)
    test = sphericity(correlation, 150)
    assert test.statistic == pytest.approx(706.96, abs=0.01)
    assert test.freedom == 6


def test_bartlett_rejects_noise_as_often_as_it_says():
    draws = [np.random.default_rng(seed).standard_normal((60, 5)) for seed in range(400)]

    chances = [sphericity(np.corrcoef(rows, rowvar=False), 60).chance for rows in draws]

    # 400 draws at 5 %: 20 expected, a standard deviation of 4.4.
    assert 5 <= sum(chance < 0.05 for chance in chances) <= 38


def test_columns_that_depend_on_each_other_have_neither_measure():
    rows = np.column_stack([PLAIN, PLAIN.sum(axis=1)])
    correlation = np.corrcoef(rows, rowvar=False)

    assert kmo(correlation) is None
    assert sphericity(correlation, 400) is None


def test_units_do_not_matter_even_at_the_ends_of_the_range():
    plain, huge = checked(PLAIN), checked(PLAIN * 1e150)

    assert huge["heavy tails"] == plain["heavy tails"]
    assert huge["KMO"]["value"] == pytest.approx(plain["KMO"]["value"], rel=1e-9)
