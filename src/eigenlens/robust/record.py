"""What a model keeps of a robust fit: `model.robust`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eigenlens.robust.screen import CellScreen
from eigenlens.robust.wrap import Wrapping

__all__ = ["RobustFit"]


@dataclass(frozen=True, eq=False)
class RobustFit:
    """How outliers were kept from turning the components.

    Attributes
    ----------
    kind : "wrap", "rows" or "cells".
    share : of cells beyond four robust scales (wrap), of rows left out, of cells left out.
    wrapping : location and scale of every column, and the map of its cells; wrap only.
    kept : (n,), which rows of the fit have weight 1; rows only.
    screen : what tells outlying cells of any row; cells only.
    outlying : how many cells of the fit were left out; cells only.
    """

    kind: str
    share: float
    wrapping: Wrapping | None = None
    kept: npt.NDArray[np.bool_] | None = None
    screen: CellScreen | None = None
    outlying: int = 0
