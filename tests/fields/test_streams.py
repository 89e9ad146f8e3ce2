"""Arrow streams and queries: the same numbers as the table they come from, at every pass."""

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pytest

import eigenlens as el
from eigenlens.errors import FieldError, StreamError, UnsupportedData

N = 300


def table():
    rng = np.random.default_rng(0)
    hidden = rng.standard_normal((N, 2)) @ rng.standard_normal((2, 5))
    columns = hidden + 0.1 * rng.standard_normal((N, 5))
    named = {f"x{i}": columns[:, i] for i in range(5)}
    return pa.table({"id": np.arange(N), "name": [f"row {i}" for i in range(N)], **named})


class Exporter:
    """Nothing but a stream of Arrow, fresh at every call."""

    def __init__(self, held):
        self.held = held

    def __arrow_c_stream__(self, requested_schema=None):
        return pa.RecordBatchReader.from_batches(
            self.held.schema, self.held.to_batches(70)
        ).__arrow_c_stream__(requested_schema)


def of_duckdb():
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("t", table())
    return connection.sql("select * from t order by id")


def of_polars():
    return pytest.importorskip("polars").from_arrow(table()).lazy()


def of_narwhals():
    return pytest.importorskip("narwhals").from_native(of_polars())


def of_hugging_face():
    datasets = pytest.importorskip("datasets")
    return datasets.Dataset(table())


def of_iterable():
    return of_hugging_face().to_iterable_dataset()


def of_dataset():
    return pyarrow.dataset.dataset(table())


def of_scanner():
    return of_dataset().scanner(batch_size=64)


KINDS = [
    of_duckdb, of_polars, of_narwhals, of_hugging_face, of_iterable, of_dataset, of_scanner,
    lambda: Exporter(table()),
]  # fmt: skip


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("solver", ["covariance", "krylov"])
def test_a_stream_gives_the_model_of_its_table(make, solver):
    truth = el.fit(table(), k=2, tolerance=1e-10)

    rows = make()
    model = el.fit(rows, k=2, solver=solver, tolerance=1e-10)

    assert model.n_rows == N
    assert model.feature_names == truth.feature_names == ("x0", "x1", "x2", "x3", "x4")
    np.testing.assert_allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-9)
    np.testing.assert_allclose(model.project(rows), truth.project(table()), atol=1e-8)
    assert set(model.choices["columns"].evidence["left_out"]) == {"id", "name"}


def test_columns_of_a_stream_are_chosen_by_name():
    assert el.open(of_dataset(), ["x3", "id"]).names == ("x3", "id")


def test_select_and_shuffle_of_a_hugging_face_dataset_count():
    rows = of_hugging_face().shuffle(seed=1).select(range(40))

    model = el.fit(rows, k=1)

    kept = np.array(rows["id"])
    assert model.n_rows == 40
    truth = el.fit(table().take(pa.array(kept)), k=1)
    np.testing.assert_allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-9)


def test_lists_in_a_stream_are_columns():
    held = pa.table({"id": np.arange(9), "e": [[float(i), float(i * i)] for i in range(9)]})

    assert el.fit(Exporter(held), k=1).feature_names == ("e[0]", "e[1]")


def test_a_delta_table_object_is_read_at_its_version(tmp_path):
    deltalake = pytest.importorskip("deltalake")
    for rows in (table(), table().slice(0, 100)):
        deltalake.write_deltalake(str(tmp_path / "d"), rows, mode="overwrite")

    assert el.fit(deltalake.DeltaTable(str(tmp_path / "d")), k=1).n_rows == 100
    assert el.fit(deltalake.DeltaTable(str(tmp_path / "d"), version=0), k=1).n_rows == N


# -- keep ------------------------------------------------------------------------------------


def test_keep_gives_the_kind_of_frame_that_came_in():
    polars = pytest.importorskip("polars")
    model = el.fit(table(), k=2)
    truth = model.project(table())

    frames = {
        "pandas": table().to_pandas().set_index("name", drop=False),
        "polars": polars.from_arrow(table()),
        "pyarrow": table(),
    }
    for kind, frame in frames.items():
        found = model.project(frame, keep=["id", "name"])

        assert type(found) is type(frame), kind
        assert list(getattr(found, "column_names", None) or found.columns) == [
            "id", "name", "PC1", "PC2",
        ]  # fmt: skip
        np.testing.assert_array_equal(np.asarray(found["PC2"]), truth[:, 1])
    assert model.project(frames["pandas"], keep="id").index[3] == "row 3"


def test_keep_of_streams():
    polars = pytest.importorskip("polars")
    model = el.fit(table(), k=1)

    assert isinstance(model.project(of_polars(), keep=["id"]), polars.LazyFrame)
    assert model.project(of_duckdb(), keep=["id"]).column_names == ["id", "PC1"]
    assert model.project(of_hugging_face(), keep=["id"]).column_names == ["id", "PC1"]
    with pytest.raises(UnsupportedData, match="no column 'ident'"):
        model.project(table(), keep=["ident"])
    with pytest.raises(UnsupportedData, match="no column 'ident'"):
        model.project(of_dataset(), keep=["ident"])
    with pytest.raises(el.OptionError, match="keep"):
        model.project(np.zeros((3, 5)), keep=["id"])


# -- mistakes --------------------------------------------------------------------------------


def test_a_query_that_fails_is_said_in_a_sentence():
    duckdb = pytest.importorskip("duckdb")
    with pytest.raises(
        FieldError, match=r"duckdb DuckDBPyRelation could not be read.*no such luck"
    ):
        el.fit(duckdb.sql("select error('no such luck') as a, 1.0 as b"), k=1)


class Shrinking(Exporter):
    """Fewer rows at every call: a stream that ends early."""

    def __arrow_c_stream__(self, requested_schema=None):
        found = super().__arrow_c_stream__(requested_schema)
        self.held = self.held.slice(0, len(self.held) - 1)
        return found


def test_a_stream_that_ends_early_is_an_error():
    with pytest.raises(StreamError, match="rows"):
        el.fit(Shrinking(table()), k=1, solver="krylov")


def test_a_stream_without_rows_is_an_error():
    with pytest.raises(StreamError):
        el.fit(Exporter(table().slice(0, 0)), k=1)


def test_a_query_without_rows_says_so():
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select 1.0 as a, 2.0 as b where 1 = 2")

    with pytest.raises(StreamError, match=r"duckdb DuckDBPyRelation gave no rows\. Check"):
        el.fit(relation, k=1)


def test_a_reader_of_batches_that_breaks_off_says_why():
    schema = pa.schema({"a": pa.float64(), "b": pa.float64()})

    def batches():
        yield pa.record_batch([np.arange(3.0), np.ones(3)], schema=schema)
        raise OSError("connection reset")

    with pytest.raises(FieldError, match="RecordBatchReader could not be read: connection reset"):
        el.fit(pa.RecordBatchReader.from_batches(schema, batches()), k=1)
