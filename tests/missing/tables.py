"""Real tables with missing cells, and where their values are published."""

import os
from pathlib import Path

import numpy as np
from sklearn.datasets import load_wine

from tests.explain.classics import DECATHLON

__all__ = ["ORANGE", "decathlon", "ozone", "wine"]

H = np.nan  # a hole

# Twelve orange juices as 24 judges described them: sums of marks for color, odor, attack, sweet,
# acid, bitter, pulp and typicity (Josse and Husson, J. Stat. Software 70, 2016).
ORANGE = (
    np.array(
        [
            [115, 127, H, H, H, 68, H, 125],
            [110, 145, 106, 131, 99, 85, 111, 107],
            [113, 128, H, H, 103, 76, 150, 124],
            [158, 144, 178, 100, 162, H, 34, 82],
            [H, 148, 128, 98, H, 105, 82, 106],
            [152, 120, 129, 120, 132, 87, 101, 117],
            [103, 118, 127, 133, 126, H, 31, 104],
            [H, 109, 116, H, 119, 70, 37, 95],
            [106, H, 124, 111, 121, 88, 37, 95],
            [109, 103, H, 139, 105, H, H, 120],
            [98, 123, 94, H, H, H, 176, 126],
            [156, 141, 147, 117, 127, 100, 36, 84],
        ]
    )
    / 24
)


def wine():
    """Holes where (7 i + 3 j) mod 5 = 0, counted from 1."""
    rows = load_wine().data
    i, j = np.indices(rows.shape) + 1
    return np.where((7 * i + 3 * j) % 5 == 0, np.nan, rows)


def decathlon():
    """Ten events; holes where (3 i + 2 j) mod 7 = 0, counted from 1."""
    rows = DECATHLON.rows[:, :10]
    i, j = np.indices(rows.shape) + 1
    return np.where((3 * i + 2 * j) % 7 == 0, np.nan, rows)


def ozone():
    """Ozone and weather of 112 days, eleven numbers; None where the data are not at hand."""
    beside = Path(__file__).parents[3] / "shared" / "data"
    path = Path(os.environ.get("EIGENLENS_DATA", beside)) / "messy" / "ozone.csv"
    if not path.exists():
        return None
    return np.genfromtxt(path, delimiter=",", skip_header=1, usecols=range(1, 12))
