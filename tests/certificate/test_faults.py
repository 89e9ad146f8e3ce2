"""Certificates of version 0.1 that were false, each on numbers like those it was found on.

The truth is that of tests/adversary, in extended precision; every statement is compared with it.
"""

import numpy as np
import pytest
import scipy.sparse

import eigenlens as el
from eigenlens.algebra.moments import Moments
from eigenlens.algebra.ritz import Ritz
from eigenlens.certificate.target import target_for
from tests.adversary.interrupted import Interrupted
from tests.adversary.judge import violations
from tests.adversary.prepared import WatchedRows, hide_direction
from tests.adversary.truth import truth_of
from tests.problems import Problem
from tests.reference.expected_rows import expected_rows


def rng(seed=0):
    return np.random.default_rng(seed)


def holds(problem, k, **options):
    model = el.fit(
        problem.rows,
        k,
        center=problem.center,
        scale=problem.scale,
        weights=problem.weights,
        **options,
    )
    assert violations(model, truth_of(problem)) == []
    return model


# -- squares that vanish in float32 ------------------------------------------------------------


@pytest.mark.parametrize("size", [3e-22, 1e-23, 1e-30, 1e-40])
@pytest.mark.parametrize("solver", ["covariance", "svd", "krylov", "orthogonal"])
def test_a_small_column_counts_in_float32_once_it_is_scaled(size, solver):
    rows = rng(1).standard_normal((500, 6)).astype(np.float32)
    rows[:, 5] = (rows[:, 4] + 0.5 * rows[:, 5]) * np.float32(size)
    scale = rows.std(axis=0, dtype=np.float64)

    holds(Problem(rows, scale="std"), 2, solver=solver)
    holds(Problem(rows, scale=scale), 2, solver=solver)


@pytest.mark.parametrize("solver", ["covariance", "dual", "krylov", "svd"])
def test_small_columns_count_in_wide_tables(solver):
    rows = rng(2).standard_normal((12, 20)).astype(np.float32)
    rows[:, 2:] *= np.float32(3e-23)

    holds(Problem(rows, scale="std"), 3, solver=solver)


# -- merge -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("offset", "spread"), [(1e6, 1e-3), (1e8, 1e-4), (1e8, 1e-6)])
@pytest.mark.parametrize("scale", [None, "std"])
def test_models_far_from_the_origin_are_merged_within_their_bounds(offset, spread, scale):
    one = offset + spread * rng(0).standard_normal((60, 2))
    two = offset + spread * (rng(1).standard_normal((60, 2)) + 1)
    first, second = (el.fit(rows, 2, scale=scale, solver="covariance") for rows in (one, two))

    merged = first.merge(second)

    assert violations(merged, truth_of(Problem(np.vstack([one, two]), scale=scale))) == []
    assert merged.certificate.relative_error < 1e-11


def test_a_mean_without_its_tail_is_merged_with_an_allowance():
    one, two = (1e8 + 1e-4 * (rng(seed).standard_normal((60, 2)) + seed) for seed in (0, 1))
    models = [el.fit(rows, 2, solver="covariance") for rows in (one, two)]
    for model in models:  # as a file of version 1 has them
        held = model.moments
        object.__setattr__(
            model, "moments", Moments(held.weight, held.mean, held.squares, held.scatter)
        )

    merged = models[0].merge(models[1])

    assert violations(merged, truth_of(Problem(np.vstack([one, two])))) == []
    assert merged.certificate.relative_error > 1e-8


# -- facts called exact ------------------------------------------------------------------------


@pytest.mark.parametrize("mean", [1e3, 1e5, 3e6])
@pytest.mark.parametrize("solver", ["auto", "covariance", "krylov"])
def test_facts_of_a_sparse_table_with_a_large_mean_are_within_their_bounds(mean, solver):
    rows = rng(0).standard_normal((200, 6))
    rows[:, 1] += mean

    model = holds(Problem(scipy.sparse.csr_array(rows)), 5, solver=solver)

    low, high = model.certificate.total_variance_bounds
    assert high - low < 1e-12 * high


