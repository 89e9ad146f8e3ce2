"""Streams: callables that are read again and again, iterators that are read once."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import eigenlens as el
from eigenlens.testing import check_source
from tests.problems import make_table
from tests.sources.kinds import NAMES, by_name, small_table

PARTS = [slice(0, 4), slice(4, 5), slice(5, None)]
MAKERS = {
    "arrays": np.asarray,
    "lists": lambda part: part.tolist(),
    "pandas": lambda part: pd.DataFrame(part, columns=NAMES),
    "polars": lambda part: pl.DataFrame(by_name(part)),
    "csr": sp.csr_array,
    "csc": sp.csc_matrix,
    "float32": lambda part: part.astype(np.float32),
}


@pytest.fixture(params=MAKERS.values(), ids=MAKERS)
def blocks(request):
    """A callable that gives the small table in three blocks."""
    return lambda: (request.param(small_table()[part]) for part in PARTS)


def test_a_callable_is_a_source_like_any_other(blocks):
    check_source(blocks)


@pytest.mark.parametrize("columns", [[4, 1], slice(1, 4), np.eye(6)[2] > 0])
def test_a_callable_gives_the_columns_asked_for(blocks, columns):
    source = el.open(blocks, columns)

    expected = small_table()[:, columns]
    assert source.shape == expected.shape
    parts = [part if isinstance(part, np.ndarray) else part.toarray() for part in source.blocks(3)]
    np.testing.assert_array_equal(np.vstack(parts), expected)
    panels = [one if isinstance(one, np.ndarray) else one.toarray() for one in source.panels(2)]
    np.testing.assert_array_equal(np.hstack(panels), expected)


def test_dtype_and_names_are_those_of_the_blocks():
    table = small_table()
    frames = lambda: [pd.DataFrame(table, columns=NAMES)]  # noqa: E731
    single = lambda: [table.astype(np.float32)] * 2  # noqa: E731
    mixed = lambda: [table.astype(np.float32), table]  # noqa: E731

    assert el.open(frames).names == NAMES
    assert el.open(single).dtype == np.float32
    assert el.open(mixed).dtype == np.float64
    assert el.open(mixed).shape == (22, 6)


def test_sparse_and_dense_blocks_may_be_mixed():
    table = small_table()
    source = el.open(lambda: [sp.csr_array(table[:5]), table[5:]])

    assert not source.is_sparse
    np.testing.assert_array_equal(np.vstack(list(source.blocks(4))), table)


def test_a_callable_may_return_one_table():
    source = el.open(small_table)

    np.testing.assert_array_equal(next(source.blocks(100)), small_table())


def test_a_later_block_is_where_it_begins():
    source = el.open(lambda: (small_table()[part] for part in PARTS))

    np.testing.assert_array_equal(np.vstack(list(source.blocks(3, 6))), small_table()[6:])


def test_the_memory_of_the_caller_is_not_written_to():
    rows = make_table(200, 5, 0, offset=50.0)
    before = rows.copy()

    el.fit(lambda: np.array_split(rows, 4), 2)
    el.fit(iter(np.array_split(rows, 4)), 2)

    np.testing.assert_array_equal(rows, before)


# -- the same model --------------------------------------------------------------------------


def test_callables_and_iterators_give_the_model_of_the_whole_table(blocks):
    whole = el.fit(small_table(), 3, solver="covariance")

    for data in (blocks, blocks()):
        model = el.fit(data, 3, solver="covariance", tolerance=1e-6)
        np.testing.assert_allclose(model.eigenvalues, whole.eigenvalues, rtol=1e-6)
        np.testing.assert_allclose(model.mean, whole.mean, rtol=1e-6)


@pytest.mark.parametrize("columns", [["age", "rooms"], [2, 4]])
def test_an_iterator_gives_the_columns_asked_for(columns):
    frames = (pd.DataFrame(small_table()[part], columns=NAMES) for part in PARTS)

    model = el.fit(frames, 1, columns=columns)

    assert model.feature_names == ("age", "rooms")
    whole = el.fit(small_table()[:, [2, 4]], 1)
    np.testing.assert_allclose(model.eigenvalues, whole.eigenvalues, rtol=1e-12)


def test_frames_in_another_order_can_be_chosen_by_name():
    frame = pd.DataFrame(small_table(), columns=NAMES)
    turned = frame[list(reversed(NAMES))]

    model = el.fit(iter([frame, turned]), 1, columns=["age", "rooms"])

    whole = el.fit(np.vstack([small_table()[:, [2, 4]]] * 2), 1)
    np.testing.assert_allclose(model.eigenvalues, whole.eigenvalues, rtol=1e-12)


def test_empty_blocks_are_passed_over():
    rows = small_table()

    assert el.open(lambda: [rows[:0], rows, rows[:0]]).shape == (11, 6)
    assert el.open(iter([rows[:0], rows])).shape == (11, 6)


# -- what is wrong ---------------------------------------------------------------------------


def both(blocks):
    """The blocks as a callable, and as an iterator."""
    return [lambda: list(blocks), iter(blocks)]


@pytest.mark.parametrize("as_iterator", [False, True])
@pytest.mark.parametrize(
    ("last", "words"),
    [
        (np.ones((3, 4)), "block 2 .* has 4 columns, but the first has 6"),
        (np.ones(6), "block 2 .* 1 dimension"),
        (np.ones((2, 6)) + 1j, "block 2 .* Complex data"),
        ("text", "block 2 .* type str.*Yield 2-D arrays"),
        (pd.DataFrame([["a"] * 6]), "block 2 .* do not hold numbers"),
    ],
    ids=["width", "dimensions", "complex", "string", "text"],
)
def test_a_bad_block_is_named(last, words, as_iterator):
    blocks = [small_table(), small_table(), last]

    with pytest.raises(el.DataError, match=words):
        el.open(both(blocks)[as_iterator])


def test_frames_with_other_names_are_refused():
    one = pd.DataFrame(small_table(), columns=NAMES)
    two = pd.DataFrame(small_table(), columns=list(reversed(NAMES)))

    for data in both([one, two]):
        with pytest.raises(el.DataError, match=r"block 1 .*'floor'.*columns="):
            el.open(data)


def test_a_bad_number_is_found_in_its_block():
    rows = small_table()
    rows[2, 3] = np.nan

    with pytest.raises(el.DataError, match=r"block 1 .*1 missing cell.*row 2, column 3"):
        el.open(iter([small_table(), rows]))


@pytest.mark.parametrize("data", [lambda: iter([]), iter([]), lambda: [np.ones((0, 3))]])
def test_a_stream_without_rows_is_refused(data):
    with pytest.raises(el.DataError, match="no rows"):
        el.open(data)


def test_a_callable_must_return_blocks():
    with pytest.raises(el.DataError, match=r"returned an object of type int"):
        el.open(lambda: 7)


def test_a_callable_that_returns_a_spent_iterator_is_found_out():
    blocks = iter([small_table()])

    source = el.open(lambda: blocks)

    with pytest.raises(el.DataError, match=r"gave 11 rows .* but 0 this time.*fresh iterator"):
        list(source.blocks(100))


def test_a_callable_that_gives_more_the_next_time_is_found_out():
    calls = []

    def growing():
        calls.append(1)
        return [small_table()] * len(calls)

    source = el.open(growing)

    with pytest.raises(el.DataError, match="but 22 or more this time"):
        list(source.blocks(100))


def test_what_was_read_once_cannot_be_read_again():
    source = el.open(iter([small_table()]))

    assert not source.traits.re_readable
    for read in (lambda: source.blocks(3), lambda: source.panels(3), lambda: source.sample([0])):
        with pytest.raises(el.DataError, match=r"11 rows .* read once.*callable"):
            read()


def test_a_stream_of_very_many_columns_must_be_a_callable():
    wide = sp.csr_array((3, 100_000))

    with pytest.raises(el.DataError, match=r"100000 columns it would take 80 GB"):
        el.open(iter([wide]))
    assert el.open(lambda: [wide]).shape == (3, 100_000)


# -- other numbers the next time -----------------------------------------------------------------


def changing(change, make=np.asarray):
    """A callable whose blocks are `change`d from the second call on."""
    calls = []

    def blocks():
        calls.append(1)
        table = small_table() if len(calls) == 1 else change(small_table())
        return (make(table[part]) for part in PARTS)

    return blocks


def one_number(table):
    table[9, 4] += 1e-9
    return table


CHANGES = {
    "one number": one_number,
    "rows in another order": lambda table: table[::-1],
    "columns in another order": lambda table: table[:, ::-1],
    "a zero that was none": lambda table: table * (np.arange(6) != 3),
}


@pytest.mark.parametrize("make", [np.asarray, np.asfortranarray, sp.csr_array, sp.csc_array])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_other_numbers_the_next_time_are_an_error(change, make):
    source = el.open(changing(change, make))

    with pytest.raises(el.DataError, match=r"other numbers this time.*Return the same rows"):
        list(source.blocks(3))


@pytest.mark.parametrize("start", [0, 6])
def test_a_pass_taken_up_sees_the_numbers_before_it_too(start):
    source = el.open(changing(lambda table: table + (np.arange(11) == 1)[:, None]))

    with pytest.raises(el.DataError, match="other numbers"):
        list(source.blocks(3, start))


@pytest.mark.parametrize("rows", [1, 2, 3, 100])
def test_the_size_of_blocks_is_no_change(blocks, rows):
    source = el.open(blocks)

    assert sum(block.shape[0] for block in source.blocks(rows)) == 11


def test_a_fit_of_rows_drawn_at_random_each_time_is_refused():
    rng = np.random.default_rng(0)

    with pytest.raises(el.DataError, match="fixed seed"):
        el.fit(lambda: (rng.standard_normal((50, 4)) for _ in range(3)), 2)


@pytest.mark.parametrize("solver", ["covariance", "svd", "krylov"])
def test_the_pass_that_counts_the_rows_is_counted(solver):
    table = np.random.default_rng(0).standard_normal((3000, 20))
    read = [0]

    def blocks():
        for start in range(0, 3000, 100):
            read[0] += table[start : start + 100].nbytes
            yield table[start : start + 100]

    certificate = el.fit(blocks, 2, solver=solver).certificate

    # Samples are drawn from the first blocks, and are no passes.
    assert certificate.passes == read[0] // table.nbytes
    assert abs(certificate.bytes_read - read[0]) <= table.nbytes / 2
