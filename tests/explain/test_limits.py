"""Limits of T2 and Q: published numbers, the laws they follow, and how often rows exceed them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import eigenlens as el
from benchmarks.limits import DRY_LIMITS, LimitSizes, limits_results
from eigenlens.explain.distances import row_distances
from eigenlens.explain.left_out_spectrum import (
    LAWS,
    LeftOutSpectrum,
    estimate_left_out,
    geometric_sequence,
    sums_from_rows,
    sums_from_scatter,
    sums_from_spectrum,
    unbias_power_sums,
)
from eigenlens.explain.limits import limit_in_fit, q_limits, t2_limit, t2_limits

LEVELS = (0.95, 0.99)


def noisy_plane(n=200, d=10, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)) * np.r_[5, 3, np.linspace(1, 0.5, d - 2)]


def without_notes(model, scatter=False):
    """As if the solver had not seen the whole spectrum; `scatter`: but kept its matrix."""
    stop = model.choices["stop"]
    told = {name: value for name, value in stop.evidence.items() if name != "power_sums"}
    moments = model.moments if scatter else replace(model.moments, scatter=None)
    choices = {**model.choices, "stop": replace(stop, evidence=told)}
    return replace(model, choices=choices, moments=moments)


def points_off(results):
    return {(one["what"], one["rows"]): one["points"] for one in results["worst"]}


def test_the_limit_of_food_texture_is_the_published_one():
    assert f"{t2_limit(0.95, 50, 2, new=True):.6g}" == "6.64469"


@pytest.mark.parametrize("level", LEVELS)
def test_new_rows_follow_the_f_law_and_rows_of_the_fit_the_beta_law(level):
    n, k = 30, 4

    new, old = t2_limit(level, n, k, new=True), t2_limit(level, n, k)

    assert new == pytest.approx(
        k * (n**2 - 1) / (n * (n - k)) * stats.f.ppf(level, k, n - k), rel=1e-9
    )
    assert old == pytest.approx(
        (n - 1) ** 2 / n * stats.beta.ppf(level, k / 2, (n - k - 1) / 2), rel=1e-9
    )
    assert old < new


def test_raw_second_moments_have_one_degree_of_freedom_more():
    n, k = 30, 4

    raw = t2_limit(0.95, n, k, new=True, centered=False)

    assert raw == pytest.approx(k * n / (n - k + 1) * stats.f.ppf(0.95, k, n - k + 1), rel=1e-9)


def test_where_every_row_has_the_same_t2_there_is_no_limit():
    assert t2_limit(0.95, 5, 4) is None
    assert t2_limit(0.95, 5, 0, new=True) is None


def test_corrected_sums_are_unbiased_and_plain_ones_are_not():
    values, m = np.array([4.0, 2.0, 1.0, 1.0]), 15
    rng = np.random.default_rng(0)
    plain, corrected = [], []
    for _ in range(6000):
        rows = rng.standard_normal((m, 4)) * np.sqrt(values)
        sample = np.linalg.svd(rows, compute_uv=False) ** 2 / m
        first, *sums = [float((sample**power).sum()) for power in (1, 2, 3)]
        shares = unbias_power_sums(sums[0] / first**2, sums[1] / first**3, m)
        plain.append(sums)
        corrected.append([shares[0] * first**2, shares[1] * first**3])

    truth = np.array([(values**2).sum(), (values**3).sum()])

    assert np.abs(np.mean(corrected, axis=0) / truth - 1).max() < 0.04
    assert np.abs(np.mean(plain, axis=0) / truth - 1).min() > 0.2


def test_equal_eigenvalues_known_exactly_give_chi_square():
    leftover = LeftOutSpectrum(6.0, 1 / 6, 1 / 36, 1e7, "scatter")

    for level in LEVELS:
        exact = stats.chi2.ppf(level, 6)
        assert leftover.limit(level) == pytest.approx(exact, rel=1e-5)
        assert leftover.limit(level, "jackson-mudholkar") == pytest.approx(exact, rel=0.01)


def test_moments_answer_where_jackson_and_mudholkar_cannot():
    # Half of it in one direction, the rest in hundreds of tiny ones.
    leftover = LeftOutSpectrum(10.0, 0.25, 0.124, 200.0, "scatter")

    assert leftover.power < 0
    assert leftover.limit(0.95, "jackson-mudholkar") == leftover.limit(0.95)


@pytest.mark.parametrize("options", [{}, {"scale": "std"}, {"center": False}])
def test_rows_tell_the_same_limit_as_the_matrix_of_the_fit(options):
    rows = noisy_plane() + 2.0
    formed = el.fit(rows, 2, solver="covariance", **options)
    bare = without_notes(formed)

    noted, kept, told = (
        q_limits(model, LEVELS, rows=el.open(rows))
        for model in (formed, without_notes(formed, scatter=True), bare)
    )

    assert estimate_left_out(formed).known_from == "spectrum"
    assert estimate_left_out(without_notes(formed, scatter=True)).known_from == "scatter"
    assert estimate_left_out(bare, el.open(rows)).known_from == "rows"
    np.testing.assert_allclose(noted, told, rtol=1e-8)
    np.testing.assert_allclose(kept, told, rtol=1e-8)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("solver", ["svd", "dual", "covariance"])
@pytest.mark.parametrize("shape", [(60, 12), (25, 40)])
def test_a_solver_that_sees_the_whole_spectrum_notes_what_rows_would_tell(law, solver, shape):
    rows = np.random.default_rng(2).standard_normal(shape) * np.linspace(5, 1, shape[1])
    model = el.fit(rows, 6, solver=solver).truncate(2)

    alone, told = q_limits(model, LEVELS, law=law), sums_from_rows(model, el.open(rows))

    assert estimate_left_out(model).known_from == "spectrum"
    assert sums_from_spectrum(model) == pytest.approx(told[:2], rel=1e-9)
    by_rows = q_limits(without_notes(model), LEVELS, law=law, rows=el.open(rows))
    np.testing.assert_allclose(alone, by_rows, rtol=1e-8)


def test_a_matrix_of_which_few_eigenvectors_were_sought_tells_squares_and_keeps_the_rest():
    rows = np.random.default_rng(0).standard_normal((900, 500)) * np.linspace(5, 1, 500)
    model = el.fit(rows, 3, solver="covariance")

    squares, cubes = sums_from_spectrum(model)

    assert cubes is None
    assert squares == pytest.approx(sums_from_scatter(model)[0], rel=1e-9)
    assert estimate_left_out(model).known_from == "scatter"
    without = replace(model, moments=replace(model.moments, scatter=None))
    assert estimate_left_out(without).known_from == "spectrum"
    assert q_limits(without, LEVELS) == pytest.approx(q_limits(model, LEVELS))
    assert q_limits(without, LEVELS, law="jackson-mudholkar") == q_limits(without, LEVELS)


def test_sums_too_dull_for_what_is_left_are_not_used():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((50, 4)) * [1e6, 1, 1, 1]

    model = el.fit(rows, 1, solver="svd")

    assert sums_from_spectrum(model) is None
    assert estimate_left_out(model, el.open(rows)).known_from == "rows"


@pytest.mark.parametrize("solver", ["svd", "covariance", "krylov"])
@pytest.mark.parametrize("factor", [1e-100, 1e100])
def test_limits_scale_with_the_data_however_large(solver, factor):
    rows = noisy_plane()

    plain = q_limits(el.fit(rows, 2, solver=solver), LEVELS, rows=el.open(rows))
    large = q_limits(el.fit(factor * rows, 2, solver=solver), LEVELS, rows=el.open(factor * rows))

    np.testing.assert_allclose(np.array(large) / factor / factor, plain, rtol=1e-6)


def test_without_rows_the_next_eigenvalue_stands_in_within_a_tenth():
    rows = noisy_plane()
    model = without_notes(el.fit(rows, 2))

    guessed = q_limits(model, LEVELS)

    assert estimate_left_out(model).known_from == "next"
    np.testing.assert_allclose(guessed, q_limits(model, LEVELS, rows=el.open(rows)), rtol=0.1)


def test_falling_values_start_at_the_largest_and_keep_their_sum():
    values = geometric_sequence(3.0, 10.0, 12)

    assert values.sum() == pytest.approx(10.0)
    assert values[0] == pytest.approx(3.0)
    np.testing.assert_allclose(values[1:] / values[:-1], values[1] / values[0])


def test_new_rows_reach_further_by_the_factor_of_the_degrees_of_freedom():
    rows, n, k = noisy_plane(n=40), 40, 2
    model = el.fit(rows, k, solver="covariance")

    law = {"law": "jackson-mudholkar"}
    (old,), (new,) = q_limits(model, (0.95,), **law), q_limits(model, (0.95,), new=True, **law)

    assert new / old == pytest.approx((n + 1 + k) / (n - 1 - k))
    assert new / old > (n + 1) / n * (n - 1) / (n - 1 - k)


def test_rows_of_a_wide_fit_are_past_their_limits_as_often_as_the_limits_say():
    # Rows that pull more at the components have less left: with 1000 columns that is what makes
    # their Q differ. By the average of what is left one row in nine was past the limit of 1 %.
    rng, n, tables = np.random.default_rng(0), 30, 40
    past = np.zeros(2)
    for _ in range(tables):
        rows = rng.standard_normal((n, 3)) @ rng.standard_normal((3, 1000))
        rows += rng.standard_normal(rows.shape)
        model = el.fit(rows, 3)
        limits = q_limits(model, (0.95, 0.99), rows=el.open(rows))
        past += [(model.residual(rows) > limit).sum() for limit in limits]

    for count, share in zip(past, (0.05, 0.01), strict=True):
        expected = share * n * tables
        assert abs(count - expected) < 4 * np.sqrt(expected)


def test_of_one_factor_only_the_limit_is_that_of_the_noise_alone():
    # With a billion rows a row has no pull of its own.
    leftover = LeftOutSpectrum(3.0, 0.2, None, 1e9 - 3, "rows")

    assert limit_in_fit(leftover, 1e9, 2, 0.99) == pytest.approx(leftover.limit(0.99), rel=1e-6)


def test_weights_count_as_repeated_rows():
    rows = noisy_plane(n=30)
    times = np.arange(30) % 3 + 1
    weighted = el.fit(rows, 2, weights=times, solver="covariance")
    repeated = el.fit(np.repeat(rows, times, axis=0), 2, solver="covariance")

    assert t2_limits(weighted, LEVELS) == pytest.approx(t2_limits(repeated, LEVELS))
    assert q_limits(weighted, LEVELS) == pytest.approx(q_limits(repeated, LEVELS))


def test_ordinary_new_rows_exceed_the_limits_at_their_nominal_rate():
    sizes = LimitSizes(tables=60, rows=(40, 200), new_rows=400, spectra=("plane", "few", "steep"))

    worst = points_off(limits_results(sizes))

    allowed = {"T2": (1.5, 1.5), "Q": (3, 1.5), "Q by rows": (3, 1.5)}
    for name, (few, many) in allowed.items():
        assert worst[name, 40] <= few
        assert worst[name, 200] <= many


def test_the_benchmark_runs_dry_and_sees_a_wrong_limit(monkeypatch):
    right = points_off(limits_results(DRY_LIMITS))["Q", 40]
    monkeypatch.setattr("benchmarks.limits.q_limits", lambda *args, **options: [0.0, 0.0])

    assert points_off(limits_results(DRY_LIMITS))["Q", 40] > 90 > right


def test_all_components_kept_have_no_limit_of_q():
    rows = noisy_plane(d=4)

    with pytest.raises(el.RankError, match=r"keeps all of the variance in 4 component.*truncate"):
        q_limits(el.fit(rows, 4), LEVELS)


@pytest.mark.parametrize("levels", [(95,), (0.0,), (1.0,), (), (0.95, 0.95), "0.95", (True,)])
def test_levels_lie_between_0_and_1(levels):
    with pytest.raises(el.OptionError, match=r"strictly between 0 and 1.*levels=\(0.95, 0.99\)"):
        t2_limits(el.fit(noisy_plane(), 2), levels)


def test_an_unknown_law_names_the_nearest():
    with pytest.raises(el.OptionError, match=r"Did you mean 'jackson-mudholkar'"):
        q_limits(el.fit(noisy_plane(), 2), LEVELS, law="jackson-mudholka")


@pytest.mark.parametrize(("n", "d", "k"), [(30, 200, 3), (30, 1000, 3), (100, 200, 5)])
def test_new_rows_exceed_the_limits_of_few_rows_and_many_columns_as_often_as_they_say(n, d, k):
    """What the directions miss of a row grows with its T2: one factor for all would flag 11 %."""
    shares = []
    for seed in range(30):
        rng = np.random.default_rng([n, d, seed])
        deviations = np.r_[np.sqrt(d) * np.linspace(3, 2, k), np.ones(d - k)]
        model = el.fit(rng.standard_normal((n, d)) * deviations, k)
        new = el.open(rng.standard_normal((200, d)) * deviations)
        (limit,) = q_limits(model, [0.95], new=True)
        shares.append(float((row_distances(model, new)[1] > limit).mean()))

    error = np.std(shares, ddof=1) / len(shares) ** 0.5
    assert abs(np.mean(shares) - 0.05) < 0.01 + 2 * error
    assert np.mean(shares) < 0.08


def test_the_limit_of_new_rows_tends_to_the_average_factor_with_many_rows():
    model = el.fit(noisy_plane(20_000), 2)

    (limit,) = q_limits(model, [0.95], new=True)

    factor = (20_000 + 1 + 2) / 20_000
    assert limit == pytest.approx(factor * estimate_left_out(model).limit(0.95), rel=1e-6)