# -- weights -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_weights_that_were_normalized_are_refused(seed):
    weights = rng(seed).uniform(0, 1, 50)
    weights /= weights.sum()

    with pytest.raises(el.WeightsError, match="sum to 1"):
        el.fit(rng(0).standard_normal((50, 3)), 2, weights=weights)


def test_the_divisor_of_weights_that_sum_to_little_more_than_one_is_exact():
    weights = np.full(64, (1 + 2.0**-30) / 64)

    holds(Problem(rng(0).standard_normal((64, 3)), weights=weights), 2)


@pytest.mark.parametrize("missing", ["gaussian", "lowrank"])
@pytest.mark.parametrize("more", [1e-10, 1e-6])
@pytest.mark.parametrize(("center", "scale"), [(True, None), (False, "std")])
def test_the_divisor_of_expected_moments_is_as_uncertain_as_their_weight(
    missing, more, center, scale
):
    rows, weights = rng(0).standard_normal((30, 4)), rng(1).uniform(0.5, 1, 30)
    rows[::4, 1] = np.nan
    problem = Problem(rows, weights / weights.sum() * (1 + more), center, scale)

    model = el.fit(rows, 2, weights=problem.weights, missing=missing, center=center, scale=scale)

    assert violations(model, truth_of(problem, expected_rows(problem, model))) == []


@pytest.mark.parametrize("scale", [None, "std"])
@pytest.mark.parametrize("missing", ["gaussian", "lowrank", "drop"])
def test_too_little_weight_that_is_left_without_empty_rows_is_refused(missing, scale):
    rows = rng(0).standard_normal((6, 3))
    rows[::2] = np.nan

    with pytest.raises(el.WeightsError, match=r"sum to 0\.75"):
        el.fit(rows, 1, weights=[100, 0.25] * 3, missing=missing, scale=scale)


@pytest.mark.parametrize("heavy", [1e6, 1e8, 1e12, 1e16])
@pytest.mark.parametrize("center", [True, False])
def test_deviations_under_uneven_weights_are_within_the_allowance(heavy, center):
    weights = np.ones(100)
    weights[5] = heavy
    rows = rng(3).standard_normal((100, 3))

    holds(Problem(rows, weights=weights, center=center, scale="std"), 3)
    holds(Problem(rows, weights=weights, center=center), 2)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("mean", [1e2, 1e4])
def test_entries_that_are_not_stored_weigh_what_they_weigh(mean, seed):
    """Their weight was a difference of sums, and its rounding multiplied by the mean squared."""
    rows = mean + rng(seed).standard_normal((400, 4))
    weights = 10 ** rng(seed + 5).uniform(-6, 6, 400)

    holds(Problem(scipy.sparse.csr_array(rows), weights=weights), 2, solver="svd")


@pytest.mark.parametrize("solver", ["svd", "covariance", "krylov"])
@pytest.mark.parametrize("light", [1e-7, 1e-9])
def test_deviations_about_a_shift_far_from_the_mean_are_within_the_allowance(light, solver):
    """Light rows stand where the sample looks, and only there: deviations lose digits by it.

    Rows that are not centered are multiplied as they are, so nothing but the scale is uncertain.
    """
    weights = np.tile([1.0, light, 1.0], 256)
    rows = rng(1).standard_normal((len(weights), 3))
    rows[1::3] += 1e4

    holds(Problem(rows, weights=weights, center=False, scale="std"), 3, solver=solver)


def test_rows_of_no_weight_are_not_there():
    rows, weights = rng(0).standard_normal((140, 3)), np.zeros(140)
    weights[::7] = 1
    rows[weights > 0] += 1e8

    holds(Problem(rows, weights=weights), 2)


# -- the basis a product was made with ---------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [1e4, 1e5, 6e5])
def test_rounding_on_the_basis_is_within_the_allowance(seed, size):
    rows = rng(seed).standard_normal((60, 14)).astype(np.float32)
    rows[:, 3] = size

    holds(Problem(rows, center=False), 7, solver="orthogonal")


