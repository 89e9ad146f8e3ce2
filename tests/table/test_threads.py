"""Sparse fits keep BLAS to one thread, and give it back however they end."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
import scipy.sparse
from threadpoolctl import threadpool_info, threadpool_limits

import eigenlens as el
from eigenlens.table.threads import one_blas_thread

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


def test_the_last_of_several_to_leave_gives_them_back():
    met = Barrier(3)
    seen = []

    def overlapping(index):
        with one_blas_thread():
            met.wait()
            if index == 0:
                met.wait()  # stays until the others have left
                seen.append(blas_threads())
        if index:
            met.wait()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(overlapping, range(3)))

    assert seen == [{1}]
    assert blas_threads() == {OURS}


def test_fits_in_several_threads_agree_and_leave_blas_as_it_was():
    rows = scipy.sparse.random_array((4000, 600), density=0.1, format="csr", rng=0)

    def eigenvalues(seed):
        return el.fit(rows, 5, solver="krylov", tolerance=1e-8, seed=seed).eigenvalues

    with ThreadPoolExecutor(4) as pool:
        several = list(pool.map(eigenvalues, [0, 0, 0, 0]))

    np.testing.assert_array_equal(several, [eigenvalues(0)] * 4)
    assert blas_threads() == {OURS}
