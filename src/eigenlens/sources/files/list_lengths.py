"""How long the lists of a column are: told by the kind of the column, by the footer, or by batches.

Columns whose lists differ in length are left out where they were not asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from eigenlens.sources.files.arrow_batches import is_arrow_number

__all__ = ["arrow_list_lengths", "is_list_of_numbers", "length_of_first", "parquet_list_lengths"]


def is_list_of_numbers(kind: Any) -> bool:
    from pyarrow import types

    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    return bool(is_list and is_arrow_number(kind.value_type))


def fixed_length(kind: Any) -> int:
    """The length that the kind of a column fixes, else 0."""
    from pyarrow import types

    return int(kind.list_size) if types.is_fixed_size_list(kind) else 0


def lengths_in(column: Any) -> set[int]:
    """The different lengths of the lists in an Arrow array."""
    from pyarrow import compute

    counts = compute.unique(compute.list_value_length(column))
    return {int(count) for count in counts.to_pylist() if count is not None}


def length_of_first(column: Any) -> int:
    """The length of the first list that is one, else 0."""
    from pyarrow import compute

    known = compute.list_value_length(column).drop_null()
    return int(known[0].as_py()) if len(known) else 0


def arrow_list_lengths(schema: Any, batches: Callable[[], Iterable[Any]]) -> dict[str, int]:
    """Columns of lists that all have one length, by name; their offsets are read for it."""
    lists = [field.name for field in schema if is_list_of_numbers(field.type)]
    fixed = {name: fixed_length(schema.field(name).type) for name in lists}
    found: dict[str, set[int]] = {name: {length} for name, length in fixed.items() if length}
    if len(found) < len(lists):
        for batch in batches():
            for name in lists:
                if not fixed[name]:
                    found.setdefault(name, set()).update(lengths_in(batch.column(name)))
    single = {name: next(iter(every)) for name, every in found.items() if len(every) == 1}
    return {name: length for name, length in single.items() if length}


def parquet_list_lengths(
    footer: Any, schema: Any, length_in_file: Callable[[str], int]
) -> dict[str, int]:
    """Columns of lists that all have one length, by name: the length of the first.

    How many numbers there are tells lists of different lengths, which are left out; two wrong ones
    that make up for each other are seen when they are read. A list that is missing counts as one
    number, which is missing.
    """
    lists = {field.name: field.type for field in schema if is_list_of_numbers(field.type)}
    stored, missing = dict.fromkeys(lists, 0), dict.fromkeys(lists, 0)
    for group in range(footer.num_row_groups if lists else 0):
        described = footer.row_group(group)
        for place in range(described.num_columns):
            column = described.column(place)
            name = column.path_in_schema.split(".")[0]
            if name in stored:
                stored[name] += column.num_values
                facts = column.statistics
                known = facts is not None and facts.has_null_count
                missing[name] += facts.null_count if known else 0
    lengths: dict[str, int] = {}
    for name, kind in lists.items():
        length, rows, holes = fixed_length(kind), footer.num_rows, missing[name]
        if length == 0:
            length = length_in_file(name)
            even = length * rows == stored[name]
            even = even or length * (rows - holes) == stored[name] - holes
            length = length if even else 0
        if length:
            lengths[name] = length
    return lengths
