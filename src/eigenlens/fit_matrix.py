"""fit_covariance: the components of a covariance or correlation matrix, rows never seen.

The matrix takes the place of a scatter matrix (`MomentsSource`), so that solvers, rules for k and
certificate are those of `fit`. Without `n_rows` it is taken as exact, that of a population: there
is no sampling error, and rules that tell noise from structure are refused.

| solver                          | on a matrix                                                   |
|---------------------------------|---------------------------------------------------------------|
| covariance, svd, dual           | its eigendecomposition: a symmetric positive semidefinite     |
|                                 | matrix is its own SVD, and that of the inner products of its  |
|                                 | symmetric root                                                |
| power, orthogonal, randomized,  | products with it                                              |
| krylov, lanczos                 |                                                               |
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.certify import POPULATION_WEIGHT
from eigenlens.document.verdict import Verdict
from eigenlens.errors import CovarianceError, RankError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.fit import fit
from eigenlens.model.subspace import Subspace
from eigenlens.rank.catalogue import rule_for
from eigenlens.rank.fraction import Fraction
from eigenlens.rank.rule import Learner, Rule
from eigenlens.solvers.catalogue import get_solver
from eigenlens.solvers.covariance import Covariance
from eigenlens.solvers.dual import Dual
from eigenlens.solvers.step import SolverLike
from eigenlens.solvers.svd import SVD
from eigenlens.sources.moments_only import matrix_source
from eigenlens.sources.protocol import DataLike
from eigenlens.sources.symmetric_matrix import read_covariance
from eigenlens.table.preparation import real_numbers

__all__ = ["fit_covariance"]

POPULATION = int(POPULATION_WEIGHT)
TOLERANCE = 1e-9  # relative, where no sampling error says how many digits mean something
WITHOUT_ROWS = ("count", "fraction", "frobenius", "gap", "kaiser", "broken_stick")
DEFAULT_SHARE = 0.95


def fit_covariance(
    C: DataLike,
    k: int | float | str | Rule = "auto",
    *,
    n_rows: int | None = None,
    mean: npt.ArrayLike | None = None,
    names: Sequence[str] | None = None,
    solver: SolverLike = "auto",
    tolerance: float | None = None,
    seed: int = 0,
) -> Subspace:
    """The leading subspace of the rows that have `C` as their covariance or correlation matrix.

    Parameters
    ----------
    C : (d, d), symmetric and positive semidefinite: an array, frame or path of a table
    k : as in `fit`; "auto" without `n_rows` is the smallest k that holds 95 % of the variance
    n_rows : the number of rows that C was computed from (divisor n - 1), for sampling errors and
        for rules that tell noise from structure. None: C is taken as exact
    mean : of the rows, one number per column; None: rows to project are deviations from it
    names : of the columns; None: those of a frame or file
    solver, tolerance, seed : as in `fit`

    >>> model = fit_covariance([[1, 0.9], [0.9, 1.05]], 2)
    >>> model.eigenvalues.round(4).tolist()
    [1.9253, 0.1247]
    >>> fit_covariance([[2, -1], [-1, 2]], 1, n_rows=50).certificate.kind
    'deterministic'
    """
    given = read_covariance(C)
    matrix = given.matrix
    columns = given.names if names is None else check_names(names, len(matrix))
    rows = POPULATION if n_rows is None else check_rows(n_rows, matrix)
    rule = choose_rule(k, len(matrix), n_rows)
    source = matrix_source(matrix, rows, check_mean(mean, len(matrix)), columns, given.below)
    chosen = solver if isinstance(solver, str) and solver == "auto" else get_solver(solver)
    of_matrix = Covariance() if isinstance(chosen, SVD | Dual) else chosen
    wanted = TOLERANCE if tolerance is None and n_rows is None else tolerance
    model = fit(source, rule, solver=of_matrix, tolerance=wanted, seed=seed)
    return tell_origin(model, chosen, k, n_rows, mean is not None)


def choose_rule(k: Any, size: int, n_rows: int | None) -> Rule:
    """The rule behind `k`; of a matrix alone only those that need no rows."""
    most = size if n_rows is None else min(n_rows - 1, size)
    rows = POPULATION if n_rows is None else n_rows
    if n_rows is None and isinstance(k, str) and k == "auto":
        return Fraction(DEFAULT_SHARE)
    if isinstance(k, Integral) and int(k) > size:
        raise RankError.beyond_matrix(int(k), size)
    rule = rule_for(k, (rows, size), most, True)
    if hasattr(rule, "learn") and isinstance(rule, Learner):
        raise RankError.needs(
            SetOption("k", rule.name),
            "the rows themselves, and only their covariance matrix is given",
            Phrase("pass {}, which needs the matrix alone", SetOption("k", "gap")),
            Phrase("pass the rows to {}", "eigenlens.fit"),
        )
    if n_rows is None and rule.name not in WITHOUT_ROWS:
        raise RankError.needs(
            SetOption("k", rule.name),
            "the number of rows, to tell noise from structure",
            Phrase("pass {} too", Option("n_rows", "...")),
            Phrase("pass {} or {}", SetOption("k", 0.95), SetOption("k", "gap")),
        )
    return rule


def check_rows(n_rows: object, matrix: Float64Array) -> int:
    if isinstance(n_rows, bool) or not isinstance(n_rows, Integral) or n_rows < 2:
        raise CovarianceError.wrong_rows(n_rows)
    count = int(n_rows)
    if count <= len(matrix):
        values = np.linalg.eigvalsh(matrix)
        rank = int(np.count_nonzero(values > 1e-8 * values.max(initial=0.0)))
        if rank > count - 1:
            raise CovarianceError.too_few_rows(count, rank)
    return count


def check_mean(mean: npt.ArrayLike | None, size: int) -> Float64Array:
    if mean is None:
        return np.zeros(size)
    found = real_numbers(mean)
    if found is None or len(found) != size or not np.isfinite(found).all():
        raise CovarianceError.wrong_mean(np.size(np.asarray(mean, dtype=object)), size)
    return found


def check_names(names: Sequence[str], size: int) -> tuple[str, ...]:
    found = tuple(str(name) for name in (names if isinstance(names, Iterable) else [names]))
    if len(found) != size or len(set(found)) < size:
        raise CovarianceError.wrong_names(len(found), size)
    return found


def tell_origin(
    model: Subspace, solver: Any, k: Any, n_rows: int | None, has_mean: bool
) -> Subspace:
    """The model with what it does not know: rows that nobody has counted, a mean not given."""
    choices = dict(model.choices)
    name = solver if isinstance(solver, str) else solver.name
    if isinstance(solver, SVD | Dual):
        reason = "the call named it; of a covariance matrix it is the eigendecomposition"
        choices["solver"] = Verdict(name, "request", reason)
    if n_rows is None and isinstance(k, str) and k == "auto":
        words = "without n_rows noise cannot be told from structure"
        choices["k"] = replace(choices["k"], reason=f"{choices['k'].reason}; {words}")
    known = "the mean was given" if has_mean else "no mean was given: rows are deviations from it"
    choices["centering"] = Verdict("given" if has_mean else "deviations", "request", known)
    settings = {**model.provenance["settings"], "k": str(k), "n_rows": n_rows}
    settings |= {} if name == "auto" else {"solver": name}
    rows = 0 if n_rows is None else n_rows
    provenance = {
        **model.provenance,
        "data": f"a covariance matrix, {model.n_features} x {model.n_features}",
        "shape": (rows, model.n_features),
        "settings": settings,
    }
    return replace(model, n_rows=rows, choices=choices, provenance=provenance)
