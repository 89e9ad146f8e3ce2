"""The same small table as every kind of object: the same blocks, panels, samples and names.

The kinds are listed in `tests/sources/kinds.py`.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from eigenlens.errors import FileError
from eigenlens.sources import Source, open_source
from eigenlens.testing import check_source
from tests.sources.kinds import KINDS, N_COLUMNS, N_ROWS, NAMES, small_table


@pytest.fixture(params=KINDS.values(), ids=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def data(kind, tmp_path):
    return kind.make(small_table(), tmp_path)


def only(condition):
    """Run a test for some of the kinds."""
    some = {name: kind for name, kind in KINDS.items() if condition(kind)}
    return pytest.mark.parametrize("kind", list(some.values()), ids=list(some), indirect=True)


def dense(block):
    return block if isinstance(block, np.ndarray) else block.toarray()


def fingerprint(data):
    """Every byte a caller could see changed: values, and how a sparse matrix stores them."""
    if is_path(data):
        return [path.read_bytes() for path in files_at(data)]
    if sp.issparse(data):
        fields = [getattr(data, name, None) for name in ("data", "indices", "indptr", "offsets")]
        return [np.asarray(part).tobytes() for part in fields if part is not None], data.nnz
    if isinstance(data, pd.DataFrame):
        return repr(data.to_dict("split"))
    if hasattr(data, "to_pydict"):
        return data.to_pydict()
    if hasattr(data, "rows"):
        return data.rows()
    data = getattr(data, "table", data)
    return np.asarray(data).tobytes()


def is_path(data):
    return isinstance(data, str) or (isinstance(data, list) and isinstance(data[0], str))


def files_at(data):
    paths = [Path(part) for part in ([data] if isinstance(data, str) else data)]
    below = [sorted(path.rglob("*")) if path.is_dir() else [path] for path in paths]
    return [path for some in below for path in some if path.is_file()]


def test_it_is_a_source(data):
    assert isinstance(open_source(data), Source)


def test_shape_dtype_and_names_are_those_of_the_table(kind, data):
    source = open_source(data)

    assert source.shape == (N_ROWS, N_COLUMNS)
    assert source.dtype == kind.dtype
    assert source.names == (NAMES if kind.named else None)
    assert source.is_sparse == kind.sparse
    assert source.stored_bytes > 0


@pytest.mark.parametrize("rows", [1, 4, N_ROWS, 1000])
def test_blocks_are_the_rows_in_order(kind, data, rows):
    blocks = list(open_source(data).blocks(rows))

    assert [block.shape[0] for block in blocks[:-1]] == [min(rows, N_ROWS)] * (len(blocks) - 1)
    assert {block.dtype for block in blocks} == {np.dtype(kind.dtype)}
    np.testing.assert_array_equal(np.vstack([dense(block) for block in blocks]), small_table())


@pytest.mark.parametrize("columns", [1, 4, N_COLUMNS, 1000])
def test_panels_are_the_columns_in_order(kind, data, columns):
    panels = list(open_source(data).panels(columns))

    widths = [panel.shape[1] for panel in panels[:-1]]
    assert widths == [min(columns, N_COLUMNS)] * (len(panels) - 1)
    assert {panel.dtype for panel in panels} == {np.dtype(kind.dtype)}
    np.testing.assert_array_equal(np.hstack([dense(panel) for panel in panels]), small_table())


def test_a_sample_is_a_dense_float64_copy_of_those_rows(data):
    indices = np.array([7, 0, 10, 7])

    rows = open_source(data).sample(indices)

    assert isinstance(rows, np.ndarray)
    assert rows.dtype == np.float64
    np.testing.assert_array_equal(rows, small_table()[indices])


def test_a_source_can_be_read_again(data):
    source = open_source(data)

    first, second = (np.vstack([dense(block) for block in source.blocks(3)]) for _ in range(2))

    np.testing.assert_array_equal(first, second)


def test_blocks_are_numpy_arrays_or_compressed_sparse_arrays(kind, data):
    source = open_source(data)
    kinds = (sp.csr_array, sp.csc_array) if kind.sparse else np.ndarray

    assert all(isinstance(block, kinds) for block in source.blocks(4))
    assert all(isinstance(panel, kinds) for panel in source.panels(4))


@only(lambda kind: kind.sparse)
def test_row_blocks_of_a_sparse_source_are_csr(data):
    assert {block.format for block in open_source(data).blocks(4)} == {"csr"}


def test_reading_changes_nothing(data):
    before = fingerprint(data)

    source = open_source(data)
    for part in [*source.blocks(4), *source.panels(4)]:
        part @ np.ones(part.shape[1])
    source.sample(np.array([1, 2]))

    assert fingerprint(data) == before


def test_a_change_would_be_seen(kind, tmp_path):
    one = kind.make(small_table(), tmp_path)
    before = fingerprint(one)
    other = kind.make(small_table() + np.eye(N_ROWS, N_COLUMNS), tmp_path)

    assert fingerprint(other) != before


@only(lambda kind: kind.ours)
def test_the_public_check_finds_nothing_wrong(data):
    check_source(data)


@only(lambda kind: kind.ours and not kind.sparse and not kind.stored)
def test_a_dense_block_that_shares_memory_is_read_only(data):
    memory = caller_memory(data)

    for part in [*open_source(data).blocks(4), *open_source(data).panels(4)]:
        assert not (part.flags.writeable and np.shares_memory(part, memory))


@only(lambda kind: kind.stored and not kind.sparse)
def test_blocks_of_a_file_are_read_only_or_may_be_overwritten(data):
    source = open_source(data)

    for part in [*source.blocks(4), *source.panels(4)]:
        if part.flags.writeable:
            part[:] = -1

    np.testing.assert_array_equal(np.vstack(list(source.blocks(4))), small_table())


@only(lambda kind: kind.stored)
def test_reading_a_file_can_begin_at_any_row(data):
    source = open_source(data)

    for start in range(N_ROWS):
        rows = np.vstack([dense(block) for block in source.blocks(3, start)])
        np.testing.assert_array_equal(rows, small_table()[start:])


@only(lambda kind: kind.stored)
def test_a_glance_at_a_file_shows_some_of_its_rows(data):
    rows = open_source(data).glance(5)

    assert 1 <= len(rows) <= 5
    assert all((small_table() == row).all(axis=1).any() for row in rows)


@only(lambda kind: kind.stored)
def test_a_glance_at_a_file_shows_no_row_twice(data):
    rows = open_source(data).glance(10 * N_ROWS)

    times = [(rows == row).all(axis=1).sum() for row in small_table()]
    assert max(times) == 1
    assert sum(times) == len(rows)


@only(lambda kind: kind.stored)
def test_a_file_that_changed_since_it_was_opened_is_an_error(kind, data, tmp_path):
    source = open_source(data)
    next(source.blocks(4))

    kind.make(np.vstack([small_table(), small_table()]), tmp_path)

    with pytest.raises(FileError, match=r"changed.*passes over it do not see the same data"):
        list(source.blocks(4))


@only(lambda kind: kind.stored)
def test_a_file_is_read_by_several_threads_at_once(data):
    source = open_source(data)

    with ThreadPoolExecutor(4) as threads:
        tables = list(threads.map(lambda size: list(source.blocks(size)), [1, 2, 3, 4] * 3))

    for blocks in tables:
        np.testing.assert_array_equal(np.vstack([dense(block) for block in blocks]), small_table())


@only(lambda kind: kind.in_place)
def test_blocks_are_views_where_that_is_promised(data):
    memory = caller_memory(data)

    assert all(np.shares_memory(block, memory) for block in open_source(data).blocks(4))


@only(lambda kind: kind.panels_in_place)
def test_panels_are_views_where_that_is_promised(data):
    memory = caller_memory(data)

    assert all(np.shares_memory(panel, memory) for panel in open_source(data).panels(4))


def caller_memory(data):
    if isinstance(data, pd.DataFrame):
        return data.to_numpy()
    return np.asarray(getattr(data, "table", data))


@only(lambda kind: kind.ours)
@pytest.mark.parametrize("picked", [[4, 1], [1, 2, 3], [-1], slice(1, 6, 2), np.eye(6)[2] > 0])
def test_columns_by_position_are_those_of_the_table(kind, data, picked):
    source = open_source(data, columns=picked)

    expected = small_table()[:, picked]
    assert source.shape == expected.shape
    assert source.names == (tuple(np.array(NAMES)[picked].tolist()) if kind.named else None)
    for parts, stack in [(source.blocks(4), np.vstack), (source.panels(2), np.hstack)]:
        np.testing.assert_array_equal(stack([dense(part) for part in parts]), expected)
    np.testing.assert_array_equal(source.sample(np.array([3, 1])), expected[[3, 1]])
