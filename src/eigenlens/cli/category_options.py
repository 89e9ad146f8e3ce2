"""Options about categories, as a record; `command.py` makes options of the fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from eigenlens.cli.options import DATA, option

__all__ = ["CategoryOptions"]


@dataclass(frozen=True)
class CategoryOptions:
    categories: Annotated[
        str,
        option(
            DATA,
            "--categories",
            metavar="WHICH",
            help="Columns that are categories: drop (leave text out), auto, names separated by "
            "commas, or counts (the table holds counts).",
        ),
    ] = "drop"
    rare: Annotated[
        float,
        option(
            DATA,
            "--rare",
            metavar="SHARE",
            help="Levels with a smaller share of the rows become one, 'other'; 0 keeps all.",
        ),
    ] = 0.01

    @property
    def takes_text(self) -> bool:
        """Whether columns of text may be analyzed."""
        return self.categories not in ("drop", "counts")
