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

from eigenlens.algebra.typing import Float64Array
from eigenlens.ask import choose_rank, flatness
from eigenlens.errors import EigenlensError, OptionError
from eigenlens.explain.bootstrap import bootstrap
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
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.verdict import Verdict

__all__ = ["Extra", "Facts", "Told", "facts_of"]

MOST_ROWS = 5000
MOST_ENTRIES = 2_000_000
FEWEST_ROWS = 1000
DRAWS = 200
WIDER = 12  # components shown beside those kept
MOST_TO_FIT_AGAIN = 100_000_000  # entries

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
    """The model, its rows, and what `explain` and `ask` say of them."""

    model: Subspace
    source: Source
    weights: Float64Array
    beside: Beside
    extra: Extra | None
    seed: int

    @property
    def labels(self) -> list[str]:
        return [str(label) for label in self.beside.labels]

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
        return scores_and_lengths(self.model, self.source)[0]

    @cached_property
    def outliers(self) -> Table:
        return outliers(self.model, self.source, labels=self.beside.labels)

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
            self.source, count, weights=self.given_weights, certify="fast", **self.preparation
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
            lambda: choose_rank(rows, weights=heavy, seed=self.seed, **self.preparation), RankReport
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
) -> Facts:
    """What was asked for, checked: nothing is computed yet but what the checks need."""
    model = fitted(model)
    generator(seed)
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
    return Facts(model, source, heavy, beside, extra, seed)


def extra_rows(model: Subspace, rows: Any, id: Any) -> Extra | None:
    if rows is None:
        return None
    source = matching(model, rows)
    named = id if isinstance(id, str | int) else None
    labels = beside_rows(rows, source.shape[0], named, [], None).labels
    texts = [str(one) for one in labels]
    table = outliers(model, source, new=True, labels=texts)
    return Extra(texts, scores_and_lengths(model, source)[0], table)
