"""Ctrl-C: an error by default, the best certified result so far on request."""

import os
import signal
import subprocess
import sys
import textwrap
import time

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


# -- with a checkpoint -----------------------------------------------------------------------


class Pressing:
    """Blocks of rows in the middle of which Ctrl-C is pressed, once."""

    def __init__(self, press_at):
        self.blocks_left = press_at

    def __call__(self):
        for block in np.array_split(ROWS, 8):
            self.blocks_left -= 1
            if self.blocks_left == 0:
                os.kill(os.getpid(), signal.SIGINT)
            yield block


def call_for(tmp_path, **more):
    kept = el.Checkpoint(tmp_path / "run.ckpt", every_seconds=1e9)
    return {"k": 5, "tolerance": 1e-9, "memory": "20MB", "checkpoint": kept, **more}


@pytest.mark.parametrize(
    ("solver", "press_at"), [("covariance", 12), ("krylov", 12), ("krylov", 21), ("krylov", 33)]
)
def test_what_was_done_is_kept_and_gone_on_with(tmp_path, solver, press_at):
    call = call_for(tmp_path, solver=solver)
    whole = el.fit(Pressing(0), **{**call, "checkpoint": None})
    blocks = Pressing(press_at)

    with pytest.raises(KeyboardInterrupt) as interrupt:
        el.fit(blocks, **call)
    assert "repeat the same call" in "".join(interrupt.value.__notes__)
    assert "run.ckpt" in "".join(interrupt.value.__notes__)
    assert (tmp_path / "run.ckpt").exists()
    again = el.fit(Pressing(0), **call)

    np.testing.assert_array_equal(again.components, whole.components)
    np.testing.assert_array_equal(again.eigenvalues, whole.eigenvalues)
    assert not (tmp_path / "run.ckpt").exists()


def test_the_state_of_the_pass_under_way_is_kept(tmp_path, monkeypatch):
    from eigenlens.table.journal import Journal

    np.save(tmp_path / "rows.npy", np.tile(ROWS, (100, 1)))
    call = call_for(tmp_path, solver="covariance", memory="3MB")
    reached, went_on = Journal.reached, []

    def pressing(self, row, state):
        self.asked_to_stop(signal.SIGINT, None)
        reached(self, row, state)

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "reached", pressing)
        with pytest.raises(KeyboardInterrupt):
            el.fit(tmp_path / "rows.npy", **call)
    resumed = Journal.resumed
    monkeypatch.setattr(
        Journal, "resumed", lambda *given: went_on.append(resumed(*given)) or went_on[-1]
    )
    el.fit(tmp_path / "rows.npy", **call)

    assert went_on[0] > 0


@pytest.mark.filterwarnings("ignore::eigenlens.NotCertified")
def test_a_result_returned_on_an_interrupt_leaves_the_checkpoint_for_more(tmp_path):
    call = call_for(tmp_path, solver="krylov", tolerance=1e-12)
    whole = el.fit(Pressing(0), **{**call, "checkpoint": None})

    best = el.fit(Pressing(8 * 4 + 3), **call, on_interrupt="return")
    again = el.fit(Pressing(0), **call)

    assert best.choices["stop"].rule == "interrupted"
    np.testing.assert_array_equal(again.eigenvalues, whole.eigenvalues)


def test_ctrl_c_is_the_callers_again_afterwards(tmp_path):
    before = signal.getsignal(signal.SIGINT)

    el.fit(ROWS, **call_for(tmp_path))

    assert signal.getsignal(signal.SIGINT) is before


CHILD = """
    import sys, time
    import numpy as np
    import eigenlens as el
    rows = np.random.default_rng(0).standard_normal((100, 20))
    def slowly():
        for _ in range(200):
            time.sleep(0.05)
            yield rows
    print("ready", flush=True)
    el.fit(slowly, 3, checkpoint=sys.argv[1])
"""


def test_a_second_ctrl_c_is_not_put_off(tmp_path):
    command = [sys.executable, "-c", textwrap.dedent(CHILD), str(tmp_path / "run.ckpt")]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with running:
        running.stdout.readline()
        time.sleep(0.5)
        for _ in range(2):
            os.kill(running.pid, signal.SIGINT)
            time.sleep(0.1)
        began = time.monotonic()
        _, said = running.communicate(timeout=20)

    assert time.monotonic() - began < 5
    assert "KeyboardInterrupt" in said


def test_between_passes_ctrl_c_is_not_put_off(tmp_path, monkeypatch):
    from eigenlens.search import prove

    def pressing(*given):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        pytest.fail("it was put off")

    monkeypatch.setattr(prove, "find_upper_bounds", pressing)
    with pytest.raises(KeyboardInterrupt):
        el.fit(ROWS, **call_for(tmp_path, solver="krylov"))

    assert (tmp_path / "run.ckpt").exists()  # with all passes made so far
    monkeypatch.undo()
    assert el.fit(ROWS, **call_for(tmp_path, solver="krylov")).n_components == 5
