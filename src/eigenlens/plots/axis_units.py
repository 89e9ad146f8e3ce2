"""axis_units: one unit along both axes of a plane, so that distances and angles are true.

Where the rows would be no more than a line that way, the axes have units of their own, and a note
says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.plots.style import Theme, write_note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["arrow_stretch", "differs_in_length", "match_units"]

FLATTEST = 8.0  # of the longer side of a cloud over the shorter, at equal units
FILL = 0.85  # the longest arrow reaches this far toward the farthest row


def differs_in_length(points: Float64Array) -> bool:
    """Whether the points (n, 2), at equal units, would be no more than a line."""
    low, high = sorted(np.ptp(points, axis=0)) if len(points) else (0.0, 0.0)
    return bool(0 < low * FLATTEST < high)


def match_units(ax: Axes, look: Theme, points: Float64Array) -> None:
    """Equal units along both axes, so that distances are true, or a note that they differ."""
    if differs_in_length(points):
        write_note(ax, look, "axes not to the same scale")
    else:
        ax.set_aspect("equal", adjustable="datalim")


def arrow_stretch(points: Float64Array, ends: Float64Array, apart: bool) -> Float64Array:
    """One factor for all arrows, or one per axis: nowhere do they reach farther than the rows."""
    rows = np.abs(points).max(axis=0)
    arrows = np.abs(ends).max(axis=0, initial=0.0)
    ratios = np.divide(rows, arrows, out=np.full(2, np.inf), where=arrows > 0)
    if not apart or not np.isfinite(ratios).all():
        ratios = np.full(2, ratios.min())
    usable = np.isfinite(ratios) & (ratios > 0)
    return np.where(usable, FILL * np.where(usable, ratios, 1.0), 1.0)
