"""Embeddings: rows of unit length, and the model as a layer of other libraries."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest
import scipy.sparse as sp
from sklearn.preprocessing import normalize

import eigenlens as el
from eigenlens.errors import DataError, FieldError, OptionError
from eigenlens.sources.arrow_stream import read_batches
from eigenlens.sources.measurements import open_measurements
from eigenlens.sources.open import open_source

N, D, K = 300, 12, 4


def rows(dtype=np.float32):
    rng = np.random.default_rng(0)
    return (rng.standard_normal((N, D)) * np.linspace(3, 0.3, D) + 0.5).astype(dtype)


@pytest.mark.parametrize("solver", ["covariance", "svd", "dual", "krylov"])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array, sp.csc_array])
def test_normalize_divides_every_row_by_its_length(make, solver):
    given, unit = make(rows(np.float64)), normalize(rows(np.float64))

    model = el.fit(given, k=K, normalize="l2", solver=solver, tolerance=1e-9)
    truth = el.fit(unit, k=K, tolerance=1e-9)

    np.testing.assert_allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-8)
    np.testing.assert_allclose(model.project(given), truth.project(unit), atol=1e-7)


def test_a_file_is_normalized_as_it_is_read(tmp_path):
    lists = pa.FixedSizeListArray.from_arrays(pa.array(rows().ravel()), D)
    pyarrow.parquet.write_table(pa.table({"e": lists}), tmp_path / "e.parquet")

    model = el.fit(tmp_path / "e.parquet", k=K, normalize="l2", tolerance=1e-9)

    truth = el.fit(normalize(rows()), k=K, tolerance=1e-9)
    np.testing.assert_allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-5)


def test_a_row_of_zeros_stays_where_it_is():
    given = rows(np.float64)
    given[7] = 0

    model = el.fit(given, k=2, normalize="l2")

    np.testing.assert_allclose(model.project(given)[7], -model.components @ model.mean, atol=1e-9)


def test_a_saved_model_still_normalizes(tmp_path):
    model = el.fit(rows(), k=K, normalize="l2")

    again = el.load(model.save(tmp_path / "m.eigenlens"))

    np.testing.assert_array_equal(again.project(rows()), model.project(rows()))
    with pytest.raises(OptionError, match="reading of the rows"):
        model.merge(el.fit(rows(), k=K))
    with pytest.raises(OptionError, match="normalize='l1'"):
        el.fit(rows(), k=K, normalize="l1")


CASES = [{}, {"scale": "std"}, {"center": False}, {"normalize": "l2"}]


@pytest.mark.parametrize("options", CASES)
def test_a_layer_of_torch_is_the_projection(options):
    torch = pytest.importorskip("torch")
    model = el.fit(rows(), k=K, **options)

    layer = model.to_torch(torch.float64)
    found = layer(torch.from_numpy(rows(np.float64))).detach().numpy()

    np.testing.assert_allclose(found, model.project(rows(np.float64)), atol=1e-10)
    if "normalize" not in options:
        assert isinstance(layer, torch.nn.Linear)
        assert model.to_torch().weight.dtype == torch.float32


@pytest.mark.parametrize("options", CASES)
def test_a_graph_of_onnx_is_the_projection(tmp_path, options):
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    model = el.fit(rows(), k=K, **options)

    session = runtime.InferenceSession(str(model.export(tmp_path / "m.onnx")))
    found = session.run(None, {"rows": rows(np.float64)})[0]

    np.testing.assert_allclose(found, model.project(rows(np.float64)), atol=1e-10)


@pytest.mark.parametrize("options", CASES)
def test_the_objects_of_scikit_learn_are_the_projection(options):
    model = el.fit(rows(), k=K, **options)

    np.testing.assert_allclose(
        model.to_sklearn().transform(rows(np.float64)), model.project(rows(np.float64)), atol=1e-10
    )


def test_a_transform_of_faiss_is_the_projection():
    pytest.importorskip("faiss")
    model = el.fit(rows(), k=K)

    found = model.to_faiss().apply(rows())

    np.testing.assert_allclose(found, model.project(rows()), atol=1e-4)


def test_a_module_of_sentence_transformers_is_the_projection():
    pytest.importorskip("sentence_transformers")
    torch = pytest.importorskip("torch")
    model = el.fit(rows(), k=K)

    features = {"sentence_embedding": torch.from_numpy(rows())}
    for module in model.to_sentence_transformers():
        features = module(features)

    found = features["sentence_embedding"].detach().numpy()
    np.testing.assert_allclose(found, model.project(rows()), atol=1e-4)


@pytest.mark.parametrize("library", ["torch", "faiss", "sentence_transformers"])
def test_without_the_library_its_name_is_said(monkeypatch, library):
    monkeypatch.setitem(__import__("sys").modules, library, None)
    model = el.fit(rows(), k=2)

    with pytest.raises(el.FieldError, match="pip install"):
        getattr(model, f"to_{library}")()


# -- the numbers' own precision --------------------------------------------------------------


def float32_lists(count=40, first=0):
    numbers = np.random.default_rng(3).standard_normal((count, 6)).astype(np.float32)
    ids = np.arange(first, first + count)
    return pa.table({"id": ids, "embedding": pa.array(list(numbers))})


def test_an_identifier_that_is_left_out_makes_no_number_longer(tmp_path):
    table, path, other = float32_lists(), tmp_path / "rows.parquet", tmp_path / "more.parquet"
    for place, part in ((path, table), (other, float32_lists(first=40))):
        pyarrow.parquet.write_table(part, place)

    given = {
        "file": path,
        "files": [path, other],
        "frame": table,
        "stream": pyarrow.dataset.dataset(path),
        "batches": lambda: iter(table.to_batches(10)),
    }

    found = {name: open_measurements(data, None) for name, data in given.items()}

    assert {name: str(source.dtype) for name, source in found.items()} == dict.fromkeys(
        given, "float32"
    )
    assert all(
        source.names == tuple(f"embedding[{i}]" for i in range(6)) for source in found.values()
    )
    assert str(open_source(path).dtype) == "float64"  # with the identifier


def test_a_float32_column_beside_integers_is_read_in_float32(tmp_path):
    path = tmp_path / "columns.parquet"
    columns = {"whole": np.arange(9), "a": np.ones(9, np.float32), "b": np.ones(9, np.float32)}
    pyarrow.parquet.write_table(pa.table(columns), path)

    few, all_of_them = open_source(path, columns=["a", "b"]), open_source(path)

    assert (few.dtype, all_of_them.dtype) == (np.float32, np.float64)
    assert next(few.blocks(4)).dtype == np.float32


def test_lists_in_a_file_are_read_without_pandas(tmp_path):
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(float32_lists(), path)
    program = (
        f"import sys, eigenlens; eigenlens.fit({str(path)!r}, 2); print('pandas' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"


def test_a_dataset_is_read_a_few_rows_at_a_time(tmp_path):
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(float32_lists(20_000), path)

    _, batches = read_batches(pyarrow.dataset.dataset(path))

    assert max(len(batch) for batch in batches()) <= 8192


@pytest.mark.parametrize("first", [0, 7])
def test_a_list_that_is_missing_in_a_file_is_a_row_of_missing_cells(tmp_path, first):
    lists = [list(row) for row in rows(np.float64)]
    lists[first] = None
    pyarrow.parquet.write_table(pa.table({"id": np.arange(N), "e": lists}), tmp_path / "e.parquet")

    with pytest.raises(DataError, match=rf"row {first}, column 'e\[0\]'"):
        el.fit(tmp_path / "e.parquet", k=2)
    assert el.fit(tmp_path / "e.parquet", k=2, missing="drop").n_rows == N - 1


def test_lists_of_different_lengths_in_a_file_are_named(tmp_path):
    table = pa.table({"id": np.arange(3), "e": [[1.0, 2.0], [3.0], [4.0, 5.0]]})
    pyarrow.parquet.write_table(table, tmp_path / "e.parquet")

    with pytest.raises(FieldError, match=r"column 'e' of .* holds lists of different lengths"):
        el.fit(tmp_path / "e.parquet", k=1, columns=["e"])
