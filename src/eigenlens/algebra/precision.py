"""The precision of the arithmetic that everything is accumulated in."""

from __future__ import annotations

import numpy as np

__all__ = ["EPS", "LARGEST_EXACT"]

EPS = float(np.finfo(np.float64).eps)  # the gap after 1.0: twice what one rounding is off
LARGEST_EXACT = 2**53  # whole numbers up to this have a float64
