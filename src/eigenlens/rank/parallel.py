"""Parallel analysis: keep what is larger than in tables of the same noise without structure.

Question  detection: which directions are not noise?
Formula   the k-th share of the variance against the largest k-th share among `draws` twins; the
          first that is not larger ends it. With 19 twins noise is taken for structure once in 20.
Needs     the data again, once for every twin where twins can be kept. The first is looked at
          closely, the others as closely as their distance to the data asks for; once a twin has a
          largest share that the data do not exceed, no other can change the answer, 0.
Right     under noise that differs from column to column, and with flips from entry to entry.
Wrong     behind one giant component, whose variance the twins spread over their noise (shadowing);
          also where it keeps directions that are detectable but too noisy to be of use.
Source    Horn 1965; Hong, Sheng and Dobriban 2020 for sign flips.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.errors import RankError
from eigenlens.rank.null_tables import NULLS, null_tables_of, usual_null
from eigenlens.rank.quick_spectrum import spectrum_of_source, spectrum_of_table
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum, count_words
from eigenlens.rank.threshold import refuse_few_rows, refuse_short_spectrum, too_simple
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import Inertia, traits_of
from eigenlens.table.preparation import Preparation
from eigenlens.table.workspace import Workspace

__all__ = ["Parallel"]

PERMUTED = ", since the flipped entries of a sparse table, less their mean, would fill it"
OBSERVED = ", of the observed cells, estimated by the same engine"
DIGITS = 1e-3  # twins differ from each other by more
ROUGH = 0.03  # a first look: often the data and their twins differ by far more
COARSE = 0.2  # what will do where the data stand far above their twins
PART = 10  # of the distance to the data: twins are looked at so closely


@dataclass(frozen=True)
class Parallel:
    """`edges`: the largest shares among the twins, once `learn` has looked at `drawn` of them."""

    null: str | None = None  # None: flips, and permutations where the table is sparse and centered
    draws: int = 19
    most_compared: int = 20
    edges: tuple[float, ...] = ()
    drawn: int = 0
    passes: int = 0
    why: str = ""

    name = "parallel"
    question: ClassVar[Question] = "detection"
    assumes: ClassVar[tuple[Assumption, ...]] = ("independent rows",)
    needs_settled = False

    def __post_init__(self) -> None:
        if self.null is not None and self.null not in NULLS:
            raise RankError.unknown_null(self.null, NULLS)

    def first_guess(self, most: int) -> int:
        return min(most, 10)

    def learn(
        self,
        source: Source,
        preparation: Preparation,
        workspace: Workspace,
        rng: np.random.Generator,
    ) -> Iterator[Parallel]:
        """After every twin, what is known by then. One the data do not exceed ends it."""
        refuse_few_rows(self.name, preparation.total_weight)
        mixed = isinstance(preparation.scale, Inertia)
        null = usual_null(source, preparation) if mixed or self.null is None else self.null
        why = "" if self.null or null == "flip" else PERMUTED
        why = ", each column in an order of its own" if mixed else why
        if traits_of(source).null_table is not None:
            null, why = "permute", OBSERVED
        twins = null_tables_of(source, preparation, null, workspace)
        table = workspace.table(source, preparation)
        most = min(self.most_compared, table.most_components)
        own = spectrum_of_table(table, most, ROUGH, workspace, rng).shares
        edges, rank, digits = np.zeros(len(own)), len(own), ROUGH
        for drawn, key in enumerate(rng.integers(1 << 62, size=self.draws), 1):
            # Of the twins only what the data still exceed, and the first that they do not.
            twin, count = twins(int(key)), min(rank + 1, len(own))
            shares = spectrum_of_source(*twin, count, digits, workspace, rng).shares
            undecided = count if drawn == 1 else rank
            if is_too_close(own[:undecided], shares[:undecided], digits):
                own = (
                    spectrum_of_table(table, most, DIGITS, workspace, rng).shares
                    if drawn == 1
                    else own
                )
                shares = spectrum_of_source(*twin, count, DIGITS, workspace, rng).shares
            edges = np.maximum(edges[:count], shares[:count])
            rank = count_exceeding(own[:count], edges)
            yield replace(
                self,
                null=null,
                edges=tuple(edges.tolist()),
                drawn=drawn,
                passes=workspace.meter.passes,
                why=why,
            )
            if rank == 0:
                return
            apart = float(np.min(own[:rank] / np.maximum(edges[:rank], 1e-300))) - 1
            digits = float(np.clip(apart / PART, DIGITS, COARSE))

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        simple = too_simple(self.name, spectrum)
        if simple is not None:
            return simple
        shares = spectrum.values / spectrum.total
        # The twins' values fall, so that the last one known is a bar high enough for all later.
        beyond = max(len(shares) - len(self.edges), 0)
        edges = np.pad(self.edges, (0, beyond), mode="edge")[: len(shares)]
        rank = count_exceeding(shares, edges)
        if rank == len(shares) < spectrum.most:
            return None
        tables = "a table" if self.drawn == 1 else f"{self.drawn} tables"
        reason = f"{count_words(rank)} larger than in {tables} of noise ({self.null}{self.why})"
        near = slice(max(rank - 1, 0), rank + 1)
        margin = float(np.min(np.abs(shares[near] / np.maximum(edges[near], 1e-300) - 1)))
        edge = float(edges[min(rank, len(edges) - 1)])
        evidence = {
            "threshold": edge * spectrum.total * spectrum.unit,
            "margin": margin,
            "draws": self.drawn,
            "edge": edge,
            "passes": self.passes,
        }
        return Verdict(rank, self.name, reason, evidence)

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        return refuse_short_spectrum(self.name, spectrum, "a value that noise could reach")


def is_too_close(own: Float64Array, shares: Float64Array, digits: float) -> bool:
    """Whether so few digits leave open which is larger."""
    return bool(np.any(np.abs(shares - own) <= 3 * digits * np.maximum(shares, own)))


def count_exceeding(shares: Float64Array, edges: Float64Array) -> int:
    """How many are larger, up to the first that is not; a tie is no structure."""
    below = np.flatnonzero(shares <= edges * (1 + DIGITS))
    return int(below[0]) if below.size else len(shares)
