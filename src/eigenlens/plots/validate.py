"""checked: what most figures ask of their arguments before anything is drawn."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.eigenvalues import with_eigenvalues
from eigenlens.explain.model_rows import get_model
from eigenlens.model.subspace import Subspace

__all__ = ["check_whole_number", "model_with_components", "model_with_spectrum"]


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
