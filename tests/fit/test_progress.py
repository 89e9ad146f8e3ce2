"""Progress is told to whoever watches, and shown on a terminal only."""

import io
import sys

import numpy as np

import eigenlens as el
from eigenlens.search.progress import showing_progress
from tests.problems import make_table

ROWS = make_table(300, 12, 0, decay="slow")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_nothing_is_written_to_a_pipe(capfd):
    el.fit(ROWS, 3, progress=True)

    assert capfd.readouterr() == ("", "")


def test_a_terminal_sees_passes_rows_and_what_is_proven(monkeypatch, tmp_path):
    np.save(tmp_path / "rows.npy", ROWS)
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("TERM", "xterm")

    with showing_progress(True, 4, patience=0.0) as display:
        display.pass_began(1, 300)
        display.moved(150)
        display.proven(3e-5)
        display.pass_began(2, 300)
        display.moved(300)

    text = screen.getvalue()
    assert "pass 2 of about 4" in text
    assert "300 of 300 rows" in text
    assert "rows/s" in text
    assert "left" in text
    assert "proven within 3e-05" in text


def test_what_is_done_within_a_second_is_done_in_silence(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)

    el.fit(ROWS, 3, progress=True)

    assert screen.getvalue() == ""


def test_more_passes_than_expected_are_not_more_than_all(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())

    with showing_progress(True, 1) as display:
        display.pass_began(3, 10)
        display.moved(10)

        assert display.expected == 3


def test_nobody_asked_nobody_is_told(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())

    with showing_progress(False, 4) as display:
        assert display is None
