"""One gentle caution each about the data, from a rule with its number.

| said when                                                             | number            |
|-----------------------------------------------------------------------|-------------------|
| columns are as many as rows, or more                                  | columns per row   |
| rows are fewer than 30                                                | sampling error    |
| half of the cells are 0, or more                                      | their share       |
| columns hold whole numbers of 3 to 10 values: codes of categories?    | how many columns  |
| scores of neighboring rows correlate by 0.5 or more: ordered by time? | the correlation   |
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eigenlens.errors.phrasing import listed
from eigenlens.explain.seen import Finding, Seen

__all__ = ["of_codes", "of_few_rows", "of_order", "of_width", "of_zeros"]

FEW_ROWS = 30
MANY_ZEROS = 0.5
CODES = (3, 10)
ALIKE = 0.5
SURE = 3.0  # standard errors


def of_width(seen: Seen) -> Iterator[Finding]:
    n, d = seen.source.shape
    if d >= n:
        text = (
            f"There are {d} columns and only {n} rows: the last components fit these rows alone "
            f"and say nothing of others."
        )
        yield Finding("data", text, d / n)


def of_few_rows(seen: Seen) -> Iterator[Finding]:
    n = seen.source.shape[0]
    if n < FEW_ROWS:
        error = float(np.sqrt(2 / n))
        text = f"There are only {n} rows: every eigenvalue is uncertain by about {error:.0%}."
        yield Finding("data", text, error)


def of_zeros(seen: Seen) -> Iterator[Finding]:
    if seen.zeros >= MANY_ZEROS:
        text = (
            f"{seen.zeros:.0%} of the cells are 0: components may tell how many entries a row has "
            f"rather than which."
        )
        yield Finding("data", text, seen.zeros)


def of_codes(seen: Seen) -> Iterator[Finding]:
    values = seen.high - seen.low + 1
    coded = np.flatnonzero(seen.whole & (values >= CODES[0]) & (values <= CODES[1]))
    if len(coded):
        names = listed([seen.names[place] for place in coded], limit=5, quote=False)
        holds = "column holds" if len(coded) == 1 else "columns hold"
        text = (
            f"{len(coded)} {holds} few whole numbers ({names}): if they are codes of categories, "
            f"the distances between them mean nothing."
        )
        yield Finding("data", text, len(coded))


def of_order(seen: Seen) -> Iterator[Finding]:
    if not seen.model.n_filled:
        return
    alike = seen.neighbors[: seen.model.n_filled]
    best = int(alike.argmax())
    if alike[best] >= max(ALIKE, SURE / np.sqrt(len(seen.scores))):
        text = (
            f"Neighboring rows resemble each other (correlation {alike[best]:.2f} along "
            f"PC{best + 1}): if rows are in order of time, fewer of them are independent than it "
            f"seems."
        )
        yield Finding("data", text, float(alike[best]))
