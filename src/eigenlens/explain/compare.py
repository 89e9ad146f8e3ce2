"""compare: how far the components of two models point the same way.

    principal angles   between the two subspaces, the smallest first; all are 0 where one of them
                       lies inside the other
    matched axes       every axis of the one with an axis of the other, so that the sum of their
                       absolute cosines is largest; signs mean nothing and are not compared

Axes of nearly equal eigenvalues turn freely inside the plane they span: there only the principal
angles say something. Directions are compared in the units each model works in, so two models of
different scaling differ in their units too, and `remarks` says so.

Cost     O(d k^2).
Source   Bjorck and Golub 1973; Knyazev and Argentati 2002 for angles near zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.errors import MismatchError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.explain.model_rows import get_model
from eigenlens.model.subspace import Subspace

__all__ = ["Comparison", "compare"]

SAME_DEGREES = 1.0
SEEN_DEGREES = 0.001


@dataclass(frozen=True, eq=False)
class Comparison:
    """`angles`: principal angles in degrees; `pairs`: positions of the axes that go together."""

    first: Subspace
    second: Subspace
    angles: Float64Array
    cosines: Float64Array
    pairs: Sequence[tuple[int, int]]
    remarks: Sequence[str]

    def table(self) -> Table:
        """One line per pair of axes."""
        one, two = self.first, self.second
        cosines = np.array([self.cosines[pair] for pair in self.pairs])
        return Table(
            {
                "component": [f"PC{first + 1}" for first, _ in self.pairs],
                "matched": [f"PC{second + 1}" for _, second in self.pairs],
                "angle": np.degrees(np.arccos(np.minimum(np.abs(cosines), 1.0))).tolist(),
                "proportion": [float(one.explained_ratio[first]) for first, _ in self.pairs],
                "matched_proportion": [
                    float(two.explained_ratio[second]) for _, second in self.pairs
                ],
            }
        )

    def sentences(self) -> list[str]:
        widest, count = float(self.angles[-1]), len(self.angles)
        space = "direction" if count == 1 else "subspace"
        if widest <= SAME_DEGREES:
            text = f"Both models hold the same {space}"
        else:
            text = f"The models do not hold the same {space}"
        many = "the angle between them" if count == 1 else f"the largest of {count} angles"
        size = f"{widest:.3g}°" if widest >= SEEN_DEGREES else f"under {SEEN_DEGREES}°"
        lines = [f"{text}: {many} is {size}."]
        swapped = [(a + 1, b + 1) for a, b in self.pairs if a != b]
        if swapped:
            told = ", ".join(f"PC{a} is PC{b}" for a, b in swapped)
            lines.append(f"Axes come in another order in the second model: {told} there.")
        return [*lines, *self.remarks]

    def __str__(self) -> str:
        return "\n".join([str(self.table()), "", *self.sentences()])


def compare(model: Any, other: Any) -> Comparison:
    """Principal angles, and which axis of `other` goes with which of `model`.

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((100, 4)) * [5, 3, 1, 1]
    >>> found = compare(eigenlens.fit(rows, 2), eigenlens.fit(rows[:, [0, 1, 2, 3]], 2))
    >>> found.sentences()[0].startswith("Both models hold the same subspace")
    True
    """
    from scipy.linalg import subspace_angles
    from scipy.optimize import linear_sum_assignment

    one, two = get_model(model), get_model(other)
    if not one.n_components or not two.n_components:
        raise RankError.needs(
            "comparing a model of 0 components",
            "axes",
            Phrase("fit it with a number, such as {}", SetOption("k", 2)),
        )
    theirs = two.components[:, match_model_columns(one, two)]
    cosines = one.components @ theirs.T
    angles = np.degrees(np.sort(subspace_angles(one.components.T, theirs.T)))
    rows, columns = linear_sum_assignment(-np.abs(cosines))
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    return Comparison(one, two, angles, cosines, pairs, remarks_on(one, two))


def match_model_columns(one: Subspace, two: Subspace) -> list[int]:
    """Where the first model's columns stand in the second: by name where both have names."""
    if one.feature_names is None or two.feature_names is None:
        if one.n_features != two.n_features:
            raise MismatchError.wrong_width((two.n_rows, two.n_features), one.n_features)
        return list(range(one.n_features))
    where = {name: place for place, name in enumerate(two.feature_names)}
    missing = [name for name in one.feature_names if name not in where]
    extra = [name for name in two.feature_names if name not in set(one.feature_names)]
    if missing or extra:
        raise MismatchError.other_model(missing, extra)
    return [where[name] for name in one.feature_names]


def remarks_on(one: Subspace, two: Subspace) -> list[str]:
    """What else differs, and makes the angles mean less."""
    found = []
    if (one.mean is None) != (two.mean is None):
        found.append("Only one of the models was centered.")
    if (one.scale is None) != (two.scale is None):
        found.append("Only one of the models was scaled: angles are between different units.")
    if one.n_components != two.n_components:
        fewer = min(one.n_components, two.n_components)
        more = max(one.n_components, two.n_components)
        found.append(f"One keeps {fewer} components, the other {more}: the {fewer} are compared.")
    return found
