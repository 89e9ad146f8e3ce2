"""History: the eigenvalues found after each pass, and what one proof says of all of them.

    error after pass t  =  largest of (ceiling_i - value_i(t)) / value_i(t)

Ritz values never exceed eigenvalues, and these never exceed their ceilings: the last proof bounds
the errors of every pass before it, for nothing. Rounding is allowed for as in the certificate, and
what it cannot tell from zero has no relative error.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.target import ZERO_ROUNDINGS

__all__ = ["History"]


@dataclass
class History:
    """Passes -> eigenvalues found by then, largest first; there may be too few at first."""

    values: dict[int, Float64Array] = field(default_factory=dict)

    def errors(self, ceilings: Float64Array, rounding: Float64Array) -> list[list[float]]:
        """[passes, error] in order, once as many values were found as there are ceilings."""
        real = ceilings > ZERO_ROUNDINGS * rounding
        roofs, allowance = ceilings[real], rounding[real]
        found = []
        for passes, values in sorted(self.values.items()):
            if len(values) >= len(real) and (values[: len(real)][real] > 0).all():
                there = values[: len(real)][real]
                errors = np.maximum(roofs - there, allowance) / there
                found.append([passes, float(errors.max(initial=0.0))])
        return found
