"""Commands as they are typed, in this process: what they print, where, and how they end."""

import json
import os
import pty
import select
import subprocess
import sys

import numpy as np
from typer.testing import CliRunner

from eigenlens.cli.main import app

# Runs several commands in one interpreter, for starting one takes longer than most of them.
SEVERAL = """
import json, sys
from eigenlens.cli.main import app
for args in json.loads(sys.argv[1]):
    try:
        app(args)
    except SystemExit as end:
        code = end.code
    for stream in (sys.stdout, sys.stderr):
        print(f"\\x1e{code}", file=stream, flush=True)
"""


def typed(*arguments, input=None, **environment):
    """The result: exit_code, stdout, stderr."""
    return CliRunner().invoke(
        app, [str(one) for one in arguments], input=input, env={"NO_COLOR": None, **environment}
    )


def document(*arguments, **more):
    """What --json prints, after checking that nothing went wrong."""
    result = typed(*arguments, "--json", **more)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def in_terminal(commands, columns=80, **environment):
    """(code, stdout, stderr) of each command, where both streams are screens of their own."""
    screens = [pty.openpty(), pty.openpty()]
    settings = {"TERM": "xterm-256color", "COLUMNS": str(columns), **environment}
    child = subprocess.Popen(
        [sys.executable, "-c", SEVERAL, json.dumps([list(map(str, one)) for one in commands])],
        stdin=subprocess.DEVNULL,
        stdout=screens[0][1],
        stderr=screens[1][1],
        env={name: value for name, value in os.environ.items() if name != "NO_COLOR"} | settings,
    )
    for _, theirs in screens:
        os.close(theirs)
    read = drained([ours for ours, _ in screens])
    child.wait()
    parts = [text.replace("\r\n", "\n").split("\x1e") for text in read]
    codes = [int(part.partition("\n")[0]) for part in parts[0][1:]]
    pages = [[parts[s][0], *(one.partition("\n")[2] for one in parts[s][1:])] for s in (0, 1)]
    return list(zip(codes, pages[0], pages[1], strict=False))


def drained(screens):
    """All that appears on them until the program has gone."""
    seen = dict.fromkeys(screens, b"")
    watched = list(screens)
    while watched:
        for screen in select.select(watched, [], [])[0]:
            try:
                piece = os.read(screen, 1 << 16)
            except OSError:  # the other end is closed
                piece = b""
            seen[screen] += piece
            if not piece:
                watched.remove(screen)
                os.close(screen)
    return [seen[screen].decode() for screen in screens]


# -- tables --------------------------------------------------------------------------------

NAMES = ("height", "width", "age", "income", "rooms")


def numbers(rows=40, seed=0):
    """Two directions in five columns, and noise; all of a size."""
    rng = np.random.default_rng(seed)
    table = rng.standard_normal((rows, 2)) @ rng.standard_normal((2, 5)) * 2
    return table + 0.5 * rng.standard_normal((rows, 5)) + 10


def csv_text(table, names=NAMES, ids=True, kinds=True):
    head = [*(["name"] if ids else []), *names, *(["kind"] if kinds else [])]
    lines = [",".join(head)]
    for row, entries in enumerate(table):
        line = [*([f"r{row}"] if ids else []), *(repr(float(entry)) for entry in entries)]
        lines.append(",".join([*line, *(["ab"[row % 2]] if kinds else [])]))
    return "\n".join(lines) + "\n"
