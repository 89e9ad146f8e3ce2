"""Reading ahead: the same blocks in the same order, one ahead and no more."""

import threading
import time

import pytest

from eigenlens.table.ahead import read_ahead


def test_the_blocks_come_in_order():
    assert list(read_ahead(iter(range(50)))) == list(range(50))


def test_no_more_than_one_block_is_ahead():
    made = []

    def blocks():
        for index in range(6):
            made.append(index)
            yield index

    most = 0
    for index in read_ahead(blocks()):
        time.sleep(0.01)
        most = max(most, len(made) - index)

    assert most == 2  # the one in use and the next


def test_an_error_comes_when_its_block_is_due():
    def blocks():
        yield 1
        raise OSError("the disk is gone")

    reading = read_ahead(blocks())

    assert next(reading) == 1
    with pytest.raises(OSError, match="the disk is gone"):
        next(reading)


def test_whoever_stops_early_leaves_no_thread_and_no_open_file():
    closed = []

    def blocks():
        try:
            yield from range(100)
        finally:
            closed.append(True)

    reading = read_ahead(blocks())
    next(reading)
    reading.close()

    assert closed == [True]
    assert not [one for one in threading.enumerate() if one.name == "eigenlens-read-ahead"]
