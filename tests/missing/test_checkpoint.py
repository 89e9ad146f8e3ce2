"""A fit with missing cells is killed and resumed: the same model, bit for bit."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import eigenlens as el
from tests.fit.test_checkpoint import assert_same_bits, killed, until
from tests.missing.drawn import draw_holes, draw_table

ROWS = draw_holes(draw_table(300, 6, 0), 0.2, 0)
NOW = 0.0  # a checkpoint at every block


def write_rows(folder, kind):
    path = folder / f"rows.{kind}"
    if kind == "npy":
        np.save(path, ROWS)
    else:
        import pandas

        pandas.DataFrame(ROWS, columns=list("abcdef")).to_parquet(path, row_group_size=70)
    return path


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr("eigenlens.missing.observed.BLOCK_ENTRIES", 64 * ROWS.shape[1])


@pytest.mark.parametrize(
    ("engine", "kind"), [("auto", "npy"), ("auto", "parquet"), ("lowrank", "npy")]
)
@pytest.mark.parametrize("writes", [1, 3, 30])
def test_a_resumed_fit_ends_with_the_same_bits(engine, kind, writes, tmp_path, monkeypatch):
    path = write_rows(tmp_path, kind)
    call = {"k": 2, "missing": engine, "memory": "8MB"}
    whole = el.fit(path, **call)
    kept = el.Checkpoint(tmp_path / "run.ckpt", every_seconds=NOW)

    assert killed(monkeypatch, writes, path, **call, checkpoint=kept)
    assert (tmp_path / "run.ckpt").exists()
    again = el.fit(path, **call, checkpoint=kept)

    assert_same_bits(again, whole)
    np.testing.assert_array_equal(again.missing.trail, whole.missing.trail)
    np.testing.assert_array_equal(again.complete(ROWS), whole.complete(ROWS))
    assert not (tmp_path / "run.ckpt").exists()


def test_passes_that_were_made_are_not_made_again(tmp_path, monkeypatch):
    path = write_rows(tmp_path, "npy")
    call = {"k": 2, "missing": "gaussian"}
    kept = el.Checkpoint(tmp_path / "run.ckpt", every_seconds=NOW)
    made = el.fit(path, **call).missing.passes
    # Each pass over five blocks writes five states and a result; the first pass only a result.
    assert killed(monkeypatch, 1 + 6 * 4 + 2, path, **call, checkpoint=kept)
    blocks = count_blocks(monkeypatch)

    el.fit(path, **call, checkpoint=kept)

    # One start and `made` steps, four of these passes recorded, and two of the fifth's blocks.
    assert len(blocks) == 5 * (1 + made) - 5 * 4 - 2


def count_blocks(monkeypatch):
    from eigenlens.missing.observed import CellReader

    in_units, seen = CellReader.in_units, []

    def counted(self, cells, first_row=0):
        if self.passes is not None:
            seen.append(first_row)
        return in_units(self, cells, first_row)

    monkeypatch.setattr(CellReader, "in_units", counted)
    return seen


def test_weights_of_cells_resume_too(tmp_path, monkeypatch):
    rows = draw_table(300, 6, 1)
    weights = np.random.default_rng(2).uniform(0, 1, rows.shape)
    kept = el.Checkpoint(tmp_path / "run.ckpt", every_seconds=NOW)

    assert killed(monkeypatch, 10, rows, 2, weights=weights, checkpoint=kept)

    with pytest.raises(el.CheckpointError, match="cell weights"):
        el.fit(rows, 2, weights=weights / 2 + 0.1, checkpoint=kept)
    again = el.fit(rows, 2, weights=weights, checkpoint=kept)
    assert_same_bits(again, el.fit(rows, 2, weights=weights))


def test_a_checkpoint_of_another_engine_is_refused(tmp_path, monkeypatch):
    kept = el.Checkpoint(tmp_path / "run.ckpt", every_seconds=NOW)
    assert killed(monkeypatch, 8, ROWS, 2, missing="gaussian", checkpoint=kept)

    with pytest.raises(el.CheckpointError, match=r"missing \(was 'gaussian', is 'lowrank'\)"):
        el.fit(ROWS, 2, missing="lowrank", checkpoint=kept)


CHILD = """
    import sys
    import numpy as np
    import eigenlens as el
    from eigenlens.missing import observed
    observed.BLOCK_ENTRIES = 500 * 20
    source, checkpoint, out, every = sys.argv[1:]
    kept = el.Checkpoint(checkpoint, every_seconds=float(every)) if checkpoint else None
    model = el.fit(source, 3, missing=el.missing.Gaussian(prior=5.0, tolerance=1e-12),
                   checkpoint=kept)
    np.savez(out, components=model.components, eigenvalues=model.eigenvalues, mean=model.mean,
             bounds=model.certificate.eigenvalue_bounds, trail=model.missing.trail)
