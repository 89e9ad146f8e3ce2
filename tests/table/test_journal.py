"""The journal of a fit: it grows by what is new, survives being cut off, and belongs to one fit."""

import os
import tracemalloc
import warnings
import zlib
from contextlib import contextmanager

import numpy as np
import pytest

from eigenlens.errors import CheckpointError
from eigenlens.sources.open import open_source
from eigenlens.table.checkpoint import Checkpoint, checkpoint_at, journal_for
from eigenlens.table.preparation import prepare
from eigenlens.table.records import CHECKPOINT_MAGIC, FRAME, RecordFile

ROWS = np.random.default_rng(0).standard_normal((40, 6))
SOURCE = open_source(ROWS)
PREPARED = prepare(SOURCE, True, None, None)
RESULT = np.arange(1000.0)
NEVER = 1e9


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.ckpt"


@contextmanager
def attempt(path, every_seconds=0.0, k=3):
    """The journal of a fit that is killed at the end of the block: nothing is said or done."""
    kept = checkpoint_at(Checkpoint(path, every_seconds))
    journal = journal_for(kept, SOURCE, PREPARED, {"k": k})
    try:
        yield journal
    finally:
        journal.file.file.close()


def make_passes(journal, first, last):
    for number in range(first, last + 1):
        journal.record(number, [RESULT + number, np.asfortranarray(RESULT.reshape(20, 50))])


def test_results_come_back_in_order_and_the_state_after_them(path):
    with attempt(path) as journal:
        journal.notes["solver"] = ["krylov", "rule", "reason"]
        make_passes(journal, 1, 3)
        journal.resumed(4, [RESULT])
        journal.reached(7, [RESULT * 2])

    with attempt(path) as journal:
        assert journal.notes["solver"][0] == "krylov"
        for number in (1, 2, 3):
            one, two = journal.recorded(number)
            np.testing.assert_array_equal(one, RESULT + number)
            assert two.flags.f_contiguous
        assert journal.recorded(4) is None
        state = np.zeros(1000)
        assert journal.resumed(4, [state]) == 7
        np.testing.assert_array_equal(state, RESULT * 2)


def test_memory_and_what_is_written_do_not_grow_with_the_passes(path):
    with attempt(path) as journal:
        make_passes(journal, 1, 5)
        before = path.stat().st_size
        tracemalloc.start()
        make_passes(journal, 6, 205)
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    each = 2 * RESULT.nbytes
    assert held < 3 * each  # 200 results would be a hundred times as much
    assert path.stat().st_size - before < 200 * (each + 600)  # each once, with its headers


def test_results_that_wait_take_no_more_than_some_megabytes(path):
    large = np.zeros(1 << 19)  # 4 MB

    with attempt(path, every_seconds=NEVER) as journal:
        for number in range(1, 40):
            journal.record(number, [large])
            waiting = sum(array.nbytes for arrays in journal.waiting for array in arrays)
            assert waiting <= 16 << 20

    assert path.stat().st_size > 30 * large.nbytes


def test_states_that_others_replaced_do_not_pile_up(path):
    state = np.zeros(1 << 18)  # 2 MB

    with attempt(path) as journal:
        make_passes(journal, 1, 2)
        journal.resumed(3, [state])
        for row in range(50):
            state[:] = row
            journal.reached(row, [state])
            assert path.stat().st_size < 5 * state.nbytes

    with attempt(path) as journal:
        make_again(journal, 2)
        assert journal.resumed(3, [state]) == 49
        assert state[0] == 49
    assert os.listdir(path.parent) == ["run.ckpt"]


def records_in(path):
    with path.open("rb") as file:
        return list(RecordFile(file).records())


def make_again(journal, passes):
    for number in range(1, passes + 1):
        assert journal.recorded(number) is not None


def test_wherever_the_file_is_cut_off_what_was_complete_is_used(path):
    with attempt(path) as journal:
        make_passes(journal, 1, 2)
        journal.resumed(3, [RESULT])
        journal.reached(7, [RESULT])
    whole = path.read_bytes()
    ends = [record.stop for record in records_in(path)]

    for cut in [*range(ends[0], len(whole), 997), *ends]:
        path.write_bytes(whole[:cut])
        with attempt(path) as journal:
            complete = sum(end <= cut for end in ends)
            assert journal.kept == min(max(complete - 2, 0), 2)
            make_again(journal, journal.kept)
            reached = journal.resumed(journal.kept + 1, [np.zeros(1000)])
            assert reached == (7 if complete == len(ends) else 0)


def test_a_file_cut_off_is_gone_on_with(path):
    with attempt(path) as journal:
        make_passes(journal, 1, 3)
    path.write_bytes(path.read_bytes()[:-100])

    with attempt(path) as journal:
        make_again(journal, 2)
        make_passes(journal, 3, 4)

    with attempt(path) as journal:
        make_again(journal, 4)


def test_a_spoiled_byte_costs_what_follows_it_and_no_more(path):
    with attempt(path) as journal:
        make_passes(journal, 1, 3)
    content = bytearray(path.read_bytes())
    content[-20_000] ^= 1  # in the middle of the second result
    path.write_bytes(content)

    with attempt(path) as journal:
        assert journal.kept == 1


