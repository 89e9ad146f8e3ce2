"""Every solver keeps the same promises. One table lists them; a new solver is a new row.

Each test runs for each row of `solver_table.py`, most of them on each of a dozen problems. What a
solver may miss is what its own certificate allows: `rounding` for values that should be equal, the
certified interval for values that should be close.
"""

import itertools

import numpy as np
import pytest

import eigenlens as el
from eigenlens.solvers.catalogue import SOLVERS
from tests.contracts.solver_table import (
    EPS,
    PROBLEMS,
    ROWS,
    fit,
    fitted,
    problem_named,
    rounding,
)
from tests.distances import (
    assert_descending,
    assert_inside,
    assert_orthonormal,
    assert_same_subspace,
)
from tests.problems import lay_out, make_problem, make_table

every_solver = pytest.mark.parametrize("name", ROWS)
every_problem = pytest.mark.parametrize("kind", PROBLEMS)
those_that_iterate = pytest.mark.parametrize("name", [n for n, row in ROWS.items() if row.stopped])


def test_every_solver_has_a_row():
    assert list(ROWS) == list(SOLVERS)
    assert all(row.solver == SOLVERS[name] for name, row in ROWS.items())


@every_solver
def test_it_passes_the_public_check(name):
    el.testing.check_solver(ROWS[name].solver)


@every_solver
@every_problem
def test_components_are_orthonormal(name, kind):
    model = fitted(kind, name)

    assert_orthonormal(model.components.T, 8 * EPS * max(problem_named(kind)[0].rows.shape))


@every_solver
@every_problem
def test_eigenvalues_are_descending_and_not_negative(name, kind):
    assert_descending(fitted(kind, name).eigenvalues)


@every_solver
@every_problem
def test_eigenvalues_never_exceed_the_true_ones(name, kind):
    model, truth = fitted(kind, name), problem_named(kind)[1].eigenvalues[:4]

    slack = model.certificate.rounding + 4 * EPS * truth[0]

    assert np.all(model.eigenvalues <= truth + slack)


@every_solver
@every_problem
def test_the_trace_is_not_exceeded(name, kind):
    model = fitted(kind, name)

    assert model.eigenvalues.sum() <= model.total_variance + 4 * rounding(model)


@every_solver
@every_problem
def test_every_true_eigenvalue_lies_in_its_interval(name, kind):
    model, truth = fitted(kind, name), problem_named(kind)[1].eigenvalues[:4]
    bounds = model.certificate.eigenvalue_bounds + np.array([-4, 4]) * EPS * truth[0]

    assert_inside(truth, bounds)


@every_solver
@every_problem
def test_a_matrix_formed_means_no_sampling_in_the_proof(name, kind):
    certificate = fitted(kind, name).certificate

    assert certificate.kind in ("deterministic", "probabilistic")
    assert certificate.kind == "deterministic" or not ROWS[name].forms_matrix
    assert (certificate.failure_probability == 0) == (certificate.kind == "deterministic")


@those_that_iterate
@every_problem
def test_more_passes_never_lower_an_eigenvalue(name, kind):
    row, (problem, _) = ROWS[name], problem_named(kind)
    count = {"all": 4, "first": 1, "none": 0}[row.monotone]

    models = [fit(problem, max(count, 1), row.stopped(passes), seed=1) for passes in (1, 2, 4, 8)]

    for fewer, more in itertools.pairwise(models):
        lowered = fewer.eigenvalues[:count] - more.eigenvalues[:count]
        assert np.all(lowered <= rounding(fewer, more))


@every_solver
@pytest.mark.parametrize("kind", ["tall", "wide", "float32", "sparse"])
def test_the_same_seed_gives_the_same_bits(name, kind):
    first = fitted(kind, name)

    again = fit(problem_named(kind)[0], 4, ROWS[name].solver, seed=1)

    np.testing.assert_array_equal(first.components, again.components)
    np.testing.assert_array_equal(first.eigenvalues, again.eigenvalues)
    assert str(first.certificate) == str(again.certificate)


@every_solver
@pytest.mark.parametrize("order", ["F", "strided", "reversed", "read_only"])
def test_the_layout_in_memory_is_invisible(name, order):
    problem, _ = problem_named("tall")
    options = {"tolerance": 1e-8, "seed": 1}

    plain = fit(problem, 4, ROWS[name].solver, **options)
    other = fit(problem, 4, ROWS[name].solver, lay_out(problem.rows, order), **options)

    width = np.ptp(plain.certificate.eigenvalue_bounds, axis=1)
    assert np.all(np.abs(plain.eigenvalues - other.eigenvalues) <= width + rounding(plain, other))


@every_solver
@pytest.mark.parametrize("dtype", ["float32", "float64", "longdouble", ">f8", "int16"])
def test_the_type_the_numbers_are_stored_in_is_invisible(name, dtype):
    problem = make_problem("tall", 60, 8, 21)
    rows = np.rint(50 * problem.rows)

    plain = fit(problem, 3, ROWS[name].solver, rows, tolerance=1e-6)
    other = fit(problem, 3, ROWS[name].solver, rows.astype(dtype), tolerance=1e-6)

    assert np.all(
        other.certificate.eigenvalue_bounds[:, 0] <= plain.certificate.eigenvalue_bounds[:, 1]
    )
    assert np.all(
        plain.certificate.eigenvalue_bounds[:, 0] <= other.certificate.eigenvalue_bounds[:, 1]
    )


