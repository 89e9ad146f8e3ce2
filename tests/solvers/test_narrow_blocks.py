"""Narrow Krylov blocks: the same answers as wide ones, Ritz values when they are needed."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse

import eigenlens as el
from eigenlens.solvers import BlockKrylov, WallClock
from eigenlens.solvers.block_size import block_width, columns_kept, is_read, krylov_passes
from eigenlens.solvers.check_times import CheckTimes
from eigenlens.solvers.cost import Problem
from eigenlens.solvers.step import Ask
from eigenlens.sources.open import open_source
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare
from eigenlens.table.sides import FeatureSide
from tests.problems import make_table


def problem_of_shape(shape, rank, *, entries=None, read_rate=np.inf):
    n, d = shape
    stored = n * d if entries is None else entries
    return Problem(
        shape=shape,
        rank=rank,
        accuracy=0.01 * np.sqrt(2 / n),
        stored_bytes=int(stored * (8 if entries is None else 12)),
        item_bytes=8,
        entries=stored,
        is_sparse=entries is not None,
        budget_bytes=1 << 32,
        read_rate=read_rate,
    )


def counts_table(shape=(900, 300), seed=0):
    rng = np.random.default_rng(seed)
    levels = rng.gamma(0.5, 1.0, shape[1])
    return scipy.sparse.csr_array(np.log1p(rng.poisson(levels * 0.4, shape)).astype(np.float32))


def true_values(rows):
    dense = rows.toarray() if scipy.sparse.issparse(rows) else rows
    return np.linalg.eigvalsh(np.cov(dense.astype(np.float64), rowvar=False))[::-1]


@pytest.mark.parametrize("width", [1, 4, 16])
@pytest.mark.parametrize("k", [3, 20])
def test_bounds_of_lazy_narrow_blocks_hold_the_truth(width, k):
    rows = counts_table()

    model = el.fit(rows, k, solver=BlockKrylov(width=width, lazily=True))

    low, high = model.certificate.eigenvalue_bounds.T
    truth = true_values(rows)[:k]
    assert model.choices["stop"].rule == "sampling error"
    assert np.all((low <= truth * (1 + 1e-12)) & (truth <= high * (1 + 1e-12)))


def test_single_columns_find_every_copy_of_a_repeated_eigenvalue():
    copies = scipy.sparse.block_diag([counts_table((300, 60))] * 3, format="csr")

    model = el.fit(copies, 6, solver=BlockKrylov(width=1, lazily=True, max_columns=150))

    assert np.allclose(model.eigenvalues, true_values(copies)[:6], rtol=1e-6)


def test_ritz_values_are_found_less_often_than_passes_are_made():
    source = open_source(counts_table())
    side = FeatureSide(build_table(source, prepare(source, True, None, None)))
    ask = Ask(5, 1e-6)

    solver = BlockKrylov(width=2, lazily=True, max_passes=60, max_columns=200)
    steps = solver.steps(side, ask, np.random.default_rng(0))
    seen = [next(steps)]
    while seen[-1].errors[:5].max() > 1e-6 * seen[-1].values[4]:
        seen.append(steps.send(ask))

    assert len(seen) < seen[-1].passes / 3


def test_a_step_can_still_be_read_out_after_its_span_was_compressed():
    # An interrupt may come in the pass after a restart, which uses the memory of the span again.
    rows = make_table(400, 80, 3, decay="slow")
    source = open_source(rows)
    side = FeatureSide(build_table(source, prepare(source, True, None, None)))
    ask = Ask(3, 1e-12)
    steps = BlockKrylov(width=4, max_columns=12).steps(side, ask, np.random.default_rng(0))
    covariance = np.cov(rows, rowvar=False)

    before = next(steps)
    for _ in range(6):
        after = steps.send(ask)
        vectors = before.read_out().vectors(3)
        rayleigh = np.einsum("ij,ij->j", vectors, covariance @ vectors)
        assert np.allclose(rayleigh, before.values[:3], rtol=1e-10)
        before = after


def test_blocks_are_wide_where_rows_are_read_and_narrow_where_a_column_is_cheap():
    sparse = problem_of_shape((20_000, 2000), 10, entries=3.6e6)
    filed = problem_of_shape((20_000, 2000), 10, entries=3.6e6, read_rate=3e8)
    dense = problem_of_shape((20_000, 2000), 50)

    assert block_width(sparse) == 1
    assert is_read(filed)
    assert block_width(filed) >= 16
    assert 8 <= block_width(dense) < 80


@pytest.mark.parametrize("rank", [1, 10, 50, 200])
def test_the_span_holds_what_the_passes_are_predicted_to_find(rank):
    problem = problem_of_shape((20_000, 2000), rank, entries=3.6e6)
    width = block_width(problem)

    assert columns_kept(problem, width) >= min(krylov_passes(problem, width) * width, 1000)


def test_checks_are_due_after_every_pass_unless_they_are_lazy():
    assert all(CheckTimes(lazily=False).is_due(columns, 4, Ask(10, 1e-3)) for columns in (4, 8, 12))
    assert not CheckTimes(lazily=True).is_due(8, 4, Ask(10, 1e-3))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_blocks_of_small_dense_tables_are_narrow_for_few_components(dtype):
    shape = (700, 765)
    few, many = (
        replace(problem, stored_bytes=shape[0] * shape[1] * dtype().itemsize)
        for problem in (problem_of_shape(shape, 10), problem_of_shape(shape, 100))
    )

    assert block_width(few) <= 4
    assert block_width(many) >= 8


@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("offset", [0.0, 30.0])
@pytest.mark.parametrize("k", [2, 7, 25])
def test_bounds_of_small_tables_hold_the_truth(sparse, offset, k):
    # One probe and few columns at a time; rows far from the origin are kept shifted.
    rows = counts_table((400, 350), seed=k)
    rows = rows if sparse else rows.toarray() + np.float32(offset)

    model = el.fit(rows, k, solver=BlockKrylov(lazily=True))

    low, high = model.certificate.eigenvalue_bounds.T
    truth = true_values(rows)[:k]
    assert model.certificate.kind == "probabilistic"
    assert model.choices["stop"].rule == "sampling error"
    assert np.all((low <= truth * (1 + 1e-12)) & (truth <= high * (1 + 1e-12)))


def test_a_narrow_block_that_has_to_stop_at_once_holds_all_components():
    rows = make_table(60, 40, 1, decay="slow")

    with pytest.warns(el.NotCertified):
        model = el.fit(rows, 7, solver=BlockKrylov(width=1, stop=WallClock(1e-9)), tolerance=1e-12)

    assert model.n_components == 7
