"""What cannot be done is said in one message, with the code that says whose mistake it was."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from tests.cli.typed import csv_text, numbers, typed


def refused(code, *words, result):
    assert result.exit_code == code, result.stdout + result.stderr
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.stderr
    assert [one for one in words if one not in result.stderr] == []


# -- files ---------------------------------------------------------------------------------


def test_a_file_that_is_not_there(here):
    refused(3, "no file 'data.csv'", result=typed("fit", "data.csv"))


def test_an_unknown_kind_of_file_lists_the_known_ones(here):
    (here / "data.xlsx").write_bytes(b"PK")

    refused(3, "data.xlsx", "'.parquet'", "'.mtx.gz'", "--format", result=typed("fit", "data.xlsx"))


def test_a_file_that_is_not_what_its_ending_says(here):
    (here / "data.parquet").write_text("a,b\n1,2\n")

    refused(3, "cannot be read as Parquet", result=typed("fit", "data.parquet"))


def test_a_table_of_words_only(here):
    (here / "words.csv").write_text("a,b\nx,y\nz,w\n")

    refused(3, "'x'", "not a number", result=typed("fit", "words.csv"))


def test_a_line_that_is_too_short(here):
    (here / "ragged.csv").write_text("a,b\n1,2\n3\n")

    refused(3, "line 3", "has 1 entry, but the first line has 2", result=typed("fit", "ragged.csv"))


def test_bytes_that_are_no_text(here):
    """Not called empty: there is something in it."""
    (here / "noise.csv").write_bytes(b"a,b\n" + np.random.default_rng(4).bytes(100))

    result = typed("fit", "noise.csv")

    refused(3, "noise.csv", result=result)
    assert "empty" not in result.stderr


@pytest.mark.parametrize(
    ("more", "encoding"), [((), "cp1252"), (("--encoding", "cp1250"), "cp1250")]
)
def test_bytes_that_are_no_text_in_an_encoding(here, more, encoding):
    """cp1252 and cp1250 have no character 0x81; here it stands behind what the encoding shows."""
    (here / "odd.csv").write_bytes(b"\xe9,b\n1,2\n3,4\n5,\x81")

    refused(3, f"no text in the encoding '{encoding}'", result=typed("fit", "odd.csv", *more))


def test_a_tolerance_of_nothing_is_answered_with_one_that_makes_sense(data):
    refused(2, "greater than 0", "--tolerance 1e-06", result=typed("fit", data, "--tolerance", "0"))


def test_one_row_only(here):
    (here / "one.csv").write_text("a,b\n1,2\n")

    refused(3, "one row", "--no-center", result=typed("fit", "one.csv"))


# -- models --------------------------------------------------------------------------------


def test_a_table_is_no_model(data):
    refused(3, "not a model file", "'eigenlens fit -o'", result=typed("show", data))


def test_a_model_that_was_cut_off(model, here):
    (here / "cut.eigenlens").write_bytes((here / model).read_bytes()[:-100])

    refused(3, "cut.eigenlens", result=typed("transform", "cut.eigenlens", "data.csv"))


def test_a_model_of_a_future_version(model, here):
    forged = with_format((here / model).read_bytes(), 999)
    (here / "future.eigenlens").write_bytes(forged)

    result = typed("show", "future.eigenlens")

    refused(3, "newer eigenlens", "999", "pip install --upgrade", result=result)


def with_format(packed, version):
    """The same file with another version in its seal, which is all that is looked at first."""
    import re

    found = re.search(rb"eigenlens[^\n]*?(\d+)", packed[-200:])
    assert found, "the seal names its format"
    start = len(packed) - 200 + found.start(1) if len(packed) > 200 else found.start(1)
    return packed[:start] + str(version).encode() + packed[start + len(found[1]) :]


# -- outputs -------------------------------------------------------------------------------

UNWRITABLE = [
    ("fit", "data.csv", "--no-summary", "-o"),
    ("fit", "data.csv", "--no-summary", "--report"),
    ("transform", "run.eigenlens", "data.csv", "-o"),
    ("export", "run.eigenlens", "--to", "json", "-o"),
    ("plot", "run.eigenlens", "scree", "-o"),
    ("report", "data.csv", "-o"),
]


@pytest.mark.parametrize("command", UNWRITABLE, ids=lambda one: f"{one[0]} {one[-1]}")
def test_a_folder_that_is_not_there_or_is_a_file(model, here, command):
    ending = {"transform": ".csv", "plot": ".svg"}.get(command[0], ".out")

    missing = typed(*command, f"nowhere/a{ending}")
    a_file = typed(*command, f"data.csv/a{ending}")

    refused(3, "no folder 'nowhere'", result=missing)
    refused(3, "a part of its path is a file, not a folder", result=a_file)


@pytest.mark.skipif(not os.path.isdir("/proc/1"), reason="there is no folder that nobody writes to")
def test_a_folder_that_nobody_may_write_to_loses_no_answer(data):
    result = typed("fit", data, "-k", "2", "-o", "/proc/run.eigenlens", "--no-summary")

    assert result.exit_code == 3
    assert "'/proc/run.eigenlens' could not be written" in result.stderr
    assert "PC2" in result.stdout


def test_tables_do_not_go_into_a_file(data, model):
    refused(3, "a folder is needed", result=typed("fit", data, "--tables", model))


def test_tables_are_not_replaced_unasked(data):
    first = typed("fit", data, "-k", "2", "--tables", "out", "-q", "--no-summary")

    again = typed("fit", data, "-k", "2", "--tables", "out", "-q", "--no-summary")
    forced = typed("fit", data, "-k", "2", "--tables", "out", "-q", "--no-summary", "--force")

    assert (first.exit_code, again.exit_code, forced.exit_code) == (0, 2, 0)


def test_a_device_is_no_file_to_be_replaced(data):
    result = typed("fit", data, "-k", "2", "-o", "/dev/full", "--force", "--no-summary")

    assert result.exit_code == 3
    assert "a device" in result.stderr


FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
from eigenlens.cli.main import app
app(sys.argv[1:])
"""


def test_a_full_disk_leaves_no_half_file(data, here):
    (here / "data.csv").write_text(csv_text(numbers(300)))
    command = [sys.executable, "-c", FULL, "fit", data, "-k", "2", "--no-summary"]

    tables = subprocess.run([*command, "--tables", "out"], capture_output=True, text=True)
    model = subprocess.run([*command, "-o", "m.eigenlens"], capture_output=True, text=True)

    assert (tables.returncode, model.returncode) == (3, 3)
    assert "largest size of a file" in tables.stderr
    assert "PC2" in tables.stdout
    held = {path.name for path in here.rglob("*") if path.is_file()}
    assert held == {"data.csv", "eigenvalues.csv", "variables.csv"}


# -- interruptions -------------------------------------------------------------------------


def test_ctrl_c_ends_with_130_and_leaves_nothing_behind(here):
    child = subprocess.Popen(
        [sys.executable, "-m", "eigenlens", "fit", "-", "-o", "m.eigenlens"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(here)},
    )
    child.stdin.write(b"a,b\n" + b"1,2\n" * 100_000)
    child.stdin.flush()
    for _ in range(600):  # until it waits for the rest of the table
        if list(here.glob("eigenlens-*/stdin.csv")):
            break
        time.sleep(0.1)

    child.send_signal(signal.SIGINT)
    _, told = child.communicate(timeout=60)

    assert child.returncode == 130
    assert b"Traceback" not in told
    assert list(here.iterdir()) == []
