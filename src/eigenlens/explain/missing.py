"""missing: which columns lack cells, how well they are predicted, and what their holes go with.

predictable   1 - (error / deviation)^2, from cells that were hidden on purpose
error         root mean squared error of those, in the units of the column
mean_gap      difference of the first score (of the other columns) between rows with the hole and
              rows without, in units of that score's deviation
v_test        the same as a standard normal number: beyond 2 the holes are not there by chance

A column of categories has one line, no unit of error, and is not shifted. Notes give Little's test.
That cells are missing because of their own values cannot be seen in data; `shift` says how far they
would have to be from what is expected to matter (`missing_shift.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.remedies import PythonCode
from eigenlens.explain.convention import get_convention
from eigenlens.explain.missing_shift import ColumnShifts
from eigenlens.explain.model_rows import get_model
from eigenlens.missing.completer import Completer, Completion
from eigenlens.missing.memberships import as_engine_sees
from eigenlens.missing.observed import as_dense
from eigenlens.missing.randomness import compare_patterns
from eigenlens.model.missing_cells import MissingCells
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace

__all__ = ["columns_of_data", "missing"]

MOST_ROWS = 20_000


def missing(
    model: Any, data: Any, *, shift: float | None = None, convention: str | None = None
) -> Table:
    """One line per column: `column holes share predictable error mean_gap v_test`.

    `model` was fitted with missing="auto" (or "gaussian", "lowrank"). With `shift`, `turn` says by
    how many degrees a component turns at most if all filled cells of the column were that many
    standard errors higher, or lower; `turns_at`, at which shift one turns by 45 degrees (nan: at
    none up to 5).

    >>> import numpy as np, eigenlens
    >>> rng = np.random.default_rng(0)
    >>> rows = rng.standard_normal((300, 2)) @ rng.standard_normal((2, 5))
    >>> rows += 0.3 * rng.standard_normal(rows.shape)
    >>> rows[:40, 2] = np.nan
    >>> table = missing(eigenlens.fit(rows, 2, missing="auto"), rows)
    >>> table["holes"][2]
    40
    """
    model, style = get_model(model), get_convention(convention)
    holes = known_holes(model)
    cells = sample_cells(model, data)
    lacking = np.isnan(cells)
    completion = holes.completer.complete(cells)
    filled = completion.rows
    names, spans = columns_of_data(model)
    first = [span.start for span in spans]
    gaps = [score_gap(model, filled, lacking[:, span.start], span) for span in spans]
    errors, lacking = holes.column_errors[first], lacking[:, first]
    # A category has no unit, and no direction to be moved in.
    units = np.where(is_category(model)[first], np.nan, holes.completer.spread[first])
    shifted = {} if shift is None else describe_shift(model, completion, shift)
    return style.table(
        {
            "column": list(names),
            "holes": lacking.sum(axis=0).tolist(),
            "share": lacking.mean(axis=0),
            "predictable": np.maximum(1.0 - errors**2, 0.0),
            "error": errors * units,
            "mean_gap": np.array([gap for gap, _ in gaps]),
            "v_test": np.array([test for _, test in gaps]),
            **{name: figures[first] for name, figures in shifted.items()},
        },
        notes_about(holes.completer, cells),
    )


def describe_shift(model: Subspace, completion: Completion, shift: float) -> dict[str, Any]:
    if isinstance(shift, bool) or not isinstance(shift, int | float) or not 0 < shift < np.inf:
        raise OptionError.not_positive("shift", shift)
    counts = np.where(is_category(model), 0, completion.holes.sum(axis=0))
    return ColumnShifts(model, completion).table(counts, float(shift))


def columns_of_data(model: Subspace) -> tuple[list[str], list[slice]]:
    """Columns by name, and where they stand in the table: a category has several indicators."""
    encoding = model.categories
    if encoding is None or not encoding.columns:
        names = model.feature_names or tuple(str(j) for j in range(model.n_features))
        return list(names), [slice(j, j + 1) for j in range(model.n_features)]
    numbers = [slice(j, j + 1) for j in range(len(encoding.numbers))]
    spans = [encoding.span_of(place) for place in range(len(encoding.columns))]
    return list(encoding.column_names), [*numbers, *spans]


def is_category(model: Subspace) -> Any:
    """Which columns of the table are indicators."""
    encoding = model.categories
    first = model.n_features if encoding is None else len(encoding.numbers)
    return np.arange(model.n_features) >= first


def known_holes(model: Subspace) -> MissingCells:
    if model.missing is None:
        raise OptionError.needs(
            "explain.missing",
            "a model that was fitted with missing='auto'",
            PythonCode("fit it with eigenlens.fit(data, missing='auto')"),
        )
    return model.missing


def sample_cells(model: Subspace, data: Any) -> Float64Array:
    """All rows, or as many as are soon looked through, at equal steps."""
    source = match_columns(model, data, complete=False)
    count = source.shape[0]
    if count > MOST_ROWS:
        places = np.linspace(0, count - 1, MOST_ROWS).round().astype(np.int64)
        return np.asarray(source.sample(places), dtype=np.float64)
    return np.concatenate([as_dense(block) for block in source.blocks(MOST_ROWS)])


def score_gap(
    model: Subspace, filled: Float64Array, lacking: Any, column: slice
) -> tuple[float, float]:
    """Mean gap of the first score, without this column's part in it, and its v-test."""
    count, with_hole = len(lacking), int(lacking.sum())
    if not model.n_components or not 0 < with_hole < count:
        return np.nan, np.nan
    direction = model.components[0].copy()
    direction[column] = 0.0
    if model.scale is not None:
        direction = direction / model.scale
    scores = filled @ direction
    deviation = scores.std()
    if not deviation > 0:
        return np.nan, np.nan
    gap = float(scores[lacking].mean() - scores[~lacking].mean())
    # The mean of a random draw of `with_hole` rows without replacement.
    spread = deviation * np.sqrt((count - with_hole) / (with_hole * max(count - 1, 1)))
    return gap / deviation, float((scores[lacking].mean() - scores.mean()) / spread)


def notes_about(completer: Completer, cells: Float64Array) -> list[str]:
    found = compare_patterns(*as_engine_sees(completer, cells))
    if found is None:
        return ["All rows lack the same cells, so nothing can be said about why they are missing."]
    verdict = "rejected" if found.p_value < 0.05 else "not rejected"
    return [
        f"That cells are missing completely at random is {verdict} (Little's test: chi-square "
        f"{found.statistic:.1f} with {found.freedom} degrees of freedom, p = {found.p_value:.2g}).",
        "Whether cells are missing because of their own values cannot be seen in the data.",
    ]