def test_what_follows_an_interrupted_pass_is_not_kept(path):
    with attempt(path) as journal:
        make_passes(journal, 1, 2)
        make_passes(journal, 4, 5)  # pass 3 was interrupted; these read out what there is

    with attempt(path) as journal:
        assert journal.kept == 2


def test_two_fits_do_not_share_a_file(path):
    with attempt(path) as journal:
        make_passes(journal, 1, 2)
        with pytest.raises(CheckpointError, match=r"still running.*another path"), attempt(path):
            pass

    with attempt(path) as journal:
        make_again(journal, 2)


def test_a_fit_that_came_to_nothing_is_no_hindrance(path):
    with attempt(path, k=3):
        pass
    with attempt(path, k=4) as journal:
        make_passes(journal, 1, 1)

    with pytest.raises(CheckpointError, match=r"k \(was 4, is 3\)"), attempt(path, k=3):
        pass


def appended(path, said, arrays=()):
    """A file that somebody has changed, with sums that agree."""
    with attempt(path) as journal:
        make_passes(journal, 1, 1)
        journal.file.append(said, arrays)


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"kind": "pass"},
        {"kind": "pass", "number": 7},
        {"kind": "pass", "number": "two"},
        {"kind": "state", "number": 2},
        {"kind": "state", "number": 2, "row": "x"},
        {"kind": "notes"},
        {"kind": "notes", "notes": None},
        {"kind": "notes", "notes": {"solver": 3}},
        {"kind": "fit", "identity": 3},
        {"kind": "unheard of"},
    ],
    ids=str,
)
def test_records_that_make_no_sense_are_an_error_of_ours(path, said):
    appended(path, said)
    before = path.read_bytes()

    refused = pytest.raises(CheckpointError, match=r"cannot resume.*elete the file")
    with refused, attempt(path):
        pass

    assert path.read_bytes() == before


@pytest.mark.parametrize("shapes", [[], [(3,)], [(1000, 1)], [()]])
def test_arrays_of_another_shape_are_an_error_of_ours(path, shapes):
    arrays = [np.zeros(shape) for shape in shapes]
    appended(path, {"kind": "state", "number": 2, "row": 5}, arrays)

    with attempt(path) as journal:
        make_again(journal, 1)
        with pytest.raises(CheckpointError, match="not of this fit's shapes"):
            journal.resumed(2, [np.zeros(1000)])


def test_a_record_that_says_more_arrays_than_it_has_is_an_error_of_ours(path):
    with attempt(path) as journal:
        make_passes(journal, 1, 1)
    content = path.read_bytes().replace(b'"arrays": 2', b'"arrays": 9')
    start = records_in(path)[-1].start
    body = content[start + FRAME.size :]
    path.write_bytes(content[:start] + FRAME.pack(len(body), zlib.crc32(body)) + body)

    with attempt(path) as journal, pytest.raises(CheckpointError, match="cannot resume"):
        journal.recorded(1)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"x", r"is not a checkpoint of this version"),
        (b"PK\x03\x04 an older one", r"is not a checkpoint of this version"),
    ],
)
def test_other_files_are_left_as_they_are(path, content, words):
    path.write_bytes(content)

    with pytest.raises(CheckpointError, match=words), attempt(path):
        pass

    assert path.read_bytes() == content


@pytest.mark.parametrize("spoil", ["cut", "flipped", "zeros"])
def test_a_damaged_first_record_begins_anew_with_a_warning(path, spoil):
    with attempt(path) as journal:
        make_passes(journal, 1, 2)
    content = bytearray(path.read_bytes())
    content[len(CHECKPOINT_MAGIC) + FRAME.size + 5] ^= 1
    damaged = {
        "cut": content[: len(CHECKPOINT_MAGIC) + 9],
        "flipped": content,
        "zeros": CHECKPOINT_MAGIC + bytes(100),
    }
    path.write_bytes(damaged[spoil])

    with warnings.catch_warnings(record=True, action="always") as said, attempt(path) as journal:
        assert journal.kept == 0
        assert journal.recorded(1) is None
        make_passes(journal, 1, 3)
    assert "starts over" in str(said[0].message)

    with attempt(path) as journal:
        make_again(journal, 3)


def test_what_a_killed_writer_left_is_removed_and_nothing_else(path):
    left = path.with_name(".run.ckpt-0123456789ab.part")
    others = [
        path.with_name(".run.ckpt-notes.part"),
        path.with_name(".other.ckpt-0123456789ab.part"),
    ]
    for one in [left, *others]:
        one.write_bytes(b"half a checkpoint")

    with attempt(path):
        assert not left.exists()
        assert all(one.exists() for one in others)


def test_a_full_disk_at_the_first_write_leaves_no_file(path, monkeypatch):
    def full(self, *arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(RecordFile, "append", full)

    with pytest.raises(CheckpointError, match="the disk is full"), attempt(path):
        pass

    assert not path.exists()
