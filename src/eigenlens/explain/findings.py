"""findings: the model and its rows in plain sentences, each from a rule with its number.

The rules are tables: what is said, and when. Those about components are in `axis_findings.py`,
about rows and groups in `row_findings.py`; here are the cautions about the data:

| said when                                                             | number            |
|-----------------------------------------------------------------------|-------------------|
| columns are as many as rows, or more                                  | columns per row   |
| rows are fewer than 30                                                | sampling error    |
| half of the cells are 0, or more                                      | their share       |
| columns hold whole numbers of 3 to 10 values: codes of categories?    | how many columns  |
| scores of neighboring rows correlate by 0.5 or more: sorted, or time? | the correlation   |

Poles are named, causes never; chance is told from structure before anything is said. A rule that
has nothing to say is silent. Missing cells are an error of the fit, so none speaks of them.
Cost   two passes, and what `choose_rank` costs unless its report is passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from eigenlens.document.phrases import list_words
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.axis_findings import (
    find_axes,
    find_count,
    find_mixed_axes,
    find_rank,
    find_scale,
    find_size,
)
from eigenlens.explain.distances import check_rows_of_fit
from eigenlens.explain.evidence import Evidence, Finding, read_evidence
from eigenlens.explain.level_findings import find_farthest_row, without_own_columns
from eigenlens.explain.model_rows import get_model, labels_of, weights_for
from eigenlens.explain.outside_columns import outside_columns
from eigenlens.explain.row_findings import find_groups, find_influence, find_outlying_rows
from eigenlens.explain.row_order import find_order
from eigenlens.model.merge import is_standardized
from eigenlens.questions import choose_rank
from eigenlens.rank.report import RankReport

__all__ = ["collect_findings", "findings"]

FEWEST = 10  # rows to tell noise from structure
FEW_ROWS = 30
MANY_ZEROS = 0.5
CODES = (3, 10)


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
    >>> list(table["topic"][:2]), table["finding"][1][:37]
    (['k', 'scale'], "'x0' varies 411 times as much as 'x1'")
    """
    found = collect_findings(
        model, data, groups=groups, weights=weights, labels=labels, ranks=ranks, seed=seed
    )
    return Table(
        {
            "topic": [one.topic for one in found],
            "number": [one.number for one in found],
            "finding": [one.sentence for one in found],
        }
    )


def collect_findings(
    model: Any,
    data: Any,
    *,
    groups: Any = None,
    weights: Any = None,
    labels: Sequence[Any] | None = None,
    ranks: RankReport | None = None,
    seed: int = 0,
) -> list[Finding]:
    """The findings as records, with the components, rows and columns they are about."""
    model = get_model(model)
    source = check_rows_of_fit(model, data)
    heavy = weights_for(model, weights, source, must=True)
    evidence = read_evidence(model, source, labels_of(data, labels, source.shape[0]), heavy)
    columns = [] if groups is None else outside_columns(data, groups, source.shape[0])
    if ranks is not None and not isinstance(ranks, RankReport):
        raise OptionError.needs(
            SetOption("ranks", ranks),
            "a report of eigenlens.choose_rank",
            Phrase("pass {} to ask it", SetOption("ranks", None)),
        )
    if ranks is None and source.shape[0] >= FEWEST:
        ranks = ask_ranks(evidence, seed)
    return [
        *find_count(evidence, ranks),
        *find_rank(evidence),
        *find_scale(evidence),
        *find_size(evidence),
        *find_axes(evidence),
        *find_mixed_axes(evidence),
        *(find_outlying_rows if model.categories is None else find_farthest_row)(evidence),
        *find_influence(evidence),
        *find_width(evidence),
        *find_few_rows(evidence),
        *find_zeros(evidence),
        *find_codes(evidence),
        *find_order(evidence, columns),
        *find_groups(evidence, without_own_columns(model, columns)),
    ]


def ask_ranks(evidence: Evidence, seed: int) -> RankReport:
    """Every rule's answer for these rows, prepared as the model's were."""
    model = evidence.model
    return choose_rank(
        evidence.source,
        center=model.mean is not None,
        scale="std" if is_standardized(model) else model.scale,
        weights=None if (evidence.weights == 1).all() else evidence.weights,
        seed=seed,
    )


# -- cautions about the data -----------------------------------------------------------------


def find_width(evidence: Evidence) -> Iterator[Finding]:
    n, d = evidence.source.shape
    if d >= n:
        text = (
            f"There are {d} columns and only {n} rows: the last components fit these rows only "
            f"and do not generalize."
        )
        yield Finding("data", text, d / n)


def find_few_rows(evidence: Evidence) -> Iterator[Finding]:
    n = evidence.source.shape[0]
    if n < FEW_ROWS:
        error = float(np.sqrt(2 / n))
        text = f"There are only {n} rows: every eigenvalue is uncertain by about {error:.0%}."
        yield Finding("data", text, error)


def find_zeros(evidence: Evidence) -> Iterator[Finding]:
    if evidence.zeros >= MANY_ZEROS and evidence.model.categories is None:
        text = (
            f"{evidence.zeros:.0%} of the cells are 0: components may reflect how many entries a "
            f"row has rather than which ones."
        )
        yield Finding("data", text, evidence.zeros)


def find_codes(evidence: Evidence) -> Iterator[Finding]:
    values = evidence.high - evidence.low + 1
    coded = np.flatnonzero(evidence.whole & (values >= CODES[0]) & (values <= CODES[1]))
    if len(coded):
        names = tuple(evidence.names[place] for place in coded)
        holds = "column holds" if len(coded) == 1 else "columns hold"
        text = (
            f"{len(coded)} {holds} few whole numbers ({list_words(names, 5)}): if these are codes "
            f"of categories, the distances between them mean nothing."
        )
        yield Finding("data", text, len(coded), columns=names)
