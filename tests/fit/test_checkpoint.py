"""Killed and taken up again: the same model, bit for bit; what does not belong is refused."""

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

ROWS = make_table(900, 40, 3, decay="slow", offset=2.0)
NOW = 0.0  # a checkpoint at every block


def arrays_of(model):
    bounds = model.certificate.eigenvalue_bounds
    return [model.components, model.eigenvalues, model.mean, bounds, model.feature_variances]


def assert_same_bits(one, two):
    for left, right in zip(arrays_of(one), arrays_of(two), strict=True):
        np.testing.assert_array_equal(left, right)
    assert one.certificate.passes == two.certificate.passes


class StoppedError(Exception):
    """Stands for a kill."""


def killed(monkeypatch, writes, *arguments, **options):
    """A fit that dies right after its checkpoint was written so many times; whether it did."""
    with monkeypatch.context() as patched:
        stop_after(patched, writes)
        try:
            el.fit(*arguments, **options)
        except StoppedError:
            return True
    return False


def stop_after(monkeypatch, writes):
    from eigenlens.table.journal import Journal

    write, left = Journal.write, [writes]

    def counted(self, state):
        write(self, state)
        left[0] -= 1
        if left[0] == 0:
            raise StoppedError

    monkeypatch.setattr(Journal, "write", counted)


@pytest.mark.parametrize("solver", ["krylov", "covariance", "svd", "orthogonal", "randomized"])
@pytest.mark.parametrize("writes", [1, 2, 5])
def test_a_fit_taken_up_ends_with_the_same_bits(solver, writes, tmp_path, monkeypatch):
    path = tmp_path / "rows.npy"
    np.save(path, ROWS)
    call = {"k": 5, "solver": solver, "tolerance": 1e-6, "memory": "8MB"}
    whole = el.fit(path, **call)
    kept = el.Checkpoint(tmp_path / "run.ckpt", every_seconds=NOW)

    if killed(monkeypatch, writes, path, **call, checkpoint=kept):
        assert (tmp_path / "run.ckpt").exists()
    again = el.fit(path, **call, checkpoint=kept)

    assert_same_bits(again, whole)
    assert not (tmp_path / "run.ckpt").exists()


def test_an_array_in_memory_can_be_taken_up_too(tmp_path, monkeypatch):
    kept = el.Checkpoint(tmp_path / "run.ckpt", every_seconds=NOW)
    call = {"k": 5, "solver": "krylov", "tolerance": 1e-6}

    assert killed(monkeypatch, 3, ROWS, **call, checkpoint=kept)

    assert_same_bits(el.fit(ROWS, **call, checkpoint=kept), el.fit(ROWS, **call))


@pytest.mark.parametrize(
    ("change", "words"),
    [({"k": 6}, "k (was 5, is 6)"), ({"seed": 1}, "seed"), ({"center": False}, "center")],
)
def test_a_checkpoint_of_other_settings_is_refused(change, words, tmp_path, monkeypatch):
    kept = el.Checkpoint(tmp_path / "run.ckpt", every_seconds=NOW)
    call = {"k": 5, "solver": "krylov"}
    assert killed(monkeypatch, 2, ROWS, **call, checkpoint=kept)

    with pytest.raises(el.CheckpointError) as refused:
        el.fit(ROWS, **{**call, **change}, checkpoint=kept)

    assert words in str(refused.value)
    assert "elete the file" in str(refused.value)


def test_a_checkpoint_of_other_data_is_refused(tmp_path, monkeypatch):
    kept = el.Checkpoint(tmp_path / "run.ckpt", every_seconds=NOW)
    assert killed(monkeypatch, 2, ROWS, 5, solver="krylov", checkpoint=kept)

    with pytest.raises(el.CheckpointError, match="data"):
        el.fit(ROWS + 1, 5, solver="krylov", checkpoint=kept)


def test_a_foreign_file_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("dear reader")

    with pytest.raises(el.CheckpointError, match="not a checkpoint"):
        el.fit(ROWS, 5, checkpoint=path)

    assert path.read_text() == "dear reader"


def refused_unread(checkpoint, words):
    """The fit is refused before a single row is read."""
    with pytest.raises(el.CheckpointError, match=words):
        el.fit(lambda: pytest.fail("it was read"), 5, checkpoint=checkpoint)


def test_a_folder_that_is_not_there_is_an_error_of_ours(tmp_path):
    refused_unread(tmp_path / "nowhere" / "run.ckpt", r"could not be written.*no folder")


@pytest.mark.parametrize("place", ["/dev/full", "/dev/null", ".", "", "/"])
def test_what_is_no_file_is_refused(place):
    refused_unread(place, r"be written.*(it is a folder|it is not a file)")


def test_a_folder_that_may_not_be_written_to_is_refused():
    refused = pytest.raises(el.CheckpointError, match=r"could not be written")
    with refused:
        el.fit(ROWS, 5, checkpoint="/proc/self/run.ckpt")


