"""Tables in files: one module per format, and what all of them share.

Promises   rows of a file arrive in blocks, in their order, with the numbers that are stored. A file
           that changes while it is read, or is damaged, is an error that names it.
Knows      paths and patterns (`path.py`, `resolve_paths.py`), several files as one table
           (`joined.py`), and how each format is read within a budget of memory.
Ignores    what the rows are for.

To add a format: a module with `ENDINGS` and `reader_of(path, inside)`, which returns a `Reader`
(`stored.py`), and one line in `KINDS_OF_FILE` of `path.py`.
"""
