"""Formats for other programs: one JSON document, plain arrays, or an ONNX graph.

The format is named, or told by the ending of the path.

A model as one JSON document: every number of it, under the names it has in Python.

`schema` names the version of this layout; a field may be added within a version, never renamed or
removed. Floats are written so that they read back as the same float64.

A model as a `.npz` of plain arrays: `numpy.load(path)["components"]`, without pickle.

Numbers and texts are arrays of no dimension. What a model lacks (the mean of a raw one) is absent.

A model as an ONNX graph in float64: rows in, scores out, in any runtime.

    scores = ((rows - mean) / scale) components'        what a model does not do is left out;
                                                        rows / |rows| first with normalize="l2"

`rows` is (any number, d), `scores` (as many, k). Names of columns, eigenvalues and the certificate
in words travel along as metadata.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.document.json_values import plain_record, plain_value
from eigenlens.errors import ModelFileError, OptionError
from eigenlens.errors.phrasing import FileName, Option, Phrase, SetOption
from eigenlens.errors.remedies import PythonCode
from eigenlens.errors.system import os_errors
from eigenlens.machine.whole_file import whole_file
from eigenlens.version import __version__

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["FORMATS", "SCHEMA", "export_model", "write_json", "write_npz", "write_onnx"]

SCHEMA = "eigenlens.model/1"
JSON_FIELDS = (
    "n_rows", "n_features", "n_components", "feature_names", "components", "eigenvalues", "mean",
    "scale", "total_variance", "feature_variances", "explained_ratio", "noise_variance",
)  # fmt: skip
ARRAY_FIELDS = (
    "components", "eigenvalues", "mean", "scale", "n_rows", "total_variance", "feature_variances",
    "explained_ratio", "noise_variance",
)  # fmt: skip
MOST_NAME_BYTES = 1 << 30  # numpy gives every name the room of the longest
# Old enough for the runtimes in use, new enough for float64 in every step.
OPSET, IR_VERSION = 13, 8
MAX_GRAPH_BYTES = 2**31 - 2**20  # a protobuf message is below 2 GB


def write_onnx(model: Subspace, path: Path) -> None:
    if model.components.nbytes > MAX_GRAPH_BYTES:
        raise ModelFileError.cannot_hold(
            f"{model.components.nbytes} bytes of components as ONNX", "a graph has less than 2 GB"
        )
    path.write_bytes(graph_of(model).SerializeToString(deterministic=True))


def graph_of(model: Subspace) -> Any:
    try:
        from onnx import TensorProto, helper
    except ImportError:
        raise OptionError.needs_package(SetOption("to", "onnx"), "onnx", "onnx") from None
    nodes, held, current = [], [], "rows"
    if "normalize" in model.reading:
        held.append(graph_constant("tiny", np.array([np.finfo(np.float64).tiny])))
        nodes.append(helper.make_node("ReduceL2", ["rows"], ["length"], axes=[1], keepdims=1))
        nodes.append(helper.make_node("Max", ["length", "tiny"], ["positive"]))
        nodes.append(helper.make_node("Div", ["rows", "positive"], ["unit"]))
        current = "unit"
    for operation, name, array, result in graph_steps(model):
        held.append(graph_constant(name, array))
        nodes.append(helper.make_node(operation, [current, name], [result]))
        current = result
    rank, width = model.components.shape
    graph = helper.make_graph(
        nodes,
        "eigenlens",
        [helper.make_tensor_value_info("rows", TensorProto.DOUBLE, ["n", width])],
        [helper.make_tensor_value_info("scores", TensorProto.DOUBLE, ["n", rank])],
        held,
    )
    whole = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="eigenlens",
        producer_version=__version__,
        doc_string=f"Scores of rows on {rank} principal components. {model.certificate}",
    )
    helper.set_model_props(whole, graph_metadata(model))
    return whole


def graph_steps(model: Subspace) -> list[tuple[str, str, Any, str]]:
    """Operation, the name of its constant, the constant, the name of the result."""
    chain: list[tuple[str, str, Any, str]] = []
    if model.mean is not None:
        chain.append(("Sub", "mean", model.mean, "centered"))
    if model.scale is not None:
        chain.append(("Div", "scale", model.scale, "scaled"))
    return [*chain, ("MatMul", "components", model.components.T, "scores")]


def graph_constant(name: str, array: Any) -> Any:
    from onnx import TensorProto, helper

    raw = np.ascontiguousarray(array, dtype="<f8")
    return helper.make_tensor(name, TensorProto.DOUBLE, raw.shape, raw.tobytes(), raw=True)


def graph_metadata(model: Subspace) -> dict[str, str]:
    names = model.feature_names
    held = {
        "component_names": [f"PC{index + 1}" for index in range(model.n_components)],
        "eigenvalues": model.eigenvalues.tolist(),
        "total_variance": float(model.total_variance),
        "n_rows": int(model.n_rows),
    }
    if names is not None:
        held["feature_names"] = list(names)
    return {name: json.dumps(value) for name, value in held.items()}


def write_npz(model: Subspace, path: Path) -> None:
    held: dict[str, Any] = {name: getattr(model, name) for name in ARRAY_FIELDS}
    held["eigenvalue_bounds"] = model.certificate.eigenvalue_bounds
    held["certificate"] = str(model.certificate)
    names = model.feature_names
    if names is not None:
        room = 4 * len(names) * max(map(len, names))
        if room > MOST_NAME_BYTES:
            raise ModelFileError.cannot_hold(
                f"names of columns that take {room} bytes as an array", "some are very long"
            )
        held["feature_names"] = np.array(names, dtype=np.str_)
    arrays = {name: np.asarray(value) for name, value in held.items() if value is not None}
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def write_json(model: Subspace, path: Path) -> None:
    text = json.dumps(json_record(model), allow_nan=False, ensure_ascii=False)
    # A lone surrogate in a column's name has no UTF-8; then everything is escaped.
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            text = json.dumps(json_record(model), allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")


def json_record(model: Subspace) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        **{name: plain_value(getattr(model, name)) for name in JSON_FIELDS},
        "certificate": {
            **plain_record(model.certificate),
            "sentences": list(model.certificate.sentences),
        },
        "choices": {name: plain_record(verdict) for name, verdict in model.choices.items()},
        "provenance": plain_value(model.provenance),
    }


# Its name, which is also its ending -> what writes it.
FORMATS: dict[str, Callable[[Subspace, Path], None]] = {
    "onnx": write_onnx,
    "json": write_json,
    "npz": write_npz,
}


def export_model(model: Subspace, path: str | os.PathLike[str], to: str | None = None) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise OptionError.needs(
            f"export({path!r})", "a path", PythonCode("pass export('model.onnx')")
        )
    place = Path(path)
    if to is not None and to not in list(FORMATS):
        raise OptionError.unknown("to", to, FORMATS)
    name = place.suffix.lower().removeprefix(".") if to is None else to
    if name == "eigenlens":
        raise OptionError.needs(
            f"export({str(place)!r})",
            "a format of another program",
            PythonCode(f"call model.save({str(place)!r})"),
        )
    if name not in FORMATS:
        endings = ", ".join(f".{one}" for one in FORMATS)
        raise OptionError.needs(
            f"export({str(place)!r})",
            Phrase("{}, or an ending of {}", Option("to"), endings),
            Phrase("pass {}", SetOption("to", "onnx")),
        )
    other = place.suffix.lower().removeprefix(".")
    if other in FORMATS and other != name:
        raise OptionError.needs(
            Phrase("{} with the name {}", SetOption("to", name), FileName(place)),
            f"the ending .{name}",
            "rename the output",
            Phrase("pass {}", SetOption("to", other)),
        )
    with os_errors(place, "written"), whole_file(place) as unfinished:
        FORMATS[name](model, unfinished)
    return place
