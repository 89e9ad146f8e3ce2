"""Rule: what every way to choose the number of components has in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np

from eigenlens.document.verdict import Verdict
from eigenlens.errors import RankError
from eigenlens.rank.spectrum import Spectrum
from eigenlens.sources.protocol import Source
from eigenlens.table.preparation import Preparation
from eigenlens.table.workspace import Workspace

__all__ = ["Assumption", "Forecaster", "Learner", "Question", "Rule"]

Question: TypeAlias = Literal["compression", "detection", "denoising", "request"]
# What a rule takes for granted about the noise; `checks.py` looks whether it holds.
Assumption: TypeAlias = Literal[
    "white noise", "equal columns", "equal rows", "independent rows", "light tails"
]


@runtime_checkable
class Rule(Protocol):
    """Answers from what is known of the spectrum, or None: show me more."""

    @property
    def name(self) -> str: ...

    @property
    def question(self) -> Question:
        """Which of the three questions behind "how many?" it answers."""

    @property
    def assumes(self) -> tuple[Assumption, ...]: ...

    @property
    def needs_settled(self) -> bool:
        """Whether it compares eigenvalues with each other, and must not be shown unripe ones."""

    def first_guess(self, most: int) -> int:
        """How many components to look for at first."""

    def choose(self, spectrum: Spectrum) -> Verdict | None: ...

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        """What to say when more cannot be shown."""


@runtime_checkable
class Forecaster(Protocol):
    """A rule that can say how many components it will want at least: nobody has to feel the way."""

    def forecast(self, spectrum: Spectrum) -> int:
        """A guess from leading values that no later one exceeds by much."""


@runtime_checkable
class Learner(Protocol):
    """A rule that looks at the rows before it can answer."""

    @property
    def name(self) -> str: ...

    def learn(
        self,
        source: Source,
        preparation: Preparation,
        workspace: Workspace,
        rng: np.random.Generator,
    ) -> Iterator[Rule]:
        """The rule as it knows more and more; each could answer, the last one knows all."""
