"""fit: from anything that holds rows of numbers to a subspace with a certificate.

START HERE. The whole story: open the data, prepare the table, decide what is wanted and how to get
it, search until it is proven, and freeze the answer.
"""

from __future__ import annotations

from contextlib import ExitStack
from numbers import Real
from typing import Any

import numpy as np

from eigenlens.answer import frozen
from eigenlens.certificate.target import target_for
from eigenlens.errors import NotCertified, OptionError
from eigenlens.model.subspace import Subspace
from eigenlens.progress import shown_progress
from eigenlens.rank.catalogue import informed_rule, rule_for
from eigenlens.rank.quick_spectrum import Workspace
from eigenlens.rank.rule import Rule
from eigenlens.search import Hunt
from eigenlens.solvers.catalogue import solver_named
from eigenlens.solvers.choose import (
    Problem,
    choose_solver,
    finer_solver,
    passes_of,
    problem_of,
    within_budget,
)
from eigenlens.solvers.step import Solver
from eigenlens.sources.dask.cluster import distribute_rows, on_cluster
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Columns, Source
from eigenlens.sources.traits import keep_within, traits_of
from eigenlens.table.budget import budget_bytes
from eigenlens.table.build import table_of
from eigenlens.table.checkpoint import checkpoint_at, journal_for
from eigenlens.table.journal import Journal
from eigenlens.table.preparation import prepare
from eigenlens.table.watch import Watch
from eigenlens.verdict import Verdict

__all__ = ["fit"]

BLOCK_PART = 8  # a block takes at most this part of the budget, and of the data
SMALLEST_BLOCK = 1 << 20


def fit(
    data: Any,
    k: int | float | str | Rule = "auto",
    *,
    center: bool = True,
    scale: Any = None,
    weights: Any = None,
    columns: Columns | None = None,
    solver: Any = "auto",
    tolerance: float | None = None,
    certify: str = "full",
    memory: Any = None,
    seed: int = 0,
    progress: bool = False,
    checkpoint: Any = None,
    on_interrupt: str = "raise",
    cluster: Any = None,
) -> Subspace:
    """The leading subspace of `data`, with a certificate of its accuracy.

    Parameters
    ----------
    data : array, memory map, list of rows, scipy sparse matrix, pandas, polars or pyarrow frame;
        a path, pattern, folder or list of paths; a callable or iterator that gives blocks;
        a Dask array or data frame
    k : how many components: an int, a fraction of the variance in (0, 1), or a rule's name:
        "auto" (ScreeNOT: the best cut under unknown noise, which may be none), "dpa",
        "parallel", "gap", "bcv", "fraction:0.95", "frobenius:0.9", "minka", ... (or its object)
    center : False gives the raw second moments
    scale : "std" to standardize, or one positive number per column
    weights : one non-negative number per row; integers mean repeated rows
    columns : which columns to use, by name, position, mask or slice
    solver : "auto", a name, or an object of `eigenlens.solvers`
    tolerance : every eigenvalue certified within this relative error; None: until numerical error
        is below 1 % of the sampling error
    certify : "full", or "fast" for a cheaper certificate that may be heuristic
    memory : bytes to use beside the data ("2GB"; a fraction of RAM; default 0.25)
    seed : for everything random; same seed, same machine, same bits
    progress : True shows passes and rows on the terminal
    checkpoint : a path, or `eigenlens.Checkpoint`: after a kill the same call goes on from there
    on_interrupt : "return" gives the best certified result so far on Ctrl-C
    cluster : a `distributed.Client` or a scheduler's address; Dask collections use the active
        client by themselves, files are then read by the workers

    >>> import numpy as np
    >>> rows = np.random.default_rng(0).standard_normal((500, 8)) * [9, 5, 1, 1, 1, 1, 1, 1]
    >>> model = fit(rows, k=0.9)
    >>> model.n_components, model.certificate.kind
    (2, 'deterministic')
    """
    refuse_unknown("certify", certify, ("full", "fast"))
    refuse_unknown("on_interrupt", on_interrupt, ("raise", "return"))
    budget, kept = budget_bytes(memory), checkpoint_at(checkpoint)
    forgiving, rng = on_interrupt == "return", generator(seed)
    with ExitStack() as held:
        held.enter_context(on_cluster(cluster))
        source = keep_within(distribute_rows(open_source(data, columns), cluster), budget)
        preparation = prepare(source, center, scale, weights)
        most = preparation.most_components(source.shape)
        rule = rule_for(k, source.shape, most, preparation.center)
        target = target_for(tolerance, preparation.total_weight)
        problem = problem_of(source, rule.first_guess(most), target.relative, budget)
        asked = {"center": bool(center), "tolerance": tolerance, "certify": certify, "seed": seed}
        settings = {**remembered(k, scale, weights, solver), **asked}
        identity = {**settings, "memory": budget}

        journal = held.enter_context(journal_for(kept, source, preparation, identity, forgiving))
        chosen, why = choose(problem, solver, journal)
        display = held.enter_context(shown_progress(progress, passes_of(chosen, problem)))
        workspace = Workspace(budget, block_bytes(source, budget), watch=Watch(display))
        rule, hurried = informed_rule(rule, source, preparation, workspace, rng, forgiving)
        table = table_of(source, preparation, workspace.block_bytes, Watch(display, journal))
        hunt = Hunt(table, rule, target, certify == "full", forgiving, rng, hurried)
        found = hunt.search(chosen)
        finer = finer_solver(problem, chosen) if is_auto(solver) and found.spoiled else None
        if finer is not None:  # small eigenvalues drown in rounding once large ones are squared
            chosen, why = finer
            found = hunt.search(chosen)
        table.meter.add(workspace.meter)
        model = frozen(table, found, why, {**settings, "solver": chosen.name})
        if journal is not None:
            journal.finished = not found.interrupted
    if tolerance is not None and not found.met:
        reached = model.certificate.relative_error
        NotCertified.reached(tolerance, reached, table.meter.passes).warn()
    return model


