"""Where two values differ, down to types, the sign of zero, and the order of keys."""

import dataclasses
import struct

import numpy as np

__all__ = ["differences"]


def differences(one, two, where="model"):
    """The places where `two` is not `one` bit for bit, as text; empty where there is none."""
    if type(one) is not type(two):
        return [f"{where}: {type(one).__name__} became {type(two).__name__}"]
    if isinstance(one, np.ndarray) and one.dtype == object:
        return differences(one.tolist(), two.tolist(), where)
    if isinstance(one, np.ndarray):
        same = (one.shape, one.dtype) == (two.shape, two.dtype) and one.tobytes() == two.tobytes()
        return [] if same else [f"{where}: another array"]
    if dataclasses.is_dataclass(one):
        parts = [
            (f.name, getattr(one, f.name), getattr(two, f.name)) for f in dataclasses.fields(one)
        ]
    elif hasattr(one, "get_params"):  # an estimator is what it has learned
        parts = [(name, vars(one)[name], vars(two).get(name)) for name in vars(one)]
        parts += [("names", sorted(vars(one)), sorted(vars(two)))]
    elif isinstance(one, dict):
        if list(one) != list(two):
            return [f"{where}: other keys"]
        parts = [(key, one[key], two[key]) for key in one]
    elif isinstance(one, list | tuple):
        if len(one) != len(two):
            return [f"{where}: another length"]
        parts = [(index, *pair) for index, pair in enumerate(zip(one, two, strict=True))]
    else:
        return [] if pattern(one) == pattern(two) else [f"{where}: {one!r} became {two!r}"]
    return [text for name, *pair in parts for text in differences(*pair, f"{where}.{name}")]


def pattern(value):
    return struct.pack("<d", value) if isinstance(value, float) else value
