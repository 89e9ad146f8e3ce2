"""The table as an operator: what must not change what it is, and what everything must agree on.

Allowed throughout: a few times the table's own rounding r = sqrt(m) u of one product, relative to
the second moments about the shift, which is what products are computed from.
"""

from contextlib import contextmanager

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from eigenlens import testing
from eigenlens.sources.open import open_source
from eigenlens.table import dense, sparse
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare
from tests.problems import make_table
from tests.reference import divisor, exact_mean, exact_scatter, exact_spectrum
from tests.strategies import problems, tables

EPS = np.finfo(np.float64).eps
seeds = st.integers(0, 1000)


def table(rows, center=True, scale=None, weights=None):
    source = open_source(rows)
    return build_table(source, prepare(source, center, scale, weights))


def table_of_problem(problem):
    return table(problem.rows, problem.center, problem.scale, problem.weights)


def allowed(*made):
    """A few roundings of the largest of the tables' products, in the units of the covariance."""
    return max(
        (4 * one.roundoff + max(one.shape) * EPS) * float(one.uncorrected_variances.sum())
        for one in made
    )


def assert_same_covariance(one, two, slack=0.0):
    np.testing.assert_allclose(
        one.covariance(), two.covariance(), rtol=0, atol=allowed(one, two) + slack
    )


@contextmanager
def blocks_of(rows):
    """Dense blocks and panels of at most so many rows and columns, sparse chunks of as many."""
    before = dense.MOST_ROWS, dense.FEWEST, sparse.CACHED_ROWS, sparse.DENSE_ENOUGH
    dense.MOST_ROWS, dense.FEWEST, sparse.CACHED_ROWS, sparse.DENSE_ENOUGH = rows, rows, rows, 0
    try:
        yield
    finally:
        dense.MOST_ROWS, dense.FEWEST, sparse.CACHED_ROWS, sparse.DENSE_ENOUGH = before


def on_a_grid(rows):
    """The rows in steps of 1/1024, so that adding whole numbers to them is exact."""
    return np.rint(1024 * rows) / 1024


@given(problems(), seeds)
def test_every_product_belongs_to_one_and_the_same_matrix(problem, seed):
    made = table_of_problem(problem)

    testing.check_adjoint(made, np.random.default_rng(seed))


@given(problems())
def test_centering_in_the_block_is_centering_beforehand(problem):
    made = table_of_problem(problem)

    exact = exact_scatter(problem.rows, problem.weights, problem.center, problem.scale)

    expected = (exact / divisor(problem)).astype(np.float64)
    np.testing.assert_allclose(made.covariance(), expected, rtol=0, atol=allowed(made))


@given(problems())
def test_the_mean_is_the_mean(problem):
    made = table_of_problem(problem)

    exact = exact_mean(problem.rows, problem.weights).astype(np.float64)

    # Sums are relative to root mean squares about the shift, the result to the mean itself.
    spread = np.sqrt(made.uncorrected_variances.max() * made.divisor / made.moments.weight)
    size = spread / made.inverse_scale.min() * made.unit if problem.scale is None else np.inf
    slack = (4 * made.roundoff + 600 * EPS) * size + 2 * EPS * np.abs(exact)
    assert np.all(np.abs(made.moments.mean - exact) <= slack)


@given(problems())
def test_the_total_variance_is_the_sum_of_all_eigenvalues(problem):
    made = table_of_problem(problem)

    assert abs(made.total_variance - exact_spectrum(problem).total) <= allowed(made)
    assert abs(made.feature_variances.sum() - made.total_variance) <= 100 * EPS * (
        made.total_variance
    )


@given(problems(), st.integers(1, 50), st.integers(1, 50))
def test_block_size_is_invisible(problem, few, many):
    with blocks_of(few):
        one = table_of_problem(problem)
        first = one.covariance(), one.inner_products(), one.triangle()
    with blocks_of(many):
        two = table_of_problem(problem)
        second = two.covariance(), two.inner_products(), two.triangle()

    for ours, theirs in zip(first[:2], second[:2], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=allowed(one, two))
    squares = [triangle.T @ triangle for triangle in (first[2], second[2])]
    np.testing.assert_allclose(*squares, rtol=0, atol=allowed(one, two))


@given(problems(), seeds)
def test_row_order_is_invisible(problem, seed):
    order = np.random.default_rng(seed).permutation(problem.rows.shape[0])
    rows = scipy.sparse.csr_array(problem.rows) if scipy.sparse.issparse(problem.rows) else None
    shuffled = problem.rows[order] if rows is None else rows[order]
    weights = None if problem.weights is None else problem.weights[order]

    one = table_of_problem(problem)
    two = table(shuffled, problem.center, problem.scale, weights)

    assert_same_covariance(one, two)


@given(tables(), seeds)
def test_whole_weights_are_repeated_rows(rows, seed):
    weights = np.random.default_rng(seed).integers(0, 4, len(rows))
    weights[:2] = 2, 1

    weighted = table(rows, weights=weights)
    repeated = table(np.repeat(rows, weights, axis=0))

    assert weighted.divisor == repeated.divisor == weights.sum() - 1
    assert_same_covariance(weighted, repeated)