@every_solver
@pytest.mark.parametrize("kind", ["tall", "wide", "sparse", "weighted", "deficient", "float32"])
@pytest.mark.parametrize("fraction", [0.3, 0.8, 0.999])
def test_a_fraction_is_reached_with_as_few_components_as_possible(name, kind, fraction):
    problem, truth = problem_named(kind)

    model = fit(problem, fraction, ROWS[name].solver, tolerance=1e-5)

    k, slack = model.n_components, 2e-5 + 4 * rounding(model) / truth.total
    held = np.cumsum(truth.eigenvalues) / truth.total
    assert model.explained_ratio.sum() >= fraction * (1 - slack)
    assert held[k - 1] >= fraction - slack
    # With one fewer it would not do; by less than the tolerance it may still look so.
    assert k == 1 or held[k - 2] <= fraction + slack
    assert model.choices["k"].rule == "fraction"


@every_solver
@pytest.mark.parametrize("kind", ["tall", "wide", "slow", "sparse", "weighted", "tied"])
def test_a_fraction_of_the_squared_eigenvalues_is_reached(name, kind):
    problem, truth = problem_named(kind)

    model = fit(problem, "frobenius:0.9", ROWS[name].solver)

    verdict = model.choices["k"]
    squares = np.cumsum(truth.eigenvalues**2) / np.sum(truth.eigenvalues**2)
    smallest = int(np.flatnonzero(squares >= 0.9)[0]) + 1
    assert verdict.rule == "frobenius"
    assert verdict.low <= smallest <= verdict.high == model.n_components
    assert squares[model.n_components - 1] >= 0.9


@those_that_iterate
@every_problem
@pytest.mark.parametrize("passes", [1, 3])
def test_stopped_early_it_still_returns_k_components_with_a_valid_certificate(name, kind, passes):
    (problem, truth), k = problem_named(kind), 5

    model = fit(problem, k, ROWS[name].stopped(passes))

    assert model.components.shape == (k, problem.rows.shape[1])
    assert_orthonormal(model.components.T, 8 * EPS * max(problem.rows.shape))
    slack = np.array([-4, 4]) * EPS * truth.eigenvalues[0]
    assert_inside(truth.eigenvalues[:k], model.certificate.eigenvalue_bounds + slack)


@those_that_iterate
def test_a_limit_on_passes_is_kept_and_reported(name):
    problem, _ = problem_named("slow")

    model = fit(problem, 3, ROWS[name].stopped(2))

    stop = model.choices["stop"]
    assert stop.rule == "limit"
    assert 1 <= stop.evidence["passes"] <= 2


@every_solver
def test_rotating_the_data_rotates_the_basis(name):
    problem = make_problem("fast", 80, 10, 22)
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((10, 10)))[0]

    plain = fit(problem, 3, ROWS[name].solver, tolerance=1e-10)
    turned = fit(problem, 3, ROWS[name].solver, problem.rows @ turn, tolerance=1e-10)

    angle = plain.certificate.subspace_angle + turned.certificate.subspace_angle
    assert angle < 1e-3
    # The rotation itself rounds every entry: eps / gap of an angle.
    gap = plain.eigenvalues[2] / 2 / plain.eigenvalues[0]
    assert_same_subspace(turned.components.T, turn.T @ plain.components.T, angle + 100 * EPS / gap)


@every_solver
@pytest.mark.parametrize("kind", ["tall", "wide", "square", "sparse", "deficient", "raw"])
def test_all_components_can_be_had(name, kind):
    problem, truth = problem_named(kind)

    model = fit(problem, problem.max_rank, ROWS[name].solver)

    assert_orthonormal(model.components.T, 8 * EPS * max(problem.rows.shape))
    slack = 4 * rounding(model) * problem.max_rank
    assert model.eigenvalues.sum() == pytest.approx(truth.total, abs=slack)
    assert model.certificate.captured_ratio == pytest.approx(1, abs=slack / truth.total)


@every_solver
@every_problem
def test_passes_and_bytes_are_counted(name, kind):
    problem, _ = problem_named(kind)
    certificate, source = fitted(kind, name).certificate, el.open(problem.rows)

    whole = certificate.passes * source.stored_bytes

    # A start may come from a sample of rows, which is less than a pass.
    assert certificate.passes >= 1
    assert whole <= certificate.bytes_read < whole + source.stored_bytes
    if ROWS[name].exact:
        assert certificate.passes <= 4


@every_solver
def test_a_large_table_of_many_blocks_gives_the_eigenvalues_it_was_made_with(name):
    rows = 500 if name == "dual" else 9000
    table = make_table(rows, 30, 23, decay="fast", offset=5.0)

    model = el.fit(table, 4, solver=ROWS[name].solver, tolerance=1e-9)

    # Made by orthonormal factors: good to a few eps times the offset squared.
    np.testing.assert_allclose(model.eigenvalues, 0.5 ** np.arange(1, 5), rtol=1e-8)
