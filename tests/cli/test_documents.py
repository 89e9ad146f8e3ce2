"""Documents for programs: their layout is a promise, written down and kept."""

import numpy as np
import pytest

from tests.architecture.source_tree import REPOSITORY
from tests.cli.typed import document

PAGE = (REPOSITORY / "docs" / "command-line.md").read_text(encoding="utf-8")
ENVELOPE = ["schema", "tool_version", "args", "data", "warnings", "result"]
MODEL = {"n_components", "total_variance", "eigenvalues", "certificate", "choices"}
# What `result` holds in version 1. A field may be added here; none may be renamed or removed.
RESULTS = {
    "fit": MODEL
    | {"components", "components_notes", "summary", "findings", "limits", "odd_rows", "odd_count"}
    | {"not_analyzed", "outputs"},
    "transform": {"new", "limits", "quadrants", "rows"},
    "choose": {"k", "recommended", "rules", "sentences", "checks"},
    "plot": {"kind", "numbers"},
    "show": MODEL | {"feature_names", "prepared", "provenance", "variables"},
    "compare": {"principal_angles", "matched_axes", "sentences"},
    "export": {"format", "path"},
    "report": {"path", "bytes"},
    "demo": MODEL | {"report"},
    "autoencode": {
        "n_components",
        "gain",
        "flatness",
        "best_epoch",
        "ended",
        "history",
        "certificate",
    },
    "sense": {
        "pixels",
        "measurements",
        "measure",
        "basis",
        "method",
        "relative_error",
        "psnr",
        "objective",
        "gap",
        "iterations",
        "coefficients",
        "verdict",
    },
}
TYPED = {
    "fit": ("fit", "data.csv", "-k", "2"),
    "transform": ("transform", "run.eigenlens", "data.csv"),
    "choose": ("choose", "data.csv"),
    "plot": ("plot", "run.eigenlens", "scree"),
    "show": ("show", "run.eigenlens"),
    "compare": ("compare", "run.eigenlens", "run.eigenlens"),
    "export": ("export", "run.eigenlens", "--to", "json"),
    "report": ("report", "data.csv", "-k", "2"),
    "demo": ("demo", "-k", "2"),
    "autoencode": ("autoencode", "data.csv", "--epochs", "0"),
    "sense": ("sense", "image.npy"),
}


@pytest.mark.parametrize("verb", RESULTS)
def test_a_document_has_the_fields_of_its_version(model, here, verb):
    np.save(here / "image.npy", np.outer(np.arange(8.0), np.ones(8)))

    found = document(*TYPED[verb])

    assert list(found) == ENVELOPE
    assert found["schema"] == f"eigenlens.{verb}/1"
    assert set(found["result"]) == RESULTS[verb]


@pytest.mark.parametrize("verb", RESULTS)
def test_every_field_is_on_the_page(verb):
    missing = [name for name in RESULTS[verb] if f"`{name}`" not in PAGE]

    assert missing == []
    assert f"eigenlens.{verb}/1" in PAGE


def test_what_was_asked_is_in_the_document(model):
    args = document("fit", "data.csv", "-k", "2", "--scale", "-c", "age:rooms")["args"]

    assert args["k"] == "2"
    assert args["scale"] is True
    assert args["columns"] == ["age:rooms"]
    assert args["data"] == ["data.csv"]
    assert "as_json" not in args


def test_files_that_were_written_are_in_the_document(data):
    found = document("fit", data, "-k", "2", "-o", "m.eigenlens", "--tables", "out", "-q")

    assert found["result"]["outputs"] == {"model": "m.eigenlens", "tables": "out"}
