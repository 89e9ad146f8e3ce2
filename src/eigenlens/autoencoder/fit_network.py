"""Learning: from rows to a network and its gain. The story of `Autoencoder.fit`.

Fit PCA, share the rows out, train, judge on rows not trained on, and say what it means.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from eigenlens.algebra.random import random_generator
from eigenlens.algebra.typing import Float64Array
from eigenlens.autoencoder.gain import CloudComparison, HeldOutErrors, judge_gain
from eigenlens.autoencoder.network import Network, network_errors, network_of_pca
from eigenlens.autoencoder.split import (
    RowSplit,
    prepare_network_rows,
    refuse_too_few_to_split,
    split_rows,
)
from eigenlens.autoencoder.training import (
    Epoch,
    TrainingHistory,
    choose_training,
    import_torch,
    train_network,
)
from eigenlens.document.verdict import Verdict
from eigenlens.errors import DataError, OptionError, RankError, StreamError
from eigenlens.errors.options import refuse_unknown
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.estimators.validation import read_random_state
from eigenlens.fit import fit
from eigenlens.geometry.linear_rank import measure_linear_rank
from eigenlens.geometry.surrogate import are_shares, make_surrogates, permute_parts
from eigenlens.model.subspace import Subspace
from eigenlens.questions import flatness
from eigenlens.search.progress import showing_epochs
from eigenlens.solvers.options import check_whole, is_number_of
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.budget import budget_bytes

__all__ = ["FittedNetwork", "NetworkPlan", "fit_network", "plan_network"]

HELD_MEMORY_PART = 4  # rows to train on are held if they take at most this part of the budget
ENOUGH_FOR_FLATNESS, MOST_FOR_FLATNESS = 100, 1000
FLAT_CLOUDS, FLAT_CLOUD_ENTRIES = 3, 1 << 22
PART_ENTRIES = 1 << 20  # of a larger table, to compare with clouds
STOPPED = "it was interrupted"
EXACT = 1e-13  # of the variance: what PCA leaves is rounding


@dataclass(frozen=True)
class NetworkPlan:
    """The parameters of an `Autoencoder`, checked."""

    k: Any
    hidden: tuple[int, ...]
    max_epochs: int
    patience: int
    seed: int
    scale: Any
    method: str
    learning_rate: float
    memory: Any
    progress: bool
    on_interrupt: str


@dataclass(frozen=True, eq=False)
class FittedNetwork:
    model: Subspace
    training: TrainingHistory
    gain: Verdict
    flatness: Verdict | None


def plan_network(estimator: Any) -> NetworkPlan:
    given = estimator.hidden
    several = isinstance(given, Iterable) and not isinstance(given, str)
    widths = tuple(given) if several else (given,)
    refuse_unknown("method", estimator.method, ("auto", "lbfgs", "adam"))
    refuse_unknown("on_interrupt", estimator.on_interrupt, ("return", "raise"))
    rate = estimator.learning_rate
    if not (is_number_of(Real, rate) and 0 < rate < np.inf):
        raise OptionError.not_positive("learning_rate", rate)
    return NetworkPlan(
        estimator.n_components,
        tuple(check_whole("hidden", width, 1) for width in widths),
        check_whole("max_epochs", estimator.max_epochs, 0),
        check_whole("patience", estimator.patience, 1),
        read_random_state(estimator),
        estimator.scale,
        estimator.method,
        float(rate),
        estimator.memory,
        bool(estimator.progress),
        estimator.on_interrupt,
    )


def fit_network(source: Source, plan: NetworkPlan) -> FittedNetwork:
    n, d = source.shape
    refuse_too_many_components(plan.k, d)
    refuse_too_few_to_split(n)
    if not traits_of(source).re_readable:
        raise StreamError.read_once(source.shape)
    if plan.max_epochs:
        import_torch("training an autoencoder")  # before the data are read for nothing
    model = fit(source, plan.k, scale=plan.scale, memory=plan.memory, seed=plan.seed)
    refuse_too_many_components(model.n_components, d)
    rng = random_generator(plan.seed)
    start = network_of_pca(model, plan.hidden, rng)
    held = budget_bytes(plan.memory) // HELD_MEMORY_PART
    shares = split_rows(source, model, start.unit, held, rng)
    training, errors = train_and_judge(start, shares, plan, rng)
    stopped = training.ended == "interrupted"
    flat = None
    try:
        flat = flatness_of_sample(source, plan, rng)
    except KeyboardInterrupt:  # the network is trained, and is not to be lost
        stopped = True

    def compared() -> CloudComparison | str:
        return STOPPED if stopped else compare_flat_clouds(errors, shares, plan, rng)

    gain = judge_gain(errors, flat, compared, rng)
    if stopped or gain.evidence.get("not_compared") == STOPPED:
        training = replace(training, ended="interrupted")
    return FittedNetwork(model, training, gain, flat)


def refuse_too_many_components(k: Any, d: int) -> None:
    if is_number_of(Integral, k) and k < 1:
        raise RankError.needs(
            SetOption("n_components", k),
            "to be at least 1",
            "pass 1 or more",
        )
    if is_number_of(Integral, k) and k >= d:
        raise RankError.needs(
            Phrase("{} of {}", SetOption("n_components", k), SetOption("n_features", d)),
            "fewer components than columns: that many reproduce every row exactly",
            f"Ask for {d - 1} or fewer." if d > 1 else "Pass 2 columns or more.",
        )


def train_and_judge(
    start: Network, shares: RowSplit, plan: NetworkPlan, rng: np.random.Generator
) -> tuple[TrainingHistory, HeldOutErrors]:
    """Train, unless PCA leaves nothing to learn, and judge."""
    nothing_left = shares.loss_of_pca <= EXACT * shares.source.shape[1]
    most = 0 if nothing_left else plan.max_epochs
    if most == 0:
        training = TrainingHistory(start, (Epoch(0, 1.0, 1.0),), 0, "limit", "none")
    else:
        way = choose_training(plan.method, shares, plan.learning_rate)
        with showing_epochs(plan.progress, most) as tell:
            training = train_network(start, shares, way, most, plan.patience, rng, tell)
    if nothing_left:
        nothing = np.zeros(len(shares.judge))
        return training, HeldOutErrors(nothing, nothing)
    unit = start.unit**2
    return training, HeldOutErrors(
        unit * network_errors(start, shares.judge, np.tanh),
        unit * network_errors(training.network, shares.judge, np.tanh),
    )


def flatness_of_sample(
    source: Source, plan: NetworkPlan, rng: np.random.Generator
) -> Verdict | None:
    """Of some rows; None where there are too few, or they cannot be told by their neighbors."""
    n = source.shape[0]
    if n < ENOUGH_FOR_FLATNESS or not plan.max_epochs:
        return None
    some = np.sort(rng.permutation(n)[:MOST_FOR_FLATNESS])
    try:
        return flatness(source.sample(some), scale=plan.scale, seed=plan.seed)
    except DataError:
        return None


def compare_flat_clouds(
    errors: HeldOutErrors, shares: RowSplit, plan: NetworkPlan, rng: np.random.Generator
) -> CloudComparison | str:
    """The errors of the same network on clouds with the same spectrum, or why there are none."""
    n, d = shares.source.shape
    part, some = None, np.arange(n)
    if shares.train is None or n * d > FLAT_CLOUD_ENTRIES:
        part = min(n, PART_ENTRIES // d)
        if part < ENOUGH_FOR_FLATNESS:
            return f"{n} rows of {d} columns are too many numbers"
        some = np.sort(rng.permutation(n)[:part])
    given = np.asarray(shares.source.sample(some), dtype=np.float64)
    rows = prepare_network_rows(given, shares.model, shares.unit)
    scores = measure_linear_rank(rows, shares.source.dtype).scores
    k = shares.model.n_components
    if k >= scores.shape[1]:
        return "no dimension is left over"
    if part is not None and plan.method == "auto":
        plan = replace(plan, method="adam")  # as all the rows were trained on
    if are_shares(given):
        clouds = [
            prepare_network_rows(permute_parts(given, rng), shares.model, shares.unit)
            for _ in range(FLAT_CLOUDS)
        ]
    else:
        surrogates = make_surrogates(scores)
        clouds = [surrogates.draw(rng) for _ in range(FLAT_CLOUDS)]
    try:
        # More rows fold better, so a part is compared with a network that saw no more than it.
        own = errors if part is None else errors_on_rows(rows, k, plan, rng)
        found = [errors_on_rows(cloud, k, plan, rng) for cloud in clouds]
    except KeyboardInterrupt:
        return STOPPED
    return CloudComparison(own, found, part)


def errors_on_rows(
    rows: Float64Array, k: int, plan: NetworkPlan, rng: np.random.Generator
) -> HeldOutErrors:
    """The errors of a network for these rows by themselves."""
    source = open_source(rows)
    model = fit(source, k, seed=plan.seed)
    start = network_of_pca(model, plan.hidden, rng)
    held = split_rows(source, model, start.unit, budget_bytes(plan.memory), rng)
    training, errors = train_and_judge(start, held, plan, rng)
    if training.ended == "interrupted":  # half trained, it would save too little
        raise KeyboardInterrupt
    return errors
