"""What float32 sums may drift is tried on this machine, and holds for columns not tried."""

import numpy as np
import pytest

from eigenlens.table.blas_error import LEAST, measure_gram_error


@pytest.mark.parametrize(("rows", "columns"), [(512, 10), (4096, 64), (4096, 128), (4096, 300)])
def test_sums_that_go_one_way_stay_within_twice_the_drift(rows, columns):
    rng = np.random.default_rng(rows + columns)
    allowed = 2 * measure_gram_error(rows, columns) * 2.0**-24

    for share in (0.3, 0.7, 1.0):
        values = rng.uniform(0.5, 4, columns).astype(np.float32)
        block = np.where(rng.random((rows, 1)) < share, values, -values / 2)
        exact = block.astype(np.float64).T @ block.astype(np.float64)

        error = np.abs(block.T @ block - exact) / np.sqrt(np.outer(*2 * [np.diag(exact)]))

        assert error.max() <= allowed


def test_few_rows_are_given_an_allowance_too():
    assert 2 * measure_gram_error(1, 1) >= LEAST
