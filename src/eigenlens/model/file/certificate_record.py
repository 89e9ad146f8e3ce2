"""The certificate in a model file: written for readers of the file, compared with the proof.

It is the same to the last bit where the same libraries compute it, and to rounding elsewhere:

    |stored - computed| <= 1e-6 |computed| + 1e-12 s        s: 1, or the scale of the eigenvalues

The first part is for ratios of differences (angles), the second for differences that are zero.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.certificate.record import Certificate
from eigenlens.errors import ModelFileError
from eigenlens.model.file.fields import RecordFields
from eigenlens.model.file.values import value_from_record, value_to_record

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["certificate_to_record", "check_certificate"]

RELATIVE, ABSOLUTE = 1e-6, 1e-12
IN_SQUARED_UNITS = {
    "eigenvalue_bounds", "rounding", "residuals", "backward_error", "total_variance_bounds",
}  # fmt: skip
OVER_ALL_ROWS = {"reconstruction_error", "reconstruction_bounds"}


def certificate_to_record(certificate: Certificate) -> dict[str, Any]:
    held = {field.name: getattr(certificate, field.name) for field in fields(certificate)}
    return {
        name: value_to_record(value.tolist() if isinstance(value, np.ndarray) else value, {})
        for name, value in held.items()
    }


def check_certificate(record: RecordFields, model: Subspace, added: Collection[str] = ()) -> None:
    """Refuses a file whose certificate is not the one its proof gives.

    `added`: what certificates did not say yet when the file was written.
    """
    own = model.certificate
    record.only(field.name for field in fields(own) if field.name not in added)
    for name, value in record.values.items():
        scale = 1.0
        if name in IN_SQUARED_UNITS:
            scale = model.total_variance
        if name in OVER_ALL_ROWS:
            scale = model.total_variance * model.proof.facts.divisor
        if not nearly_equal(value_from_record(value, {}, record.path), getattr(own, name), scale):
            raise ModelFileError.refused(
                record.path, f"its certificate says another {name} than its proof"
            )


def nearly_equal(held: Any, own: Any, scale: float) -> bool:
    if isinstance(own, str | int | tuple):
        return type(held) is type(own) and bool(held == own)
    expected = np.asarray(own, dtype=np.float64)
    try:
        found = np.asarray(held)
    except ValueError:  # ragged
        return False
    if found.size == expected.size == 0:
        return True
    fits = found.dtype == np.float64 and found.shape == expected.shape
    return fits and bool(
        np.allclose(found, expected, rtol=RELATIVE, atol=ABSOLUTE * scale, equal_nan=True)
    )
