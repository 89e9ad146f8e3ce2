"""Python values in a record: evidence, settings, whatever a provenance holds.

| value                                | in model.json                  | comes back as        |
|--------------------------------------|--------------------------------|----------------------|
| None, bool, str, list, finite float  | itself                         | itself, every bit    |
| int                                  | itself, beyond 64 bits tagged  | itself               |
| dict with text as keys               | itself                         | dict, in its order   |
| other dict                           | {"~map": [[key, value], ...]}  | dict, in its order   |
| inf, -inf, nan                       | {"~float": "inf"}              | itself               |
| tuple                                | {"~tuple": [...]}              | tuple                |
| Verdict                              | {"~verdict": {...}}            | Verdict              |
| numpy array of plain numbers         | {"~array": "value0"}, a member | the array, every bit |
| numpy scalar                         | as Python's number             | Python's number      |
| anything else                        | its repr                       | str                  |

Numpy's scalars lose their type, which nobody asks of a setting; their value is kept exactly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray
from eigenlens.document.verdict import Verdict
from eigenlens.errors import ModelFileError
from eigenlens.model.file.container import PLAIN

__all__ = [
    "MOST_NESTED",
    "value_from_record",
    "value_to_record",
    "verdict_from_record",
    "verdict_to_record",
]

MOST_NESTED = 24  # each level may take two in the text
MOST_PAIRS = 1000  # keys that are no text can be made to collide
WIDEST = 1 << 63
SPECIAL = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
VERDICT = [field.name for field in fields(Verdict)]


def value_to_record(value: Any, shelf: dict[str, AnyArray], depth: int = 0) -> Any:
    """`value` as JSON has it; arrays go onto the shelf."""
    if depth > MOST_NESTED:
        raise ModelFileError.cannot_hold(
            "settings or evidence so deeply nested", f"more than {MOST_NESTED} levels"
        )
    if isinstance(value, np.generic):
        value = of_python(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        number = int(value)
        return number if -WIDEST <= number < WIDEST else {"~int": hex(number)}
    if isinstance(value, float):
        return float_to_record(float(value))
    return compound_to_record(value, shelf, depth)


def float_to_record(number: float) -> Any:
    if math.isfinite(number):
        return number
    return {"~float": "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"}


def compound_to_record(value: Any, shelf: dict[str, AnyArray], depth: int) -> Any:
    """What has parts."""
    if isinstance(value, Verdict):
        return {"~verdict": verdict_to_record(value, shelf, depth + 1)}
    if isinstance(value, Mapping):
        pairs = [[key, value_to_record(item, shelf, depth + 1)] for key, item in value.items()]
        if all(type(key) is str and not key.startswith("~") for key, _ in pairs):
            return dict(pairs)
        if len(pairs) > MOST_PAIRS:
            raise ModelFileError.cannot_hold(
                f"a dictionary of {len(pairs)} keys that are not text", f"at most {MOST_PAIRS}"
            )
        return {"~map": [[value_to_record(key, shelf, depth + 1), item] for key, item in pairs]}
    if isinstance(value, np.ndarray):
        if value.dtype.newbyteorder("<").str not in PLAIN:
            return value_to_record(value.tolist(), shelf, depth + 1)
        name = f"value{len(shelf)}"
        shelf[name] = value
        return {"~array": name}
    if isinstance(value, list | tuple):
        items = [value_to_record(item, shelf, depth + 1) for item in value]
        return items if isinstance(value, list) else {"~tuple": items}
    return repr(value)


def of_python(value: np.generic) -> Any:
    """longdouble has no Python number of its own; the others have one that is equal."""
    return float(value) if isinstance(value, np.floating) else value.item()


def verdict_to_record(
    verdict: Verdict, shelf: dict[str, AnyArray], depth: int = 0
) -> dict[str, Any]:
    return {name: value_to_record(getattr(verdict, name), shelf, depth + 1) for name in VERDICT}


def value_from_record(value: Any, arrays: Mapping[str, AnyArray], path: Path) -> Any:
    """What `value_to_record` was given; a tag that it never writes is refused."""
    if isinstance(value, list):
        return [value_from_record(item, arrays, path) for item in value]
    if not isinstance(value, dict):
        return value
    if not any(key.startswith("~") for key in value):
        return {key: value_from_record(item, arrays, path) for key, item in value.items()}
    ((tag, held), *others) = value.items()
    try:
        if others:
            raise ValueError("two tags")
        return BUILDERS[tag](held, arrays, path)
    except ModelFileError:
        raise
    except (KeyError, ValueError, TypeError, OverflowError):
        raise ModelFileError.refused(path, f"its value {shorten_repr(value)} is none") from None


def shorten_repr(value: Any, most: int = 80) -> str:
    text = repr(value)[: most + 1]
    return text if len(text) <= most else text[:most] + "..."


def tuple_from(held: Any, arrays: Mapping[str, AnyArray], path: Path) -> tuple[Any, ...]:
    if not isinstance(held, list):
        raise TypeError
    return tuple(value_from_record(item, arrays, path) for item in held)


def map_from(held: Any, arrays: Mapping[str, AnyArray], path: Path) -> dict[Any, Any]:
    if not isinstance(held, list) or len(held) > MOST_PAIRS:
        raise TypeError
    pairs = [
        (value_from_record(key, arrays, path), value_from_record(item, arrays, path))
        for key, item in held
    ]
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError("something is said twice")
    return result


def verdict_from_record(held: Any, arrays: Mapping[str, AnyArray], path: Path) -> Verdict:
    if not isinstance(held, dict) or list(held) != VERDICT:
        raise ModelFileError.refused(path, f"{shorten_repr(held)} is no verdict")
    parts = {name: value_from_record(item, arrays, path) for name, item in held.items()}
    words = isinstance(parts["rule"], str) and isinstance(parts["reason"], str)
    if not words or not isinstance(parts["evidence"], dict):
        raise ModelFileError.refused(path, f"{shorten_repr(held)} is no verdict")
    return Verdict(**parts)


def int_from(held: Any, arrays: Mapping[str, AnyArray], path: Path) -> int:
    return int(held, 16)


BUILDERS = {
    "~array": lambda held, arrays, path: arrays[held],
    "~float": lambda held, arrays, path: SPECIAL[held],
    "~int": int_from,
    "~map": map_from,
    "~tuple": tuple_from,
    "~verdict": verdict_from_record,
}
