"""Null tables keep what they say they keep, and are the same however rows are read."""

import numpy as np
import pytest
import scipy.sparse

from eigenlens.errors import RankError
from eigenlens.rank.null_tables import null_tables_of
from eigenlens.sources.open import open_source
from eigenlens.table.preparation import prepare
from eigenlens.table.workspace import Workspace

WORKSPACE = Workspace(1 << 30, 1 << 24)
KEY = 12345


def rows_of(source):
    return np.vstack([np.array(block) for block in source.blocks(1 << 20)])


def twin_of(data, null, workspace=WORKSPACE, **options):
    source = open_source(data, None)
    prepared = prepare(source, options.get("center", True), options.get("scale"), None)
    return null_tables_of(source, prepared, null, workspace)(KEY)[0]


def table(seed=0, shape=(60, 70)):
    rng = np.random.default_rng(seed)
    return rng.standard_normal(shape) * np.arange(1, shape[1] + 1) + 5.0


def test_a_flipped_twin_has_the_same_sizes():
    data = table()

    twin = rows_of(twin_of(data, "flip"))

    centered = data - data.mean(axis=0)
    assert np.allclose(np.abs(twin), np.abs(centered), rtol=1e-12, atol=1e-12)
    assert 0.4 < np.mean(np.sign(twin) == np.sign(centered)) < 0.6


def test_a_permuted_twin_has_the_same_columns():
    data = table()

    twin = rows_of(twin_of(data, "permute"))

    centered = data - data.mean(axis=0)
    assert np.allclose(np.sort(twin, axis=0), np.sort(centered, axis=0), atol=1e-12)
    assert not np.allclose(twin, centered)


def test_a_normal_twin_has_the_columns_variances():
    data = table(shape=(20_000, 5))

    twin = rows_of(twin_of(data, "gauss"))

    # Five standard errors of a variance from 20 000 normal numbers.
    assert np.allclose(twin.var(axis=0), data.var(axis=0), rtol=5 * np.sqrt(2 / 20_000))
    assert np.abs(np.corrcoef(twin.T) - np.eye(5)).max() < 5 / np.sqrt(20_000)


@pytest.mark.parametrize("null", ["flip", "gauss"])
def test_block_size_is_invisible(null, monkeypatch):
    data = table(shape=(300, 7))
    monkeypatch.setattr("eigenlens.rank.derived_rows.KEPT_BYTES", 0)

    small = rows_of(twin_of(data, null, Workspace(1 << 30, 7 * 8 * 13)))
    large = rows_of(twin_of(data, null, Workspace(1 << 30, 1 << 24)))

    assert np.allclose(small, large, atol=1e-12)


def test_twins_with_other_keys_differ():
    source = open_source(table(), None)
    twins = null_tables_of(source, prepare(source, True, None, None), "flip", WORKSPACE)

    assert not np.allclose(rows_of(twins(1)[0]), rows_of(twins(2)[0]))


def test_a_sparse_twin_stays_sparse_with_the_same_entries_in_every_column():
    data = scipy.sparse.random_array((80, 30), density=0.1, rng=np.random.default_rng(0)).tocsc()

    twin = twin_of(data, "permute")

    assert twin.is_sparse
    there = twin.matrix.tocsc()
    assert np.array_equal(np.diff(there.indptr), np.diff(data.indptr))
    for column in range(30):
        assert np.allclose(
            np.sort(there[:, [column]].toarray().ravel()),
            np.sort(data[:, [column]].toarray().ravel()),
        )


def test_permuting_more_than_the_budget_is_an_error_that_says_what_would_do():
    with pytest.raises(RankError, match=r"all rows in memory at once.*k='parallel:flip'"):
        twin_of(table(), "permute", Workspace(1000, 1000))
