"""Rows that go by: their moments are those of all rows at once, whatever the blocks and the order;
and where only leading directions are kept, what was dropped is bounded."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from eigenlens.algebra.running import RunningMoments
from eigenlens.algebra.scatter import LeadingScatter, WholeScatter
from tests.problems import make_table
from tests.strategies import tables

EPS = np.finfo(np.float64).eps
DECAYS = st.sampled_from(["linear", "slow", "fast", "flat"])


def gathered(blocks, kept=None):
    blocks = list(blocks)
    running = RunningMoments(WholeScatter(blocks[0].shape[1]) if kept is None else kept)
    for block in blocks:
        running.add(block)
    return running


def cut(rows, size):
    return [rows[start : start + size] for start in range(0, rows.shape[0], size)]


def scatter_of(rows):
    """Around the mean, in extended precision."""
    wide = np.asarray(rows).astype(np.longdouble)
    centered = wide - wide.mean(axis=0)
    return (centered.T @ centered).astype(np.float64)


def close_to(running, rows, slack=20.0):
    """Relative to the diagonal, entry by entry, up to the rounding of the numbers themselves."""
    exact = scatter_of(rows)
    deviations = np.sqrt(np.diag(exact))
    magnitude = np.abs(np.asarray(rows, dtype=np.float64)).max(axis=0)
    size = np.outer(deviations, deviations)
    input_rounding = np.sqrt(len(rows)) * EPS * magnitude
    allowed = slack * len(rows) * EPS * size
    allowed += 4 * (np.outer(deviations, input_rounding) + np.outer(input_rounding, deviations))
    allowed += 4 * np.outer(input_rounding, input_rounding)
    difference = np.abs(running.kept.matrix - exact)
    return bool(np.all(difference <= allowed + np.finfo(np.float64).tiny))


@given(tables(), st.integers(1, 50))
def test_the_scatter_is_that_of_all_rows_at_once(rows, size):
    running = gathered(cut(rows, size))

    assert running.rows == len(rows)
    assert close_to(running, rows)
    np.testing.assert_allclose(running.mean, rows.mean(axis=0, dtype=np.float64), rtol=1e-12,
                               atol=1e-13 * np.abs(rows).max())  # fmt: skip


def test_a_wrong_scatter_is_seen():
    rows = make_table(40, 5, 0)
    running = gathered([rows])

    running.kept.upper[0, 1] += 1e-9 * running.kept.upper[0, 0]

    assert not close_to(running, rows)


@given(tables(), st.integers(1, 20), st.integers(0, 100))
def test_the_order_of_blocks_is_invisible(rows, size, seed):
    blocks = cut(rows, size)
    order = np.random.default_rng(seed).permutation(len(blocks))

    assert close_to(gathered(blocks[index] for index in order), rows)


@given(tables(), st.integers(1, 40), st.integers(1, 20))
def test_a_merge_of_two_is_the_same_as_all(rows, where, size):
    first, second = rows[:where], rows[where:]
    if not len(second):
        return
    running, other = gathered(cut(first, size)), gathered(cut(second, size))

    running.merge(other)

    assert running.rows == len(rows)
    assert other.rows == len(second)
    assert close_to(running, rows)


@pytest.mark.parametrize("offset", [1e4, 1e8, 1e12])
def test_far_from_the_origin_no_digit_is_lost(offset):
    rows = make_table(3000, 20, 1) + offset

    assert close_to(gathered(cut(rows, 70)), rows)


@pytest.mark.parametrize("step", [1e3, 1e6])
def test_blocks_that_drift_lose_no_digit(step):
    """The first block says nothing about where the others lie."""
    rows = make_table(3000, 20, 1)
    rows[:100] += step
    blocks = cut(rows, 100)

    forward, backward = gathered(blocks), gathered(blocks[::-1])

    assert close_to(forward, rows)
    assert close_to(backward, rows)


def test_a_constant_column_has_exactly_no_scatter():
    rows = make_table(50, 3, 2)
    rows[:, 1] = 0.1

    running = gathered(cut(rows, 7))

    assert running.kept.squares[1] == 0
    assert running.mean[1] == 0.1


@given(
    st.integers(1, 60), st.integers(2, 30), st.sampled_from([0.02, 0.08, 0.3]), st.integers(0, 500)
)
def test_sparse_blocks_are_the_same_as_dense_ones(size, columns, density, seed):
    rng = np.random.default_rng(seed)
    rows = np.where(rng.random((60, columns)) < density, rng.standard_normal((60, columns)), 0.0)
    rows[:, 0] += 1e6  # one full column, far away, among empty ones

    running = gathered(cut(sp.csr_array(rows), size))

    assert close_to(running, rows)


def test_dense_and_sparse_blocks_may_take_turns():
    rng = np.random.default_rng(0)
    rows = np.where(rng.random((400, 30)) < 0.05, rng.poisson(3, (400, 30)), 0).astype(float)
    blocks = [sp.csr_array(part) if index % 2 else part for index, part in enumerate(cut(rows, 50))]

    assert close_to(gathered(blocks), rows)


def test_sparse_blocks_are_not_filled_in(monkeypatch):
    rng = np.random.default_rng(0)
    rows = sp.random_array((500, 300), density=0.02, rng=rng, format="csr")

    def no_dense(self, piece):
        raise AssertionError("filled in")

    monkeypatch.setattr(RunningMoments, "add_dense", no_dense)

    assert close_to(gathered([rows]), rows.toarray())


# -- leading directions ----------------------------------------------------------------------


@given(st.integers(20, 400), st.integers(2, 60), st.integers(1, 30), st.integers(0, 500), DECAYS)
def test_eigenvalues_lie_between_those_kept_and_the_same_plus_what_was_dropped(
    count, columns, keep, seed, decay
):
    rows = make_table(count, columns, seed, decay=decay, offset=3.0)
    exact = np.maximum(np.linalg.eigvalsh(scatter_of(rows))[::-1], 0)

    running = gathered(cut(rows, 17), LeadingScatter(columns, keep))

    values = running.kept.eigenpairs()[0]
    padded = np.pad(values, (0, columns))[:columns]
    slack = 100 * count * EPS * exact[0]
    assert np.all(padded <= exact + slack)
    assert np.all(exact <= padded + running.kept.dropped + slack)
    np.testing.assert_allclose(running.kept.squares, np.diag(scatter_of(rows)), rtol=1e-10,
                               atol=slack)  # fmt: skip


@given(st.integers(60, 300), st.integers(2, 40), st.integers(0, 500), DECAYS)
def test_what_is_missing_is_positive_and_no_larger_than_what_was_dropped(
    count, columns, seed, decay
):
    rows = make_table(count, columns, seed, decay=decay)
    halves = [gathered(cut(part, 9), LeadingScatter(columns, 6)) for part in cut(rows, count // 2)]

    running = halves[0]
    for other in halves[1:]:
        running.merge(other)

    factor = running.kept.factor[: running.kept.used]
    missing = np.linalg.eigvalsh(scatter_of(rows) - factor.T @ factor)
    slack = 100 * count * EPS * np.square(rows).sum()
    assert missing.min() >= -slack
    assert missing.max() <= running.kept.dropped + slack


def test_without_what_was_dropped_the_bound_would_be_false():
    rows = make_table(300, 40, 3, decay="flat")

    running = gathered(cut(rows, 20), LeadingScatter(40, 8))

    exact = np.linalg.eigvalsh(scatter_of(rows))[::-1][:8]
    assert np.all(exact > running.kept.eigenpairs()[0][:8])


def test_what_fits_is_exact():
    rows = make_table(300, 40, 3, rank=5)

    running = gathered(cut(rows, 20), LeadingScatter(40, 8))

    exact = np.linalg.eigvalsh(scatter_of(rows))[::-1][:5]
    np.testing.assert_allclose(running.kept.eigenpairs()[0][:5], exact, rtol=1e-12)
    assert running.kept.dropped <= 1e-12 * exact[0]
    assert running.kept.compressions > 5
