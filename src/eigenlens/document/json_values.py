"""Plain values: what JSON has, all the way down. Numbers that are not finite become null."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

__all__ = ["plain_record", "plain_value"]


def plain_record(value: Any) -> dict[str, Any]:
    """A frozen record, field by field."""
    return {field.name: plain_value(getattr(value, field.name)) for field in fields(value)}


def plain_value(value: Any) -> Any:
    """Python's own numbers, lists and dictionaries, all the way down."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)
