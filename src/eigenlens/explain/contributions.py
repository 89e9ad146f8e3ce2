"""Contributions: which variables make a row's T2 and its Q.

    T2 = |V diag(t)^-1/2 V' x|^2     a variable's part: its entry of that vector, squared
    Q  = |x - V V' x|^2              a variable's part: its residual, squared

Both are the complete decomposition: parts are never negative and sum to T2 and Q. x is the row as
the model sees it, centered and scaled.

Order    first the variable that, corrected alone, would take most away: r_j^2 / (I - V V')_jj of Q,
         and the like of T2. An error in one variable spreads to the residuals of others, which may
         come to have larger parts than its own; this order names it first nevertheless. Of Q where
         the row is further off the subspace than out in it, each measured by what is average (the
         variance left out, the number of components), else of T2.
         Where all take the same (T2 of one component) the largest part is first.
Source   Alcala and Qin 2009, Automatica 45:1593.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.explain.convention import get_convention
from eigenlens.explain.distances import count_active
from eigenlens.explain.left_out_spectrum import nothing_left
from eigenlens.explain.model_rows import get_model, labels_of, variable_names
from eigenlens.model.rows import match_columns, require_finite
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source

__all__ = ["contributions", "order_for", "prepare_row", "row_parts"]

ROUNDING = 1e-12
ALIKE = 1e-9  # of the largest gain: closer ones differ by rounding


def contributions(
    model: Any,
    data: Any,
    row: Any,
    *,
    labels: Sequence[Any] | None = None,
    convention: str | None = None,
) -> Table:
    """What each variable adds to the T2 and the Q of one row, the one to be checked first on top.

    Parameters
    ----------
    data : the rows of the fit, or others with the same columns
    row : its label: in the index of a pandas frame, in `labels`, or else its position from 0

    >>> import numpy as np, eigenlens
    >>> rng = np.random.default_rng(0)
    >>> rows = rng.standard_normal((300, 2)) @ rng.standard_normal((2, 6))
    >>> rows += 0.1 * rng.standard_normal(rows.shape)
    >>> rows[7, 3] += 4
    >>> contributions(eigenlens.fit(rows, 2), rows, 7)["variable"][0]
    'x3'
    """
    model, style = get_model(model), get_convention(convention)
    source = match_columns(model, data)
    place = find_row(row, labels_of(data, labels, source.shape[0]))
    ready = prepare_row(model, source, place)
    extreme, apart = row_parts(model, ready)
    order = order_of(model, extreme, apart, ready)
    names = variable_names(model)
    q_factor = style.score_factor(model) ** 2
    t2_factor = q_factor / style.eigenvalue_factor(model)
    return style.table(
        {
            "variable": [names[place] for place in order],
            "T2_contribution": (t2_factor * extreme[order]).tolist(),
            "Q_contribution": (q_factor * apart[order]).tolist(),
        }
    )


def prepare_row(model: Subspace, source: Source, position: int) -> Float64Array:
    """One row, centered and scaled as the model's were."""
    ready = source.sample(np.array([position]))[0].astype(np.float64)
    if model.mean is not None:
        ready = ready - model.mean
    if model.scale is not None:
        ready = ready / model.scale
    return np.asarray(require_finite(ready, model, source))


def row_parts(model: Subspace, row: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Of T2 and of Q, one per variable."""
    count = count_active(model)
    scores = model.components @ row
    extreme = (scores[:count] / np.sqrt(model.eigenvalues[:count])) @ model.components[:count]
    if model.n_components == model.n_features:
        return extreme**2, np.zeros_like(extreme)
    return extreme**2, (row - scores @ model.components) ** 2


def order_of(
    model: Subspace, extreme: Float64Array, apart: Float64Array, row: Float64Array
) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """From the variable to be corrected first, for the sake of Q or of T2: what is more unusual."""
    rest = model.total_variance - float(model.eigenvalues.sum())
    # Where nothing is left out, what is usual is rounding.
    least = ROUNDING * model.total_variance if nothing_left(model) else 0.0
    off = float(apart.sum()) / max(rest, least)
    out = float(extreme.sum()) / max(count_active(model), 1)
    return order_for("Q" if off >= out else "T2", model, extreme, apart, row)


def order_for(
    statistic: str,
    model: Subspace,
    extreme: Float64Array,
    apart: Float64Array,
    row: Float64Array,
) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """From the variable to be corrected first, for the sake of this statistic."""
    of_q = statistic == "Q"
    gains = gains_in_q(model, apart) if of_q else gains_in_t2(model, row)
    alike = np.rint(gains / (ALIKE * (gains.max(initial=0.0) or 1.0)))
    return np.lexsort((-(apart if of_q else extreme), -alike))


def gains_in_q(model: Subspace, apart: Float64Array) -> Float64Array:
    """What Q would lose if a variable, and only that one, were as the others have it."""
    return per_own(apart, 1 - np.square(model.components).sum(axis=0))


def gains_in_t2(model: Subspace, row: Float64Array) -> Float64Array:
    """What T2 would lose by the best change of one variable."""
    count = count_active(model)
    inverse = model.components[:count] / np.sqrt(model.eigenvalues[:count])[:, None]
    return per_own(np.square(inverse.T @ (inverse @ row)), np.square(inverse).sum(axis=0))


def per_own(squares: Float64Array, own: Float64Array) -> Float64Array:
    """0 where a variable has no part in it but for rounding."""
    there = own > ROUNDING * max(float(own.max(initial=0.0)), np.finfo(np.float64).tiny)
    return np.asarray(np.where(there, squares / np.where(there, own, 1.0), 0.0))


def find_row(row: Any, labels: Sequence[Any]) -> int:
    """The position of the only row with this label."""
    places = [place for place, label in enumerate(labels) if label == row]
    if len(places) > 1:
        raise OptionError.needs(
            SetOption("row", row),
            f"a label of one row, and {len(places)} rows have this one",
            Phrase("pass {} and a position", Option("labels", "range(n)")),
        )
    if places:
        return places[0]
    if list(labels) == list(range(len(labels))):
        raise OptionError.needs(
            SetOption("row", row), f"a row of the data, 0 to {len(labels) - 1}", "pass one of them"
        )
    raise OptionError.unknown("row", row, labels)
