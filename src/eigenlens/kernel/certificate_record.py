"""A kernel certificate in a model file: its numbers, its arrays, and what they must satisfy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.record import Certificate
from eigenlens.errors import ModelFileError
from eigenlens.kernel.certificate import KernelCertificate
from eigenlens.model.file.fields import RecordArrays, RecordFields
from eigenlens.model.file.values import value_from_record, value_to_record

__all__ = ["arrays_of_certificate", "certificate_from_record", "record_of_certificate"]

NUMBERS = (
    "captured_ratio", "reconstruction_error", "subspace_angle", "suboptimality",
    "failure_probability", "sampling_share", "hazard", "backward_error",
)  # fmt: skip
COUNTS = ("passes", "bytes_read")
ARRAYS = ("eigenvalue_bounds", "angle_bounds", "rounding", "residuals")
KINDS = ("deterministic", "probabilistic", "heuristic")
RELATIVE_TOLERANCE = 1e-9  # relative: the same sum, added in another order


def record_of_certificate(proof: KernelCertificate) -> dict[str, Any]:
    table = proof.table
    return {
        **{name: value_to_record(float(getattr(table, name)), {}) for name in NUMBERS},
        **{name: int(getattr(table, name)) for name in COUNTS},
        "kind": table.kind,
        "rule": table.rule,
        "clusters": [[int(place) for place in run] for run in table.clusters],
        "captured": float(proof.captured),
        "residual_trace": float(proof.residual_trace),
        "landmarks": int(proof.landmarks),
        "assumption": proof.assumption,
    }


def arrays_of_certificate(proof: KernelCertificate) -> dict[str, Float64Array]:
    held = {f"certificate_{name}": getattr(proof.table, name) for name in ARRAYS}
    return held | {"certificate_total_bounds": proof.total_bounds}


def certificate_from_record(
    record: RecordFields, arrays: RecordArrays, values: Float64Array
) -> KernelCertificate:
    k = len(values)
    more = ("kind", "rule", "clusters", "captured", "residual_trace", "landmarks", "assumption")
    record.only((*NUMBERS, *COUNTS, *more))
    held: dict[str, Any] = {
        **{name: number_of(record, name) for name in NUMBERS},
        **{name: record.whole(name) for name in COUNTS},
    }
    for name in ARRAYS:
        shape = (k, 2) if name == "eigenvalue_bounds" else (k,)
        held[name] = arrays.take(f"certificate_{name}", shape, least=0.0)
    table = Certificate(
        **held,
        kind=record.text("kind", among=KINDS),
        rule=record.text("rule"),
        clusters=clusters_from(record, k),
    )
    proof = KernelCertificate(
        table=table,
        captured=record.number("captured", least=0.0),
        total_bounds=arrays.take("certificate_total_bounds", (2,), least=0.0),
        residual_trace=record.number("residual_trace", least=0.0),
        landmarks=record.whole("landmarks"),
        assumption=record.text("assumption"),
    )
    refuse_contradictions(record, proof, values)
    return proof


def number_of(record: RecordFields, name: str) -> float:
    """Not negative; a share of a sampling error may be infinite."""
    held = value_from_record(record.values[name], {}, record.path)
    if not isinstance(held, float) or not held >= 0:
        record.refuse(name, "is no number from 0 up")
    return held if math.isinf(held) else float(held)


def clusters_from(record: RecordFields, k: int) -> tuple[tuple[int, ...], ...]:
    held = record.values["clusters"]
    runs = held if isinstance(held, list) and all(isinstance(run, list) for run in held) else [[-1]]
    if not all(type(place) is int and 0 <= place < k for run in runs for place in run):
        record.refuse("clusters", f"are not runs of {k} components")
    return tuple(tuple(run) for run in runs)


def refuse_contradictions(
    record: RecordFields, proof: KernelCertificate, values: Float64Array
) -> None:
    """What a certificate says of eigenvalues must be true of those beside it."""
    low, high = proof.eigenvalue_bounds.T
    least, most = proof.total_bounds
    slack = RELATIVE_TOLERANCE * float(most)
    inside = (low <= values + slack).all() and (values <= high + slack).all()
    sums = abs(proof.captured - float(values.sum())) <= slack and proof.captured <= most + slack
    order = (low <= high).all() and least <= most and (proof.angle_bounds <= 1).all()
    if not (inside and sums and order and np.isfinite(most)):
        raise ModelFileError.refused(record.path, "its certificate is about other eigenvalues")
