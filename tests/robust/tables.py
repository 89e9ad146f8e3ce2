"""Tables with planted outliers, and real ones where others have published what is outlying."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest

__all__ = ["angle", "draw_clean", "plant_cells", "plant_rows", "read_messy", "topgear"]


def read_messy(name, columns=slice(None)):
    """Numbers of a stored table, without the names of its rows; skipped where it is not at hand."""
    beside = Path(__file__).parents[3] / "shared" / "data"
    path = Path(os.environ.get("EIGENLENS_DATA", beside)) / "messy" / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{name}.csv is not at hand")
    with path.open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    names = [one for one in lines[0] if one != "row"][columns]
    return np.array([[number(line[one]) for one in names] for line in lines]), names


def number(text):
    try:
        return float(text)
    except ValueError:
        return np.nan


def topgear():
    """As published: the numbers but the verdict, five of them as logarithms, 296 cars x 11."""
    rows, names = read_messy("topgear")
    wanted = ["Price", "Displacement", "BHP", "Torque", "Acceleration", "TopSpeed", "MPG"]
    wanted += ["Weight", "Length", "Width", "Height"]
    numbers = rows[:, [names.index(one) for one in [*wanted, "Cylinders"]]]
    rows = numbers[np.isnan(numbers).mean(axis=1) <= 0.5, :-1]
    logs = [wanted.index(one) for one in ("Price", "Displacement", "BHP", "Torque", "TopSpeed")]
    rows[:, logs] = np.log(rows[:, logs])
    return rows


def draw_clean(n, d, seed, sizes=(5.0, 4.0, 3.0)):
    """Normal rows near a plane, and that plane as columns."""
    rng = np.random.default_rng(seed)
    plane = np.linalg.qr(rng.standard_normal((d, len(sizes))))[0]
    rows = rng.standard_normal((n, len(sizes))) * sizes @ plane.T + rng.standard_normal((n, d))
    return rows, plane


def plant_cells(rows, share, seed, size=10.0):
    """Cells at `size` noise deviations on either side, and where they are."""
    rng = np.random.default_rng([seed, 1])
    bad = rng.random(rows.shape) < share
    wrong = size * rng.choice([-1.0, 1.0], rows.shape) + rng.standard_normal(rows.shape)
    return np.where(bad, wrong, rows), bad


def plant_rows(rows, plane, share, seed, size=30.0):
    """Rows in one place off the plane, and which they are."""
    rng = np.random.default_rng([seed, 2])
    n, d = rows.shape
    away = rng.standard_normal(d)
    away -= plane @ (plane.T @ away)
    bad = np.arange(n) < round(share * n)
    place = size * away / np.linalg.norm(away)
    return np.where(bad[:, None], place + rng.standard_normal((n, d)), rows), bad


def angle(model, plane):
    """Largest angle between a model's components and the columns of `plane`, in degrees."""
    cosines = np.linalg.svd(model.components @ plane, compute_uv=False)
    return float(np.degrees(np.arccos(np.clip(cosines.min(), -1.0, 1.0))))
