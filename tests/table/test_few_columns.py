"""Few columns at a time, small arrays that are kept as they are multiplied, sums in pieces."""

import numpy as np
import pytest
import scipy.sparse

from eigenlens.sources.open import open_source
from eigenlens.table import sparse_numbers
from eigenlens.table.build import build_table
from eigenlens.table.few_columns import add_gram_product, multiply_sparse
from eigenlens.table.preparation import prepare
from eigenlens.table.sparse_numbers import sums_about
from tests.problems import make_table


@pytest.mark.parametrize("columns", [1, 2, 4, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_columns_apart_give_the_product_of_all(columns, weighted):
    rng = np.random.default_rng(columns)
    block, vectors = rng.standard_normal((30, 12)), rng.standard_normal((12, columns))
    heavy = rng.random(30) if weighted else None
    expected = block.T @ ((1.0 if heavy is None else heavy[:, None]) * (block @ vectors))

    for in_cache in (False, True):
        total = np.ones((columns, 12))
        add_gram_product(total, block, vectors, heavy, in_cache)
        np.testing.assert_allclose(total.T - 1, expected, rtol=1e-12, atol=1e-12)
    sparse = scipy.sparse.csr_array(np.where(block > 0.5, block, 0))
    product = multiply_sparse(sparse, vectors)
    np.testing.assert_allclose(product, sparse.toarray() @ vectors, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_pass_multiplies_the_same_numbers(dtype):
    rows = (make_table(90, 20, 2) + 1e3).astype(dtype)
    source = open_source(rows)
    table = build_table(source, prepare(source, True, None, None))
    vectors = np.random.default_rng(0).standard_normal((20, 3))

    first, second, *later = (table.covariance_times(vectors) for _ in range(5))

    assert table.rows.kept is not None
    for product in (second, *later):
        np.testing.assert_array_equal(product, first)
    table.compute_in_double()
    assert table.rows.dtype == np.float64
    centered = rows.astype(np.float64) - rows.mean(axis=0, dtype=np.float64)
    expected = centered.T @ (centered @ vectors) / 89
    np.testing.assert_allclose(table.covariance_times(vectors), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("at_once", [1, 7, 1 << 20])
def test_sums_in_pieces_are_the_sums(monkeypatch, at_once):
    monkeypatch.setattr(sparse_numbers, "ENTRIES_AT_ONCE", at_once)
    rng = np.random.default_rng(3)
    block = scipy.sparse.random_array((40, 9), density=0.3, format="csr", rng=rng)
    shift, heavy = rng.random(9), rng.random(40)

    sums, squares = sums_about(shift, block, heavy)

    steps = block.toarray() - shift
    np.testing.assert_allclose(sums, heavy @ steps, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(squares, heavy @ steps**2, rtol=1e-12)
