"""Fixed bases: the entries themselves, and cosines.

    identity   c = x
    dct        c = DCT-II of x along every axis, orthonormal

Cost     none; O(N log N).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import SensingError

__all__ = ["CosineBasis", "IdentityBasis", "flatten_signals", "signal_axes", "stack_signals"]


@dataclass(frozen=True)
class FixedBasis:
    shape: tuple[int, ...]
    offset: None = None
    spread: None = None

    @property
    def count(self) -> int:
        return int(np.prod(self.shape))


@dataclass(frozen=True)
class IdentityBasis(FixedBasis):
    name: str = "identity"

    def analyze(self, signals: Any) -> Float64Array:
        return flatten_signals(stack_signals(signals, self.shape), self.shape)

    def synthesize(self, coefficients: Any) -> Float64Array:
        given = stack_signals(coefficients, (self.count,))
        return given.reshape(*given.shape[:-1], *self.shape)


@dataclass(frozen=True)
class CosineBasis(FixedBasis):
    name: str = "dct"

    def analyze(self, signals: Any) -> Float64Array:
        from scipy.fft import dctn

        given = stack_signals(signals, self.shape)
        return flatten_signals(dctn(given, axes=signal_axes(self.shape), norm="ortho"), self.shape)

    def synthesize(self, coefficients: Any) -> Float64Array:
        from scipy.fft import idctn

        given = stack_signals(coefficients, (self.count,))
        stack = given.reshape(*given.shape[:-1], *self.shape)
        found: Float64Array = idctn(stack, axes=signal_axes(self.shape), norm="ortho")
        return found


def stack_signals(given: Any, shape: tuple[int, ...]) -> Float64Array:
    """A stack of arrays of this shape, in float64."""
    array = np.asarray(given, dtype=np.float64)
    if array.shape[array.ndim - len(shape) :] != shape or array.ndim < len(shape):
        raise SensingError.wrong_shape(array.shape, shape)
    return array


def flatten_signals(stack: Float64Array, shape: tuple[int, ...]) -> Float64Array:
    return stack.reshape(*stack.shape[: stack.ndim - len(shape)], int(np.prod(shape)))


def signal_axes(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(range(-len(shape), 0))
