"""Scores of rows, whatever they are stored in and wherever they lie."""

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_allclose

from eigenlens import fit
from eigenlens.model import rows as rows_of_model

SINGLE = np.dtype(np.float32)


def table(n=300, d=7, offset=0.0, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)) * np.arange(d, 0, -1) + offset


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("scale", [None, "std"])
@pytest.mark.parametrize("center", [True, False])
def test_scores_are_the_prepared_rows_times_the_components(center, scale, offset):
    rows = table(offset=offset)

    model = fit(rows, 3, center=center, scale=scale)

    prepared = (rows - (0 if model.mean is None else model.mean)) / (
        1 if model.scale is None else model.scale
    )
    assert_allclose(model.project(rows), prepared @ model.components.T, atol=1e-8 * (1 + offset))


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("entries", [1 << 21, 100])
def test_sparse_rows_are_projected_piece_by_piece(layout, dtype, entries, monkeypatch):
    monkeypatch.setattr(rows_of_model, "CHUNK_ENTRIES", entries)
    dense = np.where(table() > 1, table(), 0).astype(dtype)
    model = fit(dense, 3, scale="std")

    scores = model.project(scipy.sparse.coo_array(dense).asformat(layout))

    assert scores.dtype == np.float64
    assert_allclose(scores, model.project(dense), atol=1e-5 if dtype == np.float32 else 1e-10)


@pytest.mark.parametrize("block_bytes", [1, 500, 4 << 20])
@pytest.mark.parametrize("cache_bytes", [1, 256 << 10])
def test_block_size_is_invisible(block_bytes, cache_bytes, monkeypatch):
    rows = table(offset=50.0)
    model = fit(rows, 3)
    whole = model.project(rows)

    monkeypatch.setattr(rows_of_model, "BLOCK_BYTES", block_bytes)
    monkeypatch.setattr(rows_of_model, "CHUNK_BYTES", cache_bytes)

    assert_allclose(model.project(rows), whole, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("offset", [0.3, 1e4])
def test_single_precision_products_lose_nothing_to_the_offset(offset):
    rows = table(offset=offset).astype(SINGLE)
    model = fit(rows, 3)

    scores = rows_of_model.project_rows(model, rows, SINGLE)

    assert scores.dtype == SINGLE
    assert np.abs(scores - model.project(rows)).max() <= 20 * np.finfo(SINGLE).eps * np.ptp(scores)


def test_rows_of_any_order_and_type_are_projected():
    rows = (table() * 10).astype(np.int32)
    model = fit(rows, 2)

    for other in (np.asfortranarray(rows), rows[::-1][::-1], rows.astype(np.int64), rows.tolist()):
        assert_allclose(model.project(other), model.project(rows))
