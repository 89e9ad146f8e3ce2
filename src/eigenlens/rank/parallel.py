"""Parallel analysis: keep what is larger than in tables of the same noise without structure.

Question  detection: which directions are not noise?
Formula   the k-th share of the variance against the largest k-th share among `draws` twins; the
          first that is not larger ends it. With 19 twins noise is taken for structure once in 20.
Needs     the data again, once for every twin, if they cannot be kept: the leading values only.
Right     under noise that differs from column to column, and with flips from entry to entry.
Wrong     behind one giant component, whose variance the twins spread over their noise (shadowing);
          also where it keeps directions that are detectable but too noisy to be of use.
Source    Horn 1965; Hong, Sheng and Dobriban 2020 for sign flips.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from eigenlens.errors import RankError
from eigenlens.rank.look import Room, look_at
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum, kept
from eigenlens.rank.threshold import too_simple
from eigenlens.rank.twins import NULLS, twins_of
from eigenlens.sources.protocol import Source
from eigenlens.table.preparation import Preparation
from eigenlens.verdict import Verdict

__all__ = ["Parallel"]

DIGITS = 1e-3  # twins differ from each other by more


@dataclass(frozen=True)
class Parallel:
    """`edges`: the largest shares among the twins, once `learn` has looked at them."""

    null: str | None = None  # None: flips, and permutations where the table is sparse
    draws: int = 19
    most_compared: int = 20
    edges: tuple[float, ...] = ()

    name = "parallel"
    question: ClassVar[Question] = "detection"
    assumes: ClassVar[tuple[Assumption, ...]] = ("independent rows",)
    needs_settled = False

    def __post_init__(self) -> None:
        if self.null is not None and self.null not in NULLS:
            raise RankError.unknown("null", self.null, NULLS)

    def first_guess(self, most: int) -> int:
        return min(most, 10)

    def learn(
        self, source: Source, preparation: Preparation, room: Room, rng: np.random.Generator
    ) -> Parallel:
        null = self.null or ("permute" if source.is_sparse else "flip")
        twins = twins_of(source, preparation, null, room)
        count = min(self.most_compared, preparation.most_components(source.shape))
        shares = [
            look_at(*twins(int(key)), count, DIGITS, room, rng).shares
            for key in rng.integers(1 << 62, size=self.draws)
        ]
        return replace(self, null=null, edges=tuple(np.max(shares, axis=0).tolist()))

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        simple = too_simple(self.name, spectrum)
        if simple is not None:
            return simple
        shares = spectrum.values / spectrum.total
        # The twins' values fall, so that the last one known is a bar high enough for all later.
        beyond = max(len(shares) - len(self.edges), 0)
        edges = np.pad(self.edges, (0, beyond), mode="edge")[: len(shares)]
        below = np.flatnonzero(shares <= edges * (1 + DIGITS))  # a tie is no structure
        if below.size == 0 and len(shares) < spectrum.most:
            return None
        rank = int(below[0]) if below.size else len(shares)
        reason = f"{kept(rank)} larger than in {self.draws} tables of noise ({self.null})"
        near = slice(max(rank - 1, 0), rank + 1)
        margin = float(np.min(np.abs(shares[near] / np.maximum(edges[near], 1e-300) - 1)))
        evidence = {
            "margin": margin,
            "draws": self.draws,
            "edge": float(edges[min(rank, len(edges) - 1)]),
        }
        return Verdict(rank, self.name, reason, evidence)

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        return RankError.needs(
            "k='parallel'",
            f"to see a value noise could reach, and all {len(spectrum.values)} found are larger",
            "Allow the solver more passes (max_passes=), or ask for a number of components.",
        )
