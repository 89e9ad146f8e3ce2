"""Every solver meets every table of the market; what cannot be fitted is refused in words."""

import warnings
from functools import cache

import numpy as np
import pytest

import eigenlens as el
from eigenlens.solvers.catalogue import SOLVERS
from tests.distances import assert_descending, assert_inside, assert_orthonormal
from tests.market import FITTING, MARKET, REFUSED
from tests.reference import captured, exact_spectrum
from tests.reference.exact import divisor

EPS = np.finfo(np.float64).eps
REASONS = {
    "one_row": ["one row", "shape=(1, 5)", "center=False"],
    "all_zero": ["10 rows", "equal", "rows that differ"],
    "all_the_same": ["30 rows", "equal", "rows that differ"],
    "one_nan": ["1 missing cell", "row 17, column 3", "missing='drop'"],
}
# The inner products of thousands of rows are a large matrix for a small table.
LONG = 2000

every_solver = pytest.mark.parametrize("solver", ["auto", *SOLVERS])
every_stall = pytest.mark.parametrize("name", FITTING)


@cache
def stall(name):
    problem = MARKET[name]()
    return problem, exact_spectrum(problem)


def fit(problem, k, solver, **options):
    return el.fit(
        problem.rows,
        k,
        center=problem.center,
        scale=problem.scale,
        weights=problem.weights,
        solver=solver,
        **options,
    )


def affordable(problem, solver):
    if solver == "dual" and problem.rows.shape[0] > LONG:
        pytest.skip("the dual solver forms a matrix of rows by rows")


@cache
def fitted(name, solver):
    problem, _ = stall(name)
    return fit(problem, min(3, problem.max_rank), solver)


@every_stall
@every_solver
def test_the_truth_lies_within_the_bounds(name, solver):
    problem, truth = stall(name)
    affordable(problem, solver)

    model = fitted(name, solver)

    values = truth.eigenvalues[: model.n_components]
    bounds = model.certificate.eigenvalue_bounds
    assert_inside(values, bounds + np.array([-4, 4]) * EPS * values[0])


@every_stall
@every_solver
def test_the_answer_is_well_formed(name, solver):
    problem, _ = stall(name)
    affordable(problem, solver)

    model = fitted(name, solver)

    assert np.isfinite(model.components).all()
    assert_orthonormal(model.components.T, 8 * EPS * max(problem.rows.shape))
    assert_descending(model.eigenvalues)
    assert 0 < model.certificate.captured_ratio <= 1


@every_stall
@every_solver
def test_what_is_claimed_to_be_captured_is_captured(name, solver):
    problem, truth = stall(name)
    affordable(problem, solver)
    model = fitted(name, solver)

    exact = captured(model.components.T, problem)

    slack = float(model.certificate.rounding.sum()) + 8 * EPS * truth.total
    assert abs(exact - model.eigenvalues.sum()) <= slack
    missing = (truth.total - exact) * float(divisor(problem))
    hazard = model.certificate.hazard
    total_slack = (model.proof.facts.roundoff * hazard + 8 * EPS) * truth.total
    claimed = model.certificate.reconstruction_error
    assert abs(missing - claimed) <= 2 * (slack + total_slack) * float(divisor(problem))


@every_stall
@every_solver
def test_a_fraction_can_be_asked_for(name, solver):
    problem, truth = stall(name)
    affordable(problem, solver)

    model = fit(problem, 0.6, solver)

    exact = captured(model.components.T, problem)
    slack = float(model.certificate.rounding.sum()) / truth.total + 8 * EPS
    roundoff = model.proof.facts.roundoff * model.certificate.hazard
    assert exact / truth.total >= 0.6 - slack - 2 * roundoff


@every_stall
@every_solver
def test_a_tolerance_is_met_or_the_warning_names_what_was(name, solver):
    problem, _ = stall(name)
    affordable(problem, solver)

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", el.NotCertified)
        model = fit(problem, 1, solver, tolerance=1e-4)

    reached = model.certificate.relative_error
    if said:
        assert f"{reached:.3g}" in str(said[0].message)
        assert reached > 1e-4
    else:
        # Two-sided: the rounding below an eigenvalue is no part of the tolerance.
        below = float((model.certificate.rounding / model.eigenvalues).max())
        assert reached <= 1e-4 + 2 * below


@pytest.mark.slow
@pytest.mark.parametrize("name", ["drifting", "needle"])
def test_the_dual_solver_meets_long_tables_too(name):
    problem, truth = stall(name)
    assert problem.rows.shape[0] > LONG

    model = fitted(name, "dual")

    assert_inside(truth.eigenvalues[:3], model.certificate.eigenvalue_bounds)
    assert_orthonormal(model.components.T, 8 * EPS * max(problem.rows.shape))


@pytest.mark.parametrize("name", REFUSED)
@every_solver
def test_what_has_no_answer_is_refused_in_words(name, solver):
    problem = MARKET[name]()

    with pytest.raises(el.DataError) as refusal:
        fit(problem, 1, solver)

    assert [words for words in REASONS[name] if words not in str(refusal.value)] == []


def test_every_refusal_has_its_words():
    assert set(REASONS) == set(REFUSED)
