"""facts: everything the sections speak of, asked once.

Costly questions (how many components, how flat, how stable) are asked of all rows where that is
quick, else of a random sample of them; `Facts.asked_of` says which. A question that has no answer
here (too few rows, say) leaves its reason in place of the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.ask import choose_rank, flatness
from eigenlens.errors import EigenlensError, OptionError
from eigenlens.explain.bootstrap import bootstrap
from eigenlens.explain.contributions import contributions
from eigenlens.explain.findings import findings
from eigenlens.explain.outliers import outliers
from eigenlens.explain.reading import fitted, scores_and_lengths, weights_for
from eigenlens.fit import fit, generator
from eigenlens.listing import Table
from eigenlens.model.merge import is_standardized
from eigenlens.model.rows import matching
from eigenlens.model.subspace import Subspace
from eigenlens.rank.report import RankReport
from eigenlens.report.beside import Beside, beside_rows
from eigenlens.report.part import components
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import in_place, is_stored, within
from eigenlens.table.budget import budget_bytes
from eigenlens.verdict import Verdict

__all__ = ["Extra", "Facts", "Told", "facts_of"]

MOST_ROWS = 5000
MOST_ENTRIES = 2_000_000
FEWEST_ROWS = 1000
DRAWS = 200
WIDER = 12  # components shown beside those kept
MOST_TO_FIT_AGAIN = 100_000_000  # entries
PLANE = 2
HELD = 4  # rows of a file are held in memory where they take at most this part of the budget
ODD = 20
ENDS = 3
BLOCK_BYTES = 8 << 20

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Told:
    """An answer, or why there is none."""

    answer: Any = None
    why_not: str = ""


@dataclass(frozen=True, eq=False)
class Extra:
    """Rows beside those of the fit."""

    labels: list[str]
    scores: Float64Array
    table: Table


@dataclass(frozen=True, eq=False)
class Facts:
    """The model, its rows, and what `explain` and `ask` say of them.

    `memory`: bytes to use beside the data; `again`: what to type to get this page once more.
    """

    model: Subspace
    source: Source
    weights: Float64Array
    beside: Beside
    extra: Extra | None
    seed: int
    memory: int
    again: str

    @property
    def given_weights(self) -> Float64Array | None:
        """None where every row counts once."""
        return None if (self.weights == 1).all() else self.weights

    @property
    def preparation(self) -> dict[str, Any]:
        """How the rows of the model were prepared, as `fit` takes it."""
        model = self.model
        return {
            "center": model.mean is not None,
            "scale": "std" if is_standardized(model) else model.scale,
        }

    # -- all rows --------------------------------------------------------------------------

    @cached_property
    def scores(self) -> Float64Array:
        """Along the components that are drawn."""
        return scores_and_lengths(self.drawn, self.source)[0]

    @cached_property
    def outliers(self) -> Table:
        return outliers(self.model, self.source, labels=self.beside.labels)

    def ends(self, component: int) -> tuple[list[str], list[str]]:
        """Names of the rows farthest along a component, and farthest the other way."""
        along = self.scores[:, component]
        order = np.argsort(along, kind="stable")
        few = max(min(ENDS, len(order) // 2), 1)
        high = [row for row in order[::-1][:few] if along[row] > 0]
        low = [row for row in order[:few] if along[row] < 0]
        labels = self.beside.labels
        return [str(labels[row]) for row in high], [str(labels[row]) for row in low]

    @cached_property
    def odd(self) -> list[int]:
        """Rows past the highest limits, the farthest first."""
        usual = np.array([name in ("usual", None) for name in self.outliers["quadrant"]])
        return [int(row) for row in self.farthest if not usual[row]]

    @cached_property
    def farthest(self) -> IntArray:
        """All rows, by how many times they exceed their limits."""
        table = self.outliers
        excess = np.zeros(len(table))
        for name in ("T2", "Q"):
            limit = table[f"{name}_limit_99"][0]
            if limit:
                excess = np.maximum(excess, np.asarray(table[name], dtype=np.float64) / limit)
        return np.argsort(-excess, kind="stable")

    @cached_property
    def oddest(self) -> Float64Array:
        """The numbers of the first ODD odd rows, read together."""
        rows = self.source.sample(np.array(self.odd[:ODD], dtype=np.intp))
        return rows.astype(np.float64, copy=False)

    @cached_property
    def reasons(self) -> list[list[str]]:
        """For each of them its variables, the one to be checked first in front."""
        count = range(len(self.oddest))
        return [list(contributions(self.model, self.oddest, one)["variable"]) for one in count]

    @cached_property
    def findings(self) -> Table:
        return findings(
            self.model,
            self.source,
            groups={**self.beside.groups, **self.beside.columns} or None,
            weights=self.given_weights,
            labels=self.beside.labels,
            ranks=self.ranks.answer,
            seed=self.seed,
        )

    def found(self, *topics: str) -> list[str]:
        """The sentences of some topics, in their order."""
        table = self.findings
        return [
            sentence
            for topic, sentence in zip(table["topic"], table["finding"], strict=True)
            if topic in topics
        ]

    @cached_property
    def wider(self) -> Subspace:
        """A model with some more components, to see what one more would bring."""
        model, (n, d) = self.model, self.source.shape
        most = min(n - (model.mean is not None), d)
        count = min(most, model.n_components + WIDER)
        if count == model.n_components or n * d > MOST_TO_FIT_AGAIN:
            return model
        return fit(
            self.source,
            count,
            weights=self.given_weights,
            certify="fast",
            memory=self.memory,
            seed=self.seed,
            **self.preparation,
        )

    @cached_property
    def drawn(self) -> Subspace:
        """The model itself, or one with a second component where it has no plane to look at."""
        enough = self.model.n_components >= PLANE or self.wider is self.model
        return self.model if enough else self.wider.truncate(min(PLANE, self.wider.n_components))

    @property
    def not_kept(self) -> str:
        """What to say where components are shown that the model does not keep."""
        if self.drawn is self.model:
            return ""
        return (
            f"The model keeps {components(self.model)}; what lies beyond is shown to have a plane "
            f"to look at, and may be noise."
        )

    # -- some rows -------------------------------------------------------------------------

    @cached_property
    def some(self) -> tuple[Source, Float64Array]:
        """All rows, or a random sample of them, with their weights."""
        n, d = self.source.shape
        count = min(n, MOST_ROWS, max(FEWEST_ROWS, MOST_ENTRIES // d))
        if count == n:
            return self.source, self.weights
        rows = np.sort(generator(self.seed).choice(n, count, replace=False))
        return open_source(self.source.sample(rows)), self.weights[rows]

    @property
    def asked_of(self) -> str:
        """A sentence where not all rows were asked, else nothing."""
        count, n = self.some[0].shape[0], self.source.shape[0]
        if count == n:
            return ""
        return f"Asked of {count:,} rows drawn at random from all {n:,}, to save time."

    @cached_property
    def ranks(self) -> Told:
        rows, weights = self.some
        heavy = None if (weights == 1).all() else weights
        return told(
            lambda: choose_rank(
                rows, weights=heavy, memory=self.memory, seed=self.seed, **self.preparation
            ),
            RankReport,
        )

    @cached_property
    def flat(self) -> Told:
        scale = self.preparation["scale"]
        return told(lambda: flatness(self.some[0], scale=scale, seed=self.seed), Verdict)

    @cached_property
    def stability(self) -> Told:
        """Of the model, or of one fitted to the sample of rows."""
        rows, weights = self.some
        heavy = None if (weights == 1).all() else weights
        model = self.model
        if not model.n_components:
            return Told(why_not="The model keeps no component.")

        def asked() -> Table:
            same = rows is self.source
            seen = (
                model if same else fit(rows, model.n_components, weights=heavy, **self.preparation)
            )
            return bootstrap(seen, rows, draws=DRAWS, seed=self.seed, weights=heavy)

        return told(asked, Table)


def told(question: Callable[[], Answer], kind: type[Answer]) -> Told:
    try:
        answer = question()
    except EigenlensError as error:
        return Told(why_not=str(error))
    if not isinstance(answer, kind):
        raise RuntimeError(f"{type(answer).__name__} is no {kind.__name__}")
    return Told(answer)


def facts_of(
    model: Any,
    data: Any,
    *,
    id: Any,
    group: Any,
    supplementary_columns: Any,
    supplementary_rows: Any,
    weights: Any,
    seed: int,
    memory: Any,
    again: str,
) -> Facts:
    """What was asked for, checked: nothing is computed yet but what the checks need."""
    model = fitted(model)
    generator(seed)
    budget = budget_bytes(memory)
    source = matching(model, data)
    if source.shape[0] != model.n_rows:
        raise OptionError.needs(
            f"a report with {source.shape[0]:,} row(s), of a model fitted to {model.n_rows:,},",
            "the rows of the fit",
            "Pass those as data, and others as supplementary_rows=.",
        )
    heavy = weights_for(model, weights, source, must=True)
    beside = beside_rows(data, source.shape[0], id, group, supplementary_columns)
    extra = extra_rows(model, supplementary_rows, id)
    kept = in_memory(within(source, budget), budget)
    return Facts(model, kept, heavy, beside, extra, seed, budget, again)


def in_memory(source: Source, budget: int) -> Source:
    """Rows of a file are read some twenty times: once is enough where they fit well."""
    n, d = source.shape
    small = HELD * n * d * source.dtype.itemsize <= budget
    if not is_stored(source) or in_place(source) or source.is_sparse or not small:
        return source
    rows = np.empty((n, d), dtype=source.dtype)
    start = 0
    for block in source.blocks(max(1, BLOCK_BYTES // (d * source.dtype.itemsize))):
        rows[start : start + len(block)] = block
        start += len(block)
    return open_source(rows)


def extra_rows(model: Subspace, rows: Any, id: Any) -> Extra | None:
    if rows is None:
        return None
    source = matching(model, rows)
    named = id if isinstance(id, str | int) else None
    labels = beside_rows(rows, source.shape[0], named, [], None).labels
    texts = [str(one) for one in labels]
    table = outliers(model, source, new=True, labels=texts)
    return Extra(texts, scores_and_lengths(model, source)[0], table)
