"""Rows with missing cells: filled with errors, projected with errors, drawn at random.

    errors of scores      E = V' D^-1 L D^-1 V          L = covariance of the holes given the rest
    draws                 x_M ~ N(expected, L), independently for every row

Every standard error is multiplied by what was learned from hidden cells, and by what the law's own
errors add (`Completer.error_factors`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option
from eigenlens.errors.remedies import PythonCode
from eigenlens.missing.completer import Completer, Completion
from eigenlens.missing.observed import cell_blocks
from eigenlens.model.completed_levels import complete_categories
from eigenlens.model.rows import match_columns
from eigenlens.model.scores_file import write_blocks
from eigenlens.sources.protocol import Source

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["complete_model_rows", "draw_completions", "score_errors", "write_completion"]


def complete_model_rows(model: Subspace, rows: Any, errors: bool, out: str | Path | None) -> Any:
    """The rows with their holes filled, and on request the standard errors of the filled cells."""
    source = incomplete_source(model, rows)
    if out is not None:
        return write_completion(model, rows, out, errors=False)
    parts = list(completions(model, source))
    whole = np.concatenate([part.rows for part in parts])
    doubts = np.concatenate([part.errors for part in parts])
    if model.categories is None or isinstance(rows, np.ndarray | Source):
        return (whole, doubts) if errors else whole
    made = complete_categories(model, rows, Completion(whole, doubts, np.isnan(whole)))
    return made if errors else made[0]


def write_completion(model: Subspace, rows: Any, out: str | Path, errors: bool) -> Path:
    """The filled rows, or the standard errors of what was filled, block by block."""
    if model.categories is not None:
        raise OptionError.needs(
            Option("out"),
            "a table of numbers: filled categories are words",
            PythonCode("write them with model.complete(rows).to_csv(path)"),
        )
    source = incomplete_source(model, rows)
    names = model.feature_names or tuple(str(j) for j in range(model.n_features))
    parts = completions(model, source)
    blocks = (part.errors if errors else part.rows for part in parts)
    return write_blocks(blocks, names, out, rows, source)


def score_errors(model: Subspace, rows: Any) -> Float64Array:
    """Standard errors of the scores of rows with holes, (n, k); 0 for rows without."""
    completer, parts = completer_of(model), []
    units = completer.spread
    if model.scale is not None:
        units = units / model.scale
    directions = model.components.T * units[:, None]
    for cells in cell_blocks(incomplete_source(model, rows)):
        deviations, holes = completer.in_units(cells)
        errors = np.zeros((len(cells), model.n_components))
        for part in completer.law.condition(deviations, holes):
            factors = completer.error_factors(part.columns, part.distance)
            along = directions[part.columns] * factors[:, :, None]
            spread = np.einsum("rmk,rmk->rk", along, part.covariance[part.member] @ along)
            errors[part.rows] = np.sqrt(np.maximum(spread, 0.0))
        parts.append(errors)
    return np.concatenate(parts)


def draw_completions(model: Subspace, rows: Any, m: int, seed: int) -> Iterator[Float64Array]:
    """`m` completed tables whose holes are drawn from what is known about them."""
    if model.categories is not None:
        raise OptionError.needs(
            "draws",
            "a table of numbers: what is drawn for a missing category would be no level",
            PythonCode("see how sure a level is with model.complete(rows, errors=True)"),
        )
    completer = completer_of(model)
    source = incomplete_source(model, rows)
    for rng in np.random.default_rng(seed).spawn(m):
        drawn = [draw_block(completer, cells, rng) for cells in cell_blocks(source)]
        yield np.concatenate(drawn)


def draw_block(completer: Completer, cells: Float64Array, rng: np.random.Generator) -> Float64Array:
    deviations, holes = completer.in_units(cells)
    filled = completer.complete(cells).rows
    for part in completer.law.condition(deviations, holes):
        roots = np.linalg.cholesky(part.covariance)[part.member]
        noise = rng.standard_normal(part.columns.shape)
        step = np.einsum("rmn,rn->rm", roots, noise)
        factors = completer.error_factors(part.columns, part.distance)
        filled[part.rows[:, None], part.columns] += step * factors * completer.spread[part.columns]
    return filled


def completions(model: Subspace, source: Source) -> Iterator[Completion]:
    completer = completer_of(model)
    for cells in cell_blocks(source):
        yield completer.complete(cells)


def incomplete_source(model: Subspace, rows: Any) -> Source:
    """The rows as they are given, matched to the model's columns, holes and all."""
    completer_of(model)
    return match_columns(model, rows, complete=False)


def completer_of(model: Subspace) -> Completer:
    if model.missing is None:
        raise OptionError.needs(
            "filling missing cells",
            "a model that was fitted with missing='auto', on a table that has some",
            PythonCode("fit it with eigenlens.fit(data, missing='auto')"),
        )
    return model.missing.completer
