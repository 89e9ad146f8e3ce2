"""Messages about blocks of a stream: what each must repeat, and the way out it must show."""

from functools import partial

from eigenlens.errors import DataError, StreamError

STREAM_MESSAGES = [
    (
        partial(DataError.in_block, 3, "a reason"),
        ["block 3 of the stream", "a reason"],
        ["counted from 0"],
    ),
    (
        partial(StreamError.not_a_block, 3, str),
        ["block 3", "type str"],
        ["2-D arrays", "row[None, :]"],
    ),
    (
        partial(StreamError.not_blocks, "read()", int),
        ["read() returned", "type int"],
        ["Return an iterator"],
    ),
    (partial(StreamError.no_blocks, "read()"), ["read() gave no rows"], ["at least 2 rows"]),
    (
        partial(StreamError.no_rows_in_query, "a relation"),
        ["a relation gave no rows"],
        ["conditions of the query"],
    ),
    (
        partial(StreamError.different_widths, 3, 5, 6),
        ["block 3", "5 columns", "has 6"],
        ["columns=[...]"],
    ),
    (
        partial(StreamError.different_names, 3, ["a"], ["b"]),
        ["block 3", "'a'", "'b'"],
        ["same order", "columns=[...]"],
    ),
    (
        partial(StreamError.changed_stream, "read()", 9, 4),
        ["read() gave 9 rows", "but 4 this time"],
        ["fresh iterator"],
    ),
    (
        partial(StreamError.changed_stream, "read()", 9, 12),
        ["read() gave 9 rows", "but 12 or more"],
        ["fresh iterator"],
    ),
    (
        partial(StreamError.read_once, (9, 4)),
        ["9 rows", "read once"],
        ["callable", "eigenlens.fit(lambda: blocks()"],
    ),
    (
        partial(StreamError.too_wide_to_keep, 100_000, 16384),
        ["100000 columns", "80 GB"],
        ["callable", "columns=[...]", "IncrementalPCA"],
    ),
    (
        partial(StreamError.not_for_iterators),
        ["an iterator of blocks"],
        ["lambda: blocks()", "model.project(block)"],
    ),
    (
        partial(StreamError.changed_numbers, "read()"),
        ["read()", "other numbers"],
        ["same rows", "draws at random"],
    ),
]
