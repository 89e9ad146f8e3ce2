"""`PCA` in a pipeline that skl2onnx converts: the operators that stand for its `transform`.

scores = (rows - mean) W        W = components' / scale, and / sqrt(variance) when whitened
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["convert_pca", "shape_calculator"]


def shape_calculator(operator: Any) -> None:
    """As many columns as components, of the kind that came in; whole numbers become floats."""
    from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType

    kind = operator.inputs[0].type
    rows, width = kind.shape[0], operator.raw_operator.n_components_
    made = DoubleTensorType if isinstance(kind, DoubleTensorType) else FloatTensorType
    operator.outputs[0].type = made([rows, width])


def convert_pca(scope: Any, operator: Any, container: Any) -> None:
    from onnx import TensorProto
    from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType

    pca = operator.raw_operator
    model = pca.model_
    directions = np.array(
        model.components if model.scale is None else model.components / model.scale
    )
    if pca.whiten:
        directions = directions / np.sqrt(model.eigenvalues)[:, None]
    kind = operator.inputs[0].type
    double = isinstance(kind, DoubleTensorType)
    proto = TensorProto.DOUBLE if double else TensorProto.FLOAT
    rows = operator.inputs[0].full_name

    def constant(name: str, values: Any) -> str:
        place: str = scope.get_unique_variable_name(name)
        plain = np.asarray(values, dtype=np.float64 if double else np.float32)
        container.add_initializer(place, proto, plain.shape, plain.ravel())
        return place

    def node(kind_of_node: str, inputs: list[str], output: str | None = None, **more: Any) -> str:
        made: str = output or scope.get_unique_variable_name(kind_of_node.lower())
        name = scope.get_unique_operator_name(kind_of_node)
        container.add_node(kind_of_node, inputs, made, name=name, **more)
        return made

    if not isinstance(kind, DoubleTensorType | FloatTensorType):
        rows = node("Cast", [rows], to=proto)
    if model.mean is not None:
        rows = node("Sub", [rows, constant("mean", model.mean)])
    output = operator.outputs[0].full_name
    node("MatMul", [rows, constant("directions", directions.T)], output)
