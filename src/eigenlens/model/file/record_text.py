"""`model.json` as text: plain JSON in ASCII, read strictly and only after it was measured.

Duplicate keys, NaN, numbers of hundreds of digits and deep nesting are no part of what we write,
so they are refused. The parts of the structure are counted before any of them is built: a small
file must not become a large one in memory.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.errors import ModelFileError

__all__ = ["parse_record_text", "write_record_text"]

MOST_DEPTH = 128
FEW_PARTS = 100_000  # names of columns may be more, but then arrays of that length are there too
MOST_DIGITS = 32  # a float64 needs 24 characters at most
STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"')
NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def write_record_text(record: dict[str, Any], array_bytes: int) -> bytes:
    raw = json.dumps(record, allow_nan=False, indent=1).encode("ascii") + b"\n"
    try:
        refuse_overgrown(raw, array_bytes)
    except ValueError as error:
        raise ModelFileError.cannot_hold("so much in choices and provenance", str(error)) from None
    return raw


def parse_record_text(raw: bytes, array_bytes: int, path: Path) -> dict[str, Any]:
    """The record; `array_bytes`: of the arrays beside it, which it may describe."""
    try:
        refuse_overgrown(raw, array_bytes)
        record = json.loads(
            raw.decode("ascii"),
            object_pairs_hook=refuse_duplicates,
            parse_int=parse_whole_number,
            parse_float=parse_real_number,
            parse_constant=refuse_constant,
        )
    except (ValueError, RecursionError) as error:
        raise ModelFileError.refused(path, f"its model.json is not ours ({error})") from None
    if not isinstance(record, dict):
        raise ModelFileError.refused(path, "its model.json holds no record")
    return record


def refuse_overgrown(raw: bytes, array_bytes: int) -> None:
    most_parts = FEW_PARTS + array_bytes // 8
    structure = STRINGS.sub(b"", raw)
    brackets = structure.translate(None, NOT_BRACKETS)
    if structure.count(b",") + len(brackets) > most_parts:
        raise ValueError(f"more than {most_parts} values")
    marks = np.frombuffer(brackets, np.uint8)
    opening = (marks == ord("[")) | (marks == ord("{"))
    depth = np.cumsum(np.where(opening, 1, -1), dtype=np.int64)
    if depth.max(initial=0) > MOST_DEPTH:
        raise ValueError(f"nested more than {MOST_DEPTH} deep")


def refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("something is said twice")
    return record


def parse_whole_number(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError("a number has too many digits")
    return int(text)


def parse_real_number(text: str) -> float:
    number = float(text) if len(text) <= MOST_DIGITS else math.inf
    if not math.isfinite(number):
        raise ValueError("a number is no float64")
    return number


def refuse_constant(text: str) -> float:
    raise ValueError(f"{text} stands where a number belongs")
