"""Ctrl-C: an error by default, the best certified result so far on request."""

import numpy as np
import pytest

import eigenlens as el
from tests.problems import make_table

ROWS = make_table(400, 60, 1, decay="slow")


class Impatient:
    """A source whose reader presses Ctrl-C in the middle of a later pass."""

    names = None
    dtype = np.dtype(np.float64)
    is_sparse = False
    shape = ROWS.shape
    stored_bytes = ROWS.nbytes

    def __init__(self, patience):
        self.patience = patience
        self.passes = 0

    def blocks(self, rows_per_block):
        self.passes += 1
        for start in range(0, len(ROWS), rows_per_block):
            if self.passes > self.patience:
                raise KeyboardInterrupt
            yield ROWS[start : start + rows_per_block].copy()

    def panels(self, columns_per_panel):
        for start in range(0, ROWS.shape[1], columns_per_panel):
            yield ROWS[:, start : start + columns_per_panel].copy()

    def sample(self, indices):
        return ROWS[indices].copy()


def interrupted(patience, on_interrupt):
    source = Impatient(patience)
    return el.fit(
        source, 5, solver="krylov", tolerance=1e-12, on_interrupt=on_interrupt, memory="20MB"
    )


def test_an_interrupt_is_raised_unless_asked_otherwise():
    with pytest.raises(KeyboardInterrupt):
        interrupted(2, "raise")


@pytest.mark.filterwarnings("ignore::eigenlens.NotCertified")
def test_on_request_the_best_certified_result_comes_back():
    model = interrupted(2, "return")

    truth = np.linalg.eigvalsh(np.cov(ROWS.T))[::-1][:5]
    low, high = model.certificate.eigenvalue_bounds.T
    assert np.all(low <= truth)
    assert np.all(truth <= high)
    assert model.certificate.kind == "deterministic"
    assert model.choices["stop"].rule == "interrupted"


def test_before_the_first_pass_is_over_there_is_nothing_to_return():
    with pytest.raises(KeyboardInterrupt):
        interrupted(0, "return")


def test_another_word_is_an_error():
    with pytest.raises(el.OptionError, match="on_interrupt"):
        el.fit(ROWS, 2, on_interrupt="shrug")
