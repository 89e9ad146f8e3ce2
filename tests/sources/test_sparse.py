"""Sparse matrices: the caller's memory is shared where possible and never changed."""

import numpy as np
import pytest
import scipy.sparse as sp

import eigenlens as el
from eigenlens.errors import DataError, UnsupportedData
from eigenlens.sources import open_source
from eigenlens.sources.array import ArraySource
from eigenlens.sources.dense_copy import dense_copy
from tests.sources.kinds import (
    explicit_zeros,
    small_table,
    unsorted_with_duplicates,
    wide_indices,
)

COMPRESSED = [sp.csr_array, sp.csr_matrix, sp.csc_array, sp.csc_matrix]


@pytest.mark.parametrize("make", COMPRESSED)
def test_the_matrix_shares_the_callers_memory(make):
    data = make(small_table())

    matrix = open_source(data).matrix

    assert matrix.format == data.format
    for name in ("data", "indices", "indptr"):
        assert np.shares_memory(getattr(matrix, name), getattr(data, name))


@pytest.mark.parametrize("make", COMPRESSED)
def test_the_matrix_is_a_read_only_array_class(make):
    matrix = open_source(make(small_table())).matrix

    assert isinstance(matrix, sp.csr_array | sp.csc_array)
    assert not matrix.data.flags.writeable


@pytest.mark.parametrize("make", COMPRESSED)
def test_a_read_only_matrix_multiplies(make):
    matrix = open_source(make(small_table())).matrix
    vectors = np.arange(12.0).reshape(6, 2)

    np.testing.assert_array_equal(matrix @ vectors, small_table() @ vectors)
    np.testing.assert_array_equal(
        matrix.T @ (matrix @ vectors), small_table().T @ (matrix @ vectors)
    )
    np.testing.assert_array_equal((matrix.T @ matrix).toarray(), small_table().T @ small_table())


def test_row_blocks_of_csr_and_panels_of_csc_are_views():
    by_row, by_column = sp.csr_array(small_table()), sp.csc_array(small_table())

    assert all(np.shares_memory(b.data, by_row.data) for b in open_source(by_row).blocks(6))
    assert all(np.shares_memory(p.data, by_column.data) for p in open_source(by_column).panels(3))


def test_wide_indices_are_not_copied_to_narrow_ones():
    data = wide_indices(small_table())

    matrix = open_source(data).matrix

    assert matrix.indices.dtype == np.int64
    assert np.shares_memory(matrix.indices, data.indices)


@pytest.mark.parametrize("make", COMPRESSED)
def test_duplicates_are_summed_in_a_copy(make):
    data = unsorted_with_duplicates(small_table(), make)
    stored = data.nnz

    matrix = open_source(data).matrix

    assert matrix.nnz == stored // 2
    assert data.nnz == stored
    assert not data.has_canonical_format


def test_squares_of_a_matrix_with_duplicates_are_right():
    matrix = open_source(unsorted_with_duplicates(small_table())).matrix

    assert np.sum(matrix.data**2) == np.sum(small_table() ** 2)


@pytest.mark.parametrize("make", [sp.csr_array, sp.csc_array, sp.coo_array, sp.bsr_array])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_repeated_entries_are_added_without_loss(make, dtype):
    large = 2**60 if dtype == np.int64 else 2.0**26 / np.finfo(dtype).eps / 2**24
    entries = np.array([large, 3, -large, 1, 7], dtype=dtype)
    places = ([0, 0, 0, 1, 0], [1, 1, 1, 0, 1])
    data = sp.coo_array((entries, places), shape=(2, 2))
    if make in (sp.csr_array, sp.csc_array):
        along = 0 if make is sp.csr_array else 1
        order = np.argsort(places[along], kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(places[along]))])
        data = make((entries[order], np.array(places[1 - along])[order], starts), shape=(2, 2))
    elif make is sp.bsr_array:
        blocks = entries[[0, 1, 2, 4, 3]].reshape(-1, 1, 1)
        data = make((blocks, [1, 1, 1, 1, 0], [0, 4, 5]), shape=(2, 2))

    np.testing.assert_array_equal(open_source(data).matrix.toarray(), [[0, 10], [1, 0]])


