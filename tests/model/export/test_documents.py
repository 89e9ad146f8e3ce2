"""JSON and `.npz`: every number reads back as it is; the door says what it knows."""

import json
from dataclasses import replace

import numpy as np
import pytest

import eigenlens as el
from tests.model.export.cases import every_case, rows


@every_case
def test_numbers_in_json_are_the_same_float64(model, tmp_path):
    held = json.loads(model.export(tmp_path / "model.json").read_text(encoding="utf-8"))

    assert held["schema"] == "eigenlens.model/1"
    for name in ("components", "eigenvalues", "mean", "scale", "feature_variances"):
        expected = getattr(model, name)
        assert held[name] == (None if expected is None else expected.tolist())
    assert held["total_variance"] == model.total_variance
    assert held["certificate"]["sentences"] == list(model.certificate.sentences)
    assert held["choices"]["k"]["rule"] == model.choices["k"].rule


@every_case
def test_numbers_in_npz_are_the_same_float64(model, tmp_path):
    with np.load(model.export(tmp_path / "model.npz"), allow_pickle=False) as held:
        for name in ("components", "eigenvalues", "mean", "scale", "feature_variances"):
            expected = getattr(model, name)
            assert (name in held) == (expected is not None)
            assert expected is None or np.array_equal(held[name], expected)
        assert int(held["n_rows"]) == model.n_rows
        assert str(held["certificate"]) == str(model.certificate)
        if model.feature_names is not None:
            assert tuple(held["feature_names"].tolist()) == model.feature_names


@pytest.mark.parametrize("name", ["é🙂", "\ud800", '"><script>', "x" * 10_000])
@pytest.mark.parametrize("ending", ["json", "npz", "onnx"])
def test_any_name_of_a_column_is_written(name, ending, tmp_path):
    model = el.fit(rows(), 2)
    model = replace(model, feature_names=(name, *model.feature_names[1:]))

    path = model.export(tmp_path / f"model.{ending}")

    if ending == "json":
        assert json.loads(path.read_text(encoding="utf-8"))["feature_names"][0] == name
    if ending == "npz":
        assert np.load(path)["feature_names"][0] == name


def test_names_too_long_for_an_array_are_an_error(tmp_path):
    model = el.fit(rows(), 2)
    model = replace(model, feature_names=("x" * 2**26, *model.feature_names[1:]))

    with pytest.raises(el.ModelFileError, match="some are very long"):
        model.export(tmp_path / "model.npz")

    assert list(tmp_path.iterdir()) == []


def test_a_format_can_be_named(tmp_path):
    path = el.fit(rows(), 2).export(str(tmp_path / "model.txt"), to="json")

    assert path == tmp_path / "model.txt"
    assert json.loads(path.read_text(encoding="utf-8"))["n_components"] == 2


@pytest.mark.parametrize(
    ("path", "to", "words"),
    [
        ("model.bin", None, r"needs to=, or an ending of .onnx, .json, .npz. Pass to='onnx'"),
        ("model", None, r"needs to=, or an ending"),
        ("model.json", "onix", r"to='onix' is not known.*Did you mean 'onnx'"),
        ("model.json", ["onnx"], r"to=\['onnx'\] is not known"),
        ("model.eigenlens", None, r"Call model.save\('model.eigenlens'\)"),
        (None, "json", r"needs a path"),
    ],
)
def test_what_is_not_known_is_said(path, to, words):
    with pytest.raises(el.OptionError, match=words):
        el.fit(rows(), 2).export(path, to)


@pytest.mark.parametrize("ending", ["json", "npz", "onnx"])
def test_a_folder_that_is_not_there_is_named(ending, tmp_path):
    with pytest.raises(
        el.FileError, match=r"could not be written: there is no folder.*reate the folder"
    ):
        el.fit(rows(), 2).export(tmp_path / "gone" / f"model.{ending}")
