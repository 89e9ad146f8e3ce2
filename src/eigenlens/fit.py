"""fit: from anything that holds rows of numbers to a subspace with a certificate.

START HERE. The whole story: open the data, prepare the table, decide what is wanted and how to get
it, search until it is proven, and freeze the answer. What surrounds it (memory, cluster,
checkpoint, progress) is `search/session.py`.
"""

from __future__ import annotations

from numbers import Real
from typing import Any, Unpack

import numpy.typing as npt

from eigenlens.algebra.random import random_generator
from eigenlens.certificate.target import target_for
from eigenlens.errors import NotCertified
from eigenlens.errors.options import refuse_unknown
from eigenlens.missing.cell_weights import read_cell_weights
from eigenlens.missing.treatment import MissingLike
from eigenlens.model.subspace import Subspace
from eigenlens.rank.catalogue import rule_for
from eigenlens.rank.count import Count
from eigenlens.rank.rule import Rule
from eigenlens.robust.treatment import RobustLike, treat_outliers
from eigenlens.search.result import subspace_from
from eigenlens.search.search import Search
from eigenlens.search.session import (
    CheckpointLike,
    ClusterLike,
    DeviceLike,
    fit_session,
    is_auto,
)
from eigenlens.solvers.choose import finer_solver
from eigenlens.solvers.cost import problem_of, smallest_eigenvalue
from eigenlens.solvers.step import SolverLike
from eigenlens.sources.categories.open import CategoriesLike, CategoryRequest
from eigenlens.sources.dense_copy import dense_copy
from eigenlens.sources.genotypes import HWE, scale_genotypes
from eigenlens.sources.protocol import Columns, DataLike
from eigenlens.sources.reading import ReadArguments, describe_reading, refuse_unexpected
from eigenlens.sources.symmetric_matrix import hint_at_covariance
from eigenlens.table.preparation import prepare
from eigenlens.table.workspace import MemoryLike

__all__ = ["fit"]


