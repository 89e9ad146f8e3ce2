"""The learned basis: the components of a fitted model, around its mean.

    x = mean + V c,   c = V'(x - mean)

It has as many coefficients as the model has components, and spans no more than they do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.model.subspace import Subspace
from eigenlens.sensing.fixed_bases import flatten_signals, stack_signals

__all__ = ["LearnedBasis", "make_learned_basis"]


@dataclass(frozen=True)
class LearnedBasis:
    model: Subspace
    shape: tuple[int, ...]
    name: str = "components"

    @property
    def count(self) -> int:
        return self.model.n_components

    @property
    def offset(self) -> Float64Array | None:
        return None if self.model.mean is None else self.model.mean.reshape(self.shape)

    @property
    def spread(self) -> Float64Array:
        return np.sqrt(self.model.eigenvalues)

    def analyze(self, signals: Any) -> Float64Array:
        rows = flatten_signals(stack_signals(signals, self.shape), self.shape)
        found: Float64Array = rows @ self.model.components.T
        return found

    def synthesize(self, coefficients: Any) -> Float64Array:
        given = stack_signals(coefficients, (self.count,))
        rows: Float64Array = given @ self.model.components
        return rows.reshape(*given.shape[:-1], *self.shape)


def make_learned_basis(model: Subspace, shape: tuple[int, ...] | None) -> LearnedBasis:
    sides = (model.n_features,) if shape is None else shape
    if model.scale is not None:
        raise OptionError.needs(
            Phrase("a basis from a model with {}", Option("scale")),
            "components that are orthonormal in the units of the data",
            Phrase("fit again without {}", Option("scale")),
        )
    if model.n_components == 0:
        raise OptionError.needs(
            "a basis", "a model with components", Phrase("fit again with {}", SetOption("k", 10))
        )
    if int(np.prod(sides)) != model.n_features:
        raise OptionError.needs(
            SetOption("shape", sides),
            f"{model.n_features} entries, the columns of the model",
            Phrase("pass {}, or sides with that product", SetOption("shape", model.n_features)),
        )
    return LearnedBasis(model, sides)
