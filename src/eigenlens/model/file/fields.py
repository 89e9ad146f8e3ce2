"""Fields: a part of a record, read field by field, each of the type it must have.

What is missing, what nobody expects, and what is of another type is refused with its name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.errors import ModelFileError
from eigenlens.model.file.values import shorten_repr

__all__ = ["RecordArrays", "RecordFields"]


@dataclass(frozen=True)
class RecordFields:
    path: Path
    where: str
    values: Mapping[str, Any]

    def only(self, expected: Iterable[str]) -> None:
        """Exactly these fields."""
        odd = sorted(set(self.values) ^ set(expected))
        if odd:
            missing = odd[0] not in self.values
            self.refuse(odd[0], "is missing" if missing else "is not expected there")

    def refuse(self, name: str, what: str) -> NoReturn:
        raise ModelFileError.refused(self.path, f"{shorten_repr(name)} of its {self.where} {what}")

    def value(self, name: str) -> Any:
        """Whatever it is; asked for first where it decides what else there must be."""
        if name not in self.values:
            self.refuse(name, "is missing")
        return self.values[name]

    def inner(self, name: str) -> RecordFields:
        held = self.value(name)
        if not isinstance(held, dict):
            self.refuse(name, "is no record")
        return RecordFields(self.path, name, held)

    def whole(self, name: str, least: int = 0) -> int:
        held = self.value(name)
        if type(held) is not int or not least <= held < 1 << 63:
            self.refuse(name, f"is {shorten_repr(held)}, not a whole number from {least} up")
        return held

    def number(self, name: str, least: float = -math.inf, above: float = -math.inf) -> float:
        """Finite, at least `least`, and more than `above`; a whole number stays one."""
        held = self.value(name)
        if type(held) not in (int, float) or not -1e308 <= held / 2 <= 1e308:
            self.refuse(name, f"is {shorten_repr(held)}, not a number")
        if held < least or held <= above:
            self.refuse(name, f"is {held!r}, which is too small")
        return held  # type: ignore[no-any-return]

    def flag(self, name: str) -> bool:
        held = self.value(name)
        if not isinstance(held, bool):
            self.refuse(name, f"is {shorten_repr(held)}, neither true nor false")
        return held

    def text(self, name: str, among: Iterable[str] | None = None) -> str:
        held = self.value(name)
        if not isinstance(held, str):
            self.refuse(name, f"is {shorten_repr(held)}, not a text")
        if among is not None and held not in among:
            self.refuse(name, f"is {shorten_repr(held)}, which is not known")
        return held

    def texts(self, name: str) -> tuple[str, ...] | None:
        held = self.value(name)
        if held is None:
            return None
        if not isinstance(held, list) or not all(isinstance(text, str) for text in held):
            self.refuse(name, "is no list of texts")
        return tuple(held)


@dataclass(frozen=True)
class RecordArrays:
    """The arrays of a record, each of the shape it must have, float64 and finite."""

    path: Path
    held: Mapping[str, AnyArray]

    def take(
        self, name: str, shape: tuple[int | None, ...], least: float = -np.inf
    ) -> Float64Array:
        """None in `shape`: any size there."""
        if name not in self.held:
            raise ModelFileError.refused(self.path, f"its array {name} is missing")
        array = self.held[name]
        fits = len(array.shape) == len(shape) and all(
            size is None or size == found for size, found in zip(shape, array.shape, strict=True)
        )
        if not fits or array.dtype != np.float64:
            found = f"{array.shape} of {array.dtype}"
            raise ModelFileError.refused(self.path, f"its array {name} is {found}, not {shape}")
        # One pass without a copy: a minimum or maximum that is NaN or infinite tells.
        with np.errstate(invalid="ignore"):
            low, high = array.min(initial=0.0), array.max(initial=0.0)
        if not (np.isfinite(low) and np.isfinite(high)):
            raise ModelFileError.refused(self.path, f"its array {name} holds NaN or infinity")
        if low < least:
            raise ModelFileError.refused(self.path, f"its array {name} holds {low}")
        return array

    def optional(self, name: str, shape: tuple[int | None, ...]) -> Float64Array | None:
        return self.take(name, shape) if name in self.held else None
