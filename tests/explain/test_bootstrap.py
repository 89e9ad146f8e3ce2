"""Bootstrap: samples are what they claim to be, intervals hold the truth, ties are told."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.explain.bootstrap import bootstrap
from eigenlens.explain.interval_reach import interval_reach
from eigenlens.explain.resampled import resample_moments
from tests.explain.models import fingerprint, small

COLUMNS = ["quantity", "component", "variable", "estimate", "low", "high", "remark"]


def table_of(n=150, variances=(25, 9, 4, 1, 1), seed=0):
    return np.random.default_rng(seed).standard_normal((n, len(variances))) * np.sqrt(variances)


def lines_of(table, quantity, component=None):
    return [
        line
        for line in table.lines()
        if line["quantity"] == quantity and component in (None, line["component"])
    ]


def test_there_is_a_line_for_every_eigenvalue_angle_and_loading():
    rows = table_of()

    table = bootstrap(el.fit(rows, 2), rows, draws=100)

    assert list(table.columns) == COLUMNS
    assert [table["quantity"].count(q) for q in ("eigenvalue", "angle", "loading")] == [2, 2, 10]


def test_every_interval_is_in_order_and_about_its_estimate():
    rows = table_of()

    for line in bootstrap(el.fit(rows, 2), rows, draws=200).lines():
        assert line["low"] <= line["estimate"] <= line["high"]


def test_samples_are_drawn_with_replacement_in_blocks_of_any_size():
    rows, rng = table_of(n=50), np.random.default_rng(0)
    weights = np.ones(50)

    def means(size):
        def blocks():
            return (rows[start : start + size] for start in range(0, 50, size))

        (found,) = resample_moments(blocks, weights, 5, 4000, rng)
        assert (found.weight == 50).all()
        return found.mean

    for size in (50, 7):
        drawn = means(size)
        spread = rows.std(axis=0) / np.sqrt(50)
        np.testing.assert_allclose(drawn.std(axis=0), spread, rtol=0.06)
        np.testing.assert_allclose(drawn.mean(axis=0), rows.mean(axis=0), atol=0.1 * spread.max())


@pytest.mark.parametrize("options", [{}, {"scale": "std"}, {"center": False}])
def test_second_moments_give_what_fitting_every_sample_would(options):
    rows = table_of(n=60) @ np.linalg.qr(np.random.default_rng(1).standard_normal((5, 5)))[0] + 1
    model = el.fit(rows, 2, **options)
    rng = np.random.default_rng(0)
    fitted = [el.fit(rows[rng.integers(60, size=60)], 2, **options) for _ in range(300)]
    spread = np.std([np.log(one.eigenvalues) for one in fitted], axis=0)

    lines = lines_of(bootstrap(model, rows, draws=2000), "eigenvalue")

    halves = np.array([np.log(line["high"] / line["low"]) / 2 for line in lines])
    np.testing.assert_allclose(
        halves, interval_reach(60, 0.95).of_log_eigenvalue * spread, rtol=0.2
    )


@pytest.mark.parametrize("n", [20, 30, 100])
def test_intervals_hold_the_true_eigenvalues_and_loadings_about_as_often_as_they_say(n):
    held, tried = np.zeros(2), np.zeros(2)
    for seed in range(60):
        rows = table_of(n=n, seed=seed)
        model = el.fit(rows, 2)
        table = bootstrap(model, rows, draws=200, seed=seed)
        signs = np.sign(np.diag(model.components[:, :2]))
        truth = np.diag([5.0, 3.0, 2, 1, 1])[:2] * signs[:, None]
        for place, quantity, values in ((0, "eigenvalue", [25, 9]), (1, "loading", truth.ravel())):
            for line, value in zip(lines_of(table, quantity), values, strict=True):
                if quantity == "loading" and line["remark"]:
                    continue  # only a span means something there
                held[place] += line["low"] <= value <= line["high"]
                tried[place] += 1

    errors = np.sqrt(0.95 * 0.05 / tried * [1, 5])  # loadings of an axis are not independent
    assert tried[1] > 200
    assert (held / tried > 0.95 - 2 * errors - 0.01).all()
    assert (held / tried < 1).all()


def test_loadings_of_standardized_columns_are_correlations_and_end_at_one():
    rows = table_of(n=20)[:, :3] + 5 * np.random.default_rng(1).standard_normal((20, 1))
    table = bootstrap(el.fit(rows, 1, scale="std"), rows, draws=100)

    assert max(line["high"] for line in lines_of(table, "loading")) <= 1


def test_axes_that_cannot_be_told_apart_are_said_so():
    rows = table_of(variances=(25, 9, 9, 1, 1))

    table = bootstrap(el.fit(rows, 3), rows, draws=300)

    first, second, third = lines_of(table, "angle")
    assert first["remark"] == ""
    assert "cannot be told apart from PC3" in second["remark"]
    assert "cannot be told apart from PC2" in third["remark"]
    assert second["high"] > 45 > first["high"]


def test_an_axis_lost_among_those_left_out_is_said_so():
    rows = table_of(variances=(25, 1, 1, 1, 1, 1, 1))

    second = lines_of(bootstrap(el.fit(rows, 2), rows, draws=300), "angle")[1]

    assert "cannot be told apart from those left out" in second["remark"]


def test_axes_well_apart_have_no_remark():
    rows = table_of(variances=(100, 25, 4, 1, 1))

    assert set(bootstrap(el.fit(rows, 3), rows, draws=300)["remark"]) == {""}


def test_tied_axes_are_rotated_together_so_their_span_stays_narrow():
    rows = table_of(n=400, variances=(25, 25, 1, 1, 1))

    table = bootstrap(el.fit(rows, 2), rows, draws=300)

    # The signs and turns of the two axes would make intervals as wide as 2 sqrt(25).
    assert "PC2" in lines_of(table, "angle", "PC1")[0]["remark"]
    assert max(line["high"] - line["low"] for line in lines_of(table, "loading")) < 2


def test_the_same_seed_gives_the_same_table_and_another_another():
    rows = table_of()
    model = el.fit(rows, 2)

    one, two, other = (bootstrap(model, rows, draws=100, seed=seed) for seed in (3, 3, 4))

    assert one.to_csv() == two.to_csv()
    assert one.to_csv() != other.to_csv()


def test_weights_are_repeats_of_a_row_that_is_drawn_as_a_whole():
    rows = table_of(n=60)
    weights = np.full(60, 2.0)
    model = el.fit(rows, 2, weights=weights)

    heavy = lines_of(bootstrap(model, rows, draws=1000, weights=weights), "eigenvalue")
    once = lines_of(bootstrap(el.fit(rows, 2), rows, draws=1000), "eigenvalue")

    # Sums of squares over 120 - 1 in place of 2 (60 - 1), the same rows drawn as often.
    for one, two in zip(heavy, once, strict=True):
        assert one["high"] / one["low"] == pytest.approx(two["high"] / two["low"], rel=0.01)


def test_many_columns_vary_within_the_leading_components():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((100, 2)) * [9, 5] @ rng.standard_normal((2, 300)) / 10
    rows += 0.1 * rng.standard_normal(rows.shape)

    table = bootstrap(el.fit(rows, 2), rows, draws=100)

    assert len(lines_of(table, "loading")) == 600
    assert set(table["remark"]) == {""}
    for line in lines_of(table, "eigenvalue"):
        assert line["low"] < line["estimate"] < line["high"]


def test_the_model_is_never_changed():
    model, rows = small()
    before = fingerprint(model)

    bootstrap(model, rows, draws=50)

    assert fingerprint(model) == before


@pytest.mark.parametrize("draws", [10, 0, -1, 2.5, True])
def test_too_few_draws_are_refused(draws):
    model, rows = small()

    with pytest.raises(el.OptionError, match=f"draws={draws!r} must be a whole number from 50 up"):
        bootstrap(model, rows, draws=draws)


def test_levels_rows_and_weights_are_checked():
    model, rows = small()

    with pytest.raises(el.OptionError, match="strictly between 0 and 1"):
        bootstrap(model, rows, level=95)
    with pytest.raises(el.OptionError, match="all 8 of them"):
        bootstrap(model, rows[:4])
    with pytest.raises(el.OptionError, match="Pass weights="):
        bootstrap(el.fit(rows, 2, weights=np.arange(1, 9)), rows)
