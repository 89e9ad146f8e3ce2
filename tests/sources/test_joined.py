"""Several tables as one: columns by name, rows one below the other, and what does not fit."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp

from eigenlens.errors import FileError
from eigenlens.sources.files.contents import pick_readable
from eigenlens.sources.files.joined import join_readers
from eigenlens.sources.files.stored import StoredSource
from tests.sources.kinds import small_table
from tests.sources.reading import dense

TABLE = small_table()


@dataclass(frozen=True, eq=False)
class InMemory:
    """A reader of rows in memory."""

    label: str
    table: object
    names: tuple | None = None
    starts: object = None
    left_out: tuple = ()
    by_columns: bool = True
    stamp: str = "new"

    @property
    def shape(self):
        return self.table.shape

    @property
    def dtype(self):
        return self.table.dtype

    @property
    def is_sparse(self):
        return sp.issparse(self.table)

    @property
    def stored_bytes(self):
        return 8 * self.shape[0] * self.shape[1]

    def first_text(self, name):
        return "n/a"

    def fingerprint(self):
        return f"{self.label} {self.stamp}"

    def chunks(self, columns, start, rows):
        for first in range(start, self.shape[0], rows):
            yield self.table[first : first + rows][:, columns].copy()


def rows_of(reader, columns=None, rows_per_block=3, start=0):
    columns = slice(0, reader.shape[1]) if columns is None else columns
    source = StoredSource(reader, columns, reader.fingerprint())
    blocks = [*source.blocks(rows_per_block, start)]
    assert [block.shape[0] for block in blocks[:-1]] == [rows_per_block] * (len(blocks) - 1)
    return np.vstack([dense(block) for block in blocks])


def parts(*sizes, **more):
    cuts = np.cumsum((0, *sizes))
    return [
        InMemory(f"part{i}", TABLE[start:stop], **more)
        for i, (start, stop) in enumerate(pairwise(cuts))
    ]


def test_one_table_is_itself():
    (only,) = parts(11)

    assert join_readers([only], by_name=False) is only


@pytest.mark.parametrize("sizes", [(5, 6), (1, 1, 9), (3, 3, 3, 2), (6, 0, 5)])
def test_rows_follow_each_other(sizes):
    whole = join_readers(parts(*sizes), by_name=False)

    assert whole.shape == TABLE.shape
    assert whole.stored_bytes == TABLE.nbytes
    np.testing.assert_array_equal(rows_of(whole), TABLE)


@pytest.mark.parametrize("start", range(11))
def test_reading_begins_at_any_row(start):
    whole = join_readers(parts(4, 1, 6), by_name=False)

    np.testing.assert_array_equal(rows_of(whole, start=start), TABLE[start:])


def test_columns_are_found_by_their_names():
    names = ("a", "b", "c", "d", "e", "f")
    shuffled = [3, 5, 0, 1, 4, 2]
    other = InMemory("other", TABLE[5:, shuffled], tuple(np.array(names)[shuffled].tolist()))

    whole = join_readers([InMemory("first", TABLE[:5], names), other], by_name=False)

    assert whole.names == names
    np.testing.assert_array_equal(rows_of(whole), TABLE)
    np.testing.assert_array_equal(rows_of(whole, slice(1, 4)), TABLE[:, 1:4])
    np.testing.assert_array_equal(rows_of(whole, np.array([5, 0])), TABLE[:, [5, 0]])


def test_tables_without_names_go_by_position():
    first, other = InMemory("first", TABLE[:5], tuple("abcdef")), InMemory("other", TABLE[5:])

    assert join_readers([first, other], by_name=False).names == tuple("abcdef")
    assert join_readers([other, first], by_name=False).names == tuple("abcdef")
    np.testing.assert_array_equal(rows_of(join_readers([first, other], by_name=False)), TABLE)


def test_missing_and_further_columns_are_named():
    first = InMemory("first.csv", TABLE[:, :3], ("a", "b", "c"))
    other = InMemory("other.csv", TABLE[:, :3], ("a", "b", "d"))

    with pytest.raises(
        FileError, match=r"compared with 'first.csv', 'other.csv' lacks 'c' and also has 'd'"
    ):
        join_readers([first, other], by_name=False)


@pytest.mark.parametrize("by_name", [False, True])
def test_tables_without_names_need_as_many_columns(by_name):
    first, other = InMemory("first.npy", TABLE), InMemory("other.npy", TABLE[:, :4])

    with pytest.raises(FileError, match=r"first.npy.*other.npy.*another order or number"):
        join_readers([first, other], by_name=by_name)


def test_who_picks_columns_is_offered_those_that_all_share():
    first = InMemory("first", TABLE[:5, :4], ("a", "b", "c", "d"))
    other = InMemory("other", TABLE[5:, [5, 3, 1]], ("f", "d", "b"))

    whole = join_readers([first, other], by_name=True)

    assert whole.names == ("b", "d")
    np.testing.assert_array_equal(rows_of(whole), TABLE[:, [1, 3]])


def test_tables_that_share_no_column_are_an_error_even_then():
    first, other = InMemory("first", TABLE[:, :1], ("a",)), InMemory("other", TABLE[:, :1], ("b",))

    with pytest.raises(FileError, match=r"'other' lacks 'a'"):
        join_readers([first, other], by_name=True)


def test_a_column_that_turns_to_text_is_an_error_that_shows_some():
    first = InMemory("first.csv", TABLE[:, :2], ("a", "b"))
    other = InMemory("other.csv", TABLE[:, :1], ("a",), left_out=("b",))

    with pytest.raises(FileError, match=r"other.csv.*column 'b' holds 'n/a'"):
        join_readers([first, other], by_name=False)


def test_text_of_the_first_table_is_left_out_of_all():
    first = InMemory("first.csv", TABLE[:5, :1], ("a",), left_out=("b",))
    other = InMemory("other.csv", TABLE[5:, :2], ("a", "b"))

    whole = join_readers([first, other], by_name=False)

    assert whole.names == ("a",)
    assert whole.left_out == ("b",)
    assert whole.first_text("b") == "n/a"
    np.testing.assert_array_equal(rows_of(whole), TABLE[:, :1])


def test_one_double_makes_all_double():
    single, double = InMemory("s", TABLE[:5].astype("f4")), InMemory("d", TABLE[5:])

    assert join_readers([single, single], by_name=False).dtype == np.float32
    assert join_readers([single, double], by_name=False).dtype == np.float64
    np.testing.assert_array_equal(rows_of(join_readers([single, double], by_name=False)), TABLE)


def test_sparse_only_if_all_are():
    sparse = [InMemory("s", sp.csr_array(TABLE[:5])), InMemory("t", sp.csr_array(TABLE[5:]))]
    mixed = [sparse[0], InMemory("dense", TABLE[5:])]

    assert join_readers(sparse, by_name=False).is_sparse
    assert not join_readers(mixed, by_name=False).is_sparse
    np.testing.assert_array_equal(rows_of(join_readers(sparse, by_name=False)), TABLE)
    np.testing.assert_array_equal(rows_of(join_readers(mixed, by_name=False)), TABLE)


def test_places_to_begin_are_those_of_all():
    anywhere = parts(5, 6)
    first = InMemory("first", TABLE[:5], starts=range(0, 5, 2))
    second = InMemory("second", TABLE[5:], starts=(0,))

    assert join_readers(anywhere, by_name=False).starts is None
    assert list(join_readers([first, second], by_name=False).starts) == [0, 2, 4, 5]
    assert list(join_readers([second, anywhere[0]], by_name=False).starts) == [0, 6, 7, 8, 9, 10]


def test_a_change_in_any_of_them_is_a_change():
    old = parts(5, 6)
    new = [old[0], InMemory(old[1].label, old[1].table, stamp="newer")]

    assert (
        join_readers(old, by_name=False).fingerprint()
        == join_readers(old, by_name=False).fingerprint()
    )
    assert (
        join_readers(old, by_name=False).fingerprint()
        != join_readers(new, by_name=False).fingerprint()
    )


def test_by_columns_only_if_all_are():
    rows = InMemory("rows", TABLE, by_columns=False)

    assert join_readers(parts(5, 6), by_name=False).by_columns
    assert not join_readers([*parts(11), rows], by_name=False).by_columns


def test_the_label_names_the_first_and_counts_the_others():
    assert join_readers(parts(5, 1, 5), by_name=False).label == "part0 and 2 more"


@pytest.mark.parametrize("columns", [["a", "c"], [0, 2]])
def test_a_column_that_is_not_in_all_tables_cannot_be_asked_for(columns):
    first = InMemory("first.csv", TABLE[:5, :3], ("a", "b", "c"))
    other = InMemory("other.csv", TABLE[5:, :2], ("a", "b"))
    whole = join_readers([first, other], by_name=True)

    with pytest.raises(FileError, match=r"compared with 'first.csv', 'other.csv' lacks 'c'"):
        pick_readable(whole, columns)
    assert rows_of(whole, pick_readable(whole, ["b"])).tolist() == TABLE[:, [1]].tolist()
