"""Phrases that every front end shares: entries of tables, counts, lists, percentages.

Shortening, quoting and escaping of names are in `errors.phrasing`, which messages need too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any

from eigenlens.errors.phrasing import count_things, enquote, escape_controls, list_words, shorten

__all__ = [
    "count_things",
    "enquote",
    "escape_controls",
    "format_entry",
    "format_percent",
    "format_ratio",
    "format_share",
    "is_blank",
    "join_names",
    "list_words",
    "shorten",
    "show_numbers",
]

EMPTY = "–"
ROUNDING = 1e-12  # of a share


def format_entry(entry: Any, places: int | None = None) -> str:
    """An entry as it is shown: four digits of a number, or `places` decimals; a dash for none."""
    if is_blank(entry):
        return EMPTY
    if is_truth_value(entry):
        return "yes" if entry else "no"
    if isinstance(entry, Real) and places is not None:
        return f"{round(float(entry), places) + 0.0:.{places}f}"  # no minus before a zero
    if isinstance(entry, Real) and not isinstance(entry, Integral):
        return f"{float(entry):.4g}"
    return escape_controls(str(entry))


def is_blank(entry: Any) -> bool:
    return entry is None or (isinstance(entry, float) and math.isnan(entry))


def is_truth_value(entry: Any) -> bool:
    return type(entry).__name__ in ("bool", "bool_")  # numpy's too


def show_numbers(column: Sequence[Any]) -> bool:
    """Whether a column is aligned as numbers: every entry that is known is one."""
    known = [entry for entry in column if entry is not None]
    return bool(known) and all(
        isinstance(entry, Real) and not is_truth_value(entry) for entry in known
    )


def join_names(names: Iterable[str], most: int = 8) -> str:
    """'PC1', 'PC1 and PC2', 'PC1, PC2 and 9 more'."""
    everything = list(names)
    if len(everything) > most:
        shown = everything[: most - 2]
        return f"{', '.join(shown)} and {len(everything) - len(shown)} more"
    if len(everything) < 2:
        return "".join(everything)
    return f"{', '.join(everything[:-1])} and {everything[-1]}"


def format_ratio(ratio: float) -> str:
    """'3.5', '379', '3,849': three digits, or whole where that is more."""
    return f"{ratio:,.0f}" if 100 <= ratio < 1e9 else f"{ratio:.3g}"


def format_percent(share: float, places: int) -> str:
    """'4.2%' in a sentence; a little is not called nothing, nor nearly all everything."""
    text = format_share(share, places)
    words = {"<": "less than ", ">": "more than "}
    return words.get(text[0], "") + text.lstrip("<>")


def format_share(share: float, places: int) -> str:
    """'4.2%', '<0.1%', '>99.9%' in a table; 0% and 100% are exact, rounding aside."""
    least = 10.0**-places
    if ROUNDING < share < least / 200:
        return f"<{least:.{places}f}%"
    if 1 - least / 200 <= share < 1 - ROUNDING:
        return f">{100 - least:.{places}f}%"
    return f"{max(share, 0.0):.{places}%}"
