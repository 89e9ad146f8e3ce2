"""Contents: all columns of a file in their order, of which a source reads those that are numbers.

| column            | read                                       | told as                         |
|-------------------|--------------------------------------------|---------------------------------|
| numbers           | yes                                        |                                 |
| numbers set aside | when asked for by name or by position      | `left_out`, with the reason     |
| not numbers       | never; an error when asked for by itself   | `left_out`, with the reason     |

Positions are those in the file, as in a frame: whoever asks for columns=[2] means the third.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eigenlens.errors import DataError, FieldError, FileError
from eigenlens.sources.columns import Picked, positions_of_list, repeated_labels, side_by_side
from eigenlens.sources.protocol import Columns

__all__ = ["Contents", "contents_of", "pick_readable"]


@dataclass(frozen=True)
class Contents:
    """What is in a file, by position."""

    names: tuple[str, ...]  # of every column, as messages have it
    numbers: tuple[int, ...]  # those that can be read
    aside: Mapping[int, str] = field(default_factory=dict)  # of `numbers`: why not unless asked for
    others: Mapping[int, str] = field(default_factory=dict)  # that are not numbers: why not
    lists: Mapping[str, range] = field(default_factory=dict)  # columns of lists: their places
    nested: tuple[int, ...] = ()  # of `others`: lists and records that could not be read
    roles: Mapping[int, str] = field(default_factory=dict)  # of `others`, as far as known

    @property
    def left_out(self) -> dict[str, str]:
        """What is no part of the table unless asked for, by name: why."""
        both = {**self.others, **self.aside}
        return {self.names[place]: both[place] for place in sorted(both)}

    def expand_lists(self, columns: Any) -> Any:
        """`columns=` with the columns of each list in the place of its name."""
        if not self.lists or columns is None or isinstance(columns, slice):
            return columns
        asked = [columns] if isinstance(columns, str) else columns
        if not any(isinstance(one, str) and one in self.lists for one in asked):
            return columns
        parts = [
            [self.names[place] for place in self.lists[one]] if one in self.lists else [one]
            for one in asked
        ]
        return [name for part in parts for name in part]


def contents_of(reader: Any) -> Contents:
    """What a reader says about its file; one that says nothing holds numbers only."""
    found: Contents | None = getattr(reader, "contents", None)
    if found is not None:
        return found
    width = reader.shape[1]
    names = reader.names or tuple(f"column {place + 1}" for place in range(width))
    return Contents(names, tuple(range(width)))


def pick_readable(reader: Any, columns: Columns | None) -> Picked:
    """Which of the columns that can be read are meant by `columns=`."""
    contents = contents_of(reader)
    columns = contents.expand_lists(columns)
    order = {place: number for number, place in enumerate(contents.numbers)}
    if columns is None or isinstance(columns, slice):
        span = range(len(contents.names))[slice(None) if columns is None else columns]
        places = [place for place in span if place in order and place not in contents.aside]
    else:
        named = contents.names if reader.names is not None else range(len(contents.names))
        places = positions_of_list(columns, named).tolist()
        refuse_ambiguous(contents, columns)
        refuse_others(reader, contents, places)
    twice = repeated_labels([contents.names[place] for place in places])
    if twice:
        raise DataError.duplicate_names(twice)
    return side_by_side(np.array([order[place] for place in places], dtype=np.intp))


def refuse_ambiguous(contents: Contents, columns: Any) -> None:
    """A name that two columns have, one of them text perhaps, says nothing."""
    asked = {one for one in columns if isinstance(one, str)}
    twice = [name for name in repeated_labels(contents.names) if name in asked]
    if twice:
        raise DataError.duplicate_names(twice)


def refuse_others(reader: Any, contents: Contents, places: Sequence[int]) -> None:
    """A column of text may be left out in silence only by whoever did not ask for it."""
    for place in places:
        if place in contents.others:
            first_text = getattr(reader, "first_text", None)
            name = contents.names[place]
            if place in contents.nested:
                raise FieldError.uneven_lists(reader.label, name)
            value = first_text(name) if first_text is not None else "text"
            raise FileError.not_a_number(reader.label, name, value)
