"""Version 1 of a `Subspace` in a model file, brought to version 2.

It had one number for all that was rounded, and neither the tail of the mean (models far from the
origin are then merged with an allowance for it) nor what products were exposed to.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from eigenlens.errors import ModelFileError
from eigenlens.model.file.container import Container
from eigenlens.table.roundings import Roundings

__all__ = ["ADDED_TO_CERTIFICATE", "from_version_1"]

ADDED_TO_CERTIFICATE = ("captured_bounds", "reconstruction_bounds", "total_variance_bounds")


def from_version_1(container: Container, path: Path) -> Container:
    """The same contents as version 2 has them; what is wrong with them is found later."""
    record = dict(container.record)
    proof = inner_record(record, "proof", path)
    facts = inner_record(proof, "facts", path)
    roundoff = facts.pop("roundoff", None)
    diagonal = container.arrays.get("facts_diagonal")
    if type(roundoff) not in (int, float) or diagonal is None:
        raise ModelFileError.refused(path, "roundoff of its facts is no number")
    nothing = {field.name: 0.0 for field in fields(Roundings)}
    facts["roundings"] = {**nothing, "products": roundoff}
    facts["total_rounding"] = 2 * roundoff * float(diagonal.sum())
    proof |= {"facts": facts, "norm": 0.0}
    return Container(container.kind, 2, {**record, "proof": proof}, container.arrays)


def inner_record(record: dict[str, Any], name: str, path: Path) -> dict[str, Any]:
    held = record.get(name)
    if not isinstance(held, dict):
        raise ModelFileError.refused(path, f"{name} of its record is no record")
    return dict(held)
