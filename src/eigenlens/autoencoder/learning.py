"""Learning: from rows to a network and its gain. The story of `Autoencoder.fit`.

Fit PCA, share the rows out, train, judge on rows not trained on, and say what it means.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.ask import flatness
from eigenlens.autoencoder.gain import Comparison, Errors, gain_verdict
from eigenlens.autoencoder.network import Network, fresh, squared_errors
from eigenlens.autoencoder.shares import Shares, prepared, refuse_too_few, share_out
from eigenlens.autoencoder.training import Epoch, Training, pytorch, trained, way_for
from eigenlens.errors import DataError, OptionError, RankError
from eigenlens.fit import fit, generator, refuse_unknown
from eigenlens.geometry.linear import linear_side
from eigenlens.geometry.surrogate import surrogates_of
from eigenlens.model.subspace import Subspace
from eigenlens.progress import shown_epochs
from eigenlens.solvers.options import is_a, whole_number
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.budget import budget_bytes
from eigenlens.verdict import Verdict

__all__ = ["Learned", "Plan", "learned", "planned"]

HELD_PART = 4  # rows to train on are held if they take at most this part of the budget
ENOUGH_FOR_FLATNESS, MOST_FOR_FLATNESS = 100, 1000
FLAT_CLOUDS, FLAT_CLOUD_ENTRIES = 3, 1 << 22
PART_ENTRIES = 1 << 20  # of a larger table, to compare with clouds
STOPPED = "it was interrupted"
EXACT = 1e-13  # of the variance: what PCA leaves is rounding


@dataclass(frozen=True)
class Plan:
    """The parameters of an `Autoencoder`, checked."""

    k: Any
    hidden: tuple[int, ...]
    max_epochs: int
    patience: int
    seed: Any
    scale: Any
    method: str
    learning_rate: float
    memory: Any
    progress: bool
    on_interrupt: str


@dataclass(frozen=True, eq=False)
class Learned:
    model: Subspace
    training: Training
    gain: Verdict
    flatness: Verdict | None


def planned(estimator: Any) -> Plan:
    given = estimator.hidden
    several = isinstance(given, Iterable) and not isinstance(given, str)
    widths = tuple(given) if several else (given,)
    refuse_unknown("method", estimator.method, ("auto", "lbfgs", "adam"))
    refuse_unknown("on_interrupt", estimator.on_interrupt, ("return", "raise"))
    rate = estimator.learning_rate
    if not (is_a(Real, rate) and 0 < rate < np.inf):
        raise OptionError.not_positive("learning_rate", rate)
    return Plan(
        estimator.n_components,
        tuple(whole_number("hidden", width, 1) for width in widths),
        whole_number("max_epochs", estimator.max_epochs, 0),
        whole_number("patience", estimator.patience, 1),
        estimator.seed,
        estimator.scale,
        estimator.method,
        float(rate),
        estimator.memory,
        bool(estimator.progress),
        estimator.on_interrupt,
    )


def learned(source: Source, plan: Plan) -> Learned:
    n, d = source.shape
    refuse_wide(plan.k, d)
    refuse_too_few(n)
    if not traits_of(source).re_readable:
        raise DataError.read_once(source.shape)
    if plan.max_epochs:
        pytorch("training an autoencoder")  # before the data are read for nothing
    model = fit(source, plan.k, scale=plan.scale, memory=plan.memory, seed=plan.seed)
    refuse_wide(model.n_components, d)
    rng = generator(plan.seed)
    start = fresh(model, plan.hidden, rng)
    held = budget_bytes(plan.memory) // HELD_PART
    shares = share_out(source, model, start.unit, held, rng)
    training, errors = attempt(start, shares, plan, rng)
    stopped = training.ended == "interrupted"
    flat = None
    try:
        flat = flatness_of(source, plan, rng)
    except KeyboardInterrupt:  # the network is trained, and is not to be lost
        stopped = True

    def compared() -> Comparison | str:
        return STOPPED if stopped else with_flat_clouds(errors, shares, plan, rng)

    gain = gain_verdict(errors, flat, compared, rng)
    if stopped or gain.evidence.get("not_compared") == STOPPED:
        training = replace(training, ended="interrupted")
    return Learned(model, training, gain, flat)


def refuse_wide(k: Any, d: int) -> None:
    if is_a(Integral, k) and k < 1:
        raise RankError.needs(
            f"n_components={k}", "at least 1: nothing is coded by no number", "Pass 1 or more."
        )
    if is_a(Integral, k) and k >= d:
        raise RankError.needs(
            f"n_components={k} of n_features={d}",
            "fewer than there are columns: as many code every row exactly",
            f"Ask for {d - 1} or fewer." if d > 1 else "Pass 2 columns or more.",
        )


def attempt(
    start: Network, shares: Shares, plan: Plan, rng: np.random.Generator
) -> tuple[Training, Errors]:
    """Train, unless PCA leaves nothing to learn, and judge."""
    nothing_left = shares.loss_of_pca <= EXACT * shares.source.shape[1]
    most = 0 if nothing_left else plan.max_epochs
    if most == 0:
        training = Training(start, (Epoch(0, 1.0, 1.0),), 0, "limit", "none")
    else:
        way = way_for(plan.method, shares, plan.learning_rate)
        with shown_epochs(plan.progress, most) as tell:
            training = trained(start, shares, way, most, plan.patience, rng, tell)
    if nothing_left:
        nothing = np.zeros(len(shares.judge))
        return training, Errors(nothing, nothing)
    unit = start.unit**2
    return training, Errors(
        unit * squared_errors(start, shares.judge, np.tanh),
        unit * squared_errors(training.network, shares.judge, np.tanh),
    )


def flatness_of(source: Source, plan: Plan, rng: np.random.Generator) -> Verdict | None:
    """Of some rows; None where there are too few, or they cannot be told by their neighbors."""
    n = source.shape[0]
    if n < ENOUGH_FOR_FLATNESS or not plan.max_epochs:
        return None
    some = np.sort(rng.permutation(n)[:MOST_FOR_FLATNESS])
    try:
        return flatness(source.sample(some), scale=plan.scale, seed=plan.seed)
    except DataError:
        return None


def with_flat_clouds(
    errors: Errors, shares: Shares, plan: Plan, rng: np.random.Generator
) -> Comparison | str:
    """The errors of the same network on clouds with the same spectrum, or why there are none."""
    n, d = shares.source.shape
    part = None
    if shares.train is not None and n * d <= FLAT_CLOUD_ENTRIES:
        rows: Float64Array = np.vstack([shares.train, shares.stop, shares.judge])
    else:
        part = min(n, PART_ENTRIES // d)
        if part < ENOUGH_FOR_FLATNESS:
            return f"{n} rows of {d} columns are too many numbers"
        some = np.sort(rng.permutation(n)[:part])
        rows = prepared(shares.source.sample(some), shares.model, shares.unit)
    scores = linear_side(rows, shares.source.dtype).scores
    k = shares.model.n_components
    if k >= scores.shape[1]:
        return "no dimension is left over"
    if part is not None and plan.method == "auto":
        plan = replace(plan, method="adam")  # as all the rows were trained on
    try:
        # More rows fold better, so a part is compared with a network that saw no more than it.
        own = errors if part is None else tried(rows, k, plan, rng)
        clouds = surrogates_of(scores)
        found = [tried(clouds.draw(rng), k, plan, rng) for _ in range(FLAT_CLOUDS)]
    except KeyboardInterrupt:
        return STOPPED
    return Comparison(own, found, part)


def tried(rows: Float64Array, k: int, plan: Plan, rng: np.random.Generator) -> Errors:
    """The errors of a network for these rows by themselves."""
    source = open_source(rows)
    model = fit(source, k, seed=plan.seed)
    start = fresh(model, plan.hidden, rng)
    held = share_out(source, model, start.unit, budget_bytes(plan.memory), rng)
    training, errors = attempt(start, held, plan, rng)
    if training.ended == "interrupted":  # half trained, it would save too little
        raise KeyboardInterrupt
    return errors
