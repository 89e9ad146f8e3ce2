"""The command line: parse, call, print.

Promises     results on stdout, talk on stderr; plain text when piped, nothing cut off at any width;
             `--json` gives the same as one document; an error of ours is one message, with the exit
             code that says whose mistake it was, and no traceback.
Knows        every public name of the package; typer, rich.
Knows not    mathematics: a number that is not in a model or a certificate is not printed here.
One more     a verb is a file with a function of that name, and a line in `main.py`.
"""
