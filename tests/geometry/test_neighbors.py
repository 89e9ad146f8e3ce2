"""The chunked search finds what all distances would show."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from eigenlens.geometry import neighbors
from eigenlens.geometry.neighbors import NumberedRows, nearest_rows


def slow_distances(anchors, rows, count):
    apart = np.sqrt(np.square(anchors[:, None, :] - rows[None, :, :]).sum(axis=2))
    return np.sort(apart, axis=1)[:, 1 : count + 1]


def numbered(rows, start=0):
    return NumberedRows(start + np.arange(len(rows)), rows)


def in_blocks(rows, size):
    return [numbered(rows[i : i + size], i) for i in range(0, len(rows), size)]


@given(st.integers(30, 200), st.integers(2, 9), st.integers(1, 60), st.integers(0, 999))
def test_block_size_is_invisible(n, d, size, seed):
    rows = np.random.default_rng(seed).standard_normal((n, d))

    found = nearest_rows(numbered(rows), in_blocks(rows, size), 8)

    assert found.n_rows == n
    assert_allclose(found.distances, slow_distances(rows, rows, 8), rtol=1e-12)


@pytest.mark.parametrize("tile", [1, 1000, 100_000])
def test_tile_size_is_invisible(tile, monkeypatch):
    rows = np.random.default_rng(0).standard_normal((700, 5))
    monkeypatch.setattr(neighbors, "TILE_ENTRIES", tile)

    found = nearest_rows(numbered(rows), [numbered(rows)], 12)

    assert_allclose(found.distances, slow_distances(rows, rows, 12), rtol=1e-12)


def test_some_anchors_are_searched_among_all_rows():
    rows = np.random.default_rng(1).standard_normal((500, 4))
    some = np.array([3, 100, 499])

    found = nearest_rows(NumberedRows(some, rows[some]), in_blocks(rows, 64), 20)

    assert_allclose(found.distances, slow_distances(rows[some], rows, 20), rtol=1e-12)


def test_close_neighbors_in_far_clusters_are_not_rounded_away():
    rng = np.random.default_rng(2)
    rows = 1e-9 * rng.standard_normal((300, 3)) + 1e3 * rng.integers(0, 2, (300, 1))

    found = nearest_rows(numbered(rows), in_blocks(rows, 100), 10)

    assert_allclose(found.distances, slow_distances(rows, rows, 10), rtol=1e-6)


@given(st.integers(0, 999))
def test_sparse_rows_have_the_same_neighbors(seed):
    from scipy.sparse import csr_array

    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((120, 15)) * (rng.uniform(size=(120, 15)) < 0.3)
    rows[:, 0] = rng.standard_normal(120)

    sparse = [NumberedRows(one.numbers, csr_array(one.rows)) for one in in_blocks(rows, 50)]

    found = nearest_rows(numbered(rows), sparse, 6)
    assert_allclose(found.distances, slow_distances(rows, rows, 6), rtol=1e-9)
