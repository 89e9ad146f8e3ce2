"""Signals, disks and odd paths: one line, the right exit code, nothing half-written behind."""

import os
import shutil
import signal
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

import eigenlens as el
from tests.cli.typed import typed

PROGRAM = [sys.executable, "-m", "eigenlens"]
OF_ROOT = ("-dac_override", "-dac_read_search")
POWERS = ",".join(OF_ROOT)
WITHOUT_POWERS = ["setpriv", f"--bounding-set={POWERS}", f"--inh-caps={POWERS}"]


@pytest.fixture
def table(here):
    rows = np.random.default_rng(0).standard_normal((40, 3))
    lines = [",".join(f"{one:.4f}" for one in row) for row in rows]
    (here / "table.csv").write_text("a,b,c\n" + "\n".join(lines) + "\n")
    return "table.csv"


def forbid_fits(monkeypatch):
    fit = import_module("eigenlens.fit")
    monkeypatch.setattr(fit, "fit", lambda *_, **__: pytest.fail("fitted"))


def one_error(result):
    """The message, which is all there is on stderr."""
    assert result.stderr.count("error: ") == 1, result.stderr
    assert "Traceback" not in result.stderr
    return result.stderr.partition("error: ")[2]


# -- paths that the system refuses ----------------------------------------------------------


def test_a_folder_is_no_output(here, table):
    (here / "folder").mkdir()

    result = typed("fit", table, "-k", 1, "-o", "folder")

    assert result.exit_code == 3
    assert "it is a folder. Name a file in it" in one_error(result)


@pytest.mark.parametrize("option", ["-o", "--report", "--checkpoint"])
def test_a_file_is_no_folder(table, option):
    result = typed("fit", table, "-k", 1, option, "table.csv/inside")

    assert result.exit_code == 3
    assert "a part of its path is a file, not a folder" in one_error(result)


@pytest.mark.parametrize("option", ["-o", "--report", "--checkpoint"])
def test_a_name_that_is_too_long_is_said_before_the_work(table, option):
    result = typed("fit", table, "-k", 1, option, "n" * 300)

    assert result.exit_code == 3
    assert "its name is too long. Choose a shorter name" in one_error(result)


def test_a_loop_of_links_is_no_file(here, table):
    (here / "one.csv").symlink_to("two.csv")
    (here / "two.csv").symlink_to("one.csv")

    for words in (["fit", "one.csv"], ["fit", table, "-k", 1, "-o", "one.csv"]):
        result = typed(*words)

        assert result.exit_code == 3
        assert "its symbolic links form a loop" in one_error(result)


def test_a_link_to_nowhere_is_seen_before_the_work(here, table, monkeypatch):
    monkeypatch.setattr(
        import_module("eigenlens.fit"), "fit", lambda *_, **__: pytest.fail("fitted")
    )
    (here / "link.eigenlens").symlink_to(here / "gone" / "model.eigenlens")

    result = typed("fit", table, "-k", 1, "-o", "link.eigenlens")

    assert result.exit_code == 3
    assert "it is a link to" in one_error(result)
    assert "which does not exist. Correct the link" in one_error(result)


@pytest.mark.parametrize(
    "words",
    [
        "-o closed/m.eigenlens",
        "--tables closed/t",
        "--report closed/p.html",
        "--checkpoint closed/c",
    ],
)
def test_a_folder_that_may_not_be_searched_is_named(here, table, words):
    if shutil.which("setpriv") is None or os.geteuid() != 0:
        pytest.skip("needs root, and setpriv to do without its powers")
    (here / "closed").mkdir(mode=0o000)

    done = subprocess.run(
        [*WITHOUT_POWERS, *PROGRAM, "fit", table, "-k", "1", *words.split()],
        capture_output=True,
        text=True,
        cwd=here,
    )

    assert done.returncode == 3
    assert "this user has no permission. Change the permissions" in one_error(done)


def test_a_data_file_behind_a_closed_folder_is_not_called_missing(here, table, monkeypatch):
    real = os.stat

    def refuse(path, *given, **more):
        if str(path).startswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *given, **more)

    monkeypatch.setattr(os, "stat", refuse)

    with pytest.raises(el.FileError, match="this user has no permission"):
        el.open("closed/table.csv")


# -- disks ------------------------------------------------------------------------------------


def test_a_checkpoint_on_a_full_disk_leaves_nothing_behind(here, table, monkeypatch):
    records = import_module("eigenlens.table.records")

    def full(self, *given):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(records.RecordFile, "append", full)

    result = typed("fit", table, "-k", 1, "--checkpoint", "run.ckpt")

    assert result.exit_code == 3
    assert "'run.ckpt' could not be written: the disk is full" in one_error(result)
    assert not (here / "run.ckpt").exists()


def test_a_checkpoint_on_a_read_only_disk_is_an_unusable_output(table, monkeypatch):
    system = import_module("eigenlens.errors.system")
    monkeypatch.setattr(system.os, "access", lambda _, how: how == os.R_OK)
    monkeypatch.setattr(system, "is_read_only", lambda _: True)

    for option in ("-o", "--checkpoint"):
        result = typed("fit", table, "-k", 1, option, "out")

        assert result.exit_code == 3
        assert "the file system is read-only. Choose another folder" in one_error(result)


def test_help_behind_a_full_disk_ends_in_one_line():
    with open("/dev/full", "w") as full:
        done = subprocess.run([*PROGRAM, "--help"], stdout=full, stderr=subprocess.PIPE, text=True)

    assert done.returncode == 3
    assert "the results could not be written to standard output" in one_error(done)


