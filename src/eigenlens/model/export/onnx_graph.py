"""A model as an ONNX graph in float64: rows in, scores out, in any runtime.

    scores = ((rows - mean) / scale) components'        what a model does not do is left out

`rows` is (any number, d), `scores` (as many, k). Names of columns, eigenvalues and the certificate
in words travel along as metadata.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.errors import ModelFileError, OptionError
from eigenlens.errors.phrasing import SetOption
from eigenlens.version import __version__

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["write_onnx"]

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
