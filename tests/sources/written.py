"""Files written for a test, and all the rows that a source gives."""

import numpy as np

ROWS = 1000


def table_of_thousand():
    return np.round(np.random.default_rng(0).standard_normal((ROWS, 4)), 3)


def rows_in(source, rows_per_block=128, start=0):
    return np.vstack([np.array(block) for block in source.blocks(rows_per_block, start)])


def text_file(folder, text, name="t.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path