# -- standard streams ---------------------------------------------------------------------------


def test_a_dash_is_no_file(here, table):
    for words in (["fit", table, "-k", 1, "-o", "-"], ["show", "-"], ["transform", "-", table]):
        result = typed(*words)

        assert result.exit_code == 2
        assert "Pass the name of a file" in one_error(result)
    assert not (here / "-").exists()


def test_bytes_that_are_no_table_are_not_called_empty():
    result = typed("fit", "-", input=bytes(range(128, 228)))

    assert result.exit_code == 3
    assert "empty" not in one_error(result)


# -- files that are not what they should be ----------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ['n,a,b\n"x\ny",1,2\nz,3,5\nw,4,4\n', '"a\nb",c\n1,2\n3,4\n5,1\n'],
    ids=["in a column of names", "in the first line"],
)
@pytest.mark.parametrize("more", [[], ["--id", ""]], ids=["", "no names"])
def test_a_line_break_in_quotes_is_part_of_its_entry(here, text, more):
    (here / "quoted.csv").write_text(text)

    result = typed("fit", "quoted.csv", "-k", 1, *more)

    assert result.exit_code == 0
    assert "3 rows and 2 columns" in result.stdout


@pytest.mark.parametrize("more", [b"0.1,0.2,0.3\n", None], ids=["grows", "shrinks"])
def test_a_file_that_changes_during_a_fit_is_said_to_have_changed(here, table, monkeypatch, more):
    reading = import_module("eigenlens.sources.files.csv_file").CsvReader
    real, calls = reading.chunks, []

    def chunks(self, *given):
        if self.path.name == table and not calls:
            calls.append(True)
            text = self.path.read_bytes()
            self.path.write_bytes(text[:100] if more is None else text + more)
        yield from real(self, *given)

    source = el.open(table)
    monkeypatch.setattr(reading, "chunks", chunks)

    blocks = []
    with pytest.raises(el.FileError, match="changed while it was being read"):
        blocks.extend(source.blocks(8))
    assert sum(map(len, blocks)) <= source.shape[0]  # more would not fit where rows are kept


def test_a_format_and_an_ending_that_contradict_each_other_are_refused(here, model):
    result = typed("export", model, "--to", "npz", "-o", "model.json")

    assert result.exit_code == 2
    assert "--to npz with the name 'model.json' needs the ending .npz" in one_error(result)
    assert not (here / "model.json").exists()


def test_a_table_with_words_is_no_image(data):
    result = typed("sense", data)

    assert result.exit_code == 3
    assert "cannot be read as an image: column 'name' holds text" in one_error(result)


# -- signals ------------------------------------------------------------------------------------

FIT = ["fit", "big.npy", "-k", "3", "--solver", "power", "--tolerance", "1e-12"]


@pytest.mark.parametrize(
    ("number", "code", "word"),
    [(signal.SIGTERM, 143, "terminated"), (signal.SIGINT, 130, "interrupted")],
)
def test_a_signal_saves_the_state_and_says_where(here, number, code, word):
    np.save(here / "big.npy", np.random.default_rng(0).standard_normal((60_000, 100)))
    work = subprocess.Popen(
        [*PROGRAM, *FIT, "--checkpoint", "run.ckpt"],
        cwd=here,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    wait_for(here / "run.ckpt")
    work.send_signal(number)
    said = work.communicate(timeout=120)[1]

    assert work.returncode == code
    assert said.splitlines()[-2:] == [
        "progress is saved in run.ckpt; run the same command to resume",
        word,
    ]
    assert (here / "run.ckpt").stat().st_size > 2000


def wait_for(path):
    """Until the fit has begun its passes: there is a checkpoint with a first record."""
    import time

    for _ in range(600):
        if path.exists() and path.stat().st_size > 100:
            time.sleep(1.0)
            return
        time.sleep(0.1)
    raise TimeoutError(path)


def test_a_command_that_was_stopped_while_it_wrote_goes_on(here, table, monkeypatch):
    words = [
        "fit",
        table,
        "-k",
        2,
        "--checkpoint",
        "run.ckpt",
        "-o",
        "m.eigenlens",
        "--tables",
        "t",
    ]
    fit = import_module("eigenlens.cli.fit")

    def stopped(*given, **more):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(fit, "write_tables", stopped)
        first = typed(*words)

    assert first.exit_code == 130
    assert "progress is saved in run.ckpt" in first.stderr
    assert (here / "m.eigenlens").exists()

    monkeypatch.setattr(
        import_module("eigenlens.fit"), "fit", lambda *_, **__: pytest.fail("again")
    )
    again = typed(*words)

    assert again.exit_code == 0, again.stderr
    assert not (here / "run.ckpt").exists()
    assert (here / "t" / "run.json").exists()
    assert "command_under_way" not in el.load("m.eigenlens").provenance


def test_another_command_does_not_go_on_with_it(here, table, monkeypatch):
    def stopped(*given, **more):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(import_module("eigenlens.cli.fit"), "write_tables", stopped)
        typed("fit", table, "-k", 2, "--checkpoint", "run.ckpt", "--tables", "t")

    result = typed("fit", table, "-k", 1, "--checkpoint", "run.ckpt", "--tables", "t")

    assert result.exit_code == 2
    assert "belongs to another fit" in one_error(result)
    assert "delete the file to start over" in one_error(result)


def test_a_checkpoint_is_removed_when_all_is_written(here, table):
    result = typed("fit", table, "-k", 2, "--checkpoint", "run.ckpt", "-o", "m.eigenlens")

    assert result.exit_code == 0, result.stderr
    assert not (here / "run.ckpt").exists()
