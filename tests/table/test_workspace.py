"""How large blocks are, for the data and the budget there is."""

import numpy as np
import pytest

from eigenlens.sources.open import open_source
from eigenlens.table.dense import CACHED_BYTES
from eigenlens.table.preparation import prepare
from eigenlens.table.workspace import bytes_per_block, workspace_for


@pytest.mark.parametrize("rows", [2, 100, 2000, CACHED_BYTES // 8 // 100])
def test_a_table_that_stays_in_cache_is_one_block(rows):
    source = open_source(np.zeros((rows, 100)))

    assert source.stored_bytes <= bytes_per_block(source, 1 << 30)


def test_rows_in_cache_are_shifted_once():
    far = np.random.default_rng(0).standard_normal((700, 500)) + 1000
    table = workspace_for(source := open_source(far), 1 << 30).table(
        source, prepare(source, True, None, None)
    )

    for _ in range(4):
        table.covariance_times(np.eye(500)[:, :3])

    assert table.rows.shift is not None
    assert table.rows.kept is table.rows.kept is not None


@pytest.mark.parametrize("budget", [1 << 20, 4 << 20, 1 << 30])
def test_a_block_leaves_half_of_the_budget_and_of_large_tables_it_is_a_part(budget):
    small, large = (open_source(np.zeros((rows, 100))) for rows in (5000, 100_000))

    assert bytes_per_block(small, budget) <= budget // 2
    assert bytes_per_block(large, budget) <= min(budget // 2, large.stored_bytes // 8)
