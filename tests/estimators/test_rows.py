"""Rows at the door: read where they lie, checked in scikit-learn's words, named as they come."""

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal

from eigenlens import PCA, DataError, UnsupportedData, fit
from tests.estimators.tables import SOLVERS, table

NAMES = list("abcdef")
FRAMES = {
    "pandas": lambda rows: pd.DataFrame(rows, columns=NAMES),
    "polars": lambda rows: pl.DataFrame(rows, schema=NAMES),
    "pyarrow": lambda rows: pa.table(dict(zip(NAMES, rows.T, strict=True))),
}
FORMATS = ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]


def peak_bytes(work):
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# -- only read -----------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("copy", [True, False])
def test_the_data_are_not_written_to(solver, copy):
    rows = table()
    before = rows.copy()

    PCA(2, svd_solver=solver, copy=copy, whiten=True).fit_transform(rows)

    assert_array_equal(rows, before)


def test_a_read_only_memory_map_is_not_copied(tmp_path):
    stored = np.lib.format.open_memmap(tmp_path / "rows.npy", "w+", np.float64, (100_000, 40))
    stored[:] = np.random.default_rng(0).standard_normal((100_000, 40))
    stored.flush()
    rows = np.load(tmp_path / "rows.npy", mmap_mode="r")
    pca = PCA(3).fit(rows[:100])  # what is imported on first use is not counted

    assert peak_bytes(lambda: pca.fit(rows)) < 0.3 * rows.nbytes
    assert peak_bytes(lambda: pca.transform(rows)) < 0.3 * rows.nbytes


@pytest.mark.parametrize("dtype", [np.int32, np.float32])
def test_other_dtypes_are_converted_block_by_block(dtype):
    rows = np.random.default_rng(0).integers(0, 100, (200_000, 40)).astype(dtype)
    pca = PCA(3).fit(rows[:100])

    # As float64 the table would be twice as large.
    assert peak_bytes(lambda: pca.fit(rows)) < 0.6 * rows.nbytes
    assert peak_bytes(lambda: pca.transform(rows)) < 0.6 * rows.nbytes


@pytest.mark.parametrize("kind", [np.asarray, np.asfortranarray, scipy.sparse.csr_array])
def test_a_fit_reads_no_more_than_a_plain_one(kind):
    rows = kind(table(n=500, d=30))

    face, plain = PCA(3).fit(rows).certificate_, fit(rows, 3).certificate

    assert (face.passes, face.bytes_read) == (plain.passes, plain.bytes_read)


# -- kinds ---------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", FORMATS)
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_sparse_rows_give_what_dense_ones_do(layout, kind):
    rows = np.where(table() > 2, table(), 0)
    sparse = getattr(scipy.sparse, f"{layout}_{kind}")(rows)

    found = PCA(3, whiten=True).fit(sparse)

    dense = PCA(3, whiten=True).fit(rows)
    assert_allclose(found.components_, dense.components_, atol=1e-9)
    assert_allclose(found.transform(sparse), dense.transform(rows), atol=1e-9)
    assert_array_equal(found.fit_transform(sparse), found.transform(sparse))


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_gives_its_names(frame):
    rows = table()

    found = PCA(2).fit(FRAMES[frame](rows))

    assert list(found.feature_names_in_) == NAMES
    assert found.model_.feature_names == tuple(NAMES)
    assert_allclose(found.transform(FRAMES[frame](rows)), PCA(2).fit_transform(rows), atol=1e-9)


def test_columns_in_another_order_are_refused():
    rows = pd.DataFrame(table(), columns=NAMES)
    pca = PCA(2).fit(rows)

    with pytest.raises(ValueError, match="in the same order as they were in fit"):
        pca.transform(rows[NAMES[::-1]])


def test_rows_without_names_are_warned_about():
    pca = PCA(2).fit(pd.DataFrame(table(), columns=NAMES))

    with pytest.warns(UserWarning, match="does not have valid feature names"):
        pca.transform(table())