@given(tables(), seeds)
def test_rows_of_weight_zero_do_not_count(rows, seed):
    rng = np.random.default_rng(seed)
    weights = rng.exponential(2, len(rows)) + 0.5
    weights[rng.random(len(rows)) < 0.3] = 0
    weights[:2] = 1
    rows = np.array(rows)
    rows[weights == 0] = 1e3  # whatever they hold

    one = table(rows, weights=weights)
    two = table(rows[weights > 0], weights=weights[weights > 0])

    assert_same_covariance(one, two)


@given(tables(dtypes=("float64",)), seeds, st.sampled_from([1, 1000, 10**7]))
def test_adding_the_same_vector_to_every_row_changes_nothing(rows, seed, far):
    rows = on_a_grid(rows)
    step = np.random.default_rng(seed).integers(-far, far + 1, rows.shape[1])

    one, two = table(rows), table(rows + step)

    # Both are found from shifted rows, so both keep their digits however far away.
    variances = max(float(one.total_variance), 1.0 / 1024**2)
    np.testing.assert_allclose(
        one.covariance(), two.covariance(), rtol=0, atol=200 * len(rows) * EPS * variances
    )


@given(tables(dtypes=("float64",)), seeds)
def test_standardized_columns_have_no_unit(rows, seed):
    factors = 2.0 ** np.random.default_rng(seed).integers(-20, 21, rows.shape[1])

    one, two = table(rows, scale="std"), table(rows * factors, scale="std")

    # Powers of two round nothing: the difference is that of the order of sums only.
    assert_same_covariance(one, two)


@given(tables(dtypes=("float64",)))
def test_standardized_columns_have_variance_one(rows):
    made = table(rows, scale="std")

    slack = 4 * made.roundoff * float(made.uncorrected_variances.max()) + 100 * EPS
    np.testing.assert_allclose(made.feature_variances, 1, rtol=0, atol=slack)
    np.testing.assert_allclose(np.diag(made.covariance()), 1, rtol=0, atol=allowed(made))


@given(tables(dtypes=("float64",)))
def test_standardized_but_not_centered_still_divides_by_the_deviation_about_the_mean(rows):
    made = table(rows, center=False, scale="std")

    exact = rows.astype(np.longdouble)
    scaled = exact / exact.std(axis=0, ddof=1)

    expected = (scaled.T @ scaled / len(rows)).astype(np.float64)
    np.testing.assert_allclose(made.covariance(), expected, rtol=0, atol=allowed(made))


@given(tables())
def test_raw_second_moments_divide_by_the_number_of_rows(rows):
    made = table(rows, center=False)

    exact = rows.astype(np.longdouble)

    expected = (exact.T @ exact / len(rows)).astype(np.float64)
    np.testing.assert_allclose(made.covariance(), expected, rtol=0, atol=allowed(made))
    assert made.divisor == len(rows)


@given(tables(dtypes=("float64",)), st.sampled_from(["csr", "csc", "coo", "lil", "bsr", "dia"]))
@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
def test_a_sparse_table_is_the_dense_table_of_its_numbers(rows, form):
    rows = np.where(np.abs(rows) > np.median(np.abs(rows)), rows, 0.0)
    rows[0, 0] += 1.0

    one, two = table(rows), table(scipy.sparse.csr_array(rows).asformat(form))

    assert_same_covariance(one, two)
    atol = allowed(one, two)
    np.testing.assert_allclose(one.inner_products(), two.inner_products(), rtol=0, atol=atol)


@given(seeds, st.sampled_from([0.0, 1.0, 100.0]), st.sampled_from(["slow", "fast", "flat"]))
def test_float32_products_differ_from_float64_by_no_more_than_they_say(seed, offset, decay):
    rows = make_table(300, 12, seed, decay=decay, offset=offset).astype(np.float32)

    low, high = table(rows), table(rows.astype(np.float64))

    assert low.rows.dtype == np.float32
    assert_same_covariance(low, high)


@given(problems())
def test_a_pass_is_counted_as_one(problem):
    made = table_of_problem(problem)
    before = made.meter.passes  # standard deviations take a pass of their own
    columns = np.eye(made.shape[1], 1)

    made.covariance_times(columns)
    made.covariance()
    made.project(columns)

    assert made.meter.passes == before + 3
    assert made.meter.bytes_read == made.meter.passes * made.source.stored_bytes


@given(problems())
def test_the_data_are_only_read(problem):
    rows = problem.rows
    held = rows.copy()
    made = table_of_problem(problem)

    made.covariance_times(np.eye(made.shape[1], 1))
    made.inner_products()
    made.triangle()
    made.dual_triangle()
    made.sampled_rows(3)

    changed = (held != rows).sum() if scipy.sparse.issparse(rows) else np.sum(held != rows)
    assert changed == 0
