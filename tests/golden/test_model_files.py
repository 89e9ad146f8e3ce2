"""Golden model files: every version that was ever written is still read, with the same numbers."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

import eigenlens as el
from eigenlens.saved import READERS
from tests.golden.make_models import facts
from tests.model.file.sameness import differences

FILES = sorted(Path(__file__).parent.glob("*.eigenlens"))
NEWEST = {kind: max(number for name, number in READERS if name == kind) for kind, _ in READERS}
BOUNDED = ("captured_ratio", "eigenvalue_bounds")  # computed anew, by other libraries maybe


def stem(path):
    return path.stem


def kind_and_version(path):
    kind, version, _ = path.stem.split("-")
    return kind, int(version)


@pytest.mark.parametrize("path", FILES, ids=stem)
def test_a_golden_file_says_what_it_said_when_it_was_written(path):
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))

    found = facts(el.load(path))

    for name in [name for name in BOUNDED if name in expected]:
        np.testing.assert_allclose(found.pop(name), expected.pop(name), rtol=1e-9)
    assert found == expected


@pytest.mark.parametrize("path", FILES, ids=stem)
def test_a_golden_model_can_be_saved_again(path, tmp_path):
    model = el.load(path)

    again = el.load(model.save(tmp_path / "again.eigenlens"))

    assert differences(model, again) == []


@pytest.mark.parametrize("path", FILES, ids=stem)
def test_the_layout_of_the_newest_version_has_not_changed(path, tmp_path):
    kind, version = kind_and_version(path)
    if version != NEWEST[kind]:
        pytest.skip("an old version is only read")

    again = el.load(path).save(tmp_path / "again.eigenlens")

    assert layout(again) == layout(path), "a new layout needs a new version: docs/model-file.md"


def test_every_version_that_is_read_has_a_golden_file():
    assert {kind_and_version(path) for path in FILES} == set(READERS)


def layout(path):
    """The keys of the record at every place, the arrays, and the order of the members."""
    with zipfile.ZipFile(path) as archive:
        whole = json.loads(archive.read("model.json"))
        members = archive.namelist()
    arrays = {
        name: (entry["dtype"], entry["shape"], entry["fortran_order"])
        for name, entry in whole["arrays"].items()
    }
    return members, arrays, keys({**whole, "arrays": {}})


def keys(value):
    if isinstance(value, dict):
        return {key: keys(held) for key, held in value.items()}
    return [keys(held) for held in value] if isinstance(value, list) else type(value).__name__
