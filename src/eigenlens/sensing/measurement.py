"""Measurements: random linear operators that see little of a signal.

| kind     | each of the m numbers is                                | rows            |
|----------|---------------------------------------------------------|-----------------|
| gaussian | the product with a vector of independent N(0, 1/m)      | dense           |
| dct      | one coefficient of the orthonormal cosine transform     | orthonormal     |
| pixels   | one entry of the signal                                 | orthonormal     |

Which coefficients or entries is drawn without repetition. Measure pixels of what is sparse in
cosines or wavelets, not of what is sparse in pixels: most of those are 0 and say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from eigenlens.algebra.random import random_generator
from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.errors import OptionError, SensingError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.sensing.basis import Basis, check_shape
from eigenlens.sensing.fixed_bases import CosineBasis, IdentityBasis

__all__ = ["MAX_OPERATOR_BYTES", "measurement"]

MEASUREMENT_KINDS = ("gaussian", "dct", "pixels")
MAX_OPERATOR_BYTES = 2 << 30  # of a matrix that is formed


def measurement(kind: str, m: int, shape: int | Sequence[int], seed: int = 0) -> Any:
    """`m` random measurements of signals of `shape`, as a scipy LinearOperator (m, entries).

    Parameters
    ----------
    kind : "gaussian", "dct" or "pixels"
    m : how many, at most as many as the signal has entries
    shape : a length, or the sides of an image; the operator takes it flat: `A @ image.ravel()`
    seed : which of all such operators

    >>> import numpy as np
    >>> A = measurement("pixels", 16, (8, 8), seed=0)
    >>> seen = (A.T @ np.ones(16)).reshape(8, 8)  # 1 where a pixel was measured
    >>> A.shape, int(seen.sum())
    ((16, 64), 16)
    """
    from scipy.sparse.linalg import LinearOperator, aslinearoperator

    if kind not in MEASUREMENT_KINDS:
        raise OptionError.unknown("kind", kind, MEASUREMENT_KINDS)
    sides = check_shape(shape)
    entries = int(np.prod(sides))
    if not isinstance(m, Integral) or isinstance(m, bool) or not 1 <= m <= entries:
        raise OptionError.needs(
            SetOption("m", m),
            f"a whole number from 1 to {entries}, the entries of a signal",
            Phrase("pass for example {}", SetOption("m", max(1, entries // 4))),
        )
    count, rng = int(m), random_generator(seed)
    if kind == "gaussian" and 8 * count * entries > MAX_OPERATOR_BYTES:
        raise SensingError.too_large("kind='gaussian'", (count, entries), "kind='dct' or 'pixels'")
    if kind == "gaussian":
        return aslinearoperator(rng.standard_normal((count, entries)) / np.sqrt(count))
    rows = np.sort(rng.permutation(entries)[:count])
    some = SampledCoefficients(CosineBasis(sides) if kind == "dct" else IdentityBasis(sides), rows)
    return LinearOperator(
        shape=(count, entries),
        matvec=lambda column: some.measure(column.ravel()),
        rmatvec=lambda column: some.spread(column.ravel()),
        matmat=lambda columns: some.measure(columns.T).T,
        rmatmat=lambda columns: some.spread(columns.T).T,
        dtype=np.float64,
    )


@dataclass(frozen=True, eq=False)
class SampledCoefficients:
    """Some coefficients of an orthonormal basis; signals and numbers lie along the last axis."""

    basis: Basis
    rows: IntArray

    def measure(self, signals: Float64Array) -> Float64Array:
        shaped = signals.reshape(*signals.shape[:-1], *self.basis.shape)
        return self.basis.analyze(shaped)[..., self.rows]

    def spread(self, numbers: Float64Array) -> Float64Array:
        coefficients = np.zeros((*numbers.shape[:-1], self.basis.count))
        coefficients[..., self.rows] = numbers
        return self.basis.synthesize(coefficients).reshape(coefficients.shape)
