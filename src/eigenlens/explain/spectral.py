"""Models that have eigenvalues: linear ones, and those of a kernel."""

from __future__ import annotations

from typing import Any

from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import SetOption
from eigenlens.explain.reading import fitted
from eigenlens.kernel.subspace import KernelSubspace

__all__ = ["with_eigenvalues"]


def with_eigenvalues(model: Any, convention: str | None = None) -> Any:
    """The model itself, or the one inside a fitted estimator."""
    found = getattr(model, "model_", model)
    if not isinstance(found, KernelSubspace):
        return fitted(model)
    if convention is not None:
        raise OptionError.needs(
            SetOption("convention", convention),
            "a linear model: eigenvalues of a kernel matrix are divided by nothing",
            "leave it out",
        )
    return found