"""


def command(*arguments):
    return [sys.executable, "-c", textwrap.dedent(CHILD), *map(str, arguments)]


def child(*arguments):
    return subprocess.Popen(command(*arguments), stderr=subprocess.PIPE, text=True)


@pytest.fixture
def long_table(tmp_path):
    path = tmp_path / "rows.npy"
    np.save(path, draw_holes(draw_table(8_000, 20, 3, rank=3), 0.2, 3))
    return path


@pytest.fixture
def uninterrupted(long_table, tmp_path):
    subprocess.run(command(long_table, "", tmp_path / "whole.npz", 0), check=True)
    with np.load(tmp_path / "whole.npz") as whole:
        return dict(whole)


def assert_resumes(long_table, tmp_path, uninterrupted):
    again = command(long_table, tmp_path / "run.ckpt", tmp_path / "again.npz", 0.05)
    subprocess.run(again, check=True)
    with np.load(tmp_path / "again.npz") as again:
        for name in again.files:
            np.testing.assert_array_equal(again[name], uninterrupted[name])
    assert not (tmp_path / "run.ckpt").exists()


def test_a_killed_process_resumes(long_table, tmp_path, uninterrupted):
    rng, checkpoint = np.random.default_rng(), tmp_path / "run.ckpt"
    for _ in range(2):
        with child(long_table, checkpoint, tmp_path / "never.npz", 0.01) as running:
            until(lambda: checkpoint.exists() and checkpoint.stat().st_size > 20_000, running)
            time.sleep(rng.uniform(0.0, 0.2))
            os.kill(running.pid, signal.SIGKILL)
    assert checkpoint.exists()

    assert_resumes(long_table, tmp_path, uninterrupted)


# The process presses Ctrl-C, or terminates, itself in the middle of its third pass.
PRESSING = """
    import os, signal
    from eigenlens.table.journal import Journal
    signal.signal(signal.SIGINT, signal.default_int_handler)
    reached, calls = Journal.reached, []
    def pressing(self, row, state):
        calls.append(row)
        if len(calls) == 15:
            os.kill(os.getpid(), signal.{name})
        reached(self, row, state)
    Journal.reached = pressing
"""


def pressing(name, program):
    return textwrap.dedent(PRESSING).replace("{name}", name) + textwrap.dedent(program)


def test_ctrl_c_saves_the_pass_under_way(long_table, tmp_path, uninterrupted):
    line = [sys.executable, "-c", pressing("SIGINT", CHILD), str(long_table)]
    line += [str(tmp_path / "run.ckpt"), str(tmp_path / "never.npz"), "1e9"]

    stopped = subprocess.run(line, capture_output=True, text=True, check=False)

    assert "KeyboardInterrupt" in stopped.stderr
    assert "repeat the same call to resume" in stopped.stderr
    assert (tmp_path / "run.ckpt").exists()
    assert_resumes(long_table, tmp_path, uninterrupted)


COMMAND = """
    from eigenlens.missing import observed
    observed.BLOCK_ENTRIES = 500 * 20
    import runpy
    runpy.run_module("eigenlens", run_name="__main__")
"""


def test_sigterm_saves_the_pass_under_way_of_a_command(long_table, tmp_path):
    options = f"fit {long_table} -k 3 --missing gaussian --checkpoint run.ckpt -o model.eigen"
    programs = [pressing("SIGTERM", COMMAND), textwrap.dedent(COMMAND)]

    stopped, finished = (
        subprocess.run(
            [sys.executable, "-c", program, *options.split()],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        for program in programs
    )

    assert stopped.returncode == 143
    assert "progress is saved in run.ckpt; run the same command to resume" in stopped.stderr
    assert finished.returncode == 0
    assert (tmp_path / "model.eigen").exists()
    assert not (tmp_path / "run.ckpt").exists()
