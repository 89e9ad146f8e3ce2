"""Models to export: every preparation, with what rounding may do to a score."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el

__all__ = ["EPS", "every_case", "rounding", "rows"]

EPS = np.finfo(np.float64).eps


def rows(n=80, d=7, offset=3.0):
    table = np.random.default_rng(2).standard_normal((n, d)) * np.arange(d, 0, -1) + offset
    return pd.DataFrame(table, columns=[f"column {letter}" for letter in "abcdefg"[:d]])


CASES = {
    "centered": lambda: el.fit(rows(), 3),
    "scaled": lambda: el.fit(rows(), 3, scale="std"),
    "raw": lambda: el.fit(rows(), 3, center=False),
    "raw and scaled": lambda: el.fit(rows(), 3, center=False, scale=np.arange(1.0, 8.0)),
    "weighted": lambda: el.fit(rows(), 3, weights=np.arange(80) % 4),
    "far away": lambda: el.fit(rows(offset=1e6), 3),
    "without names": lambda: el.fit(rows().to_numpy(), 3),
    "everything": lambda: el.fit(rows(), 7),
    "one": lambda: el.fit(rows(), 1, scale="std"),
    "nothing": lambda: el.fit(np.random.default_rng(0).standard_normal((200, 7))),
}
every_case = pytest.mark.parametrize("model", [pytest.param(f(), id=n) for n, f in CASES.items()])


def rounding(model, table):
    """How far two orders of summation may part: d + 2 roundings of the largest sum of terms."""
    mean = 0.0 if model.mean is None else np.abs(model.mean)
    scale = 1.0 if model.scale is None else model.scale
    sizes = ((np.abs(np.asarray(table)) + mean) / scale) @ np.abs(model.components).T
    return 2 * (model.n_features + 2) * EPS * sizes.max(initial=1.0)
