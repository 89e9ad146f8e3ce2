"""Bandwidth: how far a kernel of distances reaches, and whether that suits the rows.

    "median"   gamma = 1 / (2 s^2) for rbf, 1 / s for the others;  s the median distance of two rows
    "knn"      the same with s the median distance to the 10th neighbor ("knn:25": to the 25th)
    None       1 / number of columns, scikit-learn's, whatever the units

Distances are those of at most 1000 rows. The neighbor rule follows the sheet the rows lie on where
the median sees only how far its ends are apart; it leaves more of the variance to small scales.

Advice   a kernel that reaches too little is nearly the identity: no landmark sees another row. One
         that reaches too far is nearly linear: all rows look alike, and ordinary PCA says the same.
"""

from __future__ import annotations

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.geometry.neighbors import NumberedRows, nearest_rows
from eigenlens.kernel.catalogue import BY_DISTANCE
from eigenlens.kernel.points import Points, points_at
from eigenlens.kernel.protocol import Kernel
from eigenlens.sources.protocol import Source

__all__ = ["advise_on_gamma", "choose_gamma", "has_gamma"]

SAMPLE_ROWS = 1000
NEIGHBOR = 10
BANDWIDTH_RULES = ("median", "knn")
ALIKE = 1e-3  # of the trace that is left after centering


def choose_gamma(
    gamma: object, kernel: object, source: Source, rng: np.random.Generator
) -> Verdict:
    """gamma as a number, by which rule, and why."""
    d = source.shape[1]
    if gamma is None:
        return Verdict(1.0 / d, "columns", f"1 / {d} columns, as in scikit-learn")
    if not isinstance(gamma, str):
        return Verdict(gamma, "request", "the call named it")
    rule, _, rank = gamma.partition(":")
    numbered = rule == "knn" and rank.isdecimal() and int(rank) > 0
    if gamma not in BANDWIDTH_RULES and not numbered:
        raise OptionError.unknown(
            "gamma", gamma, ("a number above 0", *BANDWIDTH_RULES, "knn:25", None)
        )
    if kernel not in BY_DISTANCE:
        raise OptionError.needs(
            Phrase("{} with {}", SetOption("gamma", gamma), SetOption("kernel", kernel)),
            f"a kernel of distances: {', '.join(BY_DISTANCE)}",
            Phrase("pass {} as a number, or None", Option("gamma")),
        )
    numbers = np.sort(rng.choice(source.shape[0], min(SAMPLE_ROWS, source.shape[0]), replace=False))
    points = points_at(source, numbers, None)
    with np.errstate(over="ignore", invalid="ignore"):
        finite = bool(np.isfinite(points.lengths).all())
    if not finite:
        length, words = np.nan, "a distance of two rows"
    elif rule == "median":
        length, words = (
            median_distance(points, kernel == "laplacian"),
            "the median distance of two rows",
        )
    else:
        count = int(rank or NEIGHBOR)
        length = median_neighbor_distance(points, count, kernel == "laplacian")
        words = f"the median distance to neighbor {min(count, len(points) - 1)}"
    if not 0 < length < np.inf:
        # Mostly repeated rows, or NaN: whatever follows says what is wrong with them.
        return Verdict(1.0 / d, "columns", f"1 / {d} columns, for {words} is {length:.3g}")
    value = 1 / (2 * length**2) if kernel == "rbf" else 1 / length
    return Verdict(float(value), rule, f"{words} is {length:.4g}", {"distance": length})


def median_distance(points: Points, taxicab: bool) -> float:
    apart = all_distances(points, taxicab)
    return float(np.median(apart[np.triu_indices(len(points), 1)])) if len(points) > 1 else 0.0


def median_neighbor_distance(points: Points, rank: int, taxicab: bool) -> float:
    rank = min(rank, len(points) - 1)
    if rank < 1:
        return 0.0
    if taxicab:
        return float(np.median(np.sort(all_distances(points, True), axis=1)[:, rank]))
    numbered = NumberedRows(points.numbers, points.dense())
    found = nearest_rows(numbered, [numbered], rank)
    return float(np.median(found.distances[:, rank - 1]))


def all_distances(points: Points, taxicab: bool) -> Float64Array:
    from scipy.spatial.distance import cdist

    rows = points.dense()
    found: Float64Array = cdist(rows, rows, "cityblock" if taxicab else "euclidean")
    return found


# -- does it suit? ---------------------------------------------------------------------------


def has_gamma(kernel: Kernel) -> bool:
    return hasattr(kernel, "gamma")


def advise_on_gamma(chosen: Verdict, kernel: Kernel, varying: float, alone: bool) -> Verdict:
    """The verdict on gamma, with advice where it is far too large or too small.

    `varying`: the share of the trace that is left once centered. `alone`: whether rows hardly see
    each other.
    """
    if kernel.name not in BY_DISTANCE:
        return chosen
    if varying < ALIKE:
        words = (
            f"far too small for these rows: they all look alike ({varying:.1e} of the trace "
            f"varies), and linear PCA would say the same; try gamma='median'"
        )
    elif alone:
        words = "far too large for these rows: they hardly see each other; try gamma='median'"
    else:
        return chosen
    return Verdict(chosen.value, chosen.rule, f"{chosen.reason}; {words}", chosen.evidence)
