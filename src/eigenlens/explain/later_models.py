"""Models that later work is done with: a classifier or a regression, and k-means.

Each gives one score per row held out, so that two sets of features are compared row by row:

    classifier    logistic regression     1 where the class is right, else 0
    regression    ridge, penalty by GCV   1 - error^2 / variance of y (their mean is R^2)
    k-means       a cluster per class     as the classifier; clusters are named by the classes of
                                          the training rows in them
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import TargetError

__all__ = ["LaterModel", "later_models"]

MOST_CLASSES = 30  # whole numbers with more values are numbers
PENALTIES = np.logspace(-3, 4, 15)


@dataclass(frozen=True)
class LaterModel:
    name: str
    kind: Literal["classifier", "regression", "clusters"]
    variance: float = 1.0  # of y, for a regression

    @property
    def is_classes(self) -> bool:
        return self.kind != "regression"

    @property
    def measure(self) -> str:
        return "accuracy" if self.is_classes else "R²"

    def score_rows(
        self, seen: Float64Array, known: Any, held_out: Float64Array, truth: Any, seed: int
    ) -> Float64Array:
        """One score for every row held out."""
        if self.kind == "regression":
            from sklearn.linear_model import RidgeCV

            predicted = RidgeCV(PENALTIES).fit(seen, known).predict(held_out)
            return np.asarray(1 - np.square(truth - predicted) / self.variance)
        if self.kind == "classifier":
            from sklearn.linear_model import LogisticRegression

            found = LogisticRegression(max_iter=2000).fit(seen, known).predict(held_out)
            return np.asarray(found == truth, dtype=np.float64)
        return self.score_clusters(seen, known, held_out, truth, seed)

    def score_clusters(
        self, seen: Float64Array, known: Any, held_out: Float64Array, truth: Any, seed: int
    ) -> Float64Array:
        from scipy.optimize import linear_sum_assignment
        from sklearn.cluster import KMeans

        classes, numbers = np.unique(known, return_inverse=True)
        found = KMeans(len(classes), n_init=3, random_state=seed).fit(seen)
        counts = np.zeros((len(classes), len(classes)))
        np.add.at(counts, (found.labels_, numbers), 1)
        cluster, named = linear_sum_assignment(-counts)
        names = classes[named[np.argsort(cluster)]]
        return np.asarray(names[found.predict(held_out)] == truth, dtype=np.float64)


def later_models(y: npt.NDArray[Any], rows: int) -> tuple[list[LaterModel], npt.NDArray[Any]]:
    """What is done with such a y: classes are predicted and found again, numbers predicted."""
    if len(y) != rows:
        raise TargetError.wrong_target(len(y), rows)
    classes = np.unique(y[~lacks_target(y)])
    if lacks_target(y).any() or len(classes) < 2:
        raise TargetError.no_target(int(lacks_target(y).sum()), classes[:1].tolist())
    if y.dtype.kind in "fc" or (y.dtype.kind in "iu" and len(classes) > MOST_CLASSES):
        numbers = y.astype(np.float64)
        return [LaterModel("ridge regression", "regression", float(numbers.var()))], numbers
    counts = np.unique(y, return_counts=True)[1]
    if counts.min() < 2:
        raise TargetError.rare_class(classes[counts.argmin()], int(counts.min()))
    names = [
        LaterModel("logistic regression", "classifier"),
        LaterModel("k-means", "clusters"),
    ]
    return names, y


def lacks_target(y: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    if y.dtype.kind == "f":
        return np.asarray(~np.isfinite(y))
    if y.dtype == object:
        return np.array([one is None or one != one for one in y], dtype=bool)
    return np.zeros(len(y), dtype=bool)
