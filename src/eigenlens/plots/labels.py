"""labels: words beside points that never lie on each other.

Each label tries places around its point, near ones first, and takes the cheapest that is free:
inside the axes, off every label placed before, its leading line crossing none, over few points.
Covering points costs, so does turning away from where it would rather be. A label that finds no
place is left out, and so is that of an arrow too short to be told from its neighbors; the table of
the figure has them all the same.

Cost     labels x 200 places x things in the way; those in the way are at most a few thousand.
Differs  from force-directed packages: one sweep, no chance, and no overlap by construction.
Holds    for the figure at the size it has, and at any resolution. Labels keep their distance to
         their points when a figure is resized afterwards, so that they may come to overlap: choose
         the size first, by axes of that size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.plots.style import root_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation

__all__ = ["Label", "count_unplaced", "place_labels"]

DIRECTIONS = 24
RADII = (6.0, 9.0, 13.0, 19.0, 27.0, 37.0, 50.0, 66.0, 86.0, 110.0, 140.0)  # pixels at 100 dpi
GAP = 1.5  # pixels between boxes
LEAD_FROM = 12.0  # a label farther out than this gets a line to its point
# As bad as being so many pixels farther from its point: to cover a line or a point, to lead across.
OVER_LINE, OVER_POINT, ACROSS = 45.0, 40.0, 10.0
MOST_COVERED = 12  # points under a label that is still read
SHORTEST = 24.0  # pixels of an arrow that gets a name: its head alone takes half of them
STEPS = np.linspace(0.0, 1.0, 12)[:, None]


@dataclass(frozen=True)
class Label:
    """`toward`: where the label would rather be, as seen from its point; `arrow`: its point is the
    tip of an arrow from the origin.
    """

    text: str
    x: float
    y: float
    color: str
    toward: tuple[float, float] = (0.0, 1.0)
    size: float = 8.5
    bold: bool = False
    arrow: bool = False


@dataclass
class OccupiedArea:
    """What is taken already, in pixels: boxes (m, 4) as left, bottom, right, top; lines; points."""

    frame: Float64Array
    points: Float64Array
    unit: float
    boxes: list[Float64Array] = field(default_factory=list)
    lines: list[Float64Array] = field(default_factory=list)

    def costs(self, boxes: Float64Array, leads: Float64Array, radii: Float64Array) -> Float64Array:
        """Of candidate boxes (c, 4) with leading lines (c, s, 2); infinite where not free."""
        inside = (boxes[:, :2] >= self.frame[:2]).all(1) & (boxes[:, 2:] <= self.frame[2:]).all(1)
        cost = np.where(inside, radii / self.unit, np.inf)
        led = radii >= LEAD_FROM * self.unit
        if self.boxes:
            taken = np.array(self.boxes)
            cost[boxes_overlap(boxes, taken).any(axis=1)] = np.inf
            through = (
                points_in_boxes(leads.reshape(-1, 2), taken).any(1).reshape(leads.shape[:2]).any(1)
            )
            cost[led & through] = np.inf
        if self.lines:
            cost += OVER_LINE * points_in_boxes(np.concatenate(self.lines), boxes).any(axis=0)
            # From a little off the point: at its tip a lead touches its own arrow.
            cost += ACROSS * (led & crosses_lines(leads[:, 2], leads[:, -1], self.lines))
        if len(self.points):
            covered = points_in_boxes(self.points, boxes).sum(axis=0)
            cost += np.where(covered <= MOST_COVERED, OVER_POINT * covered, np.inf)
        return cost


def place_labels(
    ax: Axes,
    labels: Sequence[Label],
    points: Float64Array,
    lines: Sequence[Float64Array] = (),
    words: Sequence[Any] = (),
    reach: float = RADII[-1],
) -> list[Annotation | None]:
    """Labels in order of importance; `points` (n, 2) and `lines` (s, 2) are better not covered,
    `words` (texts that are there already) never are. `reach`: how far off its point a label may be.

    The limits of the axes must be final. Gives back what was written for each label, None where it
    was left out.
    """
    if not labels:
        return []
    figure = root_figure(ax)
    figure.draw_without_rendering()  # settles the layout: until then no pixel has a meaning
    frame = ax.get_window_extent()
    to_pixels = ax.transData.transform
    floor = OccupiedArea(
        np.array([frame.x0, frame.y0, frame.x1, frame.y1]),
        to_pixels(points) if len(points) else np.zeros((0, 2)),
        figure.dpi / 100,
        boxes=[np.array(text.get_window_extent().extents) for text in words],
        lines=[to_pixels(line) for line in lines],
    )
    radii = np.array([radius for radius in RADII if radius <= reach]) * floor.unit
    return [place_label(ax, label, floor, radii) for label in labels]


def count_unplaced(placed: Sequence[object], words: str) -> str | None:
    """'3 of 12 arrows are ...', where some of the labels were not written."""
    count = sum(one is None for one in placed)
    return f"{count} of {len(placed)} {words}" if count else None


def place_label(
    ax: Axes, label: Label, floor: OccupiedArea, steps: Float64Array
) -> Annotation | None:
    anchor = ax.transData.transform((label.x, label.y))
    if label.arrow and arrow_length(ax, anchor) < SHORTEST * floor.unit:
        return None
    width, height = label_size(ax, label)
    toward = ax.transData.transform((label.x + label.toward[0], label.y + label.toward[1])) - anchor
    start = float(np.arctan2(toward[1], toward[0]))
    grid = np.meshgrid(np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False), steps)
    turns, radii = grid[0].ravel(), grid[1].ravel()
    rays = np.column_stack([np.cos(start + turns), np.sin(start + turns)])
    # Out along the ray, then by half a box: no place is nearer to the point than its radius.
    offsets = rays * radii[:, None] + np.clip(1.5 * rays, -1, 1) * np.array([width, height]) / 2
    half = np.array([width, height]) / 2 + GAP * floor.unit
    boxes = np.hstack([anchor + offsets - half, anchor + offsets + half])
    leads = anchor + STEPS * offsets[:, None, :]
    cost = floor.costs(boxes, leads, radii) + 2.0 * (1 - np.cos(turns))
    best = int(np.argmin(cost))
    if not np.isfinite(cost[best]):
        return None
    floor.boxes.append(boxes[best])
    if radii[best] >= LEAD_FROM * floor.unit:
        floor.lines.append(leads[best])
    return write_label(ax, label, offsets[best], radii[best] >= LEAD_FROM * floor.unit)


def arrow_length(ax: Axes, tip: Float64Array) -> float:
    """In pixels, from the origin to a tip that is in pixels already."""
    return float(np.linalg.norm(tip - ax.transData.transform((0.0, 0.0))))


def label_size(ax: Axes, label: Label) -> tuple[float, float]:
    """Width and height in pixels; the text is taken away again."""
    weight = "bold" if label.bold else "normal"
    text = ax.text(0, 0, label.text, fontsize=label.size, fontweight=weight)
    box = text.get_window_extent()
    text.remove()
    return box.width, box.height


def write_label(ax: Axes, label: Label, offset: Float64Array, leading: bool) -> Annotation:
    from matplotlib.patheffects import withStroke

    points_per_pixel = 72 / root_figure(ax).dpi
    line: dict[str, Any] = {
        "arrowstyle": "-",
        "color": label.color,
        "linewidth": 0.5,
        "alpha": 0.6,
        "shrinkA": 0,
        "shrinkB": 2,
    }
    return ax.annotate(
        label.text,
        (label.x, label.y),
        xytext=tuple(offset * points_per_pixel),
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize=label.size,
        fontweight="bold" if label.bold else "normal",
        color=label.color,
        arrowprops=line if leading else None,
        annotation_clip=False,
        zorder=5,
        path_effects=[withStroke(linewidth=2, foreground=ax.get_facecolor())],
    )


def boxes_overlap(boxes: Float64Array, others: Float64Array) -> Any:
    """(c, m): whether box and other share any area."""
    a, b = boxes[:, None, :], others[None, :, :]
    return (
        (a[..., 0] < b[..., 2])
        & (a[..., 2] > b[..., 0])
        & (a[..., 1] < b[..., 3])
        & (a[..., 3] > b[..., 1])
    )


def points_in_boxes(points: Float64Array, boxes: Float64Array) -> Any:
    """(n, c): whether a point lies in a box."""
    x, y = points[:, 0:1], points[:, 1:2]
    return (x > boxes[:, 0]) & (x < boxes[:, 2]) & (y > boxes[:, 1]) & (y < boxes[:, 3])


def crosses_lines(starts: Float64Array, ends: Float64Array, lines: Sequence[Float64Array]) -> Any:
    """(c,): whether the way from start to end crosses some line."""
    heads = np.concatenate([line[:-1] for line in lines])[None, :, :]
    tails = np.concatenate([line[1:] for line in lines])[None, :, :]
    starts, ends = starts[:, None, :], ends[:, None, :]
    apart = turn_direction(starts, ends, heads) * turn_direction(starts, ends, tails) < 0
    between = turn_direction(heads, tails, starts) * turn_direction(heads, tails, ends) < 0
    return (apart & between).any(axis=1)


def turn_direction(a: Float64Array, b: Float64Array, c: Float64Array) -> Any:
    """Positive where c lies to the left of the way from a to b."""
    return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (
        c[..., 0] - a[..., 0]
    )
