"""outlier_level: the limit that `--fail-on outliers` and `--level` are about.

By default it is that of the sentence about outliers: all rows of an ordinary table stay below it,
except in one table of 100. `--level 0.99` is a limit for a single row, beyond which about one
ordinary row in a hundred lies.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from eigenlens.cli.options import ANALYSIS, option
from eigenlens.cli.tables import count_odd_rows, read_stream
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption

if TYPE_CHECKING:
    from eigenlens.cli.input_table import InputTable
    from eigenlens.cli.stderr import Messages
    from eigenlens.model.subspace import Subspace

__all__ = ["RowLevel", "check_level", "count_outliers"]

RowLevel = Annotated[
    float | None,
    option(
        ANALYSIS,
        "--level",
        metavar="SHARE",
        help="Share of ordinary rows within the limits (--fail-on: by default all of a table).",
    ),
]


def check_level(level: float | None) -> None:
    if level is not None and not 0 < level < 1:
        raise OptionError.needs(
            SetOption("level", level),
            "a number above 0 and below 1",
            Phrase("pass for example {}", SetOption("level", 0.95)),
        )


def count_outliers(
    model: Subspace,
    table: InputTable,
    level: float | None,
    talk: Messages,
    *,
    new: bool = False,
    reference: str | None = None,
) -> int:
    """Rows beyond the limit, in one pass over them."""
    from eigenlens.explain.row_findings import whole_table_level
    from eigenlens.explain.row_stream import row_stream

    bar = whole_table_level(table.source.shape[0]) if level is None else level
    stream = row_stream(model, table.source, new=new, levels=(bar,), reference=reference)
    counts: Counter[str] = Counter()
    for block in read_stream(stream, talk):
        counts.update(map(str, stream.distances(block)["quadrant"]))
    return count_odd_rows(counts)
