"""Sampling intervals where cells are missing: rows are left out in groups, and the engine goes on.

    se^2 = (g - 1) / g  sum over groups of (t - mean t)^2,      t = ln eigenvalue, logit of a share

t is learned without the rows of one group, starting from the law of all rows. What missing cells
take from the rows is then part of the spread, whatever the engine; completed rows alone would look
surer than they are. Intervals reach Student's quantile with g - 1 degrees of freedom.

Cost     g times a few passes over the rows, in memory.
Holds    95 % in 90 to 100 % of 40 normal tables of 60 and 100 rows with 20 to 30 % holes.
Source   Miller 1974 (the jackknife); Efron 1994 (missing data).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.typing import Float64Array
from eigenlens.explain.missing import sample_cells
from eigenlens.missing.contrasts import Contrasts
from eigenlens.missing.expectation import moments_in_data_units
from eigenlens.missing.fixed_point import find_fixed_point
from eigenlens.missing.gaussian import Gaussian, passes_over
from eigenlens.missing.law import Law
from eigenlens.missing.lowrank import LowRank
from eigenlens.missing.memberships import MembershipLaw, as_engine_sees
from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellReader, observe_cells
from eigenlens.missing.sums import ExpectedSums, sum_over
from eigenlens.model.missing_cells import prepare_cells
from eigenlens.model.subspace import Subspace
from eigenlens.sources.array import ArraySource

__all__ = ["can_leave_out_groups", "jackknife_ends"]

GROUPS = 20
FEWEST_ROWS = 10
MOST_CELLS = 400_000  # twenty times a few passes over them take seconds
CLOSE, MOST_PASSES = 1e-4, 60
FACTOR_PASSES = 10  # of the low-rank engine, where the prior is drawn toward its factors

Ends = tuple[Float64Array, Float64Array]


def can_leave_out_groups(model: Subspace) -> bool:
    """Whether the engine can go on without some rows, and soon ends."""
    holes = model.missing
    if holes is None or not holes.cells or holes.outlying or holes.uncertain or holes.unstored:
        return False
    known = holes.engine == "lowrank" or prior_rows_of(model) is not None
    plain = not model.provenance["settings"].get("weighted")
    return known and plain and FEWEST_ROWS <= model.n_rows <= MOST_CELLS / model.n_features


def prior_rows_of(model: Subspace) -> float | None:
    choice = model.choices.get("missing")
    found = None if choice is None else choice.evidence.get("prior_rows")
    return None if found is None else float(found)


def jackknife_ends(model: Subspace, data: Any, level: float) -> tuple[Ends, Ends]:
    """Low and high ends of the eigenvalues, and of the shares."""
    from scipy.special import expit, logit, stdtrit

    cells = sample_cells(model, data)
    cells = cells[~np.isnan(cells).all(axis=1)]
    spectra = np.array(leave_out_groups(model, cells))
    count = model.n_components
    values, shares = spectra[:, :count], spectra[:, :count] / spectra.sum(axis=1, keepdims=True)
    reach = float(stdtrit(len(spectra) - 1, (1 + level) / 2))
    # Of many rows a sample was looked at: all of them say more.
    reach *= np.sqrt(min(1.0, len(cells) / model.n_rows))
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = reach * spread_of_groups(np.log(values))
        logits = reach * spread_of_groups(logit(shares))
        here, share = np.log(model.eigenvalues), logit(model.explained_ratio)
        return (
            (np.exp(here - logs), np.exp(here + logs)),
            (expit(share - logits), expit(share + logits)),
        )


def spread_of_groups(numbers: Float64Array) -> Float64Array:
    groups = len(numbers)
    squares = np.square(numbers - numbers.mean(axis=0)).sum(axis=0)
    spread: Float64Array = np.sqrt((groups - 1) / groups * squares)
    return spread


def leave_out_groups(model: Subspace, cells: Float64Array) -> list[Float64Array]:
    """All eigenvalues, without the rows of each group."""
    holes = model.missing
    if holes is None:
        raise RuntimeError("only tables with missing cells have an engine")
    law = holes.completer.law
    contrasts = law.contrasts if isinstance(law, MembershipLaw) else None
    completer, cells = as_engine_sees(holes.completer, cells)
    source = ArraySource(cells, slice(0, cells.shape[1]))
    observed = replace(observe_cells(source), center=completer.center, spread=completer.spread)
    groups = min(GROUPS, len(cells))
    member = np.random.default_rng(0).permutation(np.arange(len(cells)) % groups)
    spectra = []
    for group in range(groups):
        weights = (member != group).astype(np.float64)
        total = float(weights.sum())
        reader = CellReader(source, replace(observed, weight=total), weights)
        law, sums = go_on(model, completer.law, reader)
        moments = moments_in_data_units(law.mean, sums, observed)
        if contrasts is None:
            divisor = total - 1 if model.mean is not None else total
            matrix = prepare_cells(model, moments) * (model.proof.facts.divisor / divisor)
        else:
            matrix = inertias_without(contrasts, moments)
        if model.provenance["settings"].get("scale") == "std":
            matrix = matrix / np.diag(matrix).mean()
        spectra.append(np.maximum(np.linalg.eigvalsh(matrix)[::-1], 0.0))
    return spectra


def inertias_without(contrasts: Contrasts, moments: Moments) -> Float64Array:
    """The matrix of an indicator table, whose scales follow from its own shares and variances."""
    found = contrasts.moments_of_levels(moments, np.zeros(contrasts.numbers))
    matrix = found.second_moment(centered=True) / found.weight
    shares = np.maximum(found.mean, 0.0) * contrasts.encoding.divided_by
    squares = np.where(contrasts.encoding.is_share, shares, np.diag(matrix))
    scale = np.sqrt(np.where(squares > 0, squares, np.inf))
    result: Float64Array = matrix / np.outer(scale, scale)
    return result


def go_on(model: Subspace, law: Law, reader: CellReader) -> tuple[Law, ExpectedSums]:
    """The law of the rows that are left."""
    rows = prior_rows_of(model)
    if isinstance(law, Normal) and rows is not None:
        evidence = model.choices["missing"].evidence
        # Models saved before the share was part of the evidence had all rows toward factors.
        share = evidence.get("prior_share_of_factors", float("prior_factors" in evidence))
        engine = Gaussian(rows, toward_factors=float(share))
        prior, _ = engine.prior_over(reader, FACTOR_PASSES)
        found = find_fixed_point(law, passes_over(reader), prior, CLOSE, MOST_PASSES)
        return found.law, found.sums
    learned = LowRank().learn(reader, CLOSE, MOST_PASSES).law
    return learned, sum_over(learned, reader)
