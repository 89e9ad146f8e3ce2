"""find_row: where the row of a name stands; of a name that is not there, the nearest is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eigenlens.errors import OptionError

__all__ = ["find_row"]


def find_row(row: Any, labels: Sequence[Any]) -> int:
    """The position of the only row with this label."""
    places = [place for place, label in enumerate(labels) if label == row]
    if len(places) > 1:
        raise OptionError.needs(
            f"row={row!r}",
            f"a label of one row, and {len(places)} rows have this one",
            "Pass labels=range(n) and a position.",
        )
    if places:
        return places[0]
    if list(labels) == list(range(len(labels))):
        raise OptionError.needs(
            f"row={row!r}", f"a row of the data, 0 to {len(labels) - 1}", "Pass one of them."
        )
    raise OptionError.unknown("row", row, labels)
