"""Parts of a model that not every one has, each a record and arrays of its own in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eigenlens.algebra.typing import AnyArray
from eigenlens.model.file.categories_record import (
    CATEGORIES_FIELD,
    categories_from_record,
    categories_to_record,
)
from eigenlens.model.file.fields import RecordArrays, RecordFields
from eigenlens.model.file.missing_record import (
    MISSING_FIELD,
    missing_arrays,
    missing_from_record,
    missing_to_record,
)
from eigenlens.model.file.robust_record import (
    ROBUST_FIELD,
    robust_arrays,
    robust_from_record,
    robust_to_record,
)

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["OPTIONAL_FIELDS", "optional_arrays", "optional_from_record", "optional_to_record"]

OPTIONAL_FIELDS = (MISSING_FIELD, ROBUST_FIELD, CATEGORIES_FIELD)


def optional_to_record(model: Subspace, shelf: dict[str, AnyArray]) -> dict[str, Any]:
    record = {}
    if model.missing is not None:
        record[MISSING_FIELD] = missing_to_record(model.missing, shelf)
    if model.robust is not None:
        record[ROBUST_FIELD] = robust_to_record(model.robust, shelf)
    if model.categories is not None:
        record[CATEGORIES_FIELD] = categories_to_record(model.categories)
    return record


def optional_arrays(model: Subspace) -> dict[str, AnyArray]:
    holes = {} if model.missing is None else missing_arrays(model.missing)
    return holes if model.robust is None else holes | robust_arrays(model.robust)


def optional_from_record(
    record: RecordFields, arrays: RecordArrays, rows: int, width: int
) -> dict[str, Any]:
    """By the names of the model's fields; None where the file has no such part."""
    found: dict[str, Any] = {MISSING_FIELD: None, ROBUST_FIELD: None}
    found[CATEGORIES_FIELD] = categories_from_record(record, width)
    screen = None
    if ROBUST_FIELD in record.values:
        robust = robust_from_record(record.inner(ROBUST_FIELD), arrays, rows, width)
        found[ROBUST_FIELD], screen = robust, robust.screen
    if MISSING_FIELD in record.values:
        holes = record.inner(MISSING_FIELD)
        found[MISSING_FIELD] = missing_from_record(
            holes, arrays, width, screen, found[CATEGORIES_FIELD]
        )
    return found
