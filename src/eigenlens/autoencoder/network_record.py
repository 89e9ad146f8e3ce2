"""The layout of an `Autoencoder` in a model file, version 1, and the way back.

The subspace it is anchored on lies there as in a file of its own; beside it stand the weights and
biases of every layer, plain arrays, and in words the parameters, the gain and the history. Units
and the basis follow from the subspace, and are not stored twice.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import AnyArray
from eigenlens.autoencoder.network import Layer, network_with_layers
from eigenlens.document.table import Table
from eigenlens.errors import ModelFileError
from eigenlens.model.file import subspace_record
from eigenlens.model.file.container import Container
from eigenlens.model.file.fields import RecordArrays, RecordFields
from eigenlens.model.file.save import save_container
from eigenlens.model.file.values import (
    value_from_record,
    value_to_record,
    verdict_from_record,
    verdict_to_record,
)
from eigenlens.model.subspace import Subspace

if TYPE_CHECKING:
    from eigenlens.autoencoder.nonlinear import Autoencoder

__all__ = [
    "NETWORK_KIND",
    "NETWORK_VERSION",
    "autoencoder_from",
    "parameters_from",
    "parameters_to_record",
    "save_autoencoder",
]

NETWORK_KIND, NETWORK_VERSION = "autoencoder", 2
FIELDS = ("subspace", "parameters", "widths", "gain", "flatness", "training")
TRAINING = ("best_epoch", "ended", "epoch", "training", "held_out")
ENDS = ("early", "done", "limit", "interrupted")
MOST_LAYERS = 100
STORED_NAMES = {"random_state": "seed"}  # parameters that files call by another name


def save_autoencoder(coder: Autoencoder, path: str | os.PathLike[str]) -> Path:
    return save_container(container_of_network(coder), path, autoencoder_from)


# -- to the file -------------------------------------------------------------------------------


def container_of_network(coder: Autoencoder) -> Container:
    inner, net = subspace_record.container_of_subspace(coder.model_), coder.network_
    shelf: dict[str, AnyArray] = {}  # stays empty: what is told about training are numbers
    record = {
        "subspace": {"version": inner.version, "record": inner.record},
        "parameters": parameters_to_record(coder),
        "widths": [int(weights.shape[1]) for weights, _ in net.encoder[:-1]],
        "gain": verdict_to_record(coder.gain_, shelf),
        "flatness": None if coder.flatness_ is None else verdict_to_record(coder.flatness_, shelf),
        "training": {
            "best_epoch": coder.best_epoch_,
            "ended": coder.ended_,
            **{name: list(column) for name, column in coder.history_.columns.items()},
        },
    }
    arrays = layer_arrays("encoder", net.encoder) | layer_arrays("decoder", net.decoder)
    return Container(NETWORK_KIND, NETWORK_VERSION, record, {**inner.arrays, **arrays})


def parameters_to_record(coder: Any) -> dict[str, Any]:
    """An array given as a parameter becomes a list: members are for weights."""
    return {
        STORED_NAMES.get(name, name): value_to_record(
            value.tolist() if isinstance(value, np.ndarray) else value, {}
        )
        for name, value in coder.get_params(deep=False).items()
    }


def layer_arrays(side: str, layers: tuple[Layer, ...]) -> dict[str, AnyArray]:
    return {
        name: array
        for number, layer in enumerate(layers)
        for name, array in zip(layer_array_names(side, number), layer, strict=True)
    }


def layer_array_names(side: str, number: int) -> tuple[str, str]:
    return f"{side}{number}_weights", f"{side}{number}_biases"


# -- and back ----------------------------------------------------------------------------------


def autoencoder_from(container: Container, path: Path) -> Autoencoder:
    from eigenlens.autoencoder.nonlinear import Autoencoder

    record = RecordFields(path, "record", container.record)
    record.only(FIELDS)
    widths = widths_from(record)
    names = [
        name
        for side in ("encoder", "decoder")
        for number in range(len(widths) + 1)
        for name in layer_array_names(side, number)
    ]
    own = RecordArrays(path, {name: one for name, one in container.arrays.items() if name in names})
    rest = {name: one for name, one in container.arrays.items() if name not in names}
    model = pca_from_record(record.inner("subspace"), rest, path)
    d, k = model.n_features, model.n_components
    if not 0 < k < d:
        raise ModelFileError.refused(path, f"it codes {d} columns by {k} numbers")
    coder = Autoencoder(**parameters_from(record.inner("parameters"), Autoencoder()))
    coder.network_ = network_with_layers(
        model,
        layers_from("encoder", (d, *widths, k), own),
        layers_from("decoder", (k, *widths, d), own),
    )
    coder.model_, coder.certificate_ = model, model.certificate
    coder.n_features_in_ = d
    if model.feature_names is not None:
        coder.feature_names_in_ = np.array(model.feature_names, dtype=object)
    coder.gain_ = verdict_from_record(record.values["gain"], {}, path)
    told = record.values["flatness"]
    coder.flatness_ = None if told is None else verdict_from_record(told, {}, path)
    training_from(record.inner("training"), coder)
    again = container_of_network(coder)
    if record_without_subspace(again.record) != record_without_subspace(container.record):
        raise ModelFileError.refused(path, "it holds what no model of this kind has")
    return coder


def record_without_subspace(record: dict[str, Any]) -> dict[str, Any]:
    """All but the subspace, which has been compared by itself."""
    return {name: value for name, value in record.items() if name != "subspace"}


def widths_from(record: RecordFields) -> list[int]:
    held = record.values["widths"]
    fits = isinstance(held, list) and len(held) <= MOST_LAYERS
    if not fits or not all(type(one) is int and 0 < one < 1 << 31 for one in held):
        record.refuse("widths", "are no widths of layers")
    widths: list[int] = held
    return widths


def pca_from_record(record: RecordFields, arrays: dict[str, AnyArray], path: Path) -> Subspace:
    record.only(("version", "record"))
    version = record.whole("version", least=1)
    if version > subspace_record.SUBSPACE_VERSION:
        raise ModelFileError.newer(path, "its subspace", version, subspace_record.SUBSPACE_VERSION)
    inner = dict(record.inner("record").values)
    return subspace_record.subspace_from_container(
        Container("subspace", version, inner, arrays), path
    )


def layers_from(side: str, widths: tuple[int, ...], arrays: RecordArrays) -> tuple[Layer, ...]:
    found = []
    for number in range(len(widths) - 1):
        weights, biases = layer_array_names(side, number)
        shape = (widths[number], widths[number + 1])
        found.append((arrays.take(weights, shape), arrays.take(biases, shape[1:])))
    return tuple(found)


def parameters_from(record: RecordFields, default: Any) -> dict[str, Any]:
    """What the class is to be made with; `default`: one that was made with nothing."""
    names = {STORED_NAMES.get(name, name): name for name in default.get_params(deep=False)}
    record.only(names)
    held = value_from_record(dict(record.values), {}, record.path)
    return {names[name]: value for name, value in held.items()}


def training_from(record: RecordFields, coder: Autoencoder) -> None:
    record.only(TRAINING)
    coder.best_epoch_ = record.whole("best_epoch")
    coder.ended_ = record.text("ended", among=ENDS)
    columns = {name: losses_from_record(record, name) for name in TRAINING[2:]}
    if len({len(column) for column in columns.values()}) > 1:
        record.refuse("epoch", "has not as many entries as the losses")
    coder.history_ = Table(columns)


def losses_from_record(record: RecordFields, name: str) -> list[Any]:
    held = record.values[name]
    if not isinstance(held, list) or not all(type(one) in (int, float) for one in held):
        record.refuse(name, "is no list of numbers")
    numbers: list[Any] = held
    return numbers
