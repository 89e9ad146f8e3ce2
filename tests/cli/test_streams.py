"""Standard output and stderr that are full, closed, or left early, and standard input that is."""

import os
import subprocess
import sys

import pytest

from tests.cli.typed import csv_text, numbers

PRINTING = (
    ("show", "run.eigenlens"),
    ("show", "run.eigenlens", "--json"),
    ("show", "run.eigenlens", "--md"),
    ("transform", "run.eigenlens", "data.csv"),
    ("plot", "run.eigenlens", "scree"),
    ("demo", "--no-report"),
)


def in_shell(line, *words, **streams):
    """The command with what the shell makes of its streams; results buffered, as in a pipe."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = ["sh", "-c", line, sys.executable, "-m", "eigenlens", *words]
    return subprocess.run(command, capture_output=True, env=env, check=False, **streams)


@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
def test_a_full_disk_behind_stdout_is_said_in_one_line(model, words):
    done = in_shell('"$0" "$@" > /dev/full', *words)

    assert done.returncode == 3
    assert done.stderr.startswith(b"error: the results could not be written to standard output")
    assert b"No space left on device" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("words", [PRINTING[0], PRINTING[3], PRINTING[4]], ids=" ".join)
def test_a_closed_stdout_is_said_in_one_line(model, words):
    done = in_shell('"$0" "$@" >&-', *words)

    assert done.returncode == 3
    assert b"standard output: it is closed" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("words", [PRINTING[1], PRINTING[3]], ids=" ".join)
def test_a_reader_who_has_seen_enough_is_no_error(model, here, words):
    # More than a pipe holds, so that something is left to be written.
    (here / "data.csv").write_text(csv_text(numbers(3000)))

    done = in_shell('{ "$0" "$@"; echo "code $?" >&2; } | true', *words)

    assert done.stderr.splitlines()[-1] == b"code 0"
    assert b"rror" not in done.stderr


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
def test_results_come_also_where_nothing_can_be_said_beside_them(model, where):
    heard = in_shell('"$0" "$@"', "transform", "run.eigenlens", "data.csv", "-o", "one.csv")
    done = in_shell(f'"$0" "$@" {where}', "transform", "run.eigenlens", "data.csv", "-o", "two.csv")

    assert done.returncode == 0
    assert done.stdout == heard.stdout
    assert b"wrote" in heard.stderr


def test_a_closed_stdin_is_no_pipe(here):
    done = in_shell('"$0" "$@" <&-', "fit", "-")

    assert done.returncode == 2
    assert b"needs a pipe" in done.stderr
