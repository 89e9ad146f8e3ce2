"""Reading ahead: the same blocks in the same order, one ahead and no more."""

import threading
import time

import pytest

from eigenlens.machine.parallel import keep_threads, ordered_map, read_ahead


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


# -- ordered_map -------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 3])
def test_results_come_in_the_order_of_the_items(threads):
    def work(item):
        time.sleep(0.002 * (item % 3))
        return item * item

    assert list(ordered_map(work, range(20), threads)) == [item * item for item in range(20)]


@pytest.mark.parametrize("threads", [1, 3])
def test_few_items_are_taken_ahead_of_the_result_in_use(threads):
    taken = []

    def items():
        for item in range(40):
            taken.append(item)
            yield item

    ahead = [len(taken) - number for number, _ in enumerate(ordered_map(int, items(), threads), 1)]

    assert max(ahead) <= threads + 1


def test_an_error_of_the_work_is_raised_in_its_turn():
    results = ordered_map(lambda item: 1 // item, [1, 2, 0, 3], 2)

    assert next(results) == 1
    assert next(results) == 0
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_kept_threads_do_every_work_and_end_with_it():
    def own_thread(item):
        time.sleep(0.002)
        return threading.current_thread()

    with keep_threads():
        first, second = (set(ordered_map(own_thread, range(6), 2)) for _ in range(2))
        kept = first | second

    assert len(kept) == 2
    for thread in kept:
        thread.join(timeout=5)
        assert not thread.is_alive()


def test_works_that_map_themselves_do_not_wait_for_each_other():
    def inner(item):
        return sum(ordered_map(int, range(item, item + 3), 2))

    with keep_threads():
        assert list(ordered_map(inner, range(4), 2)) == [3, 6, 9, 12]


def test_an_error_leaves_kept_threads_to_later_works():
    with keep_threads():
        with pytest.raises(ZeroDivisionError):
            list(ordered_map(lambda item: 1 // item, [1, 0, 2, 3], 2))

        assert list(ordered_map(abs, [-1, -2, -3], 2)) == [1, 2, 3]