def fit(
    data: DataLike,
    k: int | float | str | Rule = "auto",
    *,
    center: bool = True,
    scale: str | npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
    columns: Columns | None = None,
    missing: MissingLike = "error",
    categories: CategoriesLike = "drop",
    rare: float = 0.01,
    robust: RobustLike = None,
    errors: npt.ArrayLike | None = None,
    solver: SolverLike = "auto",
    tolerance: float | None = None,
    certify: str = "full",
    memory: MemoryLike = None,
    device: DeviceLike = None,
    seed: int = 0,
    progress: bool = False,
    checkpoint: CheckpointLike = None,
    on_interrupt: str = "raise",
    cluster: ClusterLike = None,
    **reading: Unpack[ReadArguments],
) -> Subspace:
    """The leading subspace of `data`, with a certificate of its accuracy.

    Parameters
    ----------
    data : array, memory map, list of rows, scipy sparse matrix, pandas, polars or pyarrow frame;
        a path, pattern, folder or list of paths; a callable or iterator that gives blocks;
        a Dask array or data frame; a torch tensor, a cupy or jax array, on its device
    k : how many components: an int, a fraction of the variance in (0, 1), or a rule's name:
        "auto" (the best cut under unknown noise, which may be none; docs/components.md), "dpa",
        "parallel", "gap", "bcv", "fraction:0.95", "frobenius:0.9", "minka", ... (or its object)
    center : False gives the raw second moments
    scale : "std" to standardize, one positive number per column, or "hwe" for genotypes: the
        deviation expected under Hardy-Weinberg equilibrium, missing calls as the mean
    weights : one non-negative number per row; integers mean repeated rows. Or one per cell: its
        relative precision, 0 for a cell that is to be treated as missing
    columns : which columns to use, by name, position, mask or slice
    missing : what to do about missing cells: "error", "drop" (leave out their rows), "auto",
        "gaussian", "lowrank" (estimate them, categories as memberships: the model is that of the
        covariance matrix expected given the observed cells; see `model.missing`), "unstored" (of a
        sparse table: estimate what it does not store), "level" (a missing category is a level)
    categories : "drop" (columns that are not numbers take no part), "auto" (text, categories, truth
        values and codes do: factor analysis of mixed data, multiple correspondence analysis where
        there are no numbers), names of the columns that are categories, or "counts" (the table
        holds counts: correspondence analysis)
    rare : levels with a smaller share of the rows are merged into one, "other"; 0 keeps all
    robust : what to do about outliers: None, "wrap" (cells far out in their column lose their
        pull), "rows" (outlying rows are left out), "cells" (outlying cells are estimated from the
        others), or an object of `eigenlens.robust`; see `model.robust`
    errors : standard deviations of the errors of measurement, per cell or per column
    solver : "auto", a name, or an object of `eigenlens.solvers`
    tolerance : every eigenvalue certified within this relative error; None: until numerical error
        is below 1 % of the sampling error
    certify : "full", or "fast" for a cheaper certificate that may be heuristic
    memory : bytes to use beside the data ("2GB"; a fraction of RAM; default 0.25)
    device : where products are made: None (where the data are), "cuda", "cuda:1", or "cpu"; other
        data are copied there block by block. `memory` is then that of the device too (docs/gpu.md)
    seed : for everything random; the same seed, machine and number of BLAS threads give the same
        bits
    progress : True shows passes and rows on the terminal
    checkpoint : a path, or `eigenlens.Checkpoint`: after a kill the same call goes on from there
    on_interrupt : "return" gives the best certified result so far on Ctrl-C
    cluster : a `distributed.Client` or a scheduler's address; Dask collections use the active
        client by themselves, files are then read by the workers
    reading : of an AnnData `layer`, `obsm`, `mask_var`; of a cube `rows`, the axes that are rows;
        of any data `normalize="l2"`, which divides every row by its length (docs/data.md)

    >>> import numpy as np
    >>> rows = np.random.default_rng(0).standard_normal((500, 8)) * [9, 5, 1, 1, 1, 1, 1, 1]
    >>> model = fit(rows, k=0.9)
    >>> model.n_components, model.certificate.kind
    (2, 'deterministic')
    """
    refuse_unexpected(reading, fit.__kwdefaults__ or {})
    refuse_unknown("certify", certify, ("full", "fast"))
    refuse_unknown("on_interrupt", on_interrupt, ("raise", "return"))
    rng, forgiving = random_generator(seed), on_interrupt == "return"
    with fit_session(memory, cluster, checkpoint, progress, forgiving, device) as session:
        request = CategoryRequest(categories, rare, missing)
        source = session.open(data, columns, request, reading)
        hint_at_covariance(source)
        asked_scale = scale
        if isinstance(scale, str) and scale == HWE:
            genotypes = scale_genotypes(source, fill=missing == "error")
            source, scale = genotypes.source, genotypes.scale
        cells = read_cell_weights(source, weights, errors, scale)
        preparation = prepare(source, center, cells.scale, cells.rows)
        asked = {"center": bool(center), "tolerance": tolerance, "certify": certify, "seed": seed}
        if robust is not None:
            asked["robust"] = robust if isinstance(robust, str) else repr(robust)
        stated = asked_scale if cells.scale is scale else cells.scale
        settings = {**describe_arguments(k, stated, cells.rows, solver), **asked}
        settings |= describe_reading(reading)
        identity = {**settings, "missing": missing}
        passes = session.take_up(source, preparation, cells.cells, identity)
        outliers = treat_outliers(source, preparation, robust, missing, k, cells, rng, passes)
        source, preparation = session.place(outliers.treated.source), outliers.treated.preparation
        most = preparation.most_components(source.shape)
        rule = rule_for(k, source.shape, most, preparation.center)
        target = target_for(tolerance, preparation.total_weight)
        multiplied = dense_copy(source) or source
        guess = rule.first_guess(most)
        problem = problem_of(multiplied, guess, target.relative, session.budget_bytes)
        chosen = session.begin(source, problem, solver)
        rule = session.inform(rule, source, preparation, rng)
        smallest = smallest_eigenvalue(problem, isinstance(rule, Count))
        table = session.table(source, preparation, target.rounding_relative * smallest)
        search = Search(
            table,
            rule,
            target,
            certify == "full",
            forgiving,
            rng,
            session.interrupted,
            keeps_matrix=not is_auto(solver),
            solver_for_more=session.solver_for_more if is_auto(solver) else None,
        )
        found = search.run(chosen)
        chosen, why = search.solver, session.why
        finer = finer_solver(problem, chosen) if is_auto(solver) and found.spoiled else None
        if finer is not None:  # small eigenvalues drown in rounding once large ones are squared
            chosen, why = finer
            found = search.run(chosen)
        session.finish(table, not found.interrupted)
        model = subspace_from(table, found, why, {**settings, "solver": chosen.name}, outliers)
    if tolerance is not None and not found.met:
        reached = model.certificate.relative_error  # of eigenvalues that are not zero to rounding
        if reached > tolerance:
            done, iterates = table.meter.passes, not chosen.forms_matrix
            NotCertified.reached(tolerance, reached, done, chosen.name, iterates).warn()
    return model


def describe_arguments(k: Any, scale: Any, weights: Any, solver: Any) -> dict[str, Any]:
    """Arguments that may be arrays or objects, as a model tells of them."""
    return {
        "k": k if isinstance(k, Real | str) else repr(k),
        "scale": scale if scale is None or isinstance(scale, str) else "given",
        "weighted": weights is not None,
        "solver": solver if isinstance(solver, str) else repr(solver),
    }
