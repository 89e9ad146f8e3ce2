"""Files whose plain reading would be another table: logs, lists, matrices of genes by cells."""

import gzip

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
import scipy.io
import scipy.sparse as sp

import eigenlens as el
from eigenlens.errors import FieldError
from eigenlens.sources.files import table_log
from eigenlens.sources.files.matrix_market import TripleReader


def letters(rows, seed=0):
    rng = np.random.default_rng(seed)
    return pa.table({name: rng.random(rows) for name in "abcd"})


# -- tables with a log -----------------------------------------------------------------------


def write_delta(folder, *tables, **options):
    deltalake = pytest.importorskip("deltalake")
    for table in tables:
        deltalake.write_deltalake(str(folder), table, mode="overwrite", **options)
    return deltalake.DeltaTable(str(folder))


def test_a_delta_table_is_read_without_its_replaced_rows(tmp_path):
    whole = letters(300)
    write_delta(tmp_path / "delta", whole, whole.slice(0, 200))

    model = el.fit(tmp_path / "delta", k=2)

    assert model.n_rows == 200
    np.testing.assert_allclose(model.eigenvalues, el.fit(whole.slice(0, 200), k=2).eigenvalues)


def test_a_delta_table_below_a_folder_is_read_by_its_log_too(tmp_path):
    write_delta(tmp_path / "lake" / "delta", letters(300), letters(120))

    assert el.fit(tmp_path / "lake", k=1).n_rows == 120


def test_deleted_rows_of_a_partitioned_delta_table_are_gone(tmp_path):
    whole = letters(300).append_column("year", pa.array([2020, 2021] * 150))
    write_delta(tmp_path / "delta", whole, partition_by=["year"]).delete("a > 0.5")

    model = el.fit(tmp_path / "delta", k=1)

    assert model.n_rows == int((whole["a"].to_numpy() <= 0.5).sum())
    assert "year" in model.choices["columns"].evidence["left_out"]


def test_a_pattern_within_a_delta_table_is_refused(tmp_path):
    write_delta(tmp_path / "delta", letters(30), letters(20))

    with pytest.raises(FieldError, match="Pass the folder"):
        el.fit(f"{tmp_path}/delta/*.parquet", k=1)


@pytest.mark.parametrize(
    ("folder", "name", "library"),
    [
        ("_delta_log", "00000000000000000000.json", "deltalake"),
        ("metadata", "v1.metadata.json", "pyiceberg"),
    ],
)
def test_without_its_library_a_log_is_an_error_and_no_table(
    tmp_path, monkeypatch, folder, name, library
):
    pyarrow.parquet.write_table(letters(30), tmp_path / "part-0.parquet")
    (tmp_path / folder).mkdir()
    (tmp_path / folder / name).write_text("{}")
    monkeypatch.setitem(__import__("sys").modules, library, None)
    monkeypatch.setitem(__import__("sys").modules, f"{library}.table", None)

    with pytest.raises(FieldError, match=f"pip install {library}"):
        el.fit(tmp_path, k=1)


@pytest.mark.parametrize("folder", ["_delta_log", "metadata"])
def test_a_spoiled_log_is_an_error_and_no_table(tmp_path, folder):
    pytest.importorskip("deltalake" if folder == "_delta_log" else "pyiceberg")
    pyarrow.parquet.write_table(letters(30), tmp_path / "part-0.parquet")
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "v1.metadata.json").write_text("{}")

    with pytest.raises(FieldError, match="cannot be read as a"):
        el.fit(tmp_path, k=1)


def test_the_newest_metadata_counts_by_number_and_not_by_letters(tmp_path):
    (tmp_path / "metadata").mkdir()
    for name in ("v9.metadata.json", "v10.metadata.json", "v2.metadata.json"):
        (tmp_path / "metadata" / name).write_text("{}")

    assert table_log.newest_metadata(tmp_path).name == "v10.metadata.json"


# -- columns of lists ------------------------------------------------------------------------

N, D = 200, 5


def numbers(dtype=np.float32):
    return np.random.default_rng(1).standard_normal((N, D)).astype(dtype)


def lists(kind, values=None):
    flat = pa.array((numbers() if values is None else values).ravel())
    if kind == "fixed":
        return pa.FixedSizeListArray.from_arrays(flat, D)
    offsets = np.arange(0, N * D + 1, D)
    if kind == "large":
        return pa.LargeListArray.from_arrays(pa.array(offsets), flat)
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), flat)


