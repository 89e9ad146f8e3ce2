"""Where the observed cells say too little: columns nearly without cells, and pairs of columns that
no row has together. The correlation of such a pair rests on the prior and the other columns alone.

Two columns can only be apart where their shares of holes add up to 1, so that few are looked at.
"""

from __future__ import annotations

import numpy as np

from eigenlens.errors import MostlyMissing
from eigenlens.missing.observed import CellReader, cell_blocks

__all__ = ["find_pairs_apart", "warn_of_thin_evidence"]

MOSTLY = 0.8
MOST_COLUMNS = 500  # looked at for pairs: the emptiest


def warn_of_thin_evidence(reader: CellReader) -> None:
    observed, names = reader.observed, reader.source.names
    shares = 1.0 - observed.counts / observed.rows
    name = names.__getitem__ if names else str
    # Contrasts of one categorical column bear its name.
    mostly = list(dict.fromkeys(name(j) for j in np.flatnonzero(shares > MOSTLY).tolist()))
    pairs = list(dict.fromkeys((name(i), name(j)) for i, j in find_pairs_apart(reader)))
    if mostly:
        MostlyMissing.columns_empty(mostly, MOSTLY).warn()
    if pairs:
        MostlyMissing.pairs_apart(pairs).warn()


def find_pairs_apart(reader: CellReader) -> list[tuple[int, int]]:
    """Columns that no row has together, in one pass where there can be any."""
    observed = reader.observed
    shares = 1.0 - observed.counts / observed.rows
    emptiest = np.sort(shares)[::-1]
    if len(shares) < 2 or emptiest[0] + emptiest[1] < 1:
        return []
    columns = np.flatnonzero(shares + emptiest[0] >= 1 - 1e-12)
    columns = np.sort(columns[np.argsort(-shares[columns], kind="stable")][:MOST_COLUMNS])
    together = np.zeros((len(columns), len(columns)))
    for cells in cell_blocks(reader.source):
        seen = (~np.isnan(cells[:, columns])).astype(np.float64)
        together += seen.T @ seen
    found = np.argwhere(np.triu(together == 0, 1))
    return [(int(columns[i]), int(columns[j])) for i, j in found]
