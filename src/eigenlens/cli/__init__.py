"""The command line: parse, call, print.

Promises     results on stdout, talk on stderr; plain text when piped, nothing cut off at any width;
             `--json` and `--md` of every verb; an error of ours is one message, with the exit code
             that says whose mistake it was, and no traceback. Names from the data are text.
Knows        every package; typer, rich.
Knows not    mathematics: a number that is not in a model or a table of `explain` is not printed.
The story    `options.py` says what can be asked, `sheet.py` reads the table (`columns.py` and
             `selection.py` say which part), a verb calls and returns an `Answer`, and `command.py`
             prints it: `page.py` laid out by `screen.py` or `markdown.py`, or `document.py`.
One more     a verb is a file with `EXAMPLES` and a function of its name under `@command`, a line in
             `main.py`, its options and fields in `docs/command-line.md`.
"""
