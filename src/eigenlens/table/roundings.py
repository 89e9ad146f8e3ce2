"""Roundings: everything floating point does between the stored number and the statement, by name.

| term       | what is rounded                                | relative to            |
|------------|------------------------------------------------|------------------------|
| conversion | a stored number that becomes a float           | the numbers multiplied |
| reading    | a stored number beyond 2^53 that no float64 is | nothing: a norm        |
|            | and one that is computed of those stored       |                        |
| shift      | x - s, in the precision of the products        | the numbers multiplied |
| weights    | roots of weights, times rows                   | the numbers multiplied |
| products   | products and their sums                        | the numbers multiplied |
| correction | what is taken off products for the mean        | the numbers multiplied |
| scale      | the scales, and their own error where computed | the covariance matrix  |
| divisor    | sum of weights less one                        | the covariance matrix  |
| underflow  | products too small for a float                 | nothing: a norm        |
| centering  | the mean, where rows are centered by it        | nothing: a norm        |
| merge      | the distance between two rounded means; a      | nothing: a norm        |
|            | matrix that is made again of its components    |                        |

"The numbers multiplied" have the mean squares G, the diagonal before the mean is taken off. What
each term costs an eigenvalue, a residual or the trace is said in `certificate/rounding.py`, which
also adds what LAPACK does and asks on which basis a product was made.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["UNIT_ROUNDOFF", "Roundings"]

UNIT_ROUNDOFF = {4: 2.0**-24, 8: 2.0**-53}  # by bytes per number


@dataclass(frozen=True)
class Roundings:
    products: float
    conversion: float = 0.0
    shift: float = 0.0
    weights: float = 0.0
    correction: float = 0.0
    scale: float = 0.0
    divisor: float = 0.0
    underflow: float = 0.0
    centering: float = 0.0
    merge: float = 0.0
    reading: float = 0.0

    @property
    def relative(self) -> float:
        """Of a product of two numbers, half of it: relative to the numbers multiplied."""
        return self.products + self.conversion + self.shift + self.weights + self.correction

    @property
    def of_matrix(self) -> float:
        """By which part of itself every entry of the covariance matrix may be off.

        Scales enter twice. By Ostrowski's theorem an eigenvalue moves by no larger part.
        """
        return 2 * self.scale + self.divisor

    @property
    def norm(self) -> float:
        """How far, in norm, the matrix may lie from the one that is meant, in its own units."""
        return self.underflow + self.centering + self.merge + self.reading