def test_the_same_file_may_be_named_in_another_way(tmp_path, monkeypatch):
    np.save(tmp_path / "rows.npy", ROWS)
    (tmp_path / "link.npy").symlink_to(tmp_path / "rows.npy")
    monkeypatch.chdir(tmp_path)
    kept = el.Checkpoint("run.ckpt", every_seconds=NOW)
    call = {"k": 5, "solver": "krylov", "memory": "8MB", "checkpoint": kept}
    assert killed(monkeypatch, 3, "rows.npy", **call)

    for other in (tmp_path / "rows.npy", "./rows.npy", "link.npy"):
        assert killed(monkeypatch, 1, other, **call)

    again = el.fit("rows.npy", **call)
    assert_same_bits(again, el.fit("rows.npy", **{**call, "checkpoint": None}))


def test_a_fit_that_fails_before_its_first_pass_is_over_leaves_nothing(tmp_path):
    rows = ROWS.copy()
    rows[-1, 0] = np.nan

    with pytest.raises(el.DataError, match="NaN"):
        el.fit(rows, 5, checkpoint=tmp_path / "run.ckpt")

    assert list(tmp_path.iterdir()) == []


def test_a_result_that_somebody_changed_counts_as_missing(tmp_path, monkeypatch):
    path = tmp_path / "run.ckpt"
    kept = el.Checkpoint(path, every_seconds=NOW)
    assert killed(monkeypatch, 6, ROWS, 5, solver="krylov", checkpoint=kept)
    path.write_bytes(path.read_bytes().replace(b'"number": 1', b'"number": 2'))

    model = el.fit(ROWS, 5, solver="krylov", checkpoint=kept)

    assert_same_bits(model, el.fit(ROWS, 5, solver="krylov"))


CHILD = """
    import sys
    import numpy as np
    import eigenlens as el
    source, checkpoint, out = sys.argv[1:]
    kept = el.Checkpoint(checkpoint, every_seconds=0.05) if checkpoint else None
    model = el.fit(source, 10, tolerance=1e-9, memory="20MB", solver="krylov", checkpoint=kept)
    np.savez(out, components=model.components, eigenvalues=model.eigenvalues, mean=model.mean,
             bounds=model.certificate.eigenvalue_bounds)
"""


def child(*arguments):
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(CHILD), *map(str, arguments)])


def test_three_kills_at_random_moments_change_nothing(tmp_path):
    rng = np.random.default_rng()
    rows = make_table(60_000, 150, 0, decay="slow").astype(np.float32)
    np.save(tmp_path / "rows.npy", rows)
    checkpoint = tmp_path / "run.ckpt"
    assert child(tmp_path / "rows.npy", "", tmp_path / "whole.npz").wait() == 0

    for _ in range(3):
        running = child(tmp_path / "rows.npy", checkpoint, tmp_path / "never.npz")
        until(lambda: has_begun(checkpoint), running)
        time.sleep(rng.uniform(0.0, 0.5))
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
    assert child(tmp_path / "rows.npy", checkpoint, tmp_path / "again.npz").wait() == 0

    with np.load(tmp_path / "whole.npz") as whole, np.load(tmp_path / "again.npz") as again:
        for name in whole.files:
            np.testing.assert_array_equal(whole[name], again[name])


def has_begun(checkpoint):
    """Whether something is there to go on from, beside who it belongs to."""
    return checkpoint.exists() and checkpoint.stat().st_size > 10_000


def until(happened, running):
    while not happened() and running.poll() is None:
        time.sleep(0.005)


class FailingRows:
    """A callable that fails at its n-th call, once."""

    def __init__(self, fails_at):
        self.calls, self.fails_at = 0, fails_at

    def __call__(self):
        self.calls += 1
        if self.calls == self.fails_at:
            raise OSError("the connection was closed")
        return iter([ROWS[:400], ROWS[400:]])


def test_an_error_keeps_the_passes_that_were_finished(tmp_path):
    place = tmp_path / "run.ckpt"
    options = {"solver": "power", "tolerance": 1e-6, "checkpoint": place}
    rows = FailingRows(fails_at=8)

    with pytest.raises(OSError, match="connection was closed"):
        el.fit(rows, 1, **options)
    assert place.exists()
    before = rows.calls
    found = el.fit(rows, 1, **options)

    whole = FailingRows(fails_at=0)
    expected = el.fit(whole, 1, solver="power", tolerance=1e-6)
    assert_same_bits(found, expected)
    assert rows.calls - before <= whole.calls - 4  # passes 1 to 4 or more were not made again
    assert not place.exists()


def test_a_state_does_not_grow_with_the_rows(tmp_path, monkeypatch):
    np.save(tmp_path / "tall.npy", np.random.default_rng(0).standard_normal((200_000, 4)))
    place = tmp_path / "run.ckpt"
    options = {"solver": "covariance", "checkpoint": el.Checkpoint(place, NOW), "memory": "1MB"}

    assert killed(monkeypatch, 3, tmp_path / "tall.npy", 2, **options)

    assert place.stat().st_size < 20_000  # 8 bytes per row would be 1.6 MB
