"""group_order: which grouping of the rows is seen best in the plane of the first two components."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from eigenlens.algebra.typing import AnyArray, Float64Array
from eigenlens.digest.digest import Digest
from eigenlens.explain.outside_columns import is_missing

__all__ = ["order_groups", "ordered_groups", "share_explained"]

PLANE = 2


def ordered_groups(digest: Digest) -> dict[str, AnyArray]:
    """The groups of the rows, the one that explains most of the first plane in front."""
    return order_groups(digest.rows.groups, lambda: digest.scores)


def order_groups(
    groups: Mapping[str, AnyArray], find_scores: Callable[[], Float64Array]
) -> dict[str, AnyArray]:
    """Scores are asked for only where there is something to order."""
    if len(groups) < 2:
        return dict(groups)
    plane = find_scores()[:, :PLANE]
    shares = {name: share_explained(plane, values) for name, values in groups.items()}
    return {name: groups[name] for name in sorted(groups, key=lambda name: -shares[name])}


def share_explained(plane: Float64Array, values: AnyArray) -> float:
    """Sum of squares between the groups over the total one; rows without a group do not count."""
    if values.dtype.kind == "f":  # many different numbers: no groups
        return 0.0
    entries = values.tolist()
    known = np.array([not is_missing(one) for one in entries])
    if not known.any() or not plane.size:
        return 0.0
    rows = plane[known] - plane[known].mean(axis=0)
    _, codes = np.unique([str(one) for one in entries if not is_missing(one)], return_inverse=True)
    sizes = np.bincount(codes)
    between = sum(float((np.bincount(codes, along) ** 2 / sizes).sum()) for along in rows.T)
    total = float((rows**2).sum())
    return between / total if total else 0.0
