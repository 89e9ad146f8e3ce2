"""find_row: where the row of a name stands; of a name that is not there, the nearest is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption

__all__ = ["find_row"]


def find_row(row: Any, labels: Sequence[Any]) -> int:
    """The position of the only row with this label."""
    places = [place for place, label in enumerate(labels) if label == row]
    if len(places) > 1:
        raise OptionError.needs(
            SetOption("row", row),
            f"a label of one row, and {len(places)} rows have this one",
            Phrase("pass {} and a position", Option("labels", "range(n)")),
        )
    if places:
        return places[0]
    if list(labels) == list(range(len(labels))):
        raise OptionError.needs(
            SetOption("row", row), f"a row of the data, 0 to {len(labels) - 1}", "pass one of them"
        )
    raise OptionError.unknown("row", row, labels)
