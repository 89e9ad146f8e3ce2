"""New points as a kernel model sees them: scores and distances, a tile of rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import KernelError
from eigenlens.kernel.points import Points, read_tiles
from eigenlens.machine.limits import available_processors
from eigenlens.machine.tile_threads import map_in_threads
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.protocol import Source

if TYPE_CHECKING:
    from eigenlens.kernel.subspace import KernelSubspace

__all__ = ["kernel_distances", "kernel_score_blocks", "project_points"]

TILE_BYTES = 4 << 20
FEWEST, MOST = 16, 4096


def project_points(model: KernelSubspace, source: Source) -> Float64Array:
    """Scores of all rows, (n, k)."""
    scores = np.empty((source.shape[0], model.n_components))
    start = 0
    for block in kernel_score_blocks(model, source):
        scores[start : start + len(block)] = block
        start += len(block)
    return scores


def kernel_score_blocks(model: KernelSubspace, source: Source) -> Iterator[Float64Array]:
    """Scores of consecutive rows, in order."""
    see = model.kernel.against(model.anchors)

    def look(points: Points) -> Float64Array:
        values = see(points) @ model.coefficients
        values -= model.offset
        return values

    return map_tiles(model, source, look)


def kernel_distances(model: KernelSubspace, source: Source, to_components: bool) -> Float64Array:
    """Squared, in the kernel's space: to all that the anchors span, or to the components."""
    kernel = model.kernel
    if to_components:
        see, weights = kernel.against(model.anchors), model.mean_weights

        def look(points: Points) -> Float64Array:
            values = see(points)
            scores = values @ model.coefficients - model.offset
            from_mean = kernel.diagonal(points) - 2 * values @ weights + model.mean_square
            found: Float64Array = from_mean - np.square(scores).sum(axis=1)
            return np.maximum(found, 0.0)

    else:
        landmarks = model.landmarks

        def look(points: Points) -> Float64Array:
            features = landmarks.features(points)
            left = kernel.diagonal(points) - np.einsum("ij,ij->i", features, features)
            return np.asarray(np.maximum(left, 0.0))

    return np.concatenate(list(map_tiles(model, source, look)))


def map_tiles(
    model: KernelSubspace, source: Source, look: Callable[[Points], Float64Array]
) -> Iterator[Float64Array]:
    """`look` on every tile; rows that are not finite are an error that says where they are."""
    rows = min(max(TILE_BYTES // (8 * model.n_anchors), FEWEST), MOST)
    hands = min(available_processors(), -(-source.shape[0] // rows))
    # New rows have no number among the training rows; only a matrix at hand would ask for it.
    new = (Points(one.rows, np.full(len(one), -1)) for one in read_tiles(source, rows, model.shift))
    for found in map_in_threads(look, new, hands):
        if not np.isfinite(found).all():
            raise locate_not_finite(source, KernelError.values_not_finite(model.kernel.name))
        yield found
