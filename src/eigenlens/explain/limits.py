"""Limits: how far the T2 and Q of ordinary rows reach, if rows are normal.

    T2, rows of the fit   (n-1)^2 / n  Beta(k/2, (n-k-1)/2)
    T2, new rows          k (n^2-1) / (n (n-k))  F(k, n-k)
    Q, moments            a F(h, h m)                          a = first,  h = 1 / second
    Q, jackson-mudholkar  a [c sqrt(2 second) h0 + 1 + second h0 (h0-1)]^(1/h0)

first, second, third   sums of the eigenvalues left out, and shares of their squares and cubes:
                       `leftover.py`. h0 = 1 - 2/3 third / second^2
m = n-1-k              the degrees of freedom that fitting leaves to them
factor                 rows of the fit (n-1)/n Beta(m/2, k/2), on average m/n: what a row's own pull
                       on the components leaves of its noise. It spreads as T2 does, by which rows
                       differ more than by their noise where n is small and columns are many. The
                       limit is that of the product (moments), or of the average (the other law).
                       New rows 1 + 1/n + r T2 / (n-1): the mean is an estimate, and so are the
                       directions; what those miss of a row grows with its T2, and Q of new rows
                       spreads as T2 does too. r = 1 - first / ((n-1) t), averaged over components:
                       how much of an eigenvalue t is not noise. Again the limit is that of the
                       product, over the law of T2 (moments), or of the average, (n+1+k)/n
Choose                 "moments", the default: closer to 5 % of new rows at 40 rows and with a
                       single direction left out; Jackson and Mudholkar's, by three sums, is closer
                       to 1 % where the eigenvalues left out differ much (benchmarks/limits.py).
                       Its power may not exist; then moments answer for it
Holds                  where components stand clear of the noise: axes lost in it make T2 of new
                       rows smaller than the law says (too few are flagged), and Q larger
Raw second moments     (center=False) have n degrees of freedom in place of n-1
Weights                count as repeated rows: n is their sum
Source                 Tracy, Young and Mason 1992; Box 1954; Jackson and Mudholkar 1979
Differs                F in place of chi2 in the moments: the sums are estimates themselves
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.phrases import count_things
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Phrase, Said, SetOption
from eigenlens.errors.remedies import PythonCode
from eigenlens.explain.distances import count_active
from eigenlens.explain.left_out_spectrum import (
    LAWS,
    LeftOutSpectrum,
    estimate_left_out,
    nothing_left,
)
from eigenlens.model.subspace import Subspace
from eigenlens.sources.protocol import Source

__all__ = [
    "check_law",
    "check_levels",
    "keep_fewer_components",
    "limit_in_fit",
    "q_limits",
    "q_limits_from",
    "t2_limit",
    "t2_limits",
]

NODES = 256
MIDDLES = (np.arange(NODES) + 0.5) / NODES  # of equally likely parts of a law
HALVINGS = 60

# -- T2 ------------------------------------------------------------------------------------


def t2_limit(
    level: float, n: float, k: int, *, new: bool = False, centered: bool = True
) -> float | None:
    """What the T2 of the share `level` of normal rows stays below.

    None where there is no law: without components, or where every row of the fit has the same T2.

    >>> f"{t2_limit(0.95, 50, 2, new=True):.6g}"
    '6.64469'
    """
    from scipy.special import betaincinv, fdtri

    freedom = n - 1 if centered else n
    if k == 0 or freedom - k <= (-1 if new else 0):
        return None
    if new:
        apart = (n + 1) / n if centered else 1.0
        rest = freedom - k + 1
        return apart * k * freedom / rest * float(fdtri(k, rest, level))
    return freedom**2 / n * float(betaincinv(k / 2, (freedom - k) / 2, level))


def t2_limits(model: Subspace, levels: Sequence[float], *, new: bool = False) -> list[float | None]:
    """The limit of T2 at each level."""
    weight, centered = model.moments.weight, model.mean is not None
    return [
        t2_limit(level, weight, count_active(model), new=new, centered=centered)
        for level in check_levels(levels)
    ]


# -- Q -------------------------------------------------------------------------------------


def q_limits(
    model: Subspace,
    levels: Sequence[float],
    *,
    new: bool = False,
    law: str = LAWS[0],
    rows: Source | None = None,
) -> list[float]:
    """The limit of Q at each level; `rows`: those of the fit, where they are at hand.

    With all components kept there is none, and asking for it is an error.
    """
    leftover = estimate_left_out(model, rows)
    if leftover is None:
        raise no_limit(model)
    return q_limits_from(leftover, model, levels, new, law)


def q_limits_from(
    leftover: LeftOutSpectrum, model: Subspace, levels: Sequence[float], new: bool, law: str
) -> list[float]:
    """The same where what is left out is known already."""
    levels, law = check_levels(levels), check_law(law)
    weight, count = model.moments.weight, model.n_components
    if not new and count and (law == LAWS[0] or leftover.power <= 0):
        return [limit_in_fit(leftover, weight, count, level) for level in levels]
    if new and (law == LAWS[0] or leftover.power <= 0):
        factors = new_row_factors(leftover, model)
        if factors is not None:
            return [mixture_limit(leftover, factors, level) for level in levels]
    estimated = (model.mean is not None) + count
    factor = (weight + estimated) / weight if new else leftover.freedom / weight
    return [factor * leftover.limit(level, law) for level in levels]


def limit_in_fit(leftover: LeftOutSpectrum, weight: float, count: int, level: float) -> float:
    """What the share `level` of the rows of the fit stays below: noise times what is left of it."""
    from scipy.special import betaincinv

    m = leftover.freedom
    factors = (m + count) / weight * betaincinv(m / 2, count / 2, MIDDLES)
    return mixture_limit(leftover, factors, level)


def new_row_factors(leftover: LeftOutSpectrum, model: Subspace) -> Float64Array | None:
    """By how much the noise of new rows is enlarged: equally likely values, None without a law."""
    from scipy.special import fdtri

    count, weight, centered = count_active(model), model.moments.weight, model.mean is not None
    freedom = weight - 1 if centered else weight
    rest = freedom - count + 1
    if count == 0 or rest <= 0:
        return None
    signal = 1 - leftover.first / (freedom * model.eigenvalues[:count])
    clear = float(np.clip(signal, 0.0, 1.0).mean())
    mean_error = 1 / weight if centered else 0.0
    t2 = (1 + mean_error) * count * freedom / rest * fdtri(count, rest, MIDDLES)
    factors: Float64Array = 1 + mean_error + clear * t2 / freedom
    return factors


def mixture_limit(leftover: LeftOutSpectrum, factors: Float64Array, level: float) -> float:
    """What the share `level` of noise times one of these factors, equally likely, stays below."""
    from scipy.special import fdtr, fdtri

    h, m = leftover.directions, leftover.freedom
    alone = float(fdtri(h, h * m, level))
    low, high = float(factors.min()) * alone, float(factors.max()) * alone
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        below = float(np.mean(fdtr(h, h * m, middle / factors))) < level
        low, high = (middle, high) if below else (low, middle)
    return leftover.first * (low + high) / 2


def no_limit(model: Subspace) -> RankError:
    if nothing_left(model):
        given = "the Q limit of a model that keeps all of the variance in "
        need = "variance left out of it"
    else:
        given = "the Q limit of "
        need = f"more rows than the {model.n_rows} of the fit"
    remedies = keep_fewer_components(model, "use the limit of T2 alone")
    return RankError.needs(
        f"{given}{count_things(model.n_components, 'component')}", need, *remedies
    )


def keep_fewer_components(model: Subspace, other: Said) -> list[Said]:
    """What to do where Q needs some variance left out; `other`: what to do otherwise."""
    if model.n_components < 2:
        return [other]
    return [PythonCode(f"use model.truncate({model.n_components - 1}) or less"), other]


# -- what was asked for --------------------------------------------------------------------


def check_levels(levels: Sequence[float]) -> tuple[float, ...]:
    given = tuple(levels) if isinstance(levels, Sequence | np.ndarray) else (levels,)
    fine = all(isinstance(one, Real) and 0 < float(one) < 1 for one in given)
    if not given or not fine or len(set(given)) < len(given):
        raise OptionError.needs(
            SetOption("levels", levels),
            "different numbers strictly between 0 and 1",
            Phrase("pass for example {}", SetOption("levels", (0.95, 0.99))),
        )
    return tuple(float(one) for one in given)


def check_law(law: str) -> str:
    if law not in LAWS:
        raise OptionError.unknown("law", law, LAWS)
    return law
