"""outliers: rows that lie far out in the subspace (T2), far off it (Q), or both.

    squared distance to the mean = sum of score_i^2 + Q,     T2 = sum of score_i^2 / eigenvalue_i

quadrant   "usual", "extreme but fits" (T2 above its limit), "breaks the pattern" (Q above),
           "both"; by the highest level asked for. None where Q is there but no limit is known
new        rows of the fit have pulled the model toward themselves, new ones have not: other laws
weights    count as repeated rows: rows (1,2) (2,1) (3,3) of weights 1 2 1 have T2 = 2.25 .75 2.25,
           3/2 of what MATLAB's pca gives (1.5 .5 1.5), for which weights sum to the number of rows
robust     models have `T2_classical` and `Q_classical` too: a row that is usual there and far out
           here has pulled the classical components toward it
no Q       with all components kept Q is 0 and its limit empty (None); a note says so
limits     are the model's and do not change with the rows shown. That of Q needs the eigenvalues
           left out: rows of the fit tell them, and so does the model unless its solver iterates.
           Then, for new rows, pass those of the fit as `reference`, else an assumption fills in
           (`leftover.py`), and a note says so
Cost       one pass; T2 and Q of every row are held, the rows are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.explain.convention import get_convention
from eigenlens.explain.distances import check_rows_of_fit, row_distances
from eigenlens.explain.left_out_spectrum import (
    LAWS,
    LeftOutSpectrum,
    estimate_left_out,
    nothing_left,
)
from eigenlens.explain.limits import check_law, check_levels, q_limits_from, t2_limits
from eigenlens.explain.model_rows import get_model, labels_of
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source

__all__ = ["QUADRANTS", "find_limits", "outlier_notes", "outliers", "q_is_rounding", "quadrants_of"]

QUADRANTS = ("usual", "extreme but fits", "breaks the pattern", "both")

Limits = Sequence[float | None]


def outliers(
    model: Any,
    data: Any,
    *,
    new: bool = False,
    levels: Sequence[float] = (0.95, 0.99),
    law: str = LAWS[0],
    reference: Any = None,
    labels: Sequence[Any] | None = None,
    convention: str | None = None,
) -> Table:
    """T2 and Q of every row, with their limits, and the quadrant it falls into.

    Parameters
    ----------
    data : the rows of the fit, or with `new` rows that the model has not seen
    levels : shares of ordinary rows that stay below the limits
    law : of Q: "moments", or "jackson-mudholkar"
    reference : the rows of the fit, from which the limit of Q is known better than from the model
    labels : names of the rows; a pandas frame names them by its index

    >>> import numpy as np, eigenlens
    >>> rng = np.random.default_rng(0)
    >>> rows = rng.standard_normal((300, 2)) @ rng.standard_normal((2, 6))
    >>> rows += 0.1 * rng.standard_normal(rows.shape)
    >>> rows[7, 3] += 4
    >>> table = outliers(eigenlens.fit(rows, 2), rows)
    >>> table["quadrant"][7], table["quadrant"][8]
    ('breaks the pattern', 'usual')
    """
    model, style = get_model(model), get_convention(convention)
    levels, law = check_levels(levels), check_law(law)
    source = match_columns(model, data) if new else check_rows_of_fit(model, data)
    named = labels_of(data, labels, source.shape[0])
    extremes, distances = row_distances(model, source)
    if q_is_rounding(model, new):
        distances = np.zeros_like(distances)
    t2, q, left = find_limits(model, source, levels, new=new, law=law, reference=reference)
    highest = int(np.argmax(levels))
    quadrants = quadrants_of(extremes, distances, t2[highest], q[highest])
    q_factor = style.score_factor(model) ** 2
    t2_factor = q_factor / style.eigenvalue_factor(model)
    return style.table(
        {
            "row": named,
            **limit_columns("T2", extremes, levels, t2, t2_factor),
            **limit_columns("Q", distances, levels, q, q_factor),
            "quadrant": quadrants,
            **classical_columns(model, data, new, t2_factor, q_factor),
        },
        outlier_notes(model, t2, left, bool((distances > 0).any())),
    )


def classical_columns(
    model: Subspace, data: Any, new: bool, t2_factor: float, q_factor: float
) -> dict[str, Sequence[Any]]:
    """Beside the distances of a robust model, those of the classical one; of its own rows only."""
    if model.robust is None or new:
        return {}
    from eigenlens.explain.classical import classical_distances

    extremes, distances = classical_distances(model, data)
    return {
        "T2_classical": (extremes * t2_factor).tolist(),
        "Q_classical": (distances * q_factor).tolist(),
    }


def outlier_notes(
    model: Subspace, t2: Limits, left: LeftOutSpectrum | None, off: bool
) -> Iterator[str]:
    """What the limits rest on, or why there are none; `off`: some rows lie off the subspace."""
    if model.categories is not None:
        yield "The limits assume rows of numbers; of categories they are rough: compare distances."
    if t2[0] is None:
        why = "there are no components" if not model.n_components else "the rows are too few"
        yield f"T2 has no limit: {why}."
    if left is not None and left.known_from == "next":
        yield (
            "The limits of Q assume how the eigenvalues that were left out decay; give the rows of "
            "the fit as reference to estimate them instead."
        )
    elif left is None and not nothing_left(model):
        yield f"Q has no limit: {model.n_rows} rows are too few to tell what is left out."
    elif left is None and off:
        yield (
            "Q has no limit: the model leaves no variance out that it could be compared with. Rows "
            "off the subspace have no quadrant."
        )
    elif left is None:
        yield "All of the variance is kept, so Q is 0 for every row and has no limit."


def q_is_rounding(model: Subspace, new: bool) -> bool:
    """Whether rows have no distance from the subspace, so that what is found of one is rounding."""
    return model.n_components == model.n_features or (not new and nothing_left(model))


def find_limits(
    model: Subspace,
    source: Source,
    levels: Sequence[float],
    *,
    new: bool,
    law: str = LAWS[0],
    reference: Any = None,
) -> tuple[Limits, Limits, LeftOutSpectrum | None]:
    """Of T2 and of Q, one per level, None where there is no law; and what that of Q rests on."""
    of_fit: Source | None = source
    if new:
        of_fit = None if reference is None else check_rows_of_fit(model, reference)
    t2, left = t2_limits(model, levels, new=new), estimate_left_out(model, of_fit)
    if left is None:
        return t2, [None] * len(levels), None
    return t2, q_limits_from(left, model, levels, new, law), left


def limit_columns(
    name: str, values: Float64Array, levels: Sequence[float], limits: Limits, factor: float
) -> dict[str, Sequence[Any]]:
    columns: dict[str, Sequence[Any]] = {name: (values * factor).tolist()}
    for level, limit in zip(levels, limits, strict=True):
        entry = None if limit is None else limit * factor
        columns[f"{name}_limit_{100 * level:.10g}"] = [entry] * len(values)
    return columns


def quadrants_of(
    extremes: Float64Array,
    distances: Float64Array,
    t2_limit: float | None,
    q_limit: float | None,
) -> list[str | None]:
    """By name; None where a row has a Q that nothing can be compared with."""
    far_out = extremes > (np.inf if t2_limit is None else t2_limit)
    far_off = distances > (np.inf if q_limit is None else q_limit)
    names: list[str | None] = [QUADRANTS[place] for place in far_out + 2 * far_off]
    if q_limit is None:
        names = [None if off > 0 else name for name, off in zip(names, distances, strict=True)]
    return names
