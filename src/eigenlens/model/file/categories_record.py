"""The layout of `model.categories` in a model file, and the way back.

A model of numbers only has no such record, as the files of version 0.1.
"""

from __future__ import annotations

from typing import Any

from eigenlens.model.file.fields import RecordFields
from eigenlens.sources.categories.encoding import METHODS, CategoryColumn, Encoding

__all__ = ["CATEGORIES_FIELD", "categories_from_record", "categories_to_record"]

CATEGORIES_FIELD = "categories"


def categories_to_record(encoding: Encoding) -> dict[str, Any]:
    return {
        "method": encoding.method,
        "numbers": list(encoding.numbers),
        "columns": [one.name for one in encoding.columns],
        "levels": {str(place): list(one.levels) for place, one in enumerate(encoding.columns)},
        "merged": {str(place): list(one.merged) for place, one in enumerate(encoding.columns)},
        "missing_level": {
            str(place): one.missing_level for place, one in enumerate(encoding.columns)
        },
    }


def categories_from_record(parent: RecordFields, width: int) -> Encoding | None:
    """None where the model has no categories."""
    if CATEGORIES_FIELD not in parent.values:
        return None
    record = parent.inner(CATEGORIES_FIELD)
    record.only(("method", "numbers", "columns", "levels", "merged", "missing_level"))
    levels, merged = record.inner("levels"), record.inner("merged")
    with_missing = record.inner("missing_level")
    columns = tuple(
        CategoryColumn(
            name,
            levels.texts(str(place)) or (),
            merged.texts(str(place)) or (),
            with_missing.flag(str(place)),
        )
        for place, name in enumerate(record.texts("columns") or ())
    )
    method = record.text("method", among=tuple(METHODS))
    encoding = Encoding(method, record.texts("numbers") or (), columns)
    if encoding.width != width:
        record.refuse("levels", f"make {encoding.width} columns, and the model has {width}")
    return encoding
