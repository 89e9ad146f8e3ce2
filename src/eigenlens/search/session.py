"""Session: what stands around a fit while it runs, behind one context.

budget        how much memory there is, and what a block may take of it
device        where products are made
cluster       where Dask collections and files are worked on
checkpoint    the passes made so far, and the solver they were made for
progress      a line on the terminal
interrupts    whether Ctrl-C ends the fit with what is proven by then
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.verdict import Verdict
from eigenlens.machine.torch_device import TorchDevice, free_bytes
from eigenlens.missing.engine_passes import EnginePasses
from eigenlens.rank.catalogue import inform_rule
from eigenlens.rank.rule import Rule
from eigenlens.search.progress import showing_progress
from eigenlens.solvers.catalogue import get_solver
from eigenlens.solvers.choose import (
    choose_solver,
    estimate_passes,
    limit_to_budget,
    solver_for_more,
)
from eigenlens.solvers.cost import Problem
from eigenlens.solvers.step import Solver, SolverLike
from eigenlens.sources.categories.open import CategoryRequest, open_categories
from eigenlens.sources.dask.cluster import distribute_rows, on_cluster
from eigenlens.sources.device import tensor
from eigenlens.sources.device.arrays import is_device_array, is_tensor, tensor_of
from eigenlens.sources.device.rows import is_on_device
from eigenlens.sources.device.uploaded import place_source
from eigenlens.sources.protocol import Columns, DataLike, Source
from eigenlens.sources.reading import ReadArguments
from eigenlens.sources.traits import keep_within, traits_of
from eigenlens.table.budget import budget_bytes
from eigenlens.table.build import build_table
from eigenlens.table.checkpoint import (
    Checkpoint,
    checkpoint_at,
    digest_of_values,
    journal_for,
)
from eigenlens.table.journal import Journal
from eigenlens.table.meter import Meter
from eigenlens.table.pass_observer import PassObserver
from eigenlens.table.preparation import Preparation
from eigenlens.table.table import TableOperator
from eigenlens.table.workspace import MemoryLike, Workspace, workspace_for

__all__ = ["CheckpointLike", "ClusterLike", "DeviceLike", "Session", "fit_session", "is_auto"]

CheckpointLike: TypeAlias = str | os.PathLike[str] | Checkpoint | None
DeviceLike: TypeAlias = Any  # "cpu", "cuda", "cuda:1", a torch.device, or None
ClusterLike: TypeAlias = Any  # a `distributed.Client`, a scheduler's address, or None


@contextmanager
def fit_session(
    memory: MemoryLike,
    cluster: ClusterLike,
    checkpoint: CheckpointLike,
    progress: bool,
    forgiving: bool,
    device: DeviceLike = None,
) -> Iterator[Session]:
    """Everything entered here is left again, also where the fit fails."""
    budget, kept = budget_bytes(memory), checkpoint_at(checkpoint)
    with ExitStack() as held:
        if cluster is not None:
            held.enter_context(on_cluster(cluster))
        named = None if device is None else str(device)
        yield Session(budget, memory, named, cluster, kept, progress, forgiving, held)


@dataclass
class Session:
    """`interrupted`: there was a Ctrl-C already, and what is known by then is to be returned."""

    budget_bytes: int
    memory: MemoryLike
    device: str | None
    cluster: ClusterLike
    checkpoint: Checkpoint | None
    progress: bool
    forgiving: bool
    held: ExitStack
    lies_on: str | None = None  # the device of the data, where nobody named one
    interrupted: bool = False
    journal: Journal | None = None
    engine_passes: EnginePasses | None = None
    problem: Problem = field(init=False)
    why: Verdict = field(init=False)  # this solver
    workspace: Workspace = field(init=False)
    watch: PassObserver = field(init=False)

    def open(
        self,
        data: DataLike,
        columns: Columns | None,
        request: CategoryRequest,
        reading: ReadArguments | None = None,
    ) -> Source:
        if self.device is not None and is_tensor(data) and not (reading or {}).get("rows"):
            data, columns = tensor.source_from(data, columns), None
        elif is_device_array(data):
            self.lies_on = str(tensor_of(data).device)
        opened = open_categories(data, columns, request, reading, self.cluster is not None)
        return keep_within(distribute_rows(opened, self.cluster), self.budget_bytes)

    def place(self, source: Source) -> Source:
        """The rows where products are to be made; the budget is then that of the place as well."""
        # What was changed cell by cell on the host goes back to where the data lie.
        asked = self.lies_on if self.device is None else self.device
        if asked is None and not is_on_device(source):
            return source
        named = self.device is not None
        placed = source if asked is None else place_source(source, asked, self.budget_on, named)
        if is_on_device(placed):
            self.budget_bytes = self.budget_on(placed.device)
        return placed

    def budget_on(self, device: TorchDevice) -> int:
        """What the host allows, too: small matrices are worked on there."""
        return min(self.budget_bytes, budget_bytes(self.memory, free_bytes(device)))

    def take_up(
        self,
        source: Source,
        preparation: Preparation,
        cells: Float64Array | None,
        settings: Mapping[str, Any],
    ) -> EnginePasses | None:
        """An earlier attempt, or a new one; where passes over missing cells are recorded."""
        if self.checkpoint is None:
            return None
        identity = {
            **settings,
            "cell weights": digest_of_values(cells),
            "memory": self.budget_bytes,
        }
        place = str(source.device) if is_on_device(source) else self.device
        if place is not None:  # products are rounded otherwise elsewhere
            identity["device"] = place
        self.journal = self.held.enter_context(
            journal_for(self.checkpoint, source, preparation, identity, self.forgiving)
        )
        if self.journal is not None:
            self.engine_passes = EnginePasses(self.journal)
        return self.engine_passes

    def begin(self, source: Source, problem: Problem, solver: SolverLike) -> Solver:
        """The solver to use."""
        chosen, self.why = solver_for(problem, solver, self.journal)
        self.problem = problem
        display = None
        if self.progress:
            display = self.held.enter_context(
                showing_progress(True, estimate_passes(chosen, problem))
            )
        self.workspace = workspace_for(source, self.budget_bytes, PassObserver(display))
        before = 0 if self.engine_passes is None else self.engine_passes.count
        self.watch = PassObserver(display, self.journal, before)
        return chosen

    def solver_for_more(self, tried: Solver, rank: int) -> Solver | None:
        """The solver to go on with where many more components are wanted; None: as before."""
        if self.journal is not None and self.problem.threads:
            return None  # a cluster may have other workers when the fit is resumed
        found = solver_for_more(self.problem, tried, rank)
        if found is None:
            return None
        self.problem, solver, why = found
        self.why = why or self.why
        return solver

    def inform(
        self, rule: Rule, source: Source, preparation: Preparation, rng: np.random.Generator
    ) -> Rule:
        """The rule once it has seen what it needs to of the rows."""
        informed, self.interrupted = inform_rule(
            rule, source, preparation, self.workspace, rng, self.forgiving
        )
        return informed

    def table(self, source: Source, preparation: Preparation, accuracy: float) -> TableOperator:
        """`accuracy`: what may be left to rounding (`table/build.py`)."""
        return build_table(source, preparation, self.workspace.block_bytes, self.watch, accuracy)

    def finish(self, table: TableOperator, finished: bool) -> None:
        """Count what the rule has read; a checkpoint of a finished fit is no longer needed."""
        table.meter.add(self.workspace.meter)
        opening = traits_of(table.source).passes_to_open  # to learn how many rows there are
        table.meter.add(Meter(opening, opening * table.source.stored_bytes))
        if self.journal is not None:
            self.journal.finished = finished


def solver_for(
    problem: Problem, solver: SolverLike, journal: Journal | None
) -> tuple[Solver, Verdict]:
    """The solver asked for, the one an earlier attempt had chosen, or the one predicted fastest."""
    if not is_auto(solver):
        named = limit_to_budget(get_solver(solver), problem)
        return named, Verdict(named.name, "request", "the call named it")
    if journal is None:
        return choose_solver(problem)
    if "solver" not in journal.notes:
        _, why = choose_solver(problem)
        journal.notes["solver"] = [why.value, why.rule, why.reason]
    # A cluster may have other workers the next time: what is resumed must stay as it was.
    name, rule, reason = journal.notes["solver"]
    return limit_to_budget(get_solver(name), problem), Verdict(name, rule, reason)


def is_auto(solver: SolverLike) -> bool:
    return isinstance(solver, str) and solver == "auto"
