"""categories: where each level lies, how well it is shown, and what it makes of each component.

    coordinate     FAMD: the mean score of its rows = t v / sqrt(p)
                   MCA:  that over sqrt(t); columns of counts: sqrt(t) v / sqrt(c)
    cos2           MCA, CA: share of the level's variance along the component
                   FAMD: coordinate^2 over the squared distance of its rows' mean to the center
    contribution   100 v^2                 percent of the component
    v_test         mean score of its rows over its standard error if rows were drawn at random
    eta2           of the whole column: share of the component's variance between its levels
    weight         how many rows have it: the sum of their weights

t is the eigenvalue (an inertia), v the entry of the component, p the share of the level. Only the
cos2 of FAMD needs the rows: one pass, for up to 5000 levels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.convention import get_convention
from eigenlens.explain.model_rows import (
    empty_components,
    get_model,
    item_component_pairs,
    weights_for,
)
from eigenlens.explain.variables import correlations
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace
from eigenlens.sources.categories.encoding import Encoding

__all__ = ["LevelFigures", "as_levels", "categories", "level_figures", "require_categories"]

MOST_LEVELS = 5000
COUNTED = "counts"  # what the columns of a table of counts are levels of
NO_ROWS = "cos2 of levels needs the rows: pass them as data."
TOO_MANY = f"cos2 is not computed for more than {MOST_LEVELS} levels."

LevelFigures = dict[str, Any]


def categories(
    model: Any, data: Any = None, *, weights: Any = None, convention: str | None = None
) -> Table:
    """One line per level and component, of a model that was fitted with categories.

    `data` are the rows of the fit, `weights` those of the fit. `convention="factominer"` names the
    columns as that package does; the numbers are the same.

    >>> import eigenlens, pandas
    >>> frame = pandas.DataFrame({"a": list("xxyyzz"), "b": list("uuuvvv")})
    >>> table = categories(eigenlens.fit(frame, 1, categories="auto"))
    >>> table["category"]
    ['x', 'y', 'z', 'u', 'v']
    """
    model, style = get_model(model), get_convention(convention)
    figures = level_figures(model)
    notes: list[str] = []
    if require_categories(model).method == "famd":
        figures["cos2"], notes = mixed_cos2(model, data, weights, figures["coordinate"])
    column, component = item_component_pairs(
        figures["column"], style.components(model.n_components)
    )
    category, _ = item_component_pairs(figures["category"], range(model.n_components))  # type: ignore[arg-type]
    lines = {"column": column, "category": category, "component": component}
    for name in ("coordinate", "cos2", "contribution", "v_test", "eta2"):
        lines[name] = figures[name].ravel()
    lines["weight"] = np.repeat(figures["weight"], model.n_components).tolist()
    return style.table(lines, notes)


def require_categories(model: Subspace) -> Encoding:
    if model.categories is None:
        raise OptionError.needs(
            "a table of categories",
            "a model that was fitted with categories",
            Phrase("fit it with {}", SetOption("categories", "auto")),
        )
    return model.categories


def level_figures(model: Subspace) -> LevelFigures:
    """What is known without the rows, (levels, k) each but names and weights.

    `mean`: the mean score of a level's rows, in units of the component's deviation.
    """
    encoding = require_categories(model)
    if model.mean is None:
        raise RuntimeError("categories are centered")
    first = 0 if encoding.method == "ca" else len(encoding.numbers)
    vectors, shares = model.components.T[first:], model.mean[first:, None]
    values = np.where(empty_components(model), np.nan, model.eigenvalues)
    columns, weight = encoding.divided_by, model.moments.weight
    standard = vectors * np.sqrt(values * columns / shares)
    mixed = encoding.method == "famd"
    counts = shares * weight
    with np.errstate(divide="ignore", invalid="ignore"):
        v_test = standard * np.sqrt(counts * (weight - 1) / (weight - counts))
    made = np.square(vectors)
    figures: LevelFigures = {
        "column": [COUNTED] * len(vectors),
        "category": list(encoding.numbers),
        "mean": standard,
        "coordinate": standard * np.sqrt(values) if mixed else standard,
        "cos2": np.square(correlations(model)[first:]),
        "contribution": 100 * made,
        "v_test": np.full_like(made, np.nan) if encoding.method == "ca" else v_test,
        "eta2": np.full_like(made, np.nan),
        "weight": counts[:, 0],
    }
    if encoding.columns:
        figures["column"] = [one.name for one in encoding.columns for _ in one.levels]
        figures["category"] = [level for one in encoding.columns for level in one.levels]
        shared = np.add.reduceat(made, encoding.starts[:-1] - first, axis=0)
        eta2 = np.minimum(shared * model.eigenvalues * columns, 1.0)
        figures["eta2"] = np.repeat(eta2, encoding.levels_of, axis=0)
    return figures


def mixed_cos2(
    model: Subspace, data: Any, weights: Any, coordinates: Float64Array
) -> tuple[Float64Array, list[str]]:
    """Squared coordinates over the squared distances of the levels' means to the center."""
    nothing = np.full_like(coordinates, np.nan)
    if data is None:
        return nothing, [NO_ROWS]
    if len(coordinates) > MOST_LEVELS:
        return nothing, [TOO_MANY]
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.square(coordinates) / mean_distances(model, data, weights)[:, None]
    return np.minimum(found, 1.0), []


def mean_distances(model: Subspace, data: Any, weights: Any) -> Float64Array:
    """Of the mean of every level's rows to the center, squared: one pass."""
    from scipy import sparse

    encoding = require_categories(model)
    if model.mean is None or model.scale is None:
        raise RuntimeError("categories are centered and scaled")
    source = match_columns(model, data)
    heavy = weights_for(model, weights, source, must=True)
    first, start = len(encoding.numbers), 0
    sums = np.zeros((encoding.width - first, encoding.width))
    for block in source.blocks(max(1, (4 << 20) // encoding.width)):
        rows = slice(start, start + block.shape[0])
        start = rows.stop
        # Rows whose missing categories were estimated have memberships, which are dense.
        cells = block if isinstance(block, np.ndarray) else block.toarray()
        levels = sparse.csr_array(block[:, first:] * heavy[rows][:, None])
        sums += levels.T @ ((cells - model.mean) / model.scale)
    means = sums / (model.mean[first:, None] * float(heavy.sum()))
    found: Float64Array = np.square(means).sum(axis=1)
    return found


def as_levels(
    records: list[dict[str, Float64Array]],
    weights: Float64Array,
    model: Subspace,
    whole: bool | None,
) -> list[dict[str, Float64Array]]:
    """Supplementary categories as the levels of an MCA have it: the share of a level's own
    variance, and (`whole`) FactoMineR's coordinate, the centroid over the root of the inertia."""
    made = []
    for record, own in zip(records, weights.tolist(), strict=True):
        standard = record["centroid"] / np.sqrt(model.eigenvalues)
        cos2 = np.minimum(np.square(standard) * own / (float(weights.sum()) - own), 1.0)
        made.append({**record, "cos2": cos2, "centroid": standard if whole else record["centroid"]})
    return made
