"""`.h5ad` files of today and of old: tables, sparse or not, and the names of their columns.

That every kind of file gives the same numbers is checked in tests/contracts/test_sources.py.
"""

import numpy as np
import pytest
import scipy.sparse as sp

from eigenlens.errors import FileError, UnsupportedData
from eigenlens.sources.files import anndata_file
from tests.sources import files
from tests.sources.kinds import N_COLUMNS, N_ROWS, NAMES, small_table
from tests.sources.reading import peak_bytes, rows_of, source_of


@pytest.fixture
def h5py():
    return pytest.importorskip("h5py")


def add_sparse(file, name, matrix, **marks):
    group = file.create_group(name)
    group.attrs.update(marks)
    for part in ("data", "indices", "indptr"):
        group[part] = getattr(matrix, part)


def test_old_marks_and_tables_of_records_are_understood(tmp_path, h5py):
    records = np.array([(name.encode(), 1.0) for name in NAMES], [("index", "S10"), ("mean", "f8")])
    with h5py.File(tmp_path / "old.h5ad", "w") as file:
        marks = {"h5sparse_format": b"csr", "h5sparse_shape": (N_ROWS, N_COLUMNS)}
        add_sparse(file, "X", sp.csr_array(small_table()), **marks)
        file["var"] = records

    reader = anndata_file.reader_of(tmp_path / "old.h5ad", None)

    assert reader.names == NAMES
    np.testing.assert_array_equal(rows_of(reader), small_table())


@pytest.mark.parametrize(("inside", "names"), [("layers/counts", NAMES), ("raw/X", ("a", "b"))])
def test_layers_and_raw_counts_have_their_names(tmp_path, h5py, inside, names):
    table = small_table()[:, : len(names)]
    with h5py.File(tmp_path / "cells.h5ad", "w") as file:
        file["X"] = np.zeros((2, N_COLUMNS))
        file["raw/var/_index"], file["var/_index"] = ["a", "b"], list(NAMES)
        add_sparse(
            file,
            inside,
            sp.csr_array(table),
            **{"encoding-type": "csr_matrix", "shape": table.shape},
        )

    reader = anndata_file.reader_of(tmp_path / "cells.h5ad", inside)

    assert reader.names == names
    np.testing.assert_array_equal(rows_of(reader), table)


def test_names_that_may_be_missing_are_found_in_their_group(tmp_path, h5py):
    with h5py.File(tmp_path / "cells.h5ad", "w") as file:
        file["X"], file["var/_index/values"] = small_table(), list(NAMES)
        file["var/_index/mask"] = np.zeros(N_COLUMNS, bool)

    assert anndata_file.reader_of(tmp_path / "cells.h5ad", None).names == NAMES


@pytest.mark.parametrize("names", [None, ["too", "few"]])
def test_without_fitting_names_columns_have_positions(tmp_path, h5py, names):
    with h5py.File(tmp_path / "cells.h5ad", "w") as file:
        file["X"] = small_table()
        if names:
            file["var/_index"] = names

    assert anndata_file.reader_of(tmp_path / "cells.h5ad", None).names is None


def test_a_table_that_is_not_in_the_cells_is_told_what_is(tmp_path, h5py):
    with h5py.File(tmp_path / "cells.h5ad", "w") as file:
        file["obsm/X_pca"] = np.zeros((4, 2))
        marks = {"encoding-type": "csr_matrix", "shape": (N_ROWS, N_COLUMNS)}
        add_sparse(file, "layers/counts", sp.csr_array(small_table()), **marks)

    with pytest.raises(FileError, match=r"no table 'X'. It has 'obsm/X_pca', 'layers/counts'"):
        anndata_file.reader_of(tmp_path / "cells.h5ad", None)


def test_a_sparse_group_without_its_parts_is_damaged(tmp_path, h5py):
    with h5py.File(tmp_path / "cells.h5ad", "w") as file:
        file.create_group("X").attrs["encoding-type"] = "csr_matrix"

    with pytest.raises(FileError, match="needs data, indices, indptr and shape"):
        anndata_file.reader_of(tmp_path / "cells.h5ad", None)


def test_csr_cells_are_never_dense_nor_held_whole(tmp_path, h5py):
    matrix = sp.random_array((20_000, 2000), density=0.02, rng=0, format="csr", dtype=np.float32)
    files.anndata_sparse(matrix, NAMES, tmp_path)
    source = source_of(anndata_file.reader_of(tmp_path / "table.h5ad", None))

    peak = peak_bytes(lambda: sum(block.nnz for block in source.blocks(500)))

    assert peak < 0.5 * (matrix.data.nbytes + matrix.indices.nbytes)


@pytest.mark.parametrize("dtype", ["u4", "i8", "u8"])
def test_indices_may_be_of_any_whole_dtype(tmp_path, h5py, dtype):
    matrix = sp.csr_array(small_table())
    with h5py.File(tmp_path / "cells.h5ad", "w") as file:
        add_sparse(file, "X", matrix, **{"encoding-type": "csr_matrix", "shape": matrix.shape})
        del file["X/indices"]
        file["X/indices"] = matrix.indices.astype(dtype)

    reader = anndata_file.reader_of(tmp_path / "cells.h5ad", None)

    np.testing.assert_array_equal(rows_of(reader), small_table())


def test_values_that_are_no_real_numbers_are_refused(tmp_path, h5py):
    with h5py.File(tmp_path / "cells.h5ad", "w") as file:
        marks = {"encoding-type": "csr_matrix", "shape": (N_ROWS, N_COLUMNS)}
        add_sparse(file, "X", sp.csr_array(small_table().astype(complex)), **marks)

    with pytest.raises(UnsupportedData, match="complex128"):
        anndata_file.reader_of(tmp_path / "cells.h5ad", None)


def test_panels_of_csr_cells_take_the_entries_in_pieces(tmp_path, h5py, monkeypatch):
    monkeypatch.setattr("eigenlens.sources.files.csr_rows.MOST_ENTRIES", 8)
    files.anndata_sparse(small_table(), NAMES, tmp_path)
    reader = anndata_file.reader_of(tmp_path / "table.h5ad", None)

    pieces = list(reader.chunks(slice(1, 3), 0, N_ROWS))

    assert len(pieces) > 3
    np.testing.assert_array_equal(
        np.vstack([piece.toarray() for piece in pieces]), small_table()[:, 1:3]
    )