def embeddings(kind="fixed"):
    return pa.table({"id": np.arange(N), "title": ["word"] * N, "embedding": lists(kind)})


def as_files(table, folder, groups=70):
    pyarrow.parquet.write_table(table, folder / "t.parquet", row_group_size=groups)
    pyarrow.feather.write_feather(table, folder / "t.feather")
    return folder / "t.parquet", folder / "t.feather"


@pytest.mark.parametrize("kind", ["fixed", "list", "large"])
def test_a_file_of_embeddings_is_not_the_pca_of_its_row_number(tmp_path, kind):
    truth = el.fit(numbers(), k=2)

    for path in as_files(embeddings(kind), tmp_path):
        model = el.fit(path, k=2)

        assert model.feature_names == tuple(f"embedding[{place}]" for place in range(D))
        np.testing.assert_allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-6)
        assert "id" in model.choices["columns"].evidence["left_out"]


@pytest.mark.parametrize("columns", ["embedding", ["embedding"], ["id", "embedding"]])
def test_lists_are_asked_for_by_the_name_of_their_column(tmp_path, columns):
    for path in as_files(embeddings(), tmp_path):
        source = el.open(path, columns)

        assert source.shape == (N, D + ("id" in columns))
        rows = np.vstack(list(source.blocks(33)))
        np.testing.assert_array_equal(rows[:, -D:], numbers())


def test_some_columns_of_lists_in_any_order_and_from_a_row_on(tmp_path):
    for path in as_files(embeddings(), tmp_path):
        source = el.open(path, ["embedding[3]", "id", "embedding[0]"])

        rows = np.vstack(list(source.blocks(64, 111)))

        np.testing.assert_array_equal(rows[:, 0], numbers()[111:, 3])
        np.testing.assert_array_equal(rows[:, 1], np.arange(111, N))
        np.testing.assert_array_equal(rows[:, 2], numbers()[111:, 0])


def test_lists_in_several_files_are_one_table(tmp_path):
    for part in range(3):
        pyarrow.parquet.write_table(embeddings(), tmp_path / f"{part}.parquet")

    assert el.open(tmp_path, "embedding").shape == (3 * N, D)


def test_the_lists_of_frames_are_read_alike():
    polars = pytest.importorskip("polars")
    truth = el.fit(numbers(), k=2)

    for frame in (
        embeddings(),
        embeddings("list"),
        polars.from_arrow(embeddings()),
        polars.from_arrow(embeddings("list")),
        embeddings("list").to_pandas(),
    ):
        model = el.fit(frame, k=2)

        np.testing.assert_allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-6)
        np.testing.assert_allclose(model.project(frame), truth.project(numbers()), atol=1e-5)


def test_a_missing_list_is_a_row_of_missing_numbers():
    column = pa.array([[1.0, 2.0], None, [3.0, None]])

    rows = el.open(pa.table({"e": column})).sample(np.arange(3))

    np.testing.assert_array_equal(rows, [[1, 2], [np.nan, np.nan], [3, np.nan]])


@pytest.mark.parametrize("columns", [None, ["embedding"]])
def test_lists_of_different_lengths_are_an_error_with_the_row(tmp_path, columns):
    ragged = pa.table({"id": np.arange(9), "embedding": [[1.0] * (3 + (i == 7)) for i in range(9)]})

    for path in as_files(ragged, tmp_path):
        with pytest.raises(FieldError, match=r"'embedding' .*lists of different lengths"):
            el.fit(path, k=1, columns=columns)
    with pytest.raises(FieldError, match="list of 4 numbers in row 7, but lists of 3"):
        el.fit(ragged, k=1, columns=columns)


def test_lists_of_different_lengths_that_are_all_there_is_are_named(tmp_path):
    ragged = pa.table({"embedding": [[1.0] * (3 + (i == 7)) for i in range(9)]})

    for path in as_files(ragged, tmp_path):
        with pytest.raises(FieldError, match=r"'embedding' .*lists of different lengths"):
            el.fit(path, k=1)


