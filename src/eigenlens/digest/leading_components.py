"""leading_components: what the first components hold, kept or not, and how sure their shares are.

Components beyond those kept come from a second fit where that is cheap: n d min(n, d) numbers are
multiplied at most MOST_PRODUCTS times, well under a second. Else the model's own are shown.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array, IntArray
from eigenlens.digest.digest import Digest
from eigenlens.document.table import Table
from eigenlens.explain.incomplete_sampling import can_leave_out_groups
from eigenlens.explain.model_rows import variable_names
from eigenlens.explain.sampling import sampling_intervals
from eigenlens.explain.variables import correlations
from eigenlens.model.subspace import Subspace

__all__ = ["FIRST_COMPONENTS", "leading_components", "leading_correlations"]

FIRST_COMPONENTS = 10
MOST_PRODUCTS = 5_000_000_000
FEWEST_ROWS = 10  # of fewer the tails are anybody's guess
NAMED_VARIABLES = 3
CLEAR = 0.3  # the least correlation that is worth a name


def leading_components(model: Subspace, digest: Digest | None = None) -> Table:
    """One line per component, at most FIRST_COMPONENTS or those kept, whichever are more.

    Columns: component, kept, eigenvalue, low, high, proportion, proportion_low, proportion_high,
    cumulative. The intervals are sampling intervals of 95 %; a table of fewer than FEWEST_ROWS rows
    has none, nor has one with missing cells that is too large to leave out rows.
    """
    wide = model if digest is None else wider_model(digest)
    count = max(model.n_components, min(FIRST_COMPONENTS, wide.n_components))
    eigenvalues = join_values(model.eigenvalues, wide.eigenvalues, count)
    shares = join_values(model.explained_ratio, wide.explained_ratio, count)
    ends: dict[str, Any] = dict.fromkeys(("low", "high", "proportion_low", "proportion_high"))
    notes: tuple[str, ...] = ()
    if has_intervals(model, digest) and count and model.n_rows >= FEWEST_ROWS:
        rows = None if digest is None else digest.source
        weights = None if digest is None else digest.given_weights
        found = sampling_intervals(wide, rows, weights=weights)
        ends, notes = {name: found[name] for name in ends}, found.notes[:1]
    columns = {
        "component": [f"PC{place + 1}" for place in range(count)],
        "kept": [place < model.n_components for place in range(count)],
        "eigenvalue": eigenvalues.tolist(),
        "low": ends["low"],
        "high": ends["high"],
        "proportion": shares.tolist(),
        "proportion_low": ends["proportion_low"],
        "proportion_high": ends["proportion_high"],
        "cumulative": np.minimum(np.cumsum(shares), 1.0).tolist(),
    }
    return Table(
        {
            name: [None] * count if one is None else list(one[:count])
            for name, one in columns.items()
        },
        notes,
    )


def wider_model(digest: Digest) -> Subspace:
    """A model with more components where they are wanted and cheap."""
    model, (n, d) = digest.model, digest.source.shape
    cheap = n * d * min(n, d) <= MOST_PRODUCTS
    if model.n_components >= FIRST_COMPONENTS or not is_complete(model) or not cheap:
        return model
    return digest.wider


def has_intervals(model: Subspace, digest: Digest | None) -> bool:
    return is_complete(model) or (digest is not None and can_leave_out_groups(model))


def is_complete(model: Subspace) -> bool:
    return model.missing is None or not model.missing.cells


def join_values(own: Float64Array, wide: Float64Array, count: int) -> Float64Array:
    return np.concatenate([own, wide[len(own) : count]])


def leading_correlations(model: Subspace, component: int) -> list[tuple[str, float]]:
    """Variables that go with a component (from 0), and how far; the strongest first."""
    along = np.nan_to_num(correlations(model)[:, component])
    order = np.argsort(-np.abs(along), kind="stable")
    order = order[~repeats_column(model, order)][:NAMED_VARIABLES]
    names = variable_names(model)
    clear = [place for place in order if abs(along[place]) >= CLEAR] or order[:1]
    return [(names[place], float(along[place])) for place in clear]


def repeats_column(model: Subspace, order: IntArray) -> AnyArray:
    """Whether a variable is the second level of two, which says what the first one said."""
    twice = np.zeros(len(order), dtype=bool)
    if model.categories is None:
        return twice
    places = np.argsort(order)
    for number in np.flatnonzero(model.categories.levels_of == 2):
        span = model.categories.span_of(int(number))
        twice[places[span].max()] = True
    return twice
