"""reading: rows as the model sees them, what they are called, and how often each counts.

    y = V' D^-1 (x - m)           scores
    |D^-1 (x - m)|^2              squared distance to the center = scores^2 + Q

The rows are read once, block by block; only scores and distances stay in memory.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Option, Phrase
from eigenlens.errors.remedies import PythonCode
from eigenlens.kernel.subspace import KernelSubspace
from eigenlens.model.rows import block_scores, centered_blocks, require_finite
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.preparation import prepare

__all__ = [
    "check_held_components",
    "constant_variables",
    "empty_components",
    "get_model",
    "is_weighted",
    "item_component_pairs",
    "labels_of",
    "read_prepared_blocks",
    "scores_and_lengths",
    "variable_names",
    "weights_for",
]

CONSTANT = 1e3  # times rounding: a spread no larger than this is none


def get_model(model: Any) -> Subspace:
    """The subspace itself, or the one inside a fitted estimator."""
    found = getattr(model, "model_", model)
    if isinstance(found, KernelSubspace):
        raise OptionError.needs(
            "this table or figure",
            "components that are made of columns, and those of a kernel are not",
            PythonCode(
                "use explain.eigenvalues(model), plots.scree(model), plots.scores(model, rows), "
                "model.novelty(rows) or model.residual(rows)"
            ),
        )
    if not isinstance(found, Subspace):
        raise OptionError.needs(
            f"a model of type {type(model).__name__}",
            "to be fitted",
            PythonCode("pass what eigenlens.fit(data) returns, or a fitted estimator"),
        )
    return found


def check_held_components(k: object, model: Subspace, least: int = 1) -> int:
    """How many components were asked for, all of which the model must have."""
    count = int(k) if isinstance(k, Integral) and not isinstance(k, bool) else -1
    if not least <= count <= model.n_components:
        raise RankError.not_held(k, model.n_components)
    return count


def read_prepared_blocks(model: Subspace, source: Source) -> Iterator[tuple[slice, Float64Array]]:
    """Blocks of (x - mean) / scale, each with the rows it holds."""
    start = 0
    for block in centered_blocks(model, source):
        yield slice(start, start + len(block)), block
        start += len(block)


def scores_and_lengths(model: Subspace, source: Source) -> tuple[Float64Array, Float64Array]:
    """Scores (n, k) and squared distances to the center (n,), in one pass."""
    scores = np.empty((source.shape[0], model.n_components))
    lengths = np.empty(source.shape[0])
    with np.errstate(invalid="ignore", over="ignore"):
        for span, block in read_prepared_blocks(model, source):
            scores[span] = block_scores(model, block)
            lengths[span] = np.square(block).sum(axis=1)
    return require_finite(scores, model, source), require_finite(lengths, model, source)


def labels_of(data: Any, labels: Sequence[Any] | None, count: int) -> list[Any]:
    """What the rows are called: as given, by the index of a pandas frame, else by position."""
    if labels is not None:
        given = list(labels)
        if isinstance(labels, str) or len(given) != count:
            raise OptionError.needs(
                Phrase("{} of length {}", Option("labels"), len(given)),
                f"one label for each of the {count} rows",
                "pass a list of that length, or None for positions",
            )
        return given
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(data, pandas.DataFrame):
        return list(data.index.tolist())
    return list(range(count))


def weights_for(model: Subspace, weights: Any, source: Source, must: bool) -> Float64Array:
    """How often each row counts; `must`: after a weighted fit, once each is no likely answer."""
    inertia = traits_of(source).inertia
    if weights is None and inertia is not None and inertia.row_weights is not None:
        return inertia.row_weights  # counts weigh by their sums
    if weights is None:
        if must and is_weighted(model):
            raise OptionError.needs(
                "a model that was fitted with weights",
                "those of these rows too",
                Phrase("pass {}, the same as in the fit", Option("weights")),
                PythonCode("pass np.ones(n) to count every row once"),
            )
        kept = None if model.robust is None else model.robust.kept
        if kept is not None and len(kept) == source.shape[0]:
            return kept.astype(np.float64)  # outlying rows had weight 0
        return np.ones(source.shape[0])
    checked = prepare(source, False, None, weights).weights
    return np.ones(source.shape[0]) if checked is None else checked


def is_weighted(model: Subspace) -> bool:
    """Whether rows of the fit had weights."""
    return bool(model.provenance.get("settings", {}).get("weighted"))


def variable_names(model: Subspace) -> list[str]:
    if model.feature_names is not None:
        return list(model.feature_names)
    return [f"x{column}" for column in range(model.n_features)]


def constant_variables(model: Subspace) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which variables do not vary, up to the rounding of the sums that tell."""
    facts = model.proof.facts
    rounding = CONSTANT * facts.roundoff * facts.diagonal * facts.unit**2
    found: np.ndarray[Any, np.dtype[np.bool_]] = model.feature_variances <= rounding
    return found


def empty_components(model: Subspace) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which components have an eigenvalue that is zero up to rounding: they share nothing out."""
    units = np.ones(model.n_features) if model.scale is None else model.scale
    center = np.zeros(model.n_features) if model.mean is None else model.mean / units
    # Scores are good to so much: the subtraction of the mean, and a sum of d products.
    size = np.sqrt(model.total_variance + float(np.square(center).sum()))
    blur = 8 * model.n_features * np.finfo(np.float64).eps * size
    found: np.ndarray[Any, np.dtype[np.bool_]] = model.eigenvalues <= np.maximum(
        2 * model.certificate.rounding, blur**2
    )
    return found


def item_component_pairs(
    items: Sequence[Any], components: Sequence[str]
) -> tuple[list[Any], list[str]]:
    """Both columns of a long table: every item with every component, items outside."""
    return (
        [item for item in items for _ in components],
        [component for _ in items for component in components],
    )
