"""Bi-cross-validation: predict a quarter of the table from the other three, and see how well.

    [ A  B ]      A is held out:   A_k = B (D_k)^+ C,      error(k) = |A - A_k|^2
    [ C  D ]

Question  denoising: how many components recover the signal best?
Formula   the sum of the errors over the four quarters; D_k is D cut to its leading k components.
          With D = U S V':  P = B V,  Q = U'C,  A_k = sum over j <= k of p_j q_j' / s_j, so that
          three small matrices A'P, P'P and QQ' give the error for every k.
Needs     the data again: for each quarter its D's leading vectors and two passes.
Right     under noise that differs from row to row and column to column; with weak components.
Wrong     where rows depend on each other: what is held out is then not independent of the rest.
          Rows with weights are held out with all their copies; rows that are repeated are not.
Source    Owen and Perry 2009; Owen and Wang 2016.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from eigenlens.algebra.typing import Float64Array, FloatArray
from eigenlens.document.verdict import Verdict
from eigenlens.errors import RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.rank.derived_rows import (
    PartMask,
    TableBuffer,
    derive_rows,
    rows_of_prepared_table,
    select_part,
)
from eigenlens.rank.quick_spectrum import raw_moments, spectrum_of_source
from eigenlens.rank.repeated_rows import repeated_rows
from eigenlens.rank.rule import Assumption, Question
from eigenlens.rank.spectrum import Spectrum, count_words
from eigenlens.rank.threshold import refuse_few_rows, refuse_short_spectrum
from eigenlens.sources.protocol import Source
from eigenlens.table.preparation import Preparation
from eigenlens.table.table import TableOperator
from eigenlens.table.workspace import Workspace

__all__ = ["BCV", "held_out_errors"]

DIGITS = 1e-2  # of noise any directions will do, and those of signal are found long before
ROUNDING = 1e-13  # of the variance held out: what is left of less is nothing


@dataclass(frozen=True)
class BCV:
    """`errors[k]`: the share of the held-out variance that k components leave, once learned."""

    most_tried: int = 20
    errors: tuple[float, ...] = ()
    passes: int = 0

    name = "bcv"
    question: ClassVar[Question] = "denoising"
    assumes: ClassVar[tuple[Assumption, ...]] = ("independent rows",)
    needs_settled = False

    def first_guess(self, most: int) -> int:
        return min(most, 10)

    def learn(
        self,
        source: Source,
        preparation: Preparation,
        workspace: Workspace,
        rng: np.random.Generator,
    ) -> Iterator[BCV]:
        refuse_few_rows(self.name, preparation.total_weight)
        rows, columns = source.shape
        if min(rows, columns) < 4:
            raise RankError.needs(
                SetOption("k", "bcv"),
                f"4 rows and 4 columns or more to hold quarters out; here are {rows} x {columns}",
                Phrase(
                    "pass {}, or a fraction of the variance such as {}",
                    SetOption("k", "dpa"),
                    SetOption("k", 0.95),
                ),
            )
        table = rows_of_prepared_table(source, preparation, workspace)
        most = self.most_tried
        while True:
            most = min(most, rows // 2 - 1, columns // 2 - 1)
            errors = held_out_errors(table, most, workspace, rng)
            yield replace(self, errors=tuple(errors.tolist()), passes=workspace.meter.passes)
            if np.argmin(errors) <= most // 2 or most == min(rows // 2, columns // 2) - 1:
                return
            most *= 2

    def choose(self, spectrum: Spectrum) -> Verdict | None:
        rank = int(np.argmin(self.errors))
        if rank > len(spectrum.values):
            return None
        left = np.array(self.errors) / self.errors[0]
        others = np.delete(left, rank)
        reason = (
            f"{count_words(rank)} worth keeping to predict quarters of the table from the others"
        )
        evidence = {
            "margin": float(others.min() / left[rank] - 1),
            "left": float(left[rank]),
            "passes": self.passes,
        }
        return Verdict(rank, self.name, reason, evidence)

    def out_of_reach(self, spectrum: Spectrum) -> RankError:
        need = f"{int(np.argmin(self.errors))} leading eigenvalues"
        return refuse_short_spectrum(self.name, spectrum, need)


def held_out_errors(
    table: TableOperator, most: int, workspace: Workspace, rng: np.random.Generator
) -> Float64Array:
    """For k = 0 ... most, the sum over the four quarters."""
    rows, columns = half(table.shape[0], rng), half(table.shape[1], rng)
    total, buffer = np.zeros(most + 1), TableBuffer()
    for held_rows in (rows, ~rows):
        for held_columns in (columns, ~columns):
            total += quarter_errors(table, held_rows, held_columns, most, workspace, rng, buffer)
    return total


def half(size: int, rng: np.random.Generator) -> PartMask:
    chosen = np.zeros(size, dtype=bool)
    chosen[rng.permutation(size)[: size // 2]] = True
    return chosen


def quarter_errors(
    table: TableOperator,
    rows: PartMask,
    columns: PartMask,
    most: int,
    workspace: Workspace,
    rng: np.random.Generator,
    buffer: TableBuffer,
) -> Float64Array:
    """The errors for the quarter of the given rows and columns."""
    if not any(block[:, ~columns].any() for block in parts(table, ~rows)):
        # Nothing varies there, so that nothing is predicted from there.
        kept_out = (block[:, columns].astype(np.float64) for block in parts(table, rows))
        return np.full(most + 1, sum(float(np.square(part).sum()) for part in kept_out))
    shape = (int((~rows).sum()), int((~columns).sum()))
    other = derive_rows(
        repeated_rows(table, None), workspace, select_part(~rows, ~columns), shape, buffer
    )
    look = spectrum_of_source(other, raw_moments(other.shape[0]), most, DIGITS, workspace, rng)
    V = look.directions(most)
    # One pass over the other rows for U S = D V and S Q = (U S)' C, one over the held-out rows.
    squares, pulled = np.zeros(V.shape[1]), np.zeros((V.shape[1], int(columns.sum())))
    for block in parts(table, ~rows):
        scores = block[:, ~columns] @ V
        squares += np.square(scores).sum(axis=0)
        pulled += scores.T @ block[:, columns]
    safe = np.maximum(squares, np.finfo(np.float64).tiny)
    predicted = pulled / safe[:, None]  # Q / S: A_k = P (Q / S)
    inner = np.zeros((V.shape[1], V.shape[1]))
    crossed, size = np.zeros(predicted.shape), 0.0
    for block in parts(table, rows):
        held, scores = block[:, columns].astype(np.float64), block[:, ~columns] @ V
        size += float(np.square(held).sum())
        crossed += scores.T @ held
        inner += scores.T @ scores
    gains = np.cumsum(np.sum(crossed * predicted, axis=1))
    grams = inner * (predicted @ predicted.T)
    sizes = np.array([grams[:k, :k].sum() for k in range(1, V.shape[1] + 1)])
    errors = np.maximum(size - 2 * gains + sizes, ROUNDING * size)
    return np.concatenate([[size], errors, np.full(most - len(errors), np.inf)])


def parts(table: TableOperator, rows: PartMask) -> Iterator[FloatArray]:
    start = 0
    for block in table.prepared_rows():
        yield block[rows[start : start + len(block)]]
        start += len(block)
