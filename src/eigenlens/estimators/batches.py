"""Batches of an estimator that learns as it goes: how many components they make, and what is kept.

The words are scikit-learn's, because its users, and its tests, match on them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from eigenlens.algebra.running import RunningMoments
from eigenlens.algebra.scatter import LeadingScatter, WholeScatter
from eigenlens.document.verdict import Verdict
from eigenlens.errors import OptionError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.fit import fit
from eigenlens.model.leading import leading_model
from eigenlens.model.subspace import Subspace
from eigenlens.solvers.covariance import Covariance
from eigenlens.sources.moments_only import moments_source
from eigenlens.table.budget import budget_bytes

__all__ = [
    "components_after_batch",
    "model_of_batches",
    "names_of_estimator",
    "refuse_unlike_estimators",
    "start_running_moments",
]

WHOLE_MATRIX_BELOW = 2048  # columns up to which all eigenvectors are computed: some seconds at most
MATRICES = 6  # of the size that is kept, or less, at most at one time
LEAST_KEPT = 64  # directions kept beside those asked for make what is dropped small
SPARE = 10
SOLVER_VERDICT = Verdict(
    "covariance", "batches", "the scatter matrix of all rows so far is at hand"
)
CENTERING_VERDICT = Verdict(
    "shifted", "batches", "every batch is centered on its own mean before it is added"
)


def components_after_batch(estimator: Any, shape: tuple[int, int], seen: int) -> int:
    """How many components there are once a batch of this shape is in."""
    (rows, columns), asked = shape, estimator.n_components
    if asked is None:
        narrow = seen == 0 or columns <= estimator.MOST_COLUMNS
        return min(seen + rows, columns) if narrow else int(estimator.n_components_)
    if asked > columns:
        raise RankError(
            f"n_components={asked} invalid for n_features={columns}, need more rows than columns "
            f"for IncrementalPCA processing: ask for {columns} or fewer."
        )
    if asked > rows and not seen:
        raise RankError(
            f"n_components={asked} must be less or equal to the batch number of samples {rows} for "
            f"the first partial_fit call."
        )
    if seen and asked != estimator.n_components_:
        raise RankError(
            f"Number of input features has changed from {estimator.n_components_} to {asked} "
            f"between calls to partial_fit! Try setting n_components to a fixed value, or fit anew."
        )
    return int(asked)


def start_running_moments(estimator: Any, columns: int, count: int) -> RunningMoments[Any]:
    """The whole scatter matrix where it fits in memory, else its leading directions."""
    budget = budget_bytes(None)
    if columns <= estimator.MOST_COLUMNS and MATRICES * 8 * columns**2 <= budget:
        return RunningMoments(WholeScatter(columns))
    keep = min(max(2 * count + SPARE, LEAST_KEPT), columns)
    if MATRICES * 8 * keep * columns > budget:
        raise OptionError.needs(
            Phrase(
                "{} with {} columns", SetOption("n_components", estimator.n_components), columns
            ),
            f"more memory than the {budget / 1e9:.3g} GB that may be used",
            Phrase("pass a smaller number, for example {}", SetOption("n_components", 50)),
        )
    return RunningMoments(LeadingScatter(columns, keep))


def model_of_batches(
    running: RunningMoments[Any], count: int, names: tuple[str, ...] | None
) -> Subspace:
    """At most as many components as the rows so far have."""
    count = min(count, max(running.rows - 1, 1))
    if isinstance(running.kept, LeadingScatter):
        return leading_model(running, count, names)
    model = fit(
        moments_source(running, names), count, solver=Covariance(all_below=WHOLE_MATRIX_BELOW)
    )
    return replace(
        model, choices={**model.choices, "solver": SOLVER_VERDICT, "centering": CENTERING_VERDICT}
    )


def refuse_unlike_estimators(one: Any, other: Any) -> None:
    """Two estimators can be put together where they have seen the same columns in the same way."""
    differences = [
        what
        for what, same in (
            ("number of columns", one.n_features_in_ == other.n_features_in_),
            ("column names", names_of_estimator(one) == names_of_estimator(other)),
            ("n_components", one.n_components == other.n_components),
            ("what they keep", type(one._running.kept) is type(other._running.kept)),
        )
        if not same
    ]
    if differences:
        raise OptionError.cannot_merge(differences)


def names_of_estimator(estimator: Any) -> tuple[str, ...] | None:
    names = vars(estimator).get("feature_names_in_")
    return None if names is None else tuple(names)
