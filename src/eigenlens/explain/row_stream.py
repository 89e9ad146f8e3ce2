"""row_stream: the figures of every row, block by block, for tables too long to be held.

    scores     PC1 ... PCk, T2, Q, quadrant
    details    PC1_score, PC1_cos2, PC1_contribution, ..., distance, T2, Q, quadrant

The numbers of `rows` and `outliers`, with one line per row. Cost: one pass, in memory one block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.explain.convention import Convention, get_convention
from eigenlens.explain.distances import RowBlock, check_rows_of_fit, distance_blocks
from eigenlens.explain.limits import check_levels
from eigenlens.explain.model_rows import get_model, weights_for
from eigenlens.explain.outliers import (
    Limits,
    find_limits,
    outlier_notes,
    q_is_rounding,
    quadrants_of,
)
from eigenlens.explain.rows import shares_of
from eigenlens.model.rows import match_columns, require_finite
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source

__all__ = ["RowStream", "row_stream"]

StreamColumns = dict[str, Any]


@dataclass(frozen=True, eq=False)
class RowStream:
    """`t2`, `q`: the limits at each of `levels`, None where there is no law; `notes` say why."""

    model: Subspace
    source: Source
    style: Convention
    new: bool
    levels: Sequence[float]
    t2: Limits
    q: Limits
    weights: Float64Array
    notes: tuple[str, ...]

    @property
    def limits(self) -> dict[str, float | None]:
        """By the names that `outliers` gives them."""
        found: dict[str, float | None] = {}
        for name, limits, factor in (("T2", self.t2, self.t2_factor), ("Q", self.q, self.q_factor)):
            for level, limit in zip(self.levels, limits, strict=True):
                named = f"{name}_limit_{100 * level:.10g}"
                found[named] = None if limit is None else limit * factor
        return found

    @property
    def q_factor(self) -> float:
        return self.style.score_factor(self.model) ** 2

    @property
    def t2_factor(self) -> float:
        return self.q_factor / self.style.eigenvalue_factor(self.model)

    def scores(self, block: RowBlock) -> StreamColumns:
        """The columns of a block by name."""
        names = self.style.components(self.model.n_components)
        scores = block.scores * self.style.score_factor(self.model)
        return {**dict(zip(names, scores.T, strict=True)), **self.distances(block)}

    def details(self, block: RowBlock) -> StreamColumns:
        factor, called = self.style.score_factor(self.model), self.style.names
        weights = self.weights[block.span]
        cos2, made = shares_of(self.model, block.scores, block.lengths, weights)
        columns: StreamColumns = {}
        for place, name in enumerate(self.style.components(self.model.n_components)):
            columns[f"{name}_{called.get('score', 'score')}"] = block.scores[:, place] * factor
            columns[f"{name}_cos2"] = cos2[:, place]
            columns[f"{name}_{called.get('contribution', 'contribution')}"] = made[:, place]
        columns[called.get("distance", "distance")] = np.sqrt(block.lengths) * factor
        return columns | self.distances(block)

    def distances(self, block: RowBlock) -> StreamColumns:
        highest = int(np.argmax(self.levels))
        apart = block.distances
        if q_is_rounding(self.model, self.new):
            apart = np.zeros_like(apart)
        return {
            "T2": block.extremes * self.t2_factor,
            "Q": apart * self.q_factor,
            "quadrant": quadrants_of(block.extremes, apart, self.t2[highest], self.q[highest]),
        }

    def blocks(self) -> Iterator[RowBlock]:
        """One pass over the rows; ask `scores` or `details` what each block has to say."""
        for block in distance_blocks(self.model, self.source):
            require_finite(block.lengths, self.model, self.source)
            yield block


def row_stream(
    model: Any,
    data: Any,
    *,
    new: bool = False,
    levels: Sequence[float] = (0.95, 0.99),
    reference: Any = None,
    weights: Any = None,
    convention: str | None = None,
) -> RowStream:
    """The rows of the fit, or with `new` others, to be read block by block.

    `levels`, `reference` are those of `outliers`; `weights` those of the fit.

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((50, 4)) * [5, 3, 1, 1]
    >>> stream = row_stream(eigenlens.fit(rows, 2), rows)
    >>> [list(stream.scores(block)) for block in stream.blocks()]
    [['PC1', 'PC2', 'T2', 'Q', 'quadrant']]
    """
    model, style = get_model(model), get_convention(convention)
    levels = check_levels(levels)
    source = match_columns(model, data) if new else check_rows_of_fit(model, data)
    t2, q, left = find_limits(model, source, levels, new=new, reference=reference)
    notes = tuple(outlier_notes(model, t2, left, new and model.n_components < model.n_features))
    heavy = weights_for(model, weights, source, must=False)
    return RowStream(model, source, style, new, levels, t2, q, heavy, notes)
