"""check_solver: what the search and the certificate rely on, on four small tables.

    steps     passes grow; values fall and are not negative; the read-out is orthonormal, its Ritz
              values never exceed the true eigenvalues, its coupling is what C V leaves outside V
    fits      every way to say k works, the certificate holds, the same seed gives the same bits

| table      | why                                                          |
|------------|--------------------------------------------------------------|
| tall       | 60 x 12, eigenvalues 1/i, means far away                     |
| wide       | 14 x 50: more features than rows                             |
| tied       | 40 x 9, eigenvalues equal in threes                          |
| deficient  | 30 x 16 of rank 5: most eigenvalues are zero                 |
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.ritz import Ritz
from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import NotCertified
from eigenlens.fit import fit
from eigenlens.model.subspace import Subspace
from eigenlens.solvers.step import Ask, Solver, Step
from eigenlens.sources.open import open_source
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare
from eigenlens.table.sides import FeatureSide, RowSide, Side
from eigenlens.table.table import TableOperator
from eigenlens.testing.claims import claim, claim_close, claim_orthonormal

__all__ = ["check_solver"]

STEPS = 5
RANK = 3


def check_solver(solver: Any) -> None:
    """Check a solver of your own before handing it to `eigenlens.fit(..., solver=it)`."""
    claim(isinstance(getattr(solver, "name", None), str), "a solver has a name, a string")
    for name, rows in example_tables().items():
        check_steps(solver, rows, name)
        check_fits(solver, rows, name)


def example_tables() -> Mapping[str, Float64Array]:
    tied = np.repeat([4.0, 2.0, 1.0], 3)
    return {
        "tall": table_with_eigenvalues(60, 12, 1 / np.arange(1, 13)) + 100.0,
        "wide": table_with_eigenvalues(14, 50, 1 / np.arange(1, 14)),
        "tied": table_with_eigenvalues(40, 9, tied),
        "deficient": table_with_eigenvalues(30, 16, 1 / np.arange(1, 6)),
    }


def table_with_eigenvalues(n: int, d: int, eigenvalues: Float64Array) -> Float64Array:
    """Centered rows whose covariance has these eigenvalues and zeros."""
    rng = np.random.default_rng([n, d])
    left = rng.standard_normal((n, len(eigenvalues)))
    left = np.linalg.qr(left - left.mean(axis=0))[0]
    right = np.linalg.qr(rng.standard_normal((d, len(eigenvalues))))[0]
    product: Float64Array = (left * np.sqrt((n - 1) * eigenvalues)) @ right.T
    return product


def lapack_spectrum(rows: Float64Array, count: int) -> Float64Array:
    """The leading eigenvalues of the covariance by LAPACK, zeros where there are no more."""
    singular = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False)
    values: Float64Array = np.pad(singular**2 / (len(rows) - 1), (0, count))[:count]
    return values


# -- steps -----------------------------------------------------------------------------------


def check_steps(solver: Solver, rows: Float64Array, name: str) -> None:
    prepared = open_rows(rows)
    on_rows = solver.sided(prepared.shape)
    claim(isinstance(on_rows, bool | np.bool_), f"{name}: sided() answers True or False")
    claim(isinstance(solver.forms_matrix, bool), f"{name}: forms_matrix is True or False")
    side: Side = RowSide(prepared) if on_rows else FeatureSide(prepared)
    truth = lapack_spectrum(rows, side.size)
    steps = solver.steps(side, Ask(RANK, 1e-6), np.random.default_rng(1))
    passes = 0
    for number in range(STEPS):
        try:
            # From the third step on more is asked for: the basis must grow, not start over.
            step = next(steps) if number == 0 else steps.send(Ask(RANK + (number > 1), 1e-6))
        except StopIteration:
            claim(number > 0, f"{name}: a solver yields at least one step")
            return
        claim(step.passes > passes or number == 0, f"{name}: passes grow from step to step")
        passes = step.passes
        check_step(step, side, prepared, truth, f"{name}, step {number + 1}")


def open_rows(rows: Float64Array) -> TableOperator:
    source = open_source(rows)
    return build_table(source, prepare(source, True, None, None))


def check_step(
    step: Step, side: Side, prepared: TableOperator, truth: Float64Array, where: str
) -> None:
    allowed = 8 * side.size * EPS * float(truth[0]) + allowed_rounding(prepared)
    claim(step.passes >= 1, f"{where}: a step comes after at least one pass")
    claim(len(step.values) >= 1, f"{where}: it has at least one value")
    claim(len(step.errors) == len(step.values), f"{where}: as many errors as values")
    claim(bool(np.all(step.errors >= 0)), f"{where}: errors are not negative")
    ritz = step.read_out()
    check_ritz(ritz, side, truth, allowed, where)
    if step.matrix is not None:
        claim_close(step.matrix, side.matrix(), allowed, f"{where}: the matrix is that of the side")


def check_ritz(ritz: Ritz, side: Side, truth: Float64Array, allowed: float, where: str) -> None:
    claim_orthonormal(ritz.vectors(ritz.size), f"{where}: V'V = I")
    falling = np.diff(ritz.values) <= allowed
    claim(bool(falling.all()), f"{where}: Ritz values are descending: {ritz.values}")
    claim(float(ritz.values.min()) >= -allowed, f"{where}: Ritz values are not negative")
    excess = float((ritz.values - truth[: ritz.size]).max())
    claim(
        excess <= allowed,
        f"{where}: Ritz values never exceed the true eigenvalues, but one does by {excess:.3g}",
    )
    total = float(ritz.values.sum())
    claim(total <= side.trace + allowed, f"{where}: Ritz values add up to at most the trace")
    vectors = ritz.vectors(ritz.size)
    outside = side.apply(vectors) - vectors * ritz.values
    claim_close(
        np.linalg.norm(outside, axis=0),
        ritz.residuals,
        2 * allowed,
        f"{where}: the coupling has the lengths of C V - V diag(values)",
    )


def allowed_rounding(prepared: TableOperator) -> float:
    """What products may lose: relative to second moments about the shift, not to variances."""
    return 16 * prepared.roundoff * float(prepared.uncorrected_variances.sum())


# -- fits ------------------------------------------------------------------------------------


def check_fits(solver: Solver, rows: Float64Array, name: str) -> None:
    for k in (1, RANK, 0.5, 0.9, "frobenius:0.9"):
        model = fit_with_solver(solver, rows, k)
        check_model(model, rows, f"{name}, k={k!r}")
    check_fraction(fit_with_solver(solver, rows, 0.9), 0.9, name)
    first, again = fit_with_solver(solver, rows, RANK), fit_with_solver(solver, rows, RANK)
    claim(
        np.array_equal(first.components, again.components)
        and np.array_equal(first.eigenvalues, again.eigenvalues),
        f"{name}: the same seed gives the same bits",
    )


def fit_with_solver(solver: Solver, rows: Float64Array, k: Any) -> Subspace:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotCertified)
        return fit(rows, k, solver=solver, seed=3)


def check_model(model: Subspace, rows: Float64Array, where: str) -> None:
    truth = lapack_spectrum(rows, model.n_components)
    claim_orthonormal(model.components.T, f"{where}: components are orthonormal")
    claim(bool(np.all(np.diff(model.eigenvalues) <= 0)), f"{where}: eigenvalues are descending")
    claim(bool(np.all(model.eigenvalues >= 0)), f"{where}: eigenvalues are not negative")
    low, high = model.certificate.eigenvalue_bounds.T
    # The truth here is LAPACK's, good to some eps of the largest.
    slack = 8 * max(rows.shape) * EPS * float(np.abs(rows).max() * np.sqrt(truth[0]) + truth[0])
    inside = (low - slack <= truth) & (truth <= high + slack)
    claim(bool(inside.all()), f"{where}: every true eigenvalue lies in its certified interval")


def check_fraction(model: Subspace, fraction: float, name: str) -> None:
    captured = model.certificate.captured_ratio
    claim(
        captured >= fraction * (1 - 1e-12),
        f"{name}: asked for the fraction {fraction}, the components hold {captured:.6g}",
    )