def test_lists_that_differ_beside_measurements_are_left_out(tmp_path):
    table = letters(9).append_column("tags", pa.array([[1] * (1 + i % 2) for i in range(9)]))

    for path in as_files(table, tmp_path):
        assert el.fit(path, k=1).feature_names == ("a", "b", "c", "d")


def test_lengths_that_make_up_for_each_other_are_seen_when_they_are_read(tmp_path):
    ragged = pa.table({"e": [[1.0, 2.0], [1.0], [1.0, 2.0, 3.0], [4.0, 4.0]]})
    pyarrow.parquet.write_table(ragged, tmp_path / "t.parquet")

    with pytest.raises(FieldError, match="list of 1 numbers in row 1"):
        el.fit(tmp_path / "t.parquet", k=1)


# -- genes by cells --------------------------------------------------------------------------


def write_tenx(folder, genes, *, zipped=True, prefix="", features="features.tsv"):
    """`genes`: (genes, cells)."""
    scipy.io.mmwrite(folder / "m.mtx", sp.coo_array(genes.T).T, field="integer")
    text = {
        "matrix.mtx": (folder / "m.mtx").read_text(),
        features: "".join(f"ENS{i}\tG{i // 2 * 2}\tGene\n" for i in range(genes.shape[0])),
        "barcodes.tsv": "".join(f"CELL{i}-1\n" for i in range(genes.shape[1])),
    }
    (folder / "m.mtx").unlink()
    for name, content in text.items():
        if zipped:
            (folder / f"{prefix}{name}.gz").write_bytes(gzip.compress(content.encode()))
        else:
            (folder / f"{prefix}{name}").write_text(content)
    return folder / f"{prefix}matrix.mtx{'.gz' if zipped else ''}"


@pytest.mark.parametrize(
    "options", [{}, {"zipped": False, "features": "genes.tsv"}, {"prefix": "GSM1_"}]
)
def test_a_matrix_of_cell_ranger_is_cells_by_genes(tmp_path, options):
    counts = np.random.default_rng(0).poisson(0.4, (12, 40))
    path = write_tenx(tmp_path, counts, **options)

    source = el.open(path)

    assert source.shape == (40, 12)
    assert isinstance(source.reader, TripleReader)  # cell after cell: streamed
    assert source.names[0] == "G0 (ENS0)"
    np.testing.assert_array_equal(sp.vstack(list(source.blocks(7))).toarray(), counts.T)


def test_a_matrix_without_names_beside_it_is_read_as_it_is(tmp_path):
    scipy.io.mmwrite(tmp_path / "matrix.mtx", sp.coo_array(np.eye(3, 5)))

    assert el.open(tmp_path / "matrix.mtx").shape == (3, 5)


# -- turned ----------------------------------------------------------------------------------


@pytest.mark.parametrize("sparse", [False, True])
def test_transpose_gives_the_table_turned(tmp_path, sparse):
    rows = np.random.default_rng(0).standard_normal((9, 31))
    if sparse:
        rows *= rows > 0
        sp.save_npz(tmp_path / "t.npz", sp.csr_array(rows))
        path = tmp_path / "t.npz"
    else:
        path = tmp_path / "t.npy"
        np.save(path, rows)

    source = el.open(path, transpose=True)

    assert source.shape == (31, 9)
    np.testing.assert_array_equal(source.sample(np.array([30, 2])), rows.T[[30, 2]])
    np.testing.assert_allclose(
        el.fit(source, k=3).eigenvalues, el.fit(rows.T.copy(), k=3).eigenvalues, rtol=1e-9
    )


def test_an_iceberg_table_is_read_without_its_replaced_and_deleted_rows(tmp_path):
    pytest.importorskip("sqlalchemy")
    sql = pytest.importorskip("pyiceberg.catalog.sql")
    catalog = sql.SqlCatalog("c", uri="sqlite:///:memory:", warehouse=f"file://{tmp_path}")
    catalog.create_namespace("n")
    kept = letters(300).slice(0, 120)
    table = catalog.create_table("n.t", schema=kept.schema)
    table.append(letters(300))
    table.overwrite(kept)
    folder = table.location().removeprefix("file://")

    assert el.fit(folder, k=1).n_rows == 120
    table.delete("a > 0.5")
    assert el.fit(folder, k=1).n_rows == int((kept["a"].to_numpy() <= 0.5).sum())
