"""Bases: orthonormal ways to write a signal, by name, or from a fitted model.

| name             | coefficients                                                          |
|------------------|-----------------------------------------------------------------------|
| identity         | the entries themselves                                                |
| dct              | cosines (DCT-II, orthonormal), along every axis                       |
| haar, db4, sym8… | an orthogonal wavelet of PyWavelets, periodic at the edges            |
| a fitted model   | its components: as many coefficients as it has, around its mean       |

Analysis is the transpose of synthesis everywhere: `analyze(synthesize(c)) = c`. Signals have the
shape the basis was made for; leading axes are a stack of signals.

The learned basis: the components of a fitted model, around its mean.

    x = mean + V c,   c = V'(x - mean)

It has as many coefficients as the model has components, and spans no more than they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Protocol

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.model.subspace import Subspace
from eigenlens.sensing.fixed_bases import CosineBasis, IdentityBasis, flatten_signals, stack_signals
from eigenlens.sensing.wavelet import make_wavelet_basis

__all__ = [
    "Basis",
    "LearnedBasis",
    "basis",
    "check_shape",
    "make_learned_basis",
    "synthesis_operator",
]

FIXED = {"identity": IdentityBasis, "dct": CosineBasis}


class Basis(Protocol):
    """signal = offset + synthesize(coefficients)."""

    @property
    def name(self) -> str: ...

    @property
    def shape(self) -> tuple[int, ...]:
        """Of a signal."""

    @property
    def count(self) -> int:
        """How many coefficients there are."""

    @property
    def offset(self) -> Float64Array | None:
        """What all signals have in common; None where that is nothing."""

    @property
    def spread(self) -> Float64Array | None:
        """How large each coefficient is expected to be; None where all are alike."""

    def analyze(self, signals: Any) -> Float64Array:
        """(..., *shape) to (..., count)."""

    def synthesize(self, coefficients: Any) -> Float64Array:
        """(..., count) to (..., *shape)."""


def basis(name: Any, shape: int | Sequence[int] | None = None, *, level: int | None = None) -> Any:
    """An orthonormal basis for signals of `shape`.

    Parameters
    ----------
    name : "identity", "dct", an orthogonal wavelet of PyWavelets ("haar", "db4", "sym8", ...), or
        a fitted model, whose components are the basis
    shape : a length, or the sides of an image; of a model, the columns unless given
    level : how often a wavelet halves the signal; as often as its sides allow unless given

    >>> import numpy as np
    >>> cosines = basis("dct", 8)
    >>> cosines.analyze(np.ones(8)).round(3)[:3]
    array([2.828, 0.   , 0.   ])
    """
    if isinstance(name, Subspace):
        return make_learned_basis(name, None if shape is None else check_shape(shape))
    if not isinstance(name, str):
        raise OptionError.needs(
            f"a basis of type {type(name).__name__}",
            "a name or a fitted model",
            "pass 'dct', 'haar', or what eigenlens.fit returned (of an estimator, its model_)",
        )
    if shape is None:
        raise OptionError.needs(
            f"basis({name!r})", "the shape of a signal", f"pass for example basis({name!r}, 64)"
        )
    sides = check_shape(shape)
    if name in FIXED and level is not None:
        raise OptionError.needs(
            SetOption("level", level), "a wavelet", f"leave it out for {name!r}"
        )
    if name in FIXED:
        return FIXED[name](sides)
    return make_wavelet_basis(name, sides, level)


def check_shape(shape: int | Sequence[int]) -> tuple[int, ...]:
    given: Any = (shape,) if isinstance(shape, Integral) else shape
    sides = tuple(given) if isinstance(given, Iterable) else ()
    if not sides or any(not isinstance(one, Integral) or one < 1 for one in sides):
        raise OptionError.needs(
            SetOption("shape", shape),
            "whole numbers from 1 up",
            "pass a length or sides: 64, (28, 28)",
        )
    return tuple(int(one) for one in sides)


def synthesis_operator(one: Basis | LearnedBasis) -> Any:
    """Synthesis as a scipy LinearOperator, (signal entries, coefficients); analysis its adjoint."""
    from scipy.sparse.linalg import LinearOperator

    entries = int(np.prod(one.shape))

    def synthesis(columns: Float64Array) -> Float64Array:
        return one.synthesize(columns.T).reshape(columns.shape[1], entries).T

    def analysis(columns: Float64Array) -> Float64Array:
        return one.analyze(columns.T.reshape(columns.shape[1], *one.shape)).T

    return LinearOperator(
        shape=(entries, one.count),
        matvec=lambda c: one.synthesize(c.ravel()).ravel(),
        rmatvec=lambda x: one.analyze(x.reshape(one.shape)),
        matmat=synthesis,
        rmatmat=analysis,
        dtype=np.float64,
    )


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
