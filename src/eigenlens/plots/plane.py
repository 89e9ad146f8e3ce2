"""plane: which components a figure shows, and the numbers along them.

Components are asked for as people write them: 1 or "PC1" is the first.

Arguments that most figures take are checked here, before anything is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.eigenvalues import with_eigenvalues
from eigenlens.explain.model_rows import get_model
from eigenlens.model.device_answers import answer_at_home
from eigenlens.model.subspace import Subspace

__all__ = [
    "check_whole_number",
    "component_positions",
    "model_with_components",
    "model_with_spectrum",
    "scores_along_components",
    "values_along_components",
    "weighted_share",
]


def component_positions(
    model: Subspace, components: Any, count: int | None = None
) -> tuple[int, ...]:
    """Positions from 0; `count`: how many a figure of this kind needs."""
    asked = [components] if isinstance(components, str | Integral) else list(components)
    if not asked or (count is not None and len(asked) != count):
        wanted = count or 1
        example = repr(tuple(range(1, wanted + 1))) if wanted > 1 else "1"
        raise OptionError.needs(
            SetOption("components", components),
            f"{wanted} of them",
            Phrase("pass {}", SetOption("components", example)),
        )
    positions = tuple(component_position(model, one) for one in asked)
    if len(set(positions)) < len(positions):
        raise OptionError.needs(
            SetOption("components", components), "different ones", "name each component once"
        )
    return positions


def component_position(model: Subspace, component: Any) -> int:
    held, number = model.n_components, component
    if isinstance(component, str) and component.startswith("PC") and component[2:].isdecimal():
        number = int(component[2:])
    elif isinstance(component, str):
        names = [f"PC{i + 1}" for i in range(held)]
        raise OptionError.unknown("component", component, names)
    whole = isinstance(number, Integral) and not isinstance(number, bool)
    if not whole or not 1 <= int(number) <= held:
        raise RankError.not_held(number, held)
    return int(number) - 1


def values_along_components(
    table: Table, item: str, value: str, components: Iterable[int]
) -> tuple[AnyArray, Float64Array]:
    """From a long table: the items in their order, and `value` along each component, (items, c)."""
    names = np.asarray(table["component"])
    entries = np.asarray(table[value], dtype=np.float64)
    masks = [names == f"PC{component + 1}" for component in components]
    items = np.asarray(table[item], dtype=object)[masks[0]]
    return items, np.column_stack([entries[mask] for mask in masks])


def weighted_share(model: Subspace, parts: Float64Array, components: Iterable[int]) -> Float64Array:
    """Parts of several components (items, c) as one, (items,): weighted by their eigenvalues."""
    weights = model.eigenvalues[list(components)]
    total = float(weights.sum())
    return np.asarray(parts @ weights / total if total > 0 else parts.mean(axis=1))


def scores_along_components(model: Subspace, data: Any, components: Iterable[int]) -> Float64Array:
    """Scores of all rows along the chosen components, (n, c)."""
    scores: Float64Array = answer_at_home(model.project(data))
    return scores[:, list(components)]


def check_whole_number(name: str, value: Any, least: int) -> int:
    """A whole number from `least` up."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise OptionError.not_whole(name, value, least)
    return int(value)


def model_with_components(model: Any) -> Subspace:
    """The fitted model, which must have something to show."""
    found = get_model(model)
    refuse_no_components(found)
    return found


def model_with_spectrum(model: Any) -> Any:
    """The same, of a kernel too: for figures that need no columns behind the components."""
    found = with_eigenvalues(model)
    refuse_no_components(found)
    return found


def refuse_no_components(model: Any) -> None:
    if model.n_components == 0:
        raise RankError.needs(
            "this plot", "a model with components", Phrase("fit again with {}", SetOption("k", 2))
        )
