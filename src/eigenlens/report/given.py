"""given: what a report was asked for, checked and brought together; nothing is computed yet."""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.random import random_generator
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase
from eigenlens.explain.outliers import outliers
from eigenlens.explain.reading import fitted, weights_for
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace
from eigenlens.report.beside import beside_rows
from eigenlens.report.facts import Extra, Facts
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import keep_within, traits_of
from eigenlens.table.budget import budget_bytes

__all__ = ["facts_of"]

HELD = 4  # rows of a file are held in memory where they take at most this part of the budget
BLOCK_BYTES = 8 << 20


def facts_of(
    model: Any,
    data: Any,
    *,
    id: Any,
    group: Any,
    supplementary_columns: Any,
    supplementary_rows: Any,
    supplementary_id: Any = None,
    weights: Any,
    seed: int,
    memory: Any,
    again: str,
) -> Facts:
    """What was asked for, checked: nothing is computed yet but what the checks need."""
    model = fitted(model)
    random_generator(seed)
    budget = budget_bytes(memory)
    source = match_columns(model, data)
    if source.shape[0] != model.n_rows:
        raise OptionError.needs(
            f"a report with {source.shape[0]:,} row(s), of a model fitted to {model.n_rows:,},",
            "the rows of the fit",
            Phrase("pass those as data, and others as {}", Option("supplementary_rows")),
        )
    heavy = weights_for(model, weights, source, must=True)
    names = model.feature_names
    beside = beside_rows(data, source.shape[0], id, group, supplementary_columns, names)
    named = id if supplementary_id is None and isinstance(id, str | int) else supplementary_id
    extra = extra_rows(model, supplementary_rows, named)
    kept = in_memory(keep_within(source, budget), budget)
    return Facts(model, kept, heavy, beside, extra, seed, budget, again)


def in_memory(source: Source, budget: int) -> Source:
    """Rows of a file are read some twenty times: once is enough where they fit well."""
    n, d = source.shape
    small = HELD * n * d * source.dtype.itemsize <= budget
    if (
        not traits_of(source).is_stored
        or traits_of(source).in_place
        or source.is_sparse
        or not small
    ):
        return source
    rows = np.empty((n, d), dtype=source.dtype)
    start = 0
    for block in source.blocks(max(1, BLOCK_BYTES // (d * source.dtype.itemsize))):
        rows[start : start + len(block)] = block
        start += len(block)
    return open_source(rows)


def extra_rows(model: Subspace, rows: Any, id: Any) -> Extra | None:
    """`id`: a column that these rows have too, or one name for each."""
    if rows is None:
        return None
    source = match_columns(model, rows)
    labels = beside_rows(rows, source.shape[0], id, [], None).labels
    texts = [str(one) for one in labels]
    table = outliers(model, source, new=True, labels=texts)
    return Extra(texts, source, table)
