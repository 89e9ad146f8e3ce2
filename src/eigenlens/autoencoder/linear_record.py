"""The layout of a `LinearAutoencoder` in a model file, version 1, and the way back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.autoencoder.network_record import parameters_from, parameters_to_record
from eigenlens.errors import ModelFileError
from eigenlens.model.file.container import Container
from eigenlens.model.file.fields import RecordArrays, RecordFields
from eigenlens.model.file.save import save_container
from eigenlens.model.file.subspace_record import names_from

if TYPE_CHECKING:
    from eigenlens.autoencoder.linear import LinearAutoencoder

__all__ = ["LINEAR_KIND", "LINEAR_VERSION", "linear_autoencoder_from", "save_linear_autoencoder"]

LINEAR_KIND, LINEAR_VERSION = "linear_autoencoder", 1
LINEAR_FIELDS = ("parameters", "n_components", "n_features", "feature_names", "loss", "n_iter")
ORTHONORMAL = 1e-9


def save_linear_autoencoder(coder: LinearAutoencoder, path: str | os.PathLike[str]) -> Path:
    return save_container(container_of_linear(coder), path, linear_autoencoder_from)


def container_of_linear(coder: LinearAutoencoder) -> Container:
    k, d = coder.encoder_.shape
    names = getattr(coder, "feature_names_in_", None)
    record: dict[str, Any] = {
        "parameters": parameters_to_record(coder),
        "n_components": k,
        "n_features": d,
        "feature_names": None if names is None else [str(name) for name in names],
        "loss": coder.loss_,
        "n_iter": coder.n_iter_,
    }
    arrays = {
        "components": coder.components_,
        "encoder": coder.encoder_,
        "decoder": coder.decoder_,
        "mean": coder.mean_,
    }
    return Container(LINEAR_KIND, LINEAR_VERSION, record, arrays)


def linear_autoencoder_from(container: Container, path: Path) -> LinearAutoencoder:
    from eigenlens.autoencoder.linear import LinearAutoencoder

    record, arrays = (
        RecordFields(path, "record", container.record),
        RecordArrays(path, container.arrays),
    )
    record.only(LINEAR_FIELDS)
    k, d = record.whole("n_components", least=1), record.whole("n_features", least=1)
    coder = LinearAutoencoder(**parameters_from(record.inner("parameters"), LinearAutoencoder()))
    coder.components_ = arrays.take("components", (k, d))
    coder.encoder_, coder.decoder_ = arrays.take("encoder", (k, d)), arrays.take("decoder", (d, k))
    coder.mean_ = arrays.take("mean", (d,))
    coder.loss_, coder.n_iter_ = record.number("loss"), record.whole("n_iter")
    coder.n_features_in_ = d
    names = names_from(record, d)
    if names is not None:
        coder.feature_names_in_ = np.array(names, dtype=object)
    with np.errstate(all="ignore"):
        apart = np.abs(coder.components_ @ coder.components_.T - np.eye(k)).max()
    if not apart <= ORTHONORMAL:
        raise ModelFileError.refused(path, "its components are not orthonormal")
    again = container_of_linear(coder)
    if again.record != container.record or set(again.arrays) != set(container.arrays):
        raise ModelFileError.refused(path, "it holds what no model of this kind has")
    return coder