def remembered(k: Any, scale: Any, weights: Any, solver: Any) -> dict[str, Any]:
    """Arguments that may be arrays or objects, as a model tells of them."""
    return {
        "k": k if isinstance(k, Real | str) else repr(k),
        "scale": scale if scale is None or isinstance(scale, str) else "given",
        "weighted": weights is not None,
        "solver": solver if isinstance(solver, str) else repr(solver),
    }


def refuse_unknown(name: str, given: str, possible: tuple[str, ...]) -> None:
    if given not in possible:
        raise OptionError.unknown(name, given, possible)


def choose(problem: Problem, solver: Any, journal: Journal | None) -> tuple[Solver, Verdict]:
    """The solver asked for, the one an earlier attempt had chosen, or the one predicted fastest."""
    if not is_auto(solver):
        named = within_budget(solver_named(solver), problem)
        return named, Verdict(named.name, "request", "the call named it")
    if journal is None:
        return choose_solver(problem)
    if "solver" not in journal.notes:
        _, why = choose_solver(problem)
        journal.notes["solver"] = [why.value, why.rule, why.reason]
    # Timings decide, and another time they may decide otherwise: what is taken up must stay.
    name, rule, reason = journal.notes["solver"]
    return within_budget(solver_named(name), problem), Verdict(name, rule, reason)


def is_auto(solver: Any) -> bool:
    return isinstance(solver, str) and solver == "auto"


def block_bytes(source: Source, budget: int) -> int:
    """What a block may take: a small part of the data, and of the budget the reader leaves."""
    workspace = max(budget - traits_of(source).working_bytes, budget // 4)
    part = max(min(workspace, source.stored_bytes) // BLOCK_PART, SMALLEST_BLOCK)
    return min(part, workspace // 2)


def generator(seed: object) -> np.random.Generator:
    try:
        return np.random.default_rng(seed)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise OptionError.needs(
            f"seed={seed!r}", "a whole number from 0 up", "Pass for example seed=0."
        ) from None
