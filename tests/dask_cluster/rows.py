"""The table these tests fit, cut into Dask collections in every way; workers import this file."""

import os
import time

import dask.array as da
import numpy as np

ROWS, COLUMNS, K = 3000, 24, 4
# Rounding of sums over all rows, relative: eps per addition, some of them far from the origin.
SAME = 64 * np.finfo(float).eps * np.sqrt(ROWS)


def table(rows=ROWS, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((rows, COLUMNS)) * np.linspace(9, 1, COLUMNS) + 5.0


def unknown_lengths(whole):
    """Chunks whose lengths Dask does not know, as after a selection of rows."""
    collection = da.from_array(whole, chunks=(700, COLUMNS))
    return collection[collection[:, 0] > -1e9]


CHUNKINGS = {
    "rows": lambda whole: da.from_array(whole, chunks=(700, COLUMNS)),
    "columns": lambda whole: da.from_array(whole, chunks=(ROWS, 7)),
    "both": lambda whole: da.from_array(whole, chunks=(1100, 5)),
    "many": lambda whole: da.from_array(whole, chunks=(97, COLUMNS)),
    "unknown": unknown_lengths,
}


def slow_rows(block, seconds, folder):
    """The block itself after a while; leaves a note of who works on it."""
    with open(os.path.join(folder, f"{os.getpid()}"), "a") as notes:
        notes.write("x")
    time.sleep(seconds)
    return block
