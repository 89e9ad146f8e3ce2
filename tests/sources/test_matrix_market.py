"""Matrix Market: sparse rows as written, streamed where the triples are sorted by row."""

import gzip

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from eigenlens.errors import FileError, UnsupportedData
from eigenlens.sources import open_source
from eigenlens.sources.files import matrix_market
from tests.sources.written import table_of_thousand, text_file


def sparse_table():
    return sp.random_array((500, 40), density=0.05, rng=np.random.default_rng(0), format="csr")


def write_triples(path, rows, field="real", order=None):
    whole = rows.tocoo()
    order = np.arange(whole.nnz) if order is None else order
    lines = [f"%%MatrixMarket matrix coordinate {field} general", "% made for a test"]
    lines.append(f"{rows.shape[0]} {rows.shape[1]} {whole.nnz}")
    for i, j, value in zip(whole.row[order], whole.col[order], whole.data[order], strict=True):
        lines.append(f"{i + 1} {j + 1}" + ("" if field == "pattern" else f" {value!r:}"))
    text = ("\n".join(lines) + "\n").replace("np.float64(", "").replace(")", "").encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)


@pytest.mark.parametrize("piece_bytes", [30, 1000, 1 << 20])
@pytest.mark.parametrize("rows_per_block", [1, 64, 1000])
@pytest.mark.parametrize("name", ["t.mtx", "t.mtx.gz"])
def test_triples_sorted_by_row_are_streamed(
    tmp_path, monkeypatch, piece_bytes, rows_per_block, name
):
    monkeypatch.setattr(matrix_market, "PIECE_BYTES", piece_bytes)
    write_triples(tmp_path / name, sparse_table())

    source = open_source(tmp_path / name)
    blocks = list(source.blocks(rows_per_block))

    assert isinstance(source.reader, matrix_market.TripleReader)
    assert source.is_sparse
    assert all(block.format == "csr" for block in blocks)
    np.testing.assert_array_equal(sp.vstack(blocks).toarray(), sparse_table().toarray())


def test_triples_may_be_read_from_a_row_on_and_in_some_columns(tmp_path):
    write_triples(tmp_path / "t.mtx", sparse_table())

    blocks = list(open_source(tmp_path / "t.mtx", [7, 3]).blocks(60, 123))

    np.testing.assert_array_equal(
        sp.vstack(blocks).toarray(), sparse_table().toarray()[123:, [7, 3]]
    )


def test_repeated_triples_are_added_up(tmp_path):
    head = "%%MatrixMarket matrix coordinate integer general\n3 2 4\n"
    path = text_file(tmp_path, head + "1 2 5\n1 1 1\n1 2 6\n3 1 2\n", "t.mtx")

    (block,) = open_source(path).blocks(9)

    assert block.nnz == 3
    np.testing.assert_array_equal(block.toarray(), [[1, 11], [0, 0], [2, 0]])


def test_a_pattern_is_made_of_ones(tmp_path):
    write_triples(tmp_path / "t.mtx", sparse_table(), "pattern")

    (block,) = open_source(tmp_path / "t.mtx").blocks(500)

    np.testing.assert_array_equal(block.toarray(), sparse_table().toarray() != 0)


@pytest.mark.parametrize("spoil", ["by column", "two spaces"])
def test_other_triples_are_served_from_memory(tmp_path, spoil):
    path, rows = tmp_path / "t.mtx", sparse_table()
    write_triples(path, rows, order=np.argsort(rows.tocoo().col) if spoil == "by column" else None)
    if spoil == "two spaces":
        path.write_text(path.read_text().replace(" 0.", "   0."))

    blocks = list(open_source(path).blocks(64, 10))

    np.testing.assert_array_equal(sp.vstack(blocks).toarray(), rows.toarray()[10:])


@pytest.mark.parametrize("symmetric", [False, True])
def test_dense_and_symmetric_tables_are_served_from_memory(tmp_path, symmetric):
    rows = table_of_thousand()[:4]
    rows = rows + rows.T if symmetric else rows
    scipy.io.mmwrite(tmp_path / "t.mtx", sp.coo_array(rows) if symmetric else rows)

    (block,) = open_source(tmp_path / "t.mtx").blocks(9)

    dense = block.toarray() if symmetric else block
    np.testing.assert_allclose(dense, rows, rtol=1e-14)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 1 5\n2 2 6\n", "it has 2 of the 3 entries"),
        ("1 1 5\n2 9 6\n3 1 1\n", "outside of 3 x 2"),
        ("1 1 5\n2 x 6\n3 1 1\n", "cannot be read as Matrix Market"),
    ],
)
def test_wrong_triples_are_an_error(tmp_path, text, words):
    head = "%%MatrixMarket matrix coordinate real general\n3 2 3\n"

    with pytest.raises(FileError, match=words):
        open_source(text_file(tmp_path, head + text, "t.mtx"))


def test_complex_triples_are_refused(tmp_path):
    text = "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 0 1\n"

    with pytest.raises(UnsupportedData, match=r"Complex"):
        open_source(text_file(tmp_path, text, "t.mtx"))
