"""Types of the arrays that travel between packages."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["AnyArray", "Float64Array", "FloatArray", "IntArray"]

Float64Array: TypeAlias = npt.NDArray[np.float64]
FloatArray: TypeAlias = npt.NDArray[np.floating[Any]]
IntArray: TypeAlias = npt.NDArray[np.integer[Any]]
AnyArray: TypeAlias = npt.NDArray[Any]
