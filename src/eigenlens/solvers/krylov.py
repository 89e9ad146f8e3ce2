"""Block Krylov: keep every block the power method would throw away.

    span = [V, C V, C^2 V, ...]  orthonormalized block by block;   Rayleigh-Ritz on all of it.

Cost     one pass and O(p m l) work per step, for m columns so far and l in a block.
Error    falls like a Chebyshev polynomial: e^(-4 sqrt(gap)) per step, with the gap relative.
Choose   when neither matrix is worth forming: large tables, few components. The workhorse.
Source   Golub and Underwood 1977; Musco and Musco 2015; thick restart: Wu and Simon 2000.
Differs  from the textbook: starts from the components of a sample of rows, reorthogonalizes fully,
         and keeps the coupling of its span to the outside, so residuals cost no further pass.
         Narrow blocks (one column is Lanczos' method) need the fewest products of all; their Ritz
         values, which then cost as much as the products, are found only when they may be good.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from eigenlens.algebra.orthonormal import extend_basis, orthonormal_basis
from eigenlens.algebra.ritz import Ritz, ritz_of_projection
from eigenlens.algebra.typing import Float64Array
from eigenlens.solvers.block_size import BLOCKS_KEPT, prefers_rows
from eigenlens.solvers.check_times import CheckTimes
from eigenlens.solvers.options import check_options
from eigenlens.solvers.start import first_columns
from eigenlens.solvers.step import Ask, Steps, block_columns, make_step
from eigenlens.solvers.stopping import StopRule
from eigenlens.table.sides import Side, exposure_of

__all__ = ["BlockKrylov"]


@dataclass(frozen=True)
class BlockKrylov:
    """`width`: columns in a block. `max_columns`: of the span, before it is compressed.

    `stop`: a rule besides the accuracy asked for, as in `BlockKrylov(stop=WallClock(60))`.
    `lazily`: Ritz values not after every pass but when the accuracy may have been reached: for
    passes that cost no more than the Ritz values do.
    `start`: the first columns to begin with; None: those of a sample, or random ones.
    """

    width: int | None = None
    max_passes: int = 200
    max_columns: int | None = None
    stop: StopRule | None = None
    lazily: bool = False
    start: Any = field(default=None, repr=False, compare=False)

    name = "krylov"
    forms_matrix = False

    def __post_init__(self) -> None:
        check_options(self, {"width": 1, "max_passes": 1, "max_columns": 1})

    def sided(self, shape: tuple[int, int]) -> bool:
        return prefers_rows(shape)

    def steps(self, side: Side, ask: Ask, rng: np.random.Generator) -> Steps:
        width = self.width or block_columns(ask.rank, side.size)
        # However early it has to stop, the span must hold as many columns as asked for by then.
        passes = self.max_passes if self.stop is None else 1
        width = min(max(width, -(-ask.rank // passes)), side.size)
        held = np.empty((side.size, self.most_columns(ask, width, side.size)), order="F")
        # Of fewer columns than are asked for, a sample's components are no better than any.
        start = side.start if width >= ask.rank else partial(random_start, side.size)
        if self.start is not None:
            start = partial(first_columns, self.start, side.size)
        span = block = append_columns(held, held[:, :0], orthonormal_basis(start(width, rng)))
        projected, exposure = np.zeros((0, 0)), np.zeros(0)
        passes, refuted, checks = 0, 0, CheckTimes(self.lazily and self.stop is None)
        while True:
            image = side.apply(block)
            passes += 1
            new, inside, out = extend_basis(span, image, rng)
            projected = border_projection(projected, inside)
            exposure = np.append(exposure, exposure_of(side, block))
            full = span.shape[1] + new.shape[1] > self.most_columns(ask, width, side.size)
            last = passes >= self.max_passes or new.shape[1] == 0
            if full or last or checks.is_due(span.shape[1], width, ask):
                coupling = np.zeros((new.shape[1], span.shape[1]))
                coupling[:, -block.shape[1] :] = out
                ritz = ritz_of_projection(span, projected, coupling, exposure)
                pairs = [ritz]
                step = replace(make_step(ritz, ask, passes), read_out=partial(pairs.__getitem__, 0))
                checks.note(step, ritz, ask)
                ask = yield step
                full = span.shape[1] + new.shape[1] > self.most_columns(ask, width, side.size)
            if new.shape[1] == 0:
                return  # the span is the whole space: nothing is left to find
            if full:
                kept = thick_restart(ritz, max(ask.rank + width // 2, ritz.size // 2))
                projected, exposure = np.diag(kept.values), pair_exposure(kept)
                span = append_columns(held, held[:, :0], kept.span)
                pairs[0] = replace(kept, span=span)  # the memory of the step before is used again
                checks.restarted()
            if ask.refuted > refuted and new.shape[1] < ask.rank:
                # Blocks narrower than an eigenvalue is manifold may never meet some of its copies.
                new, refuted = widen_block(span, new, rng), ask.refuted
            span = append_columns(held, span, new)
            block = span[:, -new.shape[1] :]

    def most_columns(self, ask: Ask, width: int, size: int) -> int:
        least = ask.rank + 2 * width
        return min(size, max(self.max_columns or BLOCKS_KEPT * width + ask.rank, least))


def random_start(size: int, width: int, rng: np.random.Generator) -> Float64Array:
    return rng.standard_normal((size, width))


def widen_block(span: Float64Array, new: Float64Array, rng: np.random.Generator) -> Float64Array:
    """Twice as many columns, the others random: nothing inside the span couples to them."""
    known = np.concatenate([span, new], axis=1)
    others = extend_basis(known, rng.standard_normal(new.shape), rng)[0]
    return np.concatenate([new, others], axis=1)


def append_columns(held: Float64Array, span: Float64Array, new: Float64Array) -> Float64Array:
    """The span with new columns, in the memory it has: a growing copy would need it twice."""
    used, size = span.shape[1], span.shape[1] + new.shape[1]
    if size > held.shape[1]:  # more components are asked for than at first
        return np.concatenate([span, new], axis=1)
    held[:, used:size] = new
    return held[:, :size]


def border_projection(projected: Float64Array, inside: Float64Array) -> Float64Array:
    """V'CV with the newest columns (and rows) V'C V_new filled in."""
    size, known = len(inside), len(projected)
    grown = np.zeros((size, size))
    grown[:known, :known] = projected
    width = inside.shape[1]
    grown[:, size - width :] = inside
    grown[size - width :, :] = inside.T
    grown[size - width :, size - width :] = (inside[-width:] + inside[-width:].T) / 2
    return grown


def thick_restart(ritz: Ritz, keep: int) -> Ritz:
    """Thick restart: the leading Ritz vectors only. They couple to nothing but the next block.

    Keeping half of them saves a tenth of the passes on flat spectra against keeping the rank.
    """
    return ritz.leading(min(keep, ritz.size))


def pair_exposure(ritz: Ritz) -> Float64Array:
    """What the products that these pairs came of were exposed to."""
    return np.zeros(ritz.size) if ritz.exposure is None else ritz.exposure
