"""findings: the model and its rows in plain sentences, each from a rule with its number.

The rules are tables in `axis_findings.py`, `row_findings.py` and `data_findings.py`: what is said,
and when. Poles are named, causes never; chance is told from structure before anything is said. A
rule that has nothing to say is silent. Missing cells are an error of the fit, so none speaks of
them.
Cost   two passes, and what `choose_rank` costs unless its report is passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.axis_findings import (
    of_axes,
    of_count,
    of_degeneracy,
    of_rank,
    of_scale,
    of_size,
)
from eigenlens.explain.beside import columns_beside
from eigenlens.explain.data_findings import of_codes, of_few_rows, of_order, of_width, of_zeros
from eigenlens.explain.distances import rows_of_fit
from eigenlens.explain.reading import fitted, labels_of, weights_for
from eigenlens.explain.row_findings import of_groups, of_influence, of_rows
from eigenlens.explain.seen import Finding, Seen, seen_in
from eigenlens.model.merge import is_standardized
from eigenlens.questions import choose_rank
from eigenlens.rank.report import RankReport

__all__ = ["findings"]

FEWEST = 10  # rows to tell noise from structure
RULES = (
    of_rank,
    of_scale,
    of_size,
    of_axes,
    of_degeneracy,
    of_rows,
    of_influence,
    of_width,
    of_few_rows,
    of_zeros,
    of_codes,
    of_order,
)


def findings(
    model: Any,
    data: Any,
    *,
    groups: Any = None,
    weights: Any = None,
    labels: Sequence[Any] | None = None,
    ranks: RankReport | None = None,
    seed: int = 0,
) -> Table:
    """What there is to say: one line per finding, with its topic and its number.

    Parameters
    ----------
    data : the rows of the fit
    groups : outside columns: names in `data`, or a mapping from name to one entry per row
    weights : those of the fit, if it had any
    labels : names of the rows; a pandas frame names them by its index
    ranks : what `eigenlens.choose_rank` said of these data, if it was asked already

    >>> import numpy as np, eigenlens
    >>> rng = np.random.default_rng(0)
    >>> rows = rng.standard_normal((200, 4)) * [400, 1, 1, 1]
    >>> table = findings(eigenlens.fit(rows, 1), rows)
    >>> list(table["topic"][:2]), table["finding"][1][:50]
    (['k', 'scale'], 'Column x0 has 379 times the spread of the rest and')
    """
    model = fitted(model)
    source = rows_of_fit(model, data)
    heavy = weights_for(model, weights, source, must=True)
    seen = seen_in(model, source, labels_of(data, labels, source.shape[0]), heavy)
    beside = [] if groups is None else columns_beside(data, groups, source.shape[0])
    if ranks is not None and not isinstance(ranks, RankReport):
        raise OptionError.needs(
            SetOption("ranks", ranks),
            "a report of eigenlens.choose_rank",
            Phrase("pass {} to ask it", SetOption("ranks", None)),
        )
    if ranks is None and source.shape[0] >= FEWEST:
        ranks = ranks_of(seen, seed)
    found = [*of_count(seen, ranks), *spoken(seen), *of_groups(seen, beside)]
    return Table(
        {
            "topic": [one.topic for one in found],
            "number": [one.number for one in found],
            "finding": [one.sentence for one in found],
        }
    )


def spoken(seen: Seen) -> Iterator[Finding]:
    for rule in RULES:
        yield from rule(seen)


def ranks_of(seen: Seen, seed: int) -> RankReport:
    """Every rule's answer for these rows, prepared as the model's were."""
    model = seen.model
    return choose_rank(
        seen.source,
        center=model.mean is not None,
        scale="std" if is_standardized(model) else model.scale,
        weights=None if (seen.weights == 1).all() else seen.weights,
        seed=seed,
    )