def test_explicit_zeros_are_harmless():
    source = open_source(explicit_zeros(small_table()))

    assert source.matrix.nnz == small_table().size
    np.testing.assert_array_equal(source.matrix.toarray(), small_table())


def test_integers_share_their_indices_and_convert_their_values():
    data = sp.csr_array(small_table().astype(np.int32))

    matrix = open_source(data).matrix

    assert matrix.dtype == np.float64
    assert np.shares_memory(matrix.indices, data.indices)


@pytest.mark.parametrize("make", [sp.csr_array, sp.csc_array, sp.coo_array])
def test_booleans_are_zeros_and_ones(make):
    matrix = open_source(make(small_table() > 50)).matrix

    np.testing.assert_array_equal(matrix.toarray(), np.where(small_table() > 50, 1.0, 0.0))


def test_neighboring_columns_of_csc_are_views():
    data = sp.csc_array(small_table())

    assert np.shares_memory(open_source(data, columns=[2, 3]).matrix.data, data.data)


def test_one_pass_reads_values_and_indices():
    data = sp.csr_array(small_table())

    assert open_source(data).stored_bytes == sum(
        part.nbytes for part in (data.data, data.indices, data.indptr)
    )


def test_a_matrix_without_entries_is_a_table_of_zeros():
    blocks = open_source(sp.csr_array((5, 3))).blocks(2)

    np.testing.assert_array_equal(
        np.vstack([block.toarray() for block in blocks]), np.zeros((5, 3))
    )


def test_complex_numbers_are_refused():
    with pytest.raises(UnsupportedData, match="complex128"):
        open_source(sp.csr_array(np.eye(3) * 1j))


def test_a_sparse_vector_is_no_table():
    with pytest.raises(DataError, match=r"1 dimension.*reshape"):
        open_source(sp.coo_array(np.arange(5.0)))


def test_a_sparse_table_without_rows_is_an_error():
    with pytest.raises(DataError, match="0 rows"):
        open_source(sp.csr_array((0, 3)))


def test_a_source_shows_its_size():
    assert repr(open_source(sp.csr_array(np.eye(3)))) == "SparseSource(3 x 3, 3 entries as csr)"


# -- small and well filled -------------------------------------------------------------------


def filled_counts(share=0.4, shape=(600, 700), dtype=np.float32):
    rng = np.random.default_rng(2)
    counts = rng.poisson(rng.gamma(1.0, 1.0, shape[1]), shape) * (rng.random(shape) < share)
    return sp.csr_array(np.log1p(counts).astype(dtype))


def test_a_small_table_of_which_much_is_filled_is_multiplied_as_an_array():
    counts = filled_counts()

    held = dense_copy(open_source(counts))

    assert isinstance(held, ArraySource)
    np.testing.assert_array_equal(held.array, counts.toarray())


@pytest.mark.parametrize(
    "counts",
    [filled_counts(0.02), filled_counts(shape=(40, 50)), filled_counts(dtype=np.float64)],
    ids=["empty", "tiny", "double"],
)
def test_other_tables_stay_sparse(counts):
    assert dense_copy(open_source(counts)) is None


def test_a_table_multiplied_as_an_array_keeps_its_kind_and_its_bounds():
    counts = filled_counts()
    dense = counts.toarray().astype(np.float64)
    truth = np.linalg.eigvalsh(np.cov(dense, rowvar=False))[::-1][:12]

    model = el.fit(counts, k=12)

    low, high = model.certificate.eigenvalue_bounds.T
    assert (low <= truth).all()
    assert (truth <= high).all()
    assert model.provenance["data"].startswith("SparseSource")
    exact = el.fit(counts, k=12, tolerance=1e-9)
    np.testing.assert_allclose(exact.eigenvalues, truth, rtol=1e-9)
