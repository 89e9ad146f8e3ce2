"""Sparse fits keep BLAS to one thread, and give it back however they end."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse
from threadpoolctl import threadpool_info, threadpool_limits

import eigenlens as el
from eigenlens.machine.blas_threads import one_blas_thread

OURS = 2  # what BLAS is set to around each test


@pytest.fixture(autouse=True)
def two_blas_threads():
    with threadpool_limits(OURS, user_api="blas"):
        yield


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_blas_has_one_thread_inside_and_its_own_number_after():
    with one_blas_thread():
        assert blas_threads() == {1}

    assert blas_threads() == {OURS}


def test_an_error_inside_gives_the_threads_back():
    with pytest.raises(ZeroDivisionError), one_blas_thread():
        raise ZeroDivisionError

    assert blas_threads() == {OURS}


def test_a_second_one_inside_changes_nothing():
    with ThreadPoolExecutor(1) as pool, one_blas_thread():
        pool.submit(entered_and_left).result()

        assert blas_threads() == {1}

    assert blas_threads() == {OURS}


def test_whoever_leaves_first_does_not_spoil_it_for_the_others():
    inside, leave = Event(), Event()

    def long_stay():
        with one_blas_thread():
            inside.set()
            leave.wait()

    with ThreadPoolExecutor(1) as pool:
        with one_blas_thread():
            staying = pool.submit(long_stay)
            inside.wait()
        assert blas_threads() == {OURS}
        leave.set()
        staying.result()

    assert blas_threads() == {OURS}


def entered_and_left():
    with one_blas_thread():
        pass


def test_fits_in_several_threads_agree_and_leave_blas_as_it_was():
    rows = scipy.sparse.random_array((4000, 600), density=0.1, format="csr", rng=0)

    def eigenvalues(seed):
        return el.fit(rows, 5, solver="krylov", tolerance=1e-8, seed=seed).eigenvalues

    with ThreadPoolExecutor(4) as pool:
        several = list(pool.map(eigenvalues, [0, 0, 0, 0]))

    np.testing.assert_array_equal(several, [eigenvalues(0)] * 4)
    assert blas_threads() == {OURS}
