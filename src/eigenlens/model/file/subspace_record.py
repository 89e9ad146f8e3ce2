"""The layout of a `Subspace` in a model file, version 2, and the way back.

Older versions are brought to this one first (`subspace_version_1.py`).

Arrays that a model lacks (the mean of a raw one, the scatter where it was not kept) are absent.
The components are stored once: the span of the proof is the same numbers, turned. The certificate
is stored for those who read `model.json` without us; a model computes its own from the proof, and
where the two differ the file is refused.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.certificate.upper_bounds import UpperBounds
from eigenlens.errors import ModelFileError
from eigenlens.model.file.certificate_record import certificate_to_record, check_certificate
from eigenlens.model.file.consistency import check_consistent
from eigenlens.model.file.container import Container
from eigenlens.model.file.facts_record import facts_from_record
from eigenlens.model.file.fields import RecordArrays, RecordFields
from eigenlens.model.file.optional_parts import (
    OPTIONAL_FIELDS,
    optional_arrays,
    optional_from_record,
    optional_to_record,
)
from eigenlens.model.file.subspace_version_1 import ADDED_TO_CERTIFICATE, from_version_1
from eigenlens.model.file.values import (
    value_from_record,
    value_to_record,
    verdict_from_record,
    verdict_to_record,
)
from eigenlens.model.proof import Proof
from eigenlens.model.subspace import Subspace
from eigenlens.table.roundings import Roundings

__all__ = [
    "SUBSPACE_KIND",
    "SUBSPACE_VERSION",
    "container_of_subspace",
    "names_from",
    "provenance_from",
    "subspace_from_container",
]

SUBSPACE_KIND, SUBSPACE_VERSION = "subspace", 2
FIELDS = (
    "n_rows", "n_features", "n_components", "feature_names", "total_variance", "certificate",
    "choices", "provenance", "moments", "proof",
)  # fmt: skip
KINDS = ("deterministic", "probabilistic", "heuristic")


# -- to the file -------------------------------------------------------------------------------


def container_of_subspace(model: Subspace) -> Container:
    shelf: dict[str, AnyArray] = {}
    record = {
        "n_rows": int(model.n_rows),
        "n_features": model.n_features,
        "n_components": model.n_components,
        "feature_names": None if model.feature_names is None else list(model.feature_names),
        "total_variance": value_to_record(model.total_variance, shelf),
        "certificate": certificate_to_record(model.certificate),
        "choices": {name: verdict_to_record(one, shelf) for name, one in model.choices.items()},
        "provenance": value_to_record(dict(model.provenance), shelf),
        "moments": {"weight": value_to_record(model.moments.weight, shelf)},
        "proof": proof_to_record(model, shelf),
    }
    record |= optional_to_record(model, shelf)
    return Container(SUBSPACE_KIND, SUBSPACE_VERSION, record, subspace_arrays(model) | shelf)


def proof_to_record(model: Subspace, shelf: dict[str, AnyArray]) -> dict[str, Any]:
    ritz, ceilings, facts = model.proof.ritz, model.proof.ceilings, model.proof.facts
    return {
        "from_triangle": bool(ritz.from_triangle),
        "norm": float(ritz.norm),
        "span": "own" if own_span(model) else "components",
        "span_fortran_order": in_fortran_order(ritz.span),
        "ceilings": scalar_fields(ceilings, shelf),
        "facts": {
            **scalar_fields(facts, shelf),
            "roundings": scalar_fields(facts.roundings, shelf),
        },
    }


def scalar_fields(part: Any, shelf: dict[str, AnyArray]) -> dict[str, Any]:
    """The fields of a dataclass that are no arrays: those are members."""
    held = {field.name: getattr(part, field.name) for field in fields(part)}
    return {
        name: value_to_record(value, shelf)
        for name, value in held.items()
        if not isinstance(value, np.ndarray | Roundings)
    }


def subspace_arrays(model: Subspace) -> dict[str, AnyArray]:
    ritz, moments = model.proof.ritz, model.moments
    arrays = {
        "components": model.components,
        "eigenvalues": model.eigenvalues,
        "mean": model.mean,
        "scale": model.scale,
        "feature_variances": model.feature_variances,
        "moments_mean": moments.mean,
        "moments_squares": moments.squares,
        "moments_scatter": moments.scatter,
        "moments_tail": moments.tail,
        "ritz_span": ritz.span if own_span(model) else None,
        "ritz_values": ritz.values,
        "ritz_coupling": ritz.coupling,
        "ritz_exposure": ritz.exposure,
        "ceilings": model.proof.ceilings.values,
        "facts_diagonal": model.proof.facts.diagonal,
    }
    own = {name: array for name, array in arrays.items() if array is not None}
    return own | optional_arrays(model)


def own_span(model: Subspace) -> bool:
    """Whether the proof speaks of other numbers than the components, down to the sign of zero."""
    span, components = model.proof.ritz.span, model.components
    same = span.shape == components.T.shape and np.array_equal(
        span.view(np.int64), np.asarray(components.T).view(np.int64)
    )
    return not same


def in_fortran_order(array: AnyArray) -> bool:
    return bool(array.flags.f_contiguous and not array.flags.c_contiguous)


# -- and back ----------------------------------------------------------------------------------


def subspace_from_container(container: Container, path: Path) -> Subspace:
    written_as = container.version
    if written_as == 1:
        container = from_version_1(container, path)
    record, arrays = (
        RecordFields(path, "record", container.record),
        RecordArrays(path, container.arrays),
    )
    record.only((*FIELDS, *(name for name in OPTIONAL_FIELDS if name in record.values)))
    rank, width = record.whole("n_components"), record.whole("n_features", least=1)
    rows = record.whole("n_rows")
    model = Subspace(
        components=arrays.take("components", (rank, width)),
        eigenvalues=arrays.take("eigenvalues", (rank,), least=0.0),
        mean=arrays.optional("mean", (width,)),
        scale=arrays.optional("scale", (width,)),
        n_rows=rows,
        feature_names=names_from(record, width),
        total_variance=record.number("total_variance", above=0.0),
        feature_variances=arrays.take("feature_variances", (width,), least=0.0),
        choices={
            name: verdict_from_record(one, arrays.held, path)
            for name, one in record.inner("choices").values.items()
        },
        provenance=provenance_from(record, arrays),
        moments=moments_from(record.inner("moments"), arrays, width),
        proof=proof_from(record.inner("proof"), arrays, rank, width),
        **optional_from_record(record, arrays, rows, width),
    )
    try:
        with np.errstate(all="ignore"):
            check_consistent(model, path)
            check_nothing_else(container, model, path)
            added = ADDED_TO_CERTIFICATE if written_as == 1 else ()
            check_certificate(record.inner("certificate"), model, added)
    except (ArithmeticError, np.linalg.LinAlgError):  # numbers that no fit gives
        raise ModelFileError.refused(path, "its numbers make no certificate") from None
    return model


def names_from(record: RecordFields, width: int) -> tuple[str, ...] | None:
    names = record.texts("feature_names")
    if names is not None and len(names) != width:
        record.refuse("feature_names", f"are {len(names)}, for {width} columns")
    if names is not None and len(set(names)) < width:
        record.refuse("feature_names", "are not all different")
    return names


def provenance_from(record: RecordFields, arrays: RecordArrays) -> dict[Any, Any]:
    held = value_from_record(record.inner("provenance").values, arrays.held, record.path)
    if not isinstance(held, dict):
        record.refuse("provenance", "is no record")
    return held


def moments_from(record: RecordFields, arrays: RecordArrays, width: int) -> Moments:
    record.only(("weight",))
    return Moments(
        record.number("weight", above=0.0),
        arrays.take("moments_mean", (width,)),
        arrays.take("moments_squares", (width,), least=0.0),
        arrays.optional("moments_scatter", (width, width)),
        arrays.optional("moments_tail", (width,)),
    )


def proof_from(record: RecordFields, arrays: RecordArrays, rank: int, width: int) -> Proof:
    record.only(("from_triangle", "norm", "span", "span_fortran_order", "ceilings", "facts"))
    if record.text("span", among=("components", "own")) == "own":
        span = arrays.take("ritz_span", (width, rank))
    else:
        components = arrays.take("components", (rank, width))
        span = in_stored_order(components, record.flag("span_fortran_order"))
    ritz = Ritz(
        span,
        None,  # a proof is about the components themselves
        arrays.take("ritz_values", (rank,), least=0.0),
        arrays.take("ritz_coupling", (None, rank)),
        record.flag("from_triangle"),
        arrays.optional("ritz_exposure", (rank,)),
        record.number("norm", least=0.0),
    )
    ceilings = bounds_from_record(record.inner("ceilings"), arrays.take("ceilings", (rank + 1,)))
    diagonal = arrays.take("facts_diagonal", (width,), least=0.0)
    return Proof(ritz, ceilings, facts_from_record(record.inner("facts"), diagonal))


def in_stored_order(components: Float64Array, fortran: bool) -> Float64Array:
    """In the order it had, which decides how the products of a certificate are rounded."""
    return components.T if fortran else np.ascontiguousarray(components.T)


def bounds_from_record(record: RecordFields, values: Float64Array) -> UpperBounds:
    record.only(("leftover", "kind", "failure_probability", "rule", "foothold"))
    return UpperBounds(
        values,
        record.number("leftover"),
        record.text("kind", among=KINDS),
        record.number("failure_probability", least=0.0),
        record.text("rule"),
        record.whole("foothold"),
    )


def check_nothing_else(container: Container, model: Subspace, path: Path) -> None:
    """That writing the model again would give this very record: nothing is hidden in it."""
    try:
        again = container_of_subspace(model)
    except ModelFileError:
        raise ModelFileError.refused(path, "its provenance or evidence nests too deep") from None
    apart = {"certificate": None}  # compared by itself, for it is computed anew
    same = again.record | apart == container.record | apart
    if not same or set(again.arrays) != set(container.arrays):
        raise ModelFileError.refused(path, "it holds what no model of this kind has")
