"""Codes: values of a column, whatever they are, as whole numbers.

| values                          | as text                                                     |
|---------------------------------|-------------------------------------------------------------|
| text, categories                | as they are written                                         |
| truth values                    | False, True                                                 |
| whole numbers, also as floats   | without a decimal point                                     |
| null, None, NaN                 | missing                                                     |

Every array arrives as an Arrow array; its different values are looked up once, so that the cost is
that of Arrow's own dictionary.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.sources.categories.encoding import CategoryColumn

__all__ = [
    "NO_LEVEL",
    "NO_VALUE",
    "LevelCounter",
    "as_arrow",
    "encode_values",
    "texts_of",
    "to_dictionary",
    "unseen_texts",
]

NO_VALUE, NO_LEVEL = -1, -2
CodeArray = npt.NDArray[np.int32]


def as_arrow(column: Any) -> Any:
    """A column of a narwhals frame, or a list of values, as one Arrow array."""
    import pyarrow

    try:
        values = column.to_arrow() if hasattr(column, "to_arrow") else pyarrow.array(column)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, TypeError):  # values of several kinds
        listed = column.to_list() if hasattr(column, "to_list") else list(column)
        values = pyarrow.array([None if is_null(value) else str(value) for value in listed])
    return values.combine_chunks() if isinstance(values, pyarrow.ChunkedArray) else values


def is_null(value: Any) -> bool:
    return value is None or (isinstance(value, float) and np.isnan(value)) or str(value) == "<NA>"


def is_ordered(values: Any) -> bool:
    """Whether the order of the levels was declared."""
    from pyarrow import types

    return bool(types.is_dictionary(values.type) and values.type.ordered)


def to_dictionary(values: Any) -> Any:
    """An Arrow array in which each different value is stored once; NaN is missing."""
    import pyarrow
    from pyarrow import compute, types

    if types.is_run_end_encoded(values.type):
        values = compute.run_end_decode(values)
    if types.is_dictionary(values.type):
        return values
    if types.is_floating(values.type):
        values = pyarrow.array(values.to_numpy(zero_copy_only=False), from_pandas=True)
    return values.dictionary_encode()


def indexed_texts(values: Any) -> tuple[CodeArray, list[str | None]]:
    """Positions (-1: missing) in a list of different texts, in order of appearance."""
    values = to_dictionary(values)
    places = values.indices.cast("int32").fill_null(NO_VALUE).to_numpy(zero_copy_only=False)
    return places, [text_of(value) for value in values.dictionary.to_pylist()]


def texts_of(values: Any) -> list[str | None]:
    """Every value as text, None where it is missing."""
    places, texts = indexed_texts(values)
    return [None if place < 0 else texts[place] for place in places.tolist()]


def text_of(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def look_up(places: CodeArray, texts: list[str | None], codes: Mapping[str, int]) -> CodeArray:
    """Codes of the texts at these places."""
    table = np.array(
        [NO_VALUE if text is None else codes.get(text, NO_LEVEL) for text in texts] + [NO_VALUE],
        dtype=np.int32,
    )
    found: CodeArray = table[places]  # -1 is the last: missing
    return found


def encode_values(values: Any, column: CategoryColumn) -> CodeArray:
    """Codes by levels that are known already: NO_VALUE and NO_LEVEL where there is no level."""
    places, texts = indexed_texts(values)
    codes = look_up(places, texts, column.code_of)
    if column.missing_code is not None:
        codes[codes == NO_VALUE] = column.missing_code
    return codes


def unseen_texts(values: Any, column: CategoryColumn) -> list[str]:
    """Values that are there and have no level, each once."""
    places, texts = indexed_texts(values)
    there = {texts[place] for place in np.unique(places).tolist() if place >= 0}
    return sorted(text for text in there if text is not None and text not in column.code_of)


@dataclass
class LevelCounter:
    """Levels in order of appearance, and how often each was met so far."""

    codes: dict[str, int] = field(default_factory=dict)
    counts: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    missing: int = 0
    ordered: bool = False
    declared: tuple[str, ...] = ()
    numeric: bool = False  # values are numbers, and sort as such

    def add(self, values: Any) -> CodeArray:
        """Codes in order of appearance; those of `learn_column` follow from them."""
        from pyarrow import types

        kind = values.type.value_type if types.is_dictionary(values.type) else values.type
        self.numeric = bool(types.is_integer(kind) or types.is_floating(kind))
        places, texts = indexed_texts(values)
        if is_ordered(values):
            self.ordered, self.declared = True, tuple(text for text in texts if text is not None)
        for text in texts:
            if text is not None:
                self.codes.setdefault(text, len(self.codes))
        found = look_up(places, texts, self.codes)
        counted = np.bincount(found[found >= 0], minlength=len(self.codes))
        counted[: len(self.counts)] += self.counts
        self.counts = counted
        self.missing += int((found == NO_VALUE).sum())
        return found

    def join(self, other: LevelCounter) -> LevelCounter:
        """Both together, for levels that were counted in parts."""
        codes = dict(self.codes)
        for text in other.codes:
            codes.setdefault(text, len(codes))
        counts = np.zeros(len(codes), dtype=np.int64)
        for part in (self, other):
            for text, code in part.codes.items():
                counts[codes[text]] += part.counts[code]
        first = self if self.codes else other
        return LevelCounter(
            codes, counts, self.missing + other.missing, first.ordered, first.declared,
            first.numeric,
        )  # fmt: skip
