"""The Donoho-Tanner curve: how sparse a signal must be to come back from so few measurements.

N unknowns of which s are not zero, m random measurements, delta = m / N, rho = s / m. Basis pursuit
finds almost every signal below the curve and almost none above it. With the normal density phi
and its upper tail Q, the curve has a parameter z >= 0:

    rho   = 1 - z Q(z) / phi(z)
    delta = 2 / (z / phi(z) + 2 rho)

which is where [1 - (2/delta) t] / [1 + z^2 - 2 t], t = (1 + z^2) Q(z) - z phi(z), is largest in z.

Cost     one root of a monotone function.
Holds    for N to infinity, and in practice from some hundreds; it is where half of the problems are
         solved. For a number that is proven for every N: `failure=`, by Gordon's escape through a
         mesh, E|g_m| - sqrt(N delta) >= sqrt(2 log(1/failure)) for a normal vector g_m.
Source   Donoho and Tanner 2009; Chandrasekaran, Recht, Parrilo, Willsky 2012 for the proven one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import SetOption
from eigenlens.solvers.options import check_whole, is_number_of

__all__ = ["donoho_tanner", "measurements_needed"]

FARTHEST = 37.0  # phi(37) is 1e-298: no smaller delta is a number of measurements
ROUNDING = 1e-12


def donoho_tanner(delta: float | Float64Array) -> float | Float64Array:
    """The largest sparsity rho = s / m that is recovered at the undersampling `delta` = m / N.

    >>> round(donoho_tanner(0.5), 4)
    0.3857
    """
    given = np.asarray(delta)
    if given.dtype.kind not in "fiu" or not ((given >= 0) & (given <= 1)).all():
        raise OptionError.needs(
            SetOption("delta", delta), "measurements per unknown, from 0 to 1", "pass m / N"
        )
    found = np.array([rho_at(float(one)) for one in given.ravel()]).reshape(given.shape)
    return float(found) if given.ndim == 0 else found


def measurements_needed(N: int, s: int, *, failure: float | None = None) -> int:
    """How many random measurements recover `s` nonzero coefficients among `N`.

    Parameters
    ----------
    N, s : numbers of coefficients, and of those that are not zero
    failure : None gives the curve: at this number about half of all problems are solved, some
        percent more solve nearly all. With a probability, such as 0.01, the number for which
        failing is proven to be no more likely than that, for Gaussian measurements and any signal.

    >>> measurements_needed(500, 48), measurements_needed(500, 48, failure=0.01)
    (160, 247)
    """
    unknowns, nonzero = check_whole("N", N, 1), check_whole("s", s, 0)
    if nonzero > unknowns:
        raise OptionError.needs(
            SetOption("s", nonzero), f"at most N={unknowns}", "pass how many of the N are not zero"
        )
    if failure is not None and not (is_number_of(Real, failure) and 0 < failure < 1):
        raise OptionError.needs(
            SetOption("failure", failure), "a probability between 0 and 1", "pass for example 0.01"
        )
    if nonzero in (0, unknowns):
        return nonzero
    share = nonzero / unknowns
    mean_width = (
        unknowns
        * transition_point(solve_falling(lambda z: math.prod(transition_point(z)), share))[0]
    )
    if failure is None:
        return min(unknowns, int(np.ceil(mean_width - ROUNDING * unknowns)))
    return proven_measurements(
        unknowns, float(np.sqrt(mean_width) + np.sqrt(2 * np.log(1 / failure)))
    )


def transition_point(z: float) -> tuple[float, float]:
    """(delta, rho) at the parameter z."""
    from scipy.special import erfcx

    rho = 1 - z * np.sqrt(np.pi / 2) * float(erfcx(z / np.sqrt(2)))
    return 2 / (z * np.sqrt(2 * np.pi) * np.exp(z**2 / 2) + 2 * rho), rho


def solve_falling(falling: Callable[[float], float], value: float) -> float:
    """Where a falling function of z reaches the value."""
    from scipy.optimize import brentq

    return float(brentq(lambda z: falling(z) - value, 0.0, FARTHEST, xtol=1e-14))


def rho_at(delta: float) -> float:
    if delta in (0.0, 1.0):
        return delta
    if delta <= transition_point(FARTHEST)[0]:
        return 0.0
    return transition_point(solve_falling(lambda z: transition_point(z)[0], delta))[1]


def proven_measurements(unknowns: int, length: float) -> int:
    """The least m for which a normal vector is expected to be that long; N equations always do."""
    from scipy.special import gammaln

    low, high = 0, unknowns
    while high - low > 1:
        m = (low + high) // 2
        expected = np.sqrt(2) * np.exp(gammaln((m + 1) / 2) - gammaln(m / 2))
        low, high = (low, m) if expected >= length else (m, high)
    return high
