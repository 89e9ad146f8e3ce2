"""fit: from anything that holds rows of numbers to a subspace with a certificate.

START HERE. The whole story: open the data, prepare the table, decide what is wanted and how to get
it, search until it is proven, and freeze the answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.signs import fix_signs
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.certify import facts_of
from eigenlens.certificate.target import target_for
from eigenlens.errors import NotCertified, OptionError
from eigenlens.model.proof import Proof
from eigenlens.model.subspace import Subspace
from eigenlens.rank.catalogue import rule_for
from eigenlens.search import Found, search
from eigenlens.solvers.catalogue import solver_named
from eigenlens.solvers.choose import (
    Problem,
    choose_solver,
    finer_solver,
    problem_of,
    within_budget,
)
from eigenlens.solvers.step import Solver
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Columns
from eigenlens.table.budget import budget_bytes
from eigenlens.table.build import table_of
from eigenlens.table.preparation import prepare
from eigenlens.table.table import Table
from eigenlens.verdict import Verdict
from eigenlens.version import __version__

__all__ = ["fit"]

BLOCK_PART = 8  # a block takes at most this part of the budget, and of the data
SMALLEST_BLOCK = 1 << 20
KEPT_SCATTER_BYTES = 32 << 20  # a scatter matrix up to this size stays with the model, for merge


def fit(
    data: Any,
    k: int | float | str = "auto",
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
) -> Subspace:
    """The leading subspace of `data`, with a certificate of its accuracy.

    Parameters
    ----------
    data : array, memory map, list of rows, scipy sparse matrix, pandas, polars or pyarrow frame
    k : how many components: an int, a fraction of the variance in (0, 1), or a rule's name
        ("auto", "fraction:0.95", "frobenius:0.9", "minka")
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

    >>> import numpy as np
    >>> rows = np.random.default_rng(0).standard_normal((500, 8)) * [9, 5, 1, 1, 1, 1, 1, 1]
    >>> model = fit(rows, k=0.9)
    >>> model.n_components, model.certificate.kind
    (2, 'deterministic')
    """
    if certify not in ("full", "fast"):
        raise OptionError.unknown("certify", certify, ("full", "fast"))
    source = open_source(data, columns)
    budget = budget_bytes(memory)
    block = max(min(budget, source.stored_bytes) // BLOCK_PART, SMALLEST_BLOCK)
    table = table_of(source, prepare(source, center, scale, weights), min(block, budget // 2))
    weight = table.preparation.total_weight
    rule = rule_for(k, table.shape, table.most_components, table.preparation.center, weight)
    target = target_for(tolerance, weight)

    rank = rule.first_guess(table.most_components)
    problem = problem_of(source, rank, target.relative, budget)
    chosen, why = choose(problem, solver)
    rng = generator(seed)
    found = search(table, chosen, rule, target, certify == "full", rng)
    finer = finer_solver(problem, chosen) if is_auto(solver) and found.spoiled else None
    if finer is not None:  # small eigenvalues drown in the rounding of large ones, once squared
        chosen, why = finer
        found = search(table, chosen, rule, target, certify == "full", rng)

    settings = {
        "k": k,
        "center": bool(center),
        "scale": scale if scale is None or isinstance(scale, str) else "given",
        "weighted": weights is not None,
        "solver": chosen.name,
        "tolerance": tolerance,
        "certify": certify,
        "seed": seed,
    }
    model = frozen(table, found, {"k": found.rank, "solver": why, "stop": found.stop}, settings)
    if tolerance is not None and not found.met:
        reached = model.certificate.relative_error
        NotCertified.reached(tolerance, reached, table.meter.passes).warn()
    return model


def choose(problem: Problem, solver: Any) -> tuple[Solver, Verdict]:
    """The solver asked for, or the one the cost model predicts to be fastest."""
    if is_auto(solver):
        return choose_solver(problem)
    named = within_budget(solver_named(solver), problem)
    return named, Verdict(named.name, "request", "the call named it")


def is_auto(solver: Any) -> bool:
    return isinstance(solver, str) and solver == "auto"


def generator(seed: object) -> np.random.Generator:
    try:
        return np.random.default_rng(seed)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise OptionError.needs(
            f"seed={seed!r}", "a whole number from 0 up", "Pass for example seed=0."
        ) from None


def frozen(
    table: Table, found: Found, choices: dict[str, Verdict], settings: dict[str, Any]
) -> Subspace:
    """The answer in the units of the data."""
    ritz, unit = found.ritz, table.unit**2
    vectors = fix_signs(ritz.vectors(ritz.size))
    signed = Ritz(vectors, None, np.maximum(ritz.values, 0.0), ritz.coupling, ritz.from_triangle)
    centered, scaled = table.preparation.center, table.preparation.scale is not None
    shift = "a mean clearly exceeds its column's spread, so rows were shifted first"
    plain = "no mean clearly exceeds its column's spread, so rows were multiplied as they are"
    shifted = table.rows.shift is not None
    if centered:
        choices["centering"] = Verdict(
            "shifted" if shifted else "corrected", "sample", shift if shifted else plain
        )
    return Subspace(
        components=np.ascontiguousarray(vectors.T),
        eigenvalues=signed.values * unit,
        mean=table.moments.mean if centered else None,
        scale=1.0 / table.inverse_scale if scaled else None,
        n_rows=table.shape[0],
        feature_names=table.source.names,
        total_variance=table.total_variance * unit,
        feature_variances=table.feature_variances * unit,
        choices=choices,
        provenance={
            "eigenlens": __version__,
            "data": repr(table.source),
            "shape": table.shape,
            "dtype": str(table.source.dtype),
            "settings": settings,
        },
        moments=kept_moments(table, found.matrix),
        proof=Proof(signed, found.ceilings, facts_of(table)),
    )


def kept_moments(table: Table, covariance: Float64Array | None) -> Moments:
    """Weight, mean and squares; the scatter too where it was formed and is not large."""
    moments = table.moments
    if covariance is None or covariance.nbytes > KEPT_SCATTER_BYTES:
        return moments
    scatter = covariance * table.divisor
    scatter /= np.outer(table.inverse_scale, table.inverse_scale)
    if not table.preparation.center:
        scatter -= moments.weight * np.outer(moments.mean, moments.mean)
    return Moments(moments.weight, moments.mean, moments.squares, scatter)
