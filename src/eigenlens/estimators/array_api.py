"""Arrays of other libraries at the door: read as numpy, answered in the library they came from.

scikit-learn looks at foreign arrays only under `config_context(array_api_dispatch=True)`; so do we.
Elsewhere they are read like anything that numpy can read, and answers are numpy arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device, is_array_api_obj, is_numpy_array
from sklearn import get_config

from eigenlens.algebra.typing import AnyArray
from eigenlens.errors import DataError

__all__ = ["NUMPY", "ArrayNamespace", "namespace_of", "refuse_other_namespace", "to_numpy"]


@dataclass(frozen=True)
class ArrayNamespace:
    """The library and device an array lives in."""

    namespace: Any
    device: Any

    @property
    def name(self) -> str:
        return str(getattr(self.namespace, "__name__", self.namespace))

    def bring(self, array: AnyArray) -> Any:
        """The array, moved in."""
        if self.namespace is np:
            return array
        return self.namespace.asarray(array, device=self.device)


NUMPY = ArrayNamespace(np, None)


def namespace_of(array: Any) -> ArrayNamespace:
    if not get_config()["array_api_dispatch"] or is_numpy_array(array):
        return NUMPY
    if not is_array_api_obj(array):
        return NUMPY  # lists, frames and sparse matrices
    return ArrayNamespace(array_namespace(array), device(array))


def to_numpy(array: Any) -> Any:
    """A foreign array as numpy, sharing memory where it can; anything else as it is."""
    home = namespace_of(array)
    if home is NUMPY:
        return array
    if hasattr(array, "detach"):  # torch: the history of a tensor is none of numpy's business
        array = array.detach()
    try:
        return np.asarray(array)
    except (TypeError, RuntimeError, ValueError):  # it lies where numpy cannot reach
        return np.asarray(move_to_host(array, home.namespace))


def move_to_host(array: Any, namespace: Any) -> Any:
    if hasattr(array, "cpu"):  # torch
        return array.cpu()
    if hasattr(array, "get"):  # cupy
        return array.get()
    return array.to_device(namespace.__array_namespace_info__().default_device())


def refuse_other_namespace(estimator: Any, rows: Any, method: str) -> None:
    """Rows from another library than those of the fit: an answer would have two homes."""
    fitted, given = namespace_of(estimator.components_), namespace_of(rows)
    if fitted == given:
        return
    raise DataError(
        f"Inputs passed to {type(estimator).__name__}.{method}() must use the same namespace and "
        f"the same device as those passed to fit(): {fitted.name} on {fitted.device} in fit, "
        f"{given.name} on {given.device} here. Convert the rows, or fit again."
    )
