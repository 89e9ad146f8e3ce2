"""The layout of a `KernelSubspace` in a model file, version 1, and the way back.

Landmarks or all rows, coefficients and scores are arrays; the kernel is its name and its numbers. A
kernel given as a function is not stored: that would be code. The certificate cannot be computed
again without the data, so it is stored whole, and refused where it contradicts the eigenvalues.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array, IntArray
from eigenlens.errors import ModelFileError, OptionError
from eigenlens.kernel.catalogue import KERNELS
from eigenlens.kernel.certificate_record import (
    arrays_of_certificate,
    certificate_from_record,
    record_of_certificate,
)
from eigenlens.kernel.preimage import PREIMAGES, FixedPointPreimage, LinearPreimage, Preimage
from eigenlens.kernel.protocol import Kernel
from eigenlens.kernel.ridge import RidgePreimage
from eigenlens.kernel.subspace import KernelSubspace
from eigenlens.model.file.container import Container
from eigenlens.model.file.fields import RecordArrays, RecordFields
from eigenlens.model.file.subspace_record import names_from, provenance_from
from eigenlens.model.file.values import value_to_record, verdict_from_record, verdict_to_record

__all__ = ["KERNEL_KIND", "KERNEL_VERSION", "container_of_kernel_subspace", "kernel_subspace_from"]

KERNEL_KIND, KERNEL_VERSION = "kernel", 1
FIELDS = (
    "method", "n_rows", "n_features", "n_components", "n_anchors", "feature_names", "kernel",
    "mean_square", "anchors", "preimage", "certificate", "choices", "provenance",
)  # fmt: skip
SPARSE = ("anchor_data", "anchor_indices", "anchor_starts")


# -- to the file -------------------------------------------------------------------------------


def container_of_kernel_subspace(model: KernelSubspace) -> Container:
    shelf: dict[str, AnyArray] = {}
    record = {
        "method": model.method,
        "n_rows": int(model.n_rows),
        "n_features": int(model.n_features),
        "n_components": model.n_components,
        "n_anchors": model.n_anchors,
        "feature_names": None if model.feature_names is None else list(model.feature_names),
        "kernel": record_of_kernel(model.kernel),
        "mean_square": value_to_record(float(model.mean_square), shelf),
        "anchors": record_of_rows(model.anchor_rows),
        "preimage": record_of_preimage(model.preimage),
        "certificate": record_of_certificate(model.certificate),
        "choices": {name: verdict_to_record(one, shelf) for name, one in model.choices.items()},
        "provenance": value_to_record(dict(model.provenance), shelf),
    }
    return Container(KERNEL_KIND, KERNEL_VERSION, record, arrays_of(model) | shelf)


def record_of_kernel(kernel: Kernel) -> dict[str, Any]:
    named = KERNELS.get(kernel.name)
    numbers = {field.name: getattr(kernel, field.name) for field in fields(kernel)}  # type: ignore[arg-type]
    if named is None or type(rebuild_kernel(kernel.name, numbers)) is not type(kernel):
        raise ModelFileError.cannot_hold(
            f"the kernel {kernel.name!r}", "it is a program of your own, and no code is stored"
        )
    return {
        "name": kernel.name,
        **{name: value_to_record(value, {}) for name, value in numbers.items()},
    }


def rebuild_kernel(name: str, numbers: dict[str, Any]) -> Kernel:
    options = [numbers.get(option, 1.0) for option in ("gamma", "degree", "coef0")]
    return KERNELS[name](*options)


def record_of_rows(rows: Any) -> str:
    if rows is None:
        return "none"
    return "dense" if isinstance(rows, np.ndarray) else "sparse"


def record_of_preimage(preimage: Preimage | None) -> dict[str, Any] | None:
    if preimage is None:
        return None
    ridge = preimage.ridge if isinstance(preimage, FixedPointPreimage) else preimage
    numbers = {}
    if isinstance(ridge, RidgePreimage):
        numbers = {"gamma": float(ridge.gamma), "penalty": float(ridge.penalty)}
    return {"name": preimage.name, **numbers}


def arrays_of(model: KernelSubspace) -> dict[str, AnyArray]:
    arrays: dict[str, Any] = {
        "anchor_numbers": np.asarray(model.anchor_numbers, dtype=np.int64),
        "coefficients": model.coefficients,
        "offset": model.offset,
        "mean_weights": model.mean_weights,
        "eigenvalues": model.eigenvalues,
        "anchor_scores": model.anchor_scores,
        "shift": model.shift,
        **arrays_of_certificate(model.certificate),
    }
    rows = model.anchor_rows
    if record_of_rows(rows) == "dense":
        arrays["anchor_rows"] = rows
    elif record_of_rows(rows) == "sparse":
        parts = rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
        arrays |= dict(zip(SPARSE, parts, strict=True))
    preimage = model.preimage
    ridge = preimage.ridge if isinstance(preimage, FixedPointPreimage) else preimage
    if isinstance(ridge, RidgePreimage):
        arrays["ridge_centers"], arrays["ridge_weights"] = ridge.centers, ridge.weights
        arrays["ridge_mean"] = ridge.mean
    return {name: array for name, array in arrays.items() if array is not None}


# -- and back ----------------------------------------------------------------------------------


def kernel_subspace_from(container: Container, path: Path) -> KernelSubspace:
    record, arrays = (
        RecordFields(path, "record", container.record),
        RecordArrays(path, container.arrays),
    )
    record.only(FIELDS)
    k, m = record.whole("n_components", least=1), record.whole("n_anchors", least=1)
    n, d = record.whole("n_rows", least=m), record.whole("n_features", least=1)
    values = arrays.take("eigenvalues", (k,), least=0.0)
    model = KernelSubspace(
        kernel=kernel_from_record(record.inner("kernel")),
        anchor_rows=anchors_from_record(record, arrays, (m, d)),
        anchor_numbers=anchor_numbers(arrays, m, n),
        coefficients=arrays.take("coefficients", (m, k)),
        offset=arrays.take("offset", (k,)),
        mean_weights=arrays.take("mean_weights", (m,)),
        mean_square=record.number("mean_square"),
        eigenvalues=values,
        anchor_scores=arrays.take("anchor_scores", (m, k)),
        shift=arrays.optional("shift", (d,)),
        method=record.text("method", among=("exact", "nystrom")),
        n_rows=n,
        n_features=d,
        feature_names=names_from(record, d),
        certificate=certificate_from_record(record.inner("certificate"), arrays, values),
        choices={
            name: verdict_from_record(one, arrays.held, path)
            for name, one in record.inner("choices").values.items()
        },
        provenance=provenance_from(record, arrays),
        preimage=preimage_from_record(record, arrays, (k, d)),
    )
    refuse_extra_content(container, model, path)
    return model


def kernel_from_record(record: RecordFields) -> Kernel:
    name = record.text("name", among=KERNELS)
    numbers = {key: record.number(key) for key in record.values if key != "name"}
    try:
        kernel = rebuild_kernel(name, numbers)
    except OptionError as error:
        raise ModelFileError.refused(record.path, f"its kernel is none: {error}") from None
    if record_of_kernel(kernel) != dict(record.values):
        record.refuse("name", "does not have these numbers")
    return kernel


def anchors_from_record(record: RecordFields, arrays: RecordArrays, shape: tuple[int, int]) -> Any:
    layout = record.text("anchors", among=("none", "dense", "sparse"))
    if layout == "none":
        return None
    if layout == "dense":
        return float_array(arrays, "anchor_rows", shape)
    starts, indices = (index_array(arrays, name) for name in ("anchor_starts", "anchor_indices"))
    data = float_array(arrays, "anchor_data", (len(indices),))
    from scipy.sparse import csr_array

    try:
        rows = csr_array((data, indices, starts), shape)
        rows.check_format(full_check=True)
    except ValueError as error:
        raise ModelFileError.refused(record.path, f"its landmarks are no rows: {error}") from None
    return rows


def float_array(arrays: RecordArrays, name: str, shape: tuple[int, ...]) -> AnyArray:
    """In single precision too, which anchors keep."""
    held = arrays.held.get(name)
    if held is not None and held.dtype == np.float32:
        wide = {name: held.astype(np.float64)}
        RecordArrays(arrays.path, wide).take(name, shape)
        return held
    return arrays.take(name, shape)


def index_array(arrays: RecordArrays, name: str) -> IntArray:
    held = arrays.held.get(name)
    if held is None or held.dtype != np.int64 or held.ndim != 1:
        raise ModelFileError.refused(arrays.path, f"its array {name} is no list of whole numbers")
    return held


def anchor_numbers(arrays: RecordArrays, m: int, n: int) -> IntArray:
    numbers = index_array(arrays, "anchor_numbers")
    fits = len(numbers) == m and numbers.min() >= 0 and numbers.max() < n
    if not fits or len(np.unique(numbers)) < m:
        raise ModelFileError.refused(arrays.path, f"its anchor_numbers are not {m} of {n} rows")
    return numbers


def preimage_from_record(
    record: RecordFields, arrays: RecordArrays, shape: tuple[int, int]
) -> Preimage | None:
    if record.values["preimage"] is None:
        return None
    held, (k, d) = record.inner("preimage"), shape
    name = held.text("name", among=("linear", *PREIMAGES))
    held.only(("name",) if name == "linear" else ("name", "gamma", "penalty"))
    if name == "linear":
        return LinearPreimage()
    centers = arrays.take("ridge_centers", (None, k))
    weights = arrays.take("ridge_weights", (len(centers), d))
    mean: Float64Array = arrays.take("ridge_mean", (d,))
    gamma, penalty = held.number("gamma", above=0.0), held.number("penalty", least=0.0)
    ridge = RidgePreimage(centers, weights, mean, gamma, penalty)
    return FixedPointPreimage(ridge) if name == "fixed_point" else ridge


def refuse_extra_content(container: Container, model: KernelSubspace, path: Path) -> None:
    """That writing the model again would give this very record: nothing is hidden in it."""
    again = container_of_kernel_subspace(model)
    if again.record != container.record or set(again.arrays) != set(container.arrays):
        raise ModelFileError.refused(path, "it holds what no model of this kind has")
