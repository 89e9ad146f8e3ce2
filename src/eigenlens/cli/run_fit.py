"""working: a fit as the command line asks for it, within the processors it was given."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from eigenlens.cli.command import Call
from eigenlens.cli.input_table import InputTable
from eigenlens.cli.options import BudgetOptions, PreparingOptions, SearchOptions
from eigenlens.cli.resume import finished_model, keep_finished_model
from eigenlens.cli.stderr import Messages
from eigenlens.cli.wording import wording_of_command
from eigenlens.document.phrases import enquote, format_ratio
from eigenlens.errors import CheckpointError, OptionError, OutlyingCells
from eigenlens.errors.phrasing import Option

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["limiting_threads", "number_or_rule", "read_scaling", "run_fit", "warn_of_units"]


def number_or_rule(text: str) -> int | float | str:
    """ "29" is a number of components, "0.95" a fraction, anything else the name of a rule."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def read_scaling(preparing: PreparingOptions) -> str | None:
    return "std" if preparing.scale else None


def run_fit(
    sheet: InputTable,
    preparing: PreparingOptions,
    searching: SearchOptions,
    budget: BudgetOptions,
    call: Call,
) -> Subspace:
    """The model, with where it comes from."""
    from eigenlens.fit import fit

    checkpoint = searching.checkpoint
    if checkpoint is not None:
        call.saved_in.append(Path(checkpoint).expanduser())
    found = finished_model(checkpoint, call.line)
    if found is not None and found.provenance.get("fingerprint") == sheet.fingerprint:
        call.talk.note(f"the fit was finished before: resuming from {checkpoint}")
        return found
    refuse_changed_rows(checkpoint, found, sheet)
    with cluster_for(searching) as cluster:
        model = fit(
            sheet.source,
            number_or_rule(searching.k),
            center=preparing.center,
            scale=read_scaling(preparing),
            weights=read_cells(searching.cell_weights, "cell_weights", sheet),
            errors=read_cells(searching.errors, "errors", sheet),
            solver=searching.solver,
            tolerance=searching.tolerance,
            memory=budget.memory,
            seed=budget.seed,
            progress=call.talk.shows_progress,
            checkpoint=searching.checkpoint,
            cluster=cluster,
            missing=sheet.missing,
            robust=searching.robust,
        )
    if preparing.scale is None:
        warn_of_units(model, call.talk)
    warn_of_outliers(model, call.talk)
    origin: dict[str, Any] = {
        "data": sheet.label,
        "command": call.line,
        "fingerprint": sheet.fingerprint,
        **({} if sheet.id is None else {"id": sheet.id}),
    }
    model = replace(model, provenance={**model.provenance, **origin})
    if checkpoint is not None:
        keep_finished_model(model, checkpoint)
    return model


def read_cells(path: str | None, option: str, sheet: InputTable) -> Any:
    """One number per cell from a file with the same columns; without one, the weights of rows."""
    if path is None:
        return sheet.weights if option == "cell_weights" else None
    if sheet.weights is not None:
        raise OptionError.excludes("weights", option)
    from eigenlens.missing.observed import cell_blocks
    from eigenlens.sources.open import open_source

    names = sheet.source.names
    source = open_source(path, None if names is None else list(names))
    return np.concatenate(list(cell_blocks(source)))


def refuse_changed_rows(checkpoint: str | None, found: Subspace | None, sheet: InputTable) -> None:
    if checkpoint is not None and found is not None:
        there, here = found.provenance.get("fingerprint"), sheet.fingerprint
        raise CheckpointError.of_another_fit(checkpoint, {"the data": (there, here)})


@contextmanager
def cluster_for(searching: SearchOptions) -> Iterator[str | None]:
    """The address of the cluster to work on: the one named, one of this machine's own, or none."""
    if searching.workers is None:
        yield searching.cluster
        return
    if searching.cluster is not None:
        raise OptionError.excludes("cluster", "workers")
    try:
        from distributed import LocalCluster
    except ImportError:
        raise OptionError.needs_package(Option("workers"), "distributed", "dask") from None
    with children_ignoring_interrupts():
        started = LocalCluster(
            n_workers=searching.workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,  # closing workers complain of their closed connections
        )
    with started as cluster:
        yield cluster.scheduler_address


@contextmanager
def children_ignoring_interrupts() -> Iterator[None]:
    """Processes started here, or by threads from here, do not hear Ctrl-C; we do, afterwards.

    A terminal sends it to all of them, and each worker would print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # as it starts it would open the ears again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def warn_of_units(model: Subspace, talk: Messages) -> None:
    """One line where units decide what the components are, and nobody said that they should."""
    from eigenlens.explain.data_check import UNEVEN_SPREAD, spread_of_columns

    spread = spread_of_columns(model)
    if spread.ratio > UNEVEN_SPREAD:
        talk.warn(
            f"{enquote(spread.widest, 30)} varies {format_ratio(spread.ratio)} times as much as "
            f"{enquote(spread.narrowest, 30)}, so the units determine the components; --scale "
            f"standardizes the columns, --no-scale keeps them as they are"
        )


def warn_of_outliers(model: Subspace, talk: Messages) -> None:
    """One line where a few cells turn the components far beyond chance."""
    found = model.choices.get("robust")
    if found is not None and found.evidence.get("drastic"):
        named = ("angle", "chance", "outlying_share", "components")
        warning = OutlyingCells.turned(*(found.evidence[name] for name in named))
        talk.warn(warning.say(wording_of_command()))


@contextmanager
def limiting_threads(count: int | None) -> Iterator[None]:
    """BLAS in so many threads while inside; None: as many as there are."""
    if count is None:
        yield
        return
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=count):
        yield
