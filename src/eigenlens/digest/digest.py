"""Digest: everything that screen, page and JSON speak of, computed on first use and kept.

All rows are asked; what would take too long is in `sampled_questions.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.algebra.random import random_generator
from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.digest.row_info import ExtraRows, RowInfo, describe_rows, judge_extra_rows
from eigenlens.digest.sampled_questions import SampledQuestions
from eigenlens.digest.wider_model import fit_wider, prepared_as
from eigenlens.document.phrases import count_things, enquote
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase
from eigenlens.explain.contributions import order_for, prepare_row, row_parts
from eigenlens.explain.data_check import data_check
from eigenlens.explain.evidence import Finding
from eigenlens.explain.findings import collect_findings
from eigenlens.explain.model_rows import get_model, scores_and_lengths, variable_names, weights_for
from eigenlens.explain.outliers import outliers
from eigenlens.explain.variables import correlations
from eigenlens.missing.completed import CompletedSource
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace
from eigenlens.rank.report import RankReport
from eigenlens.sources.checksum import Checksum
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import keep_within, traits_of
from eigenlens.table.budget import budget_bytes

__all__ = ["EXPLAINED_ROWS", "Digest", "digest_of"]

PLANE, MAP_COMPONENTS = 2, 4
EXPLAINED_ROWS = 20
ENDS = 3
ROWS_PER_BLOCK = 4096
SHARE_IN_MEMORY = 4  # rows of a file are held where they take at most this part of the budget
BLOCK_BYTES = 8 << 20
NO_RANKS = RankReport(0, {}, {}, {})


def digest_of(
    model: Any,
    data: Any,
    rows: RowInfo | None = None,
    *,
    extra: Any = None,
    extra_labels: Any = None,
    weights: Any = None,
    seed: int = 0,
    memory: Any = None,
    code: str = "",
) -> Digest:
    """Nothing is computed yet but what the checks need.

    `rows`: their labels and groups, by default as `describe_rows` finds them; `extra`: rows outside
    the fit; `code`: what to type to get the same page again.
    """
    model = get_model(model)
    random_generator(seed)
    budget = budget_bytes(memory)
    source = match_columns(model, data)
    if source.shape[0] != model.n_rows:
        raise OptionError.needs(
            f"a report with {count_things(source.shape[0], 'row')}, of a model fitted to "
            f"{model.n_rows:,},",
            "the rows of the fit",
            Phrase("pass those as data, and others as {}", Option("supplementary_rows")),
        )
    heavy = weights_for(model, weights, source, must=True)
    if rows is None:
        rows = describe_rows(data, source.shape[0], analyzed=model.feature_names)
    others = None if extra is None else judge_extra_rows(model, extra, extra_labels)
    held = hold_in_memory(keep_within(source, budget), budget)
    return Digest(model, held, heavy, rows, others, seed, budget, code)


def hold_in_memory(source: Source, budget: int) -> Source:
    """Rows of a file are read some twenty times: once is enough where they fit well."""
    n, d = source.shape
    small = SHARE_IN_MEMORY * n * d * source.dtype.itemsize <= budget
    traits = traits_of(source)
    if not traits.is_stored or traits.in_place or source.is_sparse or not small:
        return source
    blocks = source.blocks(max(1, BLOCK_BYTES // (d * source.dtype.itemsize)))
    return open_source(np.concatenate(list(blocks)))


@dataclass(frozen=True, eq=False)
class Digest:
    """The model, its rows, and what `explain` and `questions` say of them.

    `memory`: bytes to use beside the data; `code`: what to type to get the same page again.
    """

    model: Subspace
    source: Source
    weights: Float64Array
    rows: RowInfo
    extra: ExtraRows | None
    seed: int
    memory: int
    code: str

    @cached_property
    def sampled(self) -> SampledQuestions:
        return SampledQuestions(
            self.model, self.source, self.weights, self.preparation, self.seed, self.memory
        )

    @property
    def given_weights(self) -> Float64Array | None:
        return None if (self.weights == 1).all() else self.weights

    @property
    def preparation(self) -> dict[str, Any]:
        """How the rows of the model were prepared, as `fit` takes it."""
        return prepared_as(self.model)

    @cached_property
    def checksum(self) -> str:
        """Of the numbers, as they were read: other data have another."""
        checksum = Checksum()
        for block in self.source.blocks(ROWS_PER_BLOCK):
            checksum.add(block)
        return str(checksum)

    # -- missing cells ---------------------------------------------------------------------

    @property
    def lacks_cells(self) -> bool:
        return self.model.missing is not None and self.model.missing.cells > 0

    @property
    def incomplete(self) -> Source:
        """The rows as they were given, their holes not filled."""
        return self.source.source if isinstance(self.source, CompletedSource) else self.source

    # -- components ------------------------------------------------------------------------

    @cached_property
    def wider(self) -> Subspace:
        """A model with some more components, to see what one more would bring."""
        return fit_wider(self.model, self.source, self.given_weights, self.memory, self.seed)

    @cached_property
    def drawn(self) -> Subspace:
        """The model itself, or one with a second component where it has no plane to show."""
        enough = self.model.n_components >= PLANE or self.wider is self.model
        return self.model if enough else self.wider.truncate(min(PLANE, self.wider.n_components))

    @property
    def map_components(self) -> int:
        """How many components the map offers: those kept, and some more if they are few."""
        return max(self.model.n_components, min(MAP_COMPONENTS, self.wider.n_components))

    @property
    def not_kept_note(self) -> str:
        """What to say where components are shown that the model does not keep."""
        if self.map_components == self.model.n_components:
            return ""
        kept = count_things(self.model.n_components, "component")
        return f"The model keeps {kept}; the map shows a few more, which may be noise."

    @property
    def correlations(self) -> Float64Array:
        """(d, components of the map), of every variable with every component."""
        own = correlations(self.model)
        return np.hstack([own, correlations(self.wider)[:, own.shape[1] : self.map_components]])

    # -- rows ------------------------------------------------------------------------------

    @cached_property
    def scores(self) -> Float64Array:
        """Along the components of the map."""
        return self.scores_of(self.source)

    @cached_property
    def extra_scores(self) -> Float64Array:
        """The same of the rows outside the fit."""
        if self.extra is None:
            return np.empty((0, self.map_components))
        return self.scores_of(self.extra.source)

    def scores_of(self, source: Source) -> Float64Array:
        own = scores_and_lengths(self.model, source)[0]
        if self.map_components == own.shape[1]:
            return own
        wide = scores_and_lengths(self.wider, source)[0]
        return np.hstack([own, wide[:, own.shape[1] : self.map_components]])

    def row_name(self, row: int) -> str:
        """A row in a sentence: row 'Mercedes 240D', or row 7."""
        return f"row {enquote(self.rows.labels[row])}"

    def rows_at_ends(self, component: int) -> tuple[list[str], list[str]]:
        """Labels of the rows farthest along a component (from 1), and farthest the other way."""
        along = self.scores[:, component - 1]
        few = max(min(ENDS, len(along) // 2), 1)
        far = np.argpartition(along, [few - 1, len(along) - few])
        low = sorted((row for row in far[:few] if along[row] < 0), key=lambda row: along[row])
        high = sorted((row for row in far[-few:] if along[row] > 0), key=lambda row: -along[row])
        labels = self.rows.labels
        return [str(labels[row]) for row in high], [str(labels[row]) for row in low]

    # -- outliers --------------------------------------------------------------------------

    @cached_property
    def outliers(self) -> Table:
        return outliers(self.model, self.source, labels=self.rows.labels)

    @property
    def has_limits(self) -> bool:
        return any(self.outliers[f"{name}_limit_99"][0] is not None for name in ("T2", "Q"))

    @cached_property
    def beyond_limits(self) -> list[int]:
        """Rows beyond the 99 % limits, the farthest first."""
        usual = np.array([name in ("usual", None) for name in self.outliers["quadrant"]])
        return [int(row) for row in self.farthest if not usual[row]]

    @cached_property
    def farthest(self) -> IntArray:
        """All rows, by how many times they exceed their limits."""
        times = np.maximum(self.times_limit("T2"), self.times_limit("Q"))
        return np.argsort(-times, kind="stable")

    @cached_property
    def explained_rows(self) -> Float64Array:
        """The numbers of the first EXPLAINED_ROWS rows beyond the limits, read together."""
        rows = self.source.sample(np.array(self.beyond_limits[:EXPLAINED_ROWS], dtype=np.intp))
        return rows.astype(np.float64, copy=False)

    @cached_property
    def reasons(self) -> list[list[str]]:
        """For each of them its variables, the one to be checked first in front."""
        if not self.beyond_limits:
            return []
        names, rows = variable_names(self.model), open_source(self.explained_rows)
        found = []
        for place, row in enumerate(self.beyond_limits[:EXPLAINED_ROWS]):
            ready = prepare_row(self.model, rows, place)
            parts = row_parts(self.model, ready)
            order = order_for(self.main_statistic(row), self.model, *parts, ready)
            found.append([names[one] for one in order])
        return found

    def main_statistic(self, row: int) -> str:
        """The statistic that exceeds its limit by more."""
        times = {name: self.times_limit(name)[row] for name in ("T2", "Q")}
        return "T2" if times["T2"] > times["Q"] else "Q"

    def times_limit(self, statistic: str) -> Float64Array:
        """How many times its highest limit each row has; 0 where there is no limit."""
        values = np.asarray(self.outliers[statistic], dtype=np.float64)
        limit = self.outliers[f"{statistic}_limit_99"][0]
        return values / limit if limit else np.zeros(len(values))

    # -- sentences -------------------------------------------------------------------------

    @cached_property
    def checks(self) -> Table:
        return data_check(self.model, self.source)

    @cached_property
    def findings(self) -> list[Finding]:
        return collect_findings(
            self.model,
            self.source,
            groups=self.rows.outside or None,
            weights=self.given_weights,
            labels=self.rows.labels,
            ranks=self.sampled.ranks.answer or NO_RANKS,
            seed=self.seed,
        )

    def about(self, *topics: str) -> list[Finding]:
        """The findings of some topics, in their order."""
        return [one for one in self.findings if one.topic in topics]

    def sentences(self, *topics: str) -> list[str]:
        return [one.sentence for one in self.about(*topics)]
