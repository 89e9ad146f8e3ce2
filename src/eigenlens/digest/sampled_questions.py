"""sampled_questions: questions that take time: how many components, how flat, how stable.

They are asked of all rows where that is quick, else of a random sample of them; `sample_note` says
which. A question that has no answer here (too few rows, say) leaves its reason in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from eigenlens.algebra.random import random_generator
from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.document.verdict import Verdict
from eigenlens.errors import EigenlensError
from eigenlens.explain.bootstrap import bootstrap
from eigenlens.fit import fit
from eigenlens.model.subspace import Subspace
from eigenlens.questions import choose_rank, flatness
from eigenlens.rank.report import RankReport
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source

__all__ = ["DRAWS", "Outcome", "SampledQuestions"]

MOST_ROWS = 5000
MOST_ENTRIES = 2_000_000
FEWEST_ROWS = 500
DRAWS = 200

Reply = TypeVar("Reply")


@dataclass(frozen=True)
class Outcome:
    """An answer, or why there is none."""

    answer: Any = None
    why_not: str = ""


@dataclass(frozen=True, eq=False)
class SampledQuestions:
    """`preparation`: of the model's rows, as `fit` takes it; `memory` in bytes."""

    model: Subspace
    source: Source
    weights: Float64Array
    preparation: Mapping[str, Any]
    seed: int
    memory: int

    @cached_property
    def sample(self) -> tuple[Source, Float64Array]:
        """All rows, or a random sample of them, with their weights."""
        n, d = self.source.shape
        count = min(n, MOST_ROWS, max(FEWEST_ROWS, MOST_ENTRIES // d))
        if count == n:
            return self.source, self.weights
        rows = np.sort(random_generator(self.seed).choice(n, count, replace=False))
        return open_source(self.source.sample(rows)), self.weights[rows]

    @property
    def sample_note(self) -> str:
        """A sentence where not all rows were asked, else nothing."""
        count, n = self.sample[0].shape[0], self.source.shape[0]
        if count == n:
            return ""
        return f"Based on {count:,} of the {n:,} rows, drawn at random to save time."

    @property
    def narrower_note(self) -> str:
        """What a sample does to intervals: they shrink as one over the root of the rows."""
        if not self.sample_note:
            return ""
        times = (self.source.shape[0] / self.sample[0].shape[0]) ** 0.5
        narrower = f"With all rows the intervals would be about {times:.1f} times narrower."
        return f"{self.sample_note} {narrower}"

    @cached_property
    def ranks(self) -> Outcome:
        rows, weights = self.sample
        heavy = None if (weights == 1).all() else weights
        return ask_question(
            lambda: choose_rank(
                rows, weights=heavy, memory=self.memory, seed=self.seed, **self.preparation
            ),
            RankReport,
        )

    @cached_property
    def flatness(self) -> Outcome:
        scale = self.preparation["scale"]
        return ask_question(lambda: flatness(self.sample[0], scale=scale, seed=self.seed), Verdict)

    @cached_property
    def stability(self) -> Outcome:
        """Of the model, or of one fitted to the sample of rows."""
        rows, weights = self.sample
        heavy = None if (weights == 1).all() else weights
        model = self.model
        if not model.n_components:
            return Outcome(why_not="The model keeps no component.")

        def resample() -> Table:
            all_rows = rows is self.source
            fitted = (
                model
                if all_rows
                else fit(rows, model.n_components, weights=heavy, **self.preparation)
            )
            return bootstrap(fitted, rows, draws=DRAWS, seed=self.seed, weights=heavy)

        return ask_question(resample, Table)


def ask_question(question: Callable[[], Reply], kind: type[Reply]) -> Outcome:
    try:
        answer = question()
    except EigenlensError as error:
        why = str(error)
        return Outcome(why_not=f"{why[:1].upper()}{why[1:]}")
    if not isinstance(answer, kind):
        raise RuntimeError(f"{type(answer).__name__} is no {kind.__name__}")
    return Outcome(answer)
