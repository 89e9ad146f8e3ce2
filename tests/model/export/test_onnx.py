"""ONNX: another runtime gives the same scores."""

import json
import sys

import numpy as np
import onnx
import onnxruntime
import pytest

import eigenlens as el
from tests.model.export.cases import every_case, rounding, rows


def session(path):
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])


@every_case
def test_the_runtime_gives_the_same_scores(model, tmp_path):
    table = rows().to_numpy() + (0 if model.mean is None else model.mean - model.mean.mean())

    found = session(model.export(tmp_path / "model.onnx")).run(["scores"], {"rows": table})[0]

    expected = model.project(table)
    assert found.dtype == np.float64
    assert found.shape == expected.shape
    assert np.abs(found - expected).max(initial=0.0) <= rounding(model, table)


@pytest.mark.parametrize("scale", [None, "std"])
def test_scores_agree_to_twelve_digits(scale, tmp_path):
    table = rows()
    model = el.fit(table, 3, scale=scale)

    path = model.export(tmp_path / "model.onnx")
    found = session(path).run(None, {"rows": table.to_numpy()})[0]

    expected = model.project(table)
    assert np.abs(found - expected).max() <= 1e-12 * np.abs(expected).max()


@every_case
def test_the_graph_is_valid_and_says_what_it_is(model, tmp_path):
    graph = onnx.load(model.export(tmp_path / "model.onnx"))

    onnx.checker.check_model(graph, full_check=True)
    held = {entry.key: json.loads(entry.value) for entry in graph.metadata_props}
    assert graph.producer_name == "eigenlens"
    assert str(model.certificate) in graph.doc_string
    assert held["eigenvalues"] == model.eigenvalues.tolist()
    assert held.get("feature_names") == (model.feature_names and list(model.feature_names))


def test_any_number_of_rows_goes_in(tmp_path):
    model = el.fit(rows(), 2)
    running = session(model.export(tmp_path / "model.onnx"))

    for count in (0, 1, 500):
        assert running.run(None, {"rows": np.ones((count, 7))})[0].shape == (count, 2)


def test_the_same_model_gives_the_same_bytes(tmp_path):
    model = el.fit(rows(), 2)

    one, two = (model.export(tmp_path / name) for name in ("one.onnx", "two.onnx"))

    assert one.read_bytes() == two.read_bytes()


def test_without_the_package_the_message_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "onnx", None)

    with pytest.raises(
        el.OptionError, match=r"onnx, which is not.*pip install 'eigenlens\[onnx\]'"
    ):
        el.fit(rows(), 2).export(tmp_path / "model.onnx")

    assert list(tmp_path.iterdir()) == []