@pytest.mark.parametrize(("size", "seed"), [(1e4, 1), (3e5, 76), (6e5, 1), (6e5, 31)])
def test_a_basis_that_reached_into_a_large_mean_counts(size, seed):
    """The Ritz vectors avoid the column, what they were turned from did not."""
    rows = rng(seed).standard_normal((60, 14))
    rows[:, 3] += size

    holds(Problem(scipy.sparse.csr_array(rows)), 7, solver="orthogonal")


@pytest.mark.parametrize("solver", ["krylov", "orthogonal"])
@pytest.mark.parametrize("seed", range(4))
def test_a_large_mean_of_a_sparse_table_is_within_the_allowance(solver, seed):
    rows = rng(seed).standard_normal((8, 6))
    rows[:, 1] += 1e6

    holds(Problem(scipy.sparse.csr_array(rows)), 3, solver=solver)


# -- conversion --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
@pytest.mark.parametrize("reach", [50, 1000, 2**60])
def test_whole_numbers_beyond_2_53_lose_nothing(kind, reach):
    rows = (rng(0).integers(0, reach, (100, 3)) + 1_700_000_000_000_000_000).astype(kind)

    model = holds(Problem(rows), 3)

    assert model.certificate.relative_error < 1e-12


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("scale", [None, "std"])
def test_long_doubles_lose_nothing(center, scale):
    rows = rng(0).standard_normal((100, 3)).astype(np.longdouble) * 1e-3 + np.longdouble(1e14)

    holds(Problem(rows, center=center, scale=scale), 3 if center else 1)


# -- probes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["krylov", "orthogonal", "randomized", "power"])
def test_no_table_can_be_prepared_against_the_default_seed(solver):
    """The largest variance is orthogonal to every vector, and in no row, that the seed draws."""
    n, d = 3000, 120
    table = rng(8).standard_normal((n, d)) * np.r_[10, 7, np.ones(d - 2)]
    options = {"solver": solver, "tolerance": 0.05}
    seen, sampled = hide_direction(rng(9), table, 2, options, size=40)

    model = el.fit(WatchedRows(seen), 2, **options)

    assert sampled < n / 2
    largest = np.linalg.eigvalsh(np.cov(seen, rowvar=False))[-1]
    assert model.certificate.eigenvalue_bounds[0, 1] >= largest * (1 - 1e-9)


def test_probes_depend_on_the_data_as_well_as_on_the_seed():
    from eigenlens.certificate.upper_bounds import data_dependent_generator

    class Seen:
        def __init__(self, digest):
            self.digest = digest

    drawn = [
        data_dependent_generator(
            np.random.default_rng(0), Seen(bytes([first] * 32))
        ).standard_normal(4)
        for first in (1, 2, 1)
    ]

    assert not np.allclose(drawn[0], drawn[1])
    assert np.array_equal(drawn[0], drawn[2])


# -- extremes ----------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["covariance", "svd", "krylov", "orthogonal", "lanczos"])
@pytest.mark.parametrize("sparse", [False, True])
def test_columns_of_every_size_are_scaled_without_loss(solver, sparse):
    sizes = np.array([1e-300, 1e-157, 1.0, 1e200])
    rows = rng(0).standard_normal((60, 4)) * sizes
    stored = scipy.sparse.csr_array(rows) if sparse else rows

    holds(Problem(stored, scale="std"), 2, solver=solver)
    holds(Problem(stored, scale=sizes * [3, 0.1, 1, 7]), 2, solver=solver)


@pytest.mark.parametrize("size", [1e-96, 1e-140, 1e80, 1e150])
@pytest.mark.parametrize("solver", ["covariance", "krylov", "orthogonal"])
def test_units_do_not_depend_on_whether_a_scale_is_given(size, solver):
    rows = size * rng(0).standard_normal((60, 4))

    holds(Problem(rows, scale=np.ones(4)), 2, solver=solver)
    holds(Problem(rows), 2, solver=solver)


