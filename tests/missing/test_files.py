"""Tables with missing cells in files that are larger than the budget: the answer of the table in
memory, in a few passes.
"""

import tracemalloc

import numpy as np
import pytest

import eigenlens as el
from tests.missing.drawn import draw_holes, draw_table

SHAPE = (650_000, 20)  # 104 MB of float64
BUDGET, BUDGET_BYTES = "100MB", 100e6
MOST_PASSES = 10


@pytest.fixture(scope="module")
def rows():
    return draw_holes(draw_table(*SHAPE, seed=0, rank=4, offset=3.0), 0.2, 0)


@pytest.fixture(scope="module")
def in_memory(rows):
    return el.fit(rows, 4, missing="auto")


def write_rows(rows, path):
    if path.suffix == ".npy":
        np.save(path, rows)
        return
    import pandas

    frame = pandas.DataFrame(rows, columns=[f"x{place}" for place in range(rows.shape[1])])
    frame.to_parquet(path, row_group_size=50_000)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["npy", "parquet"])
def test_a_file_beyond_the_budget_has_the_answer_of_memory(ending, rows, in_memory, tmp_path):
    path = tmp_path / f"rows.{ending}"
    write_rows(rows, path)

    tracemalloc.start()
    try:
        model = el.fit(path, 4, missing="auto", memory=BUDGET)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert model.eigenvalues == pytest.approx(in_memory.eigenvalues, rel=1e-8)
    assert np.abs(model.components - in_memory.components).max() <= 1e-8
    assert model.certificate.passes <= MOST_PASSES
    assert peak <= BUDGET_BYTES
