"""convention: the same numbers as another package divides and names them.

| convention     | divisor        | standardized by | components | names                          |
|----------------|----------------|-----------------|------------|--------------------------------|
| None           | n - 1 (raw: n) | n - 1           | PC1        | those of eigenlens             |
| `"factominer"` | n              | n               | Dim.1      | coord, cor, contrib, dist, ... |
| `"prcomp"`     | n - 1          | n - 1           | PC1        | rotation, x, standard deviation|

With f = our divisor / theirs, eigenvalues become f s^2 t and scores s y, where s^2 = n / (n - 1) if
columns were standardized and they divide squares by n, else 1. So eigenvalues of standardized
columns are the same everywhere, and their scores are not. n is the sum of the weights.
Inertias of categories and counts are divided by n everywhere.
Differs   signs stay ours (the largest entry of a component is positive); compare up to sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.model.merge import is_standardized
from eigenlens.model.subspace import Subspace

__all__ = ["CONVENTIONS", "Convention", "divisor_of", "get_convention"]


@dataclass(frozen=True)
class Convention:
    """How a package divides and what it calls things; `whole`: it divides by n."""

    prefix: str = "PC"
    whole: bool | None = None
    percent: bool = False
    deviations: bool = False
    names: Mapping[str, str] = field(default_factory=dict)

    def components(self, count: int) -> list[str]:
        return [f"{self.prefix}{index + 1}" for index in range(count)]

    def score_factor(self, model: Subspace) -> float:
        """What scores and distances are multiplied by."""
        weight = model.moments.weight
        if not self.whole or not is_standardized(model) or model.categories is not None:
            return 1.0
        return math.sqrt(weight / (weight - 1))

    def eigenvalue_factor(self, model: Subspace) -> float:
        """What eigenvalues are multiplied by."""
        if self.whole is None:
            return 1.0
        weight = model.moments.weight
        theirs = weight if self.whole else max(weight - 1, 1.0)
        return divisor_of(model) / theirs * self.score_factor(model) ** 2

    def table(self, columns: Mapping[str, Any], notes: Iterable[str] = ()) -> Table:
        """The columns under their names; two that share one there fill each other's gaps."""
        given: dict[str, Any] = {}
        for name, column in columns.items():
            called = self.names.get(name, name)
            given[called] = column if called not in given else fill_prefix(given[called], column)
        return Table(given, tuple(notes))


CONVENTIONS: Mapping[str, Convention] = {
    "factominer": Convention(
        prefix="Dim.",
        whole=True,
        percent=True,
        names={
            "proportion": "percentage of variance",
            "cumulative": "cumulative percentage of variance",
            "loading": "coord",
            "score": "coord",
            "coordinate": "coord",
            "centroid": "coord",
            "correlation": "cor",
            "contribution": "contrib",
            "distance": "dist",
            "v_test": "v.test",
            "estimate": "Estimate",
            "p": "p.value",
        },
    ),
    "prcomp": Convention(
        whole=False,
        deviations=True,
        names={
            "eigenvalue": "Standard deviation",
            "proportion": "Proportion of Variance",
            "cumulative": "Cumulative Proportion",
            "eigenvector": "rotation",
            "score": "x",
        },
    ),
}


def get_convention(name: str | None) -> Convention:
    """The convention of that name; None is our own."""
    if name is None:
        return Convention()
    if name not in CONVENTIONS:
        raise OptionError.unknown("convention", name, [None, *CONVENTIONS])
    return CONVENTIONS[name]


def divisor_of(model: Subspace) -> float:
    """What the fit divided sums of squares by."""
    if model.categories is not None:
        return model.moments.weight
    return model.moments.weight - (model.mean is not None)


def fill_prefix(first: Sequence[Any], second: Sequence[Any]) -> list[float]:
    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    return [float(number) for number in np.where(np.isnan(one), two, one)]
