"""That the parts of a `Subspace` in a model file belong together.

Parts that say the same twice are compared, for a file that was edited and sealed again names no
part that is wrong in itself:

    eigenvalues, total variance    those of the proof
    mean                           that of the moments, bit for bit
    squares (+ w m^2 if raw)       divisor * scale^2 * variances, column by column
    sum of t[k] V[j, k]^2          at most the variance of column j
    diag(V' C V)                   the eigenvalues, where the scatter matrix was kept

The fourth holds for eigenvectors. Of Ritz vectors, with C V = V T + R, a variance is

    C[j, j]  >=  sum of t[k] V[j, k]^2  -  2 sum of |V[j, k]| |R[:, k]|

so an unfinished fit has its residuals for an allowance. Every allowance has the rounding of the
certificate in it. A model that is refused could not be saved either: where numbers come near the
ends of the floats, and squares may have lost their digits, nothing is compared.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.rounding import lapack_error, rounding_of
from eigenlens.errors import ModelFileError
from eigenlens.table.units import SMALLEST_UNIT

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["check_consistent"]

SAME = 1e-9  # relative: the same numbers in two units, rounded apart
NEARLY = 1e-6  # relative, of what was computed in two ways
ORDINARY_POWER = 960  # binary exponents up to here leave the squares of a float all their digits


def check_consistent(model: Subspace, path: Path) -> None:
    for check, trouble in (
        (has_own_eigenvalues, "its proof is about other eigenvalues"),
        (has_positive_scale, "its scale is not positive"),
        (has_own_mean, "its mean is not that of its moments"),
        (has_own_variances, "its variances do not follow from its moments and its scale"),
        (fits_variances, "its components have more variance than its columns"),
        (fits_scatter, "its eigenvalues are not the variances along its components"),
    ):
        if not check(model):
            raise ModelFileError.refused(path, trouble)


def has_own_eigenvalues(model: Subspace) -> bool:
    unit, proof = model.proof.facts.unit**2, model.proof
    largest = float(model.eigenvalues.max(initial=0.0))
    apart = float(np.abs(proof.ritz.values * unit - model.eigenvalues).max(initial=0.0))
    total = abs(proof.facts.total_variance * unit - model.total_variance)
    return apart <= SAME * largest and total <= SAME * model.total_variance


def has_positive_scale(model: Subspace) -> bool:
    return model.scale is None or bool((model.scale > 0).all())


def has_own_mean(model: Subspace) -> bool:
    return model.mean is None or np.array_equal(model.mean, model.moments.mean)


def has_own_variances(model: Subspace) -> bool:
    """Compared as logarithms, for squares of a scale may be no floats."""
    moments, facts = model.moments, model.proof.facts
    squares = np.log2(moments.squares)
    if model.mean is None:
        origin = np.log2(moments.weight) + 2 * np.log2(np.abs(moments.mean))
        squares = np.logaddexp2(squares, origin)
    expected = squares - np.log2(facts.divisor) - 2 * np.log2(scale_of(model))
    in_units = expected - 2 * np.log2(facts.unit)
    exact = have_ordinary_scale(model) & are_ordinary(squares, expected, in_units)
    found = model.feature_variances[exact]
    allowed = NEARLY * found + (facts.total_rounding + SAME * facts.total_variance) * facts.unit**2
    return bool((np.abs(np.exp2(expected[exact]) - found) <= allowed).all())


def fits_variances(model: Subspace) -> bool:
    facts, ritz, components = model.proof.facts, model.proof.ritz, model.components
    rounding = rounding_of(facts, ritz, ritz.size)
    captured = ritz.values @ np.square(components)
    unfinished = 2 * (ritz.residuals + rounding.residuals) @ np.abs(components)
    spare = facts.total_rounding + NEARLY * float(ritz.values.max(initial=0.0))
    variances = model.feature_variances / facts.unit / facts.unit
    fits: npt.NDArray[np.bool_] = captured <= variances + unfinished + spare
    return bool(fits[have_ordinary_scale(model)].all())


def have_ordinary_scale(model: Subspace) -> npt.NDArray[np.bool_]:
    """Columns whose scale has a square, in the units of the data and in those of the proof."""
    doubled = 2 * np.log2(scale_of(model))
    return are_ordinary(doubled, doubled + 2 * np.log2(model.proof.facts.unit))


def are_ordinary(*powers: Float64Array) -> npt.NDArray[np.bool_]:
    """Where all of these exponents of 2 are those of numbers with all their digits."""
    found: npt.NDArray[np.bool_] = np.all(np.abs(powers) < ORDINARY_POWER, axis=0)
    return found


def fits_scatter(model: Subspace) -> bool:
    """In the units of the proof; entries that vanished are in the allowance."""
    if model.moments.scatter is None:
        return True
    facts, ritz = model.proof.facts, model.proof.ritz
    scale = scale_of(model) * facts.unit
    scatter = model.moments.second_moment(centered=model.mean is not None)
    products = ((scatter / facts.divisor / scale[:, None]) / scale) @ model.components.T
    found = np.einsum("kj,jk->k", model.components, products)
    if not np.isfinite(found).all():
        return True
    rounding = rounding_of(facts, ritz, ritz.size).values
    largest = float(ritz.values.max(initial=0.0))
    vanished = float(np.square(1 / scale).sum()) * SMALLEST_UNIT[8] / min(facts.divisor, 1.0)
    spare = lapack_error(facts.size) * facts.total_variance + SAME * largest + vanished
    return bool((np.abs(found - ritz.values) <= rounding + spare).all())


def scale_of(model: Subspace) -> Float64Array:
    return np.ones(model.n_features) if model.scale is None else model.scale
