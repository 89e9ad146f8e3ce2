"""sampling_intervals: how far eigenvalues and shares may be from those of the population.

    ln t  ±  q se,      se^2 = (k4 - (n - 3) / n) / (n - 1),      k4 = mean z^4 / (mean z^2)^2

z are the scores along a component: the squares z^2 - t are its influence values, and k4 is 3 for
normal rows. A share p = t / tr C has the influence z^2 - p |x|^2, and its interval the logit scale.
q is Student's, with n / (kurtosis of the influence values - 1) degrees of freedom: the heavier the
tails, the less is known of se itself. The ends are first moved by what sampling adds to t,

    (1/n) sum over others of mean (z^2 z_j^2) / (t - t_j),

where the gap is larger than its sampling error; what was left out counts as one, with its average.
An interval always holds the estimate: an end that would be moved past t stays at t.

With missing cells rows are left out in groups instead (`incomplete_sampling.py`).

Without rows they are taken as normal. Components that sampling cannot tell apart have no interval
of their own to speak of; a note names them.

Cost     one pass over the rows, O(k^2) memory.
Source   Anderson 1963 and Waternaux 1976 for the variance; Bonett 2006 for the scale of logarithms.
Holds    95 % in 94 to 96 % of normal, t with 5 and 7 degrees, Laplace and exponential samples of
         100 rows or more: benchmarks/results/small.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.axis_findings import mixing_angles
from eigenlens.explain.convention import get_convention
from eigenlens.explain.distances import check_rows_of_fit, distance_blocks
from eigenlens.explain.incomplete_sampling import can_leave_out_groups, jackknife_ends
from eigenlens.explain.model_rows import get_model, weights_for
from eigenlens.model.subspace import Subspace

__all__ = ["sampling_intervals"]

LARGEST_SHIFT = 0.3  # of an eigenvalue: a larger one is no correction any more
NORMAL_TAILS = 15.0  # kurtosis of the square of a normal number


@dataclass(frozen=True, eq=False)
class Influences:
    """Mean squares and kurtoses of the influence values, and mean products of squared scores.

    `cross` (k, k + 1): the last column is with the squared distance to the subspace. All are of
    variances in parts of `unit`, or their eighth powers would leave the floats.
    """

    unit: float
    value_square: Float64Array
    value_kurtosis: Float64Array
    share_square: Float64Array
    share_kurtosis: Float64Array
    cross: Float64Array


def sampling_intervals(
    model: Any,
    data: Any = None,
    *,
    level: float = 0.95,
    weights: Any = None,
    convention: str | None = None,
) -> Table:
    """One line per component: eigenvalue, low, high, proportion, proportion_low, proportion_high.

    Parameters
    ----------
    data : the rows of the fit: valid whatever their distribution, if they are independent; None
        takes them as normal
    level : how often the interval holds the eigenvalue of the population
    weights : those of the fit, if it had any: counts of repeated rows

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((200, 3)) * [3, 2, 1]
    >>> table = sampling_intervals(eigenlens.fit(rows, 3), rows)
    >>> bool(table["low"][0] < 9 < table["high"][0])
    True
    """
    model, style = get_model(model), get_convention(convention)
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise OptionError.needs(
            SetOption("level", level),
            "a probability between 0 and 1",
            Phrase("pass {}", SetOption("level", 0.95)),
        )
    (low, high), (least, most) = find_ends(model, data, weights, level)
    factor, percent = style.eigenvalue_factor(model), 100 if style.percent else 1
    values = model.eigenvalues * factor
    low, high = low * factor, high * factor
    if style.deviations:
        values, low, high = np.sqrt(values), np.sqrt(low), np.sqrt(high)
    return style.table(
        {
            "component": style.components(model.n_components),
            "eigenvalue": values,
            "low": low,
            "high": high,
            "proportion": model.explained_ratio * percent,
            "proportion_low": least * percent,
            "proportion_high": most * percent,
        },
        notes_on_intervals(model, data is None, level),
    )


def find_ends(
    model: Subspace, data: Any, weights: Any, level: float
) -> tuple[tuple[Float64Array, Float64Array], tuple[Float64Array, Float64Array]]:
    """Of the eigenvalues and of the shares."""
    if model.missing is not None and model.missing.cells:
        if data is None or not can_leave_out_groups(model):
            raise OptionError.needs(
                "sampling_intervals of a table with missing cells",
                "the rows of the fit: at most 400 000 cells, without weights or outlying cells",
                "pass those as data",
            )
        values, shares = jackknife_ends(model, data, level)
        return keep_filled(model, values), keep_filled(model, shares)
    found = normal_influences(model) if data is None else influences(model, data, weights)
    shift = sampling_shift(model, found)
    return value_ends(model, found, shift, level), share_ends(model, found, shift, level)


def keep_filled(
    model: Subspace, ends: tuple[Float64Array, Float64Array]
) -> tuple[Float64Array, Float64Array]:
    return blank_empty(model, ends[0]), blank_empty(model, ends[1])


def notes_on_intervals(model: Subspace, as_normal: bool, level: float) -> list[str]:
    how = "rows taken as normal" if as_normal else "for rows of any distribution"
    notes = [f"Intervals of {level:.0%}, {how}."]
    for index in mixing_angles(model):
        notes.append(
            f"PC{index + 1} and PC{index + 2} are not told apart by so few rows: their intervals "
            f"hold together, not one by one."
        )
    return notes


# -- the moments -------------------------------------------------------------------------------


def unit_of(model: Subspace) -> float:
    """A power of two near the total variance."""
    return math.ldexp(1.0, math.frexp(model.total_variance)[1])


def influences(model: Subspace, data: Any, weights: Any) -> Influences:
    source = check_rows_of_fit(model, data)
    heavy = weights_for(model, weights, source, must=True)
    total, k, unit = float(heavy.sum()), model.n_components, unit_of(model)
    center = model.eigenvalues / unit * model.proof.facts.divisor / total
    sums, cross = np.zeros((4, k)), np.zeros((k, k + 1))
    for block in distance_blocks(model, source):
        squares, counts = np.square(block.scores) / unit, heavy[block.span]
        distances = block.distances / unit
        lengths = squares.sum(axis=1) + distances
        for place, values in (
            (0, squares - center),
            (2, squares - model.explained_ratio * lengths[:, None]),
        ):
            sums[place] += counts @ np.square(values)
            sums[place + 1] += counts @ np.square(np.square(values))
        cross += (squares * counts[:, None]).T @ np.column_stack([squares, distances])
    means = sums / total
    return Influences(
        unit,
        means[0],
        kurtosis(means[0], means[1]),
        means[2],
        kurtosis(means[2], means[3]),
        cross / total,
    )


def kurtosis(square: Float64Array, fourth: Float64Array) -> Float64Array:
    squared = np.square(square)
    found: Float64Array = np.divide(
        fourth, squared, out=np.full(len(square), NORMAL_TAILS), where=squared > 0
    )
    return found


def normal_influences(model: Subspace) -> Influences:
    """Of normal rows: z^2 has the variance 2 t^2, and components are independent."""
    unit = unit_of(model)
    values, shares = model.eigenvalues / unit, model.explained_ratio
    left = max(model.total_variance / unit - float(values.sum()), 0.0)
    rest = model.n_features - model.n_components
    squares = float(np.square(values).sum()) + (left**2 / rest if rest else 0.0)
    tails = np.full(len(values), NORMAL_TAILS)
    total = np.square(values) - 2 * shares * np.square(values) + np.square(shares) * squares
    cross = np.outer(values, np.append(values, left))
    return Influences(unit, 2 * np.square(values), tails, 2 * total, tails, cross)


# -- the intervals -----------------------------------------------------------------------------


def sampling_shift(model: Subspace, found: Influences) -> Float64Array:
    """What sampling adds to each eigenvalue on average, as a part of it."""
    values, rows = model.eigenvalues / found.unit, model.moments.weight
    others = np.append(values, model.noise_variance / found.unit)
    gaps = values[:, None] - others
    error = 2 * np.sqrt(2 / rows) * np.maximum(values[:, None], others)
    apart = np.abs(gaps) > error
    parts = np.divide(found.cross, gaps, out=np.zeros_like(gaps), where=apart)
    shift = np.divide(parts.sum(axis=1) / rows, values, out=np.zeros_like(values), where=values > 0)
    return np.asarray(np.clip(shift, -LARGEST_SHIFT, LARGEST_SHIFT))


def quantiles(tails: Float64Array, rows: float, level: float) -> Float64Array:
    from scipy.special import stdtrit

    freedom = np.maximum(rows / np.maximum(tails - 1, 1e-9), 2.0)
    found: Float64Array = stdtrit(freedom, (1 + level) / 2)
    return found


def value_ends(
    model: Subspace, found: Influences, shift: Float64Array, level: float
) -> tuple[Float64Array, Float64Array]:
    rows, values = model.moments.weight, model.eigenvalues
    q = quantiles(found.value_kurtosis, rows, level)
    scale = values / found.unit * model.proof.facts.divisor / rows
    with np.errstate(divide="ignore", invalid="ignore"):
        fourth = 1 + found.value_square / np.square(scale)
        error = np.sqrt(np.maximum(fourth - (rows - 3) / rows, 0.0) / (rows - 1))
        middle = np.log(values) - shift + np.log(rows / np.maximum(rows - q, 1.0))
        ends = np.exp(middle - q * error), np.exp(middle + q * error)
    return reach_estimates(model, values, ends)


def share_ends(
    model: Subspace, found: Influences, shift: Float64Array, level: float
) -> tuple[Float64Array, Float64Array]:
    from scipy.special import expit, logit

    rows, shares = model.moments.weight, model.explained_ratio
    q = quantiles(found.share_kurtosis, rows, level)
    error = np.sqrt(found.share_square / (rows - 1)) / (model.total_variance / found.unit)
    middle = np.clip(shares * (1 - shift), 0.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        step = q * error / (middle * (1 - middle))
        # A single direction holds everything, in every sample.
        step = np.where(middle * (1 - middle) > 0, step, 0.0)
        ends = expit(logit(middle) - step), expit(logit(middle) + step)
    return reach_estimates(model, shares, ends)


def reach_estimates(
    model: Subspace, estimates: Float64Array, ends: tuple[Float64Array, Float64Array]
) -> tuple[Float64Array, Float64Array]:
    return (
        blank_empty(model, np.minimum(ends[0], estimates)),
        blank_empty(model, np.maximum(ends[1], estimates)),
    )


def blank_empty(model: Subspace, ends: Float64Array) -> Float64Array:
    """Components that hold nothing but rounding have no interval."""
    return np.where(np.arange(len(ends)) < model.n_filled, ends, np.nan)