def test_single_precision_frames_stay_so():
    frame = pl.DataFrame(table(dtype=np.float32), schema=NAMES)

    assert PCA(2).fit_transform(frame).dtype == np.float32


def test_a_frame_of_sparse_columns_is_read():
    frame = pd.DataFrame.sparse.from_spmatrix(scipy.sparse.csr_matrix(table()))

    assert_allclose(PCA(2).fit(frame).components_, PCA(2).fit(table()).components_, atol=1e-9)


def test_numbers_kept_as_objects_are_read():
    frame = pd.DataFrame(table(), columns=NAMES).astype(object)

    found = PCA(2).fit(frame)

    assert list(found.feature_names_in_) == NAMES
    assert_allclose(found.transform(frame), PCA(2).fit_transform(table()), atol=1e-9)


def test_columns_of_words_are_named():
    frame = pd.DataFrame(table(), columns=NAMES).assign(color="red")

    with pytest.raises(UnsupportedData, match="'color'"):
        PCA(2).fit(frame)


@pytest.mark.parametrize("output", ["pandas", "polars"])
@pytest.mark.parametrize("rows", [table(), pd.DataFrame(table(), columns=NAMES)])
def test_scores_come_as_the_frame_asked_for(output, rows):
    pca = PCA(2).set_output(transform=output)

    for scores in (pca.fit_transform(rows), pca.transform(rows)):
        assert type(scores).__module__.startswith(output)
        assert list(scores.columns) == ["pca0", "pca1"]


# -- bad rows ------------------------------------------------------------------------------


BAD = {
    "array": np.asarray,
    "single": lambda rows: rows.astype(np.float32),
    "sparse": scipy.sparse.csr_array,
    "frame": FRAMES["pandas"],
    "polars": FRAMES["polars"],
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize(("value", "word"), [(np.nan, "NaN"), (np.inf, "infinity")])
def test_a_number_that_is_none_is_named_in_fit(kind, value, word):
    rows = table()
    rows[3, 1] = value

    with pytest.raises(DataError, match=f"Input X contains {word}") as error:
        PCA(2).fit(BAD[kind](rows))

    assert "row 3" in str(error.value)


@pytest.mark.parametrize("count", [0, 2])
@pytest.mark.parametrize("method", ["transform", "score_samples"])
@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize(("value", "word"), [(np.nan, "NaN"), (np.inf, "infinity")])
def test_a_number_that_is_none_is_named_later(count, method, kind, value, word):
    rows = table()
    pca = PCA(count).fit(BAD[kind](rows))
    rows[3, 1] = value

    with pytest.raises(DataError, match=f"Input X contains {word}"):
        getattr(pca, method)(BAD[kind](rows))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (np.zeros(5), "Expected 2D array, got 1D array instead"),
        (np.zeros((0, 3)), r"0 sample\(s\)"),
        (np.zeros((3, 0)), r"0 feature\(s\)"),
        (np.ones((1, 3)), "n_samples=1"),
        (np.ones((4, 3)), "all 4 rows .* are equal"),
        (table() + 1j, "Complex data not supported"),
        ([["a", "b"], ["c", "d"]], "dtype='numeric' is not compatible"),
        (np.ma.masked_greater(table(), 3), "NaN"),
    ],
)
def test_rows_that_cannot_be_used_are_refused(rows, words):
    with pytest.raises(ValueError, match=words):
        PCA().fit(rows)


@pytest.mark.parametrize("kind", ["array", "sparse"])
def test_rows_of_another_width_are_refused(kind):
    pca = PCA(2).fit(table())

    with pytest.raises(ValueError, match="X has 5 features, but PCA is expecting 6"):
        pca.transform(BAD[kind](table()[:, :5]))


def test_scores_of_another_width_are_refused():
    with pytest.raises(DataError, match="2 component"):
        PCA(2).fit(table()).inverse_transform(np.zeros((4, 3)))