@pytest.mark.parametrize("size", [1e80, 1e100, 1e150])
@pytest.mark.parametrize("solver", ["auto", "orthogonal", "lanczos"])
def test_a_huge_row_outside_the_sample_leaves_bounds_finite(size, solver):
    rows = rng(0).standard_normal((600, 5))
    rows[7] = size

    holds(Problem(rows), 2, solver=solver)


@pytest.mark.parametrize("scale", [[1e-160, 1, 1], [1e200, 1e200, 1e200]])
@pytest.mark.parametrize("solver", ["auto", "covariance", "krylov", "orthogonal"])
def test_variances_that_are_no_floats_are_refused_in_words(scale, solver):
    with pytest.raises(el.DataError, match="squares"):
        el.fit(rng(0).standard_normal((60, 3)), 2, scale=scale, solver=solver)


def test_a_source_that_gives_views_of_its_own_rows_is_only_read():
    rows = 1e5 + rng(0).standard_normal((50, 4))
    before = rows.copy()

    el.fit(Interrupted(rows, stop_after=-1), 2)

    assert np.array_equal(rows, before)


# -- found by the standing adversary ---------------------------------------------------------------


@pytest.mark.parametrize("scale", [1e-25, 1e-19, 1e22, 1e25])
@pytest.mark.parametrize("solver", ["dual", "krylov"])
def test_float32_rows_far_from_their_scale_are_held_in_other_units(scale, solver):
    rows = rng(0).standard_normal((12, 30)).astype(np.float32)

    holds(Problem(rows, scale=np.full(30, scale)), 3, solver=solver)


def test_products_in_float32_that_may_overflow_are_made_in_float64_without_a_warning():
    rows = np.outer([2.1, -2.2, -9.9, -3.9], [1e14, 1e14]).astype(np.float32)

    holds(Problem(rows, scale=np.array([838.0, 3.7e-5])), 2, solver="dual")


def test_a_value_that_rounding_made_very_negative_counts_for_lapack():
    rows = rng(3).standard_normal((20, 3)).astype(np.float32)
    rows[:, 1] = 1.9344211e8
    scale = np.array([3.2e4, 5.1e-4, 7.9e-2])

    for seed in range(8):
        rows[:, 2] = rng(seed).standard_normal(20)
        holds(Problem(scipy.sparse.csr_array(rows), scale=scale), 2, solver="covariance")


@pytest.mark.parametrize("solver", ["randomized", "krylov", "covariance", "svd"])
def test_tiny_columns_that_are_standardized_but_not_centered_have_variances_near_one(solver):
    rows = 3e-152 * rng(0).uniform(0.5, 1, (27, 1))

    model = holds(Problem(rows, center=False, scale="std"), 1, solver=solver)

    assert model.certificate.relative_error < 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_probes_end_where_nothing_is_left_but_rounding(seed):
    rows = rng(seed).standard_normal((600, 5))
    rows[17] *= 1e145

    holds(Problem(rows, center=False, scale="std"), 2, solver="dual", tolerance=1e-6)


def test_eigenvalues_at_the_end_of_the_floats_are_put_into_words():
    ritz = Ritz(np.eye(2), None, np.array([1.0, 1e-310]), np.zeros((2, 2)))

    words = target_for(None, 50.0).words(ritz, np.array([1.0, 1e-300, 0.0]))

    assert "below 100% of the sampling error" in words


@pytest.mark.parametrize("small", [1e-159, 1e-160, 1e-161])
@pytest.mark.parametrize("seed", range(3))
def test_bounds_among_subnormal_numbers_are_rounded_outwards(small, seed):
    """Bounds that `svd` proves to 13 digits are stored with as few as one there."""
    rows = rng(seed).standard_normal((20, 2)) * [8e-153, small]

    holds(Problem(rows), 2, solver="svd")
