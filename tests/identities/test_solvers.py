"""What holds for any subspace and any solver, stated on the mathematics and not on the code."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.solvers import (
    BlockKrylov,
    OrthogonalIteration,
    PowerIteration,
    Randomized,
)
from eigenlens.solvers.step import Ask
from eigenlens.sources.open import open_source
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare
from eigenlens.table.sides import FeatureSide, MatrixSide
from tests.distances import assert_orthonormal, subspace_distance
from tests.fitting import fit
from tests.problems import make_table
from tests.reference import captured, exact_spectrum, residual_norms
from tests.strategies import Problem, problems, tables

EPS = np.finfo(np.float64).eps
seeds = st.integers(0, 1000)
iterations = st.sampled_from(
    [
        OrthogonalIteration(max_passes=2, extra=0),
        Randomized(oversamples=1, power_passes=1, max_passes=1),
        BlockKrylov(width=2, max_passes=2),
        PowerIteration(max_passes=5),
    ]
)


def steps_of(solver, rows, rank, count, seed=0):
    source = open_source(rows)
    side = FeatureSide(build_table(source, prepare(source, True, None, None)))
    generator = solver.steps(side, Ask(rank, 1e-12), np.random.default_rng(seed))
    return [next(generator), *(generator.send(Ask(rank, 1e-12)) for _ in range(count - 1))]


def slack_of(model):
    return float(model.certificate.rounding.max()) + 8 * EPS * float(model.eigenvalues[0])


@given(problems(), iterations, st.data())
def test_each_residual_bounds_the_distance_to_a_true_eigenvalue(problem, solver, data):
    k = data.draw(st.integers(1, min(problem.max_rank, 6)))
    model = fit(problem, k, solver=solver)
    truth = exact_spectrum(problem).eigenvalues
    d = problem.rows.shape[1]
    truth = np.append(truth, np.zeros(max(0, d - len(truth))))

    residuals = residual_norms(model.components.T, problem, model.eigenvalues)

    for value, residual in zip(model.eigenvalues, residuals, strict=True):
        assert np.abs(truth - value).min() <= residual + slack_of(model)


@given(problems(), iterations, st.data())
def test_eigenvalues_are_the_variances_along_the_components(problem, solver, data):
    k = data.draw(st.integers(1, min(problem.max_rank, 6)))

    model = fit(problem, k, solver=solver)

    for i in range(k):
        exact = captured(model.components[i : i + 1].T, problem)
        assert abs(exact - model.eigenvalues[i]) <= slack_of(model)


@given(problems(), iterations, st.data())
def test_rayleigh_ritz_no_basis_of_the_same_span_has_larger_leading_variances(
    problem, solver, data
):
    # Among all orthonormal bases of one subspace the Ritz vectors put the most in front.
    k = data.draw(st.integers(1, min(problem.max_rank, 6)))
    model = fit(problem, k, solver=solver)
    turn = np.linalg.qr(np.random.default_rng(k).standard_normal((k, k)))[0]
    other = turn @ model.components

    leading = [captured(other[: i + 1].T, problem) for i in range(k)]

    assert np.all(leading <= np.cumsum(model.eigenvalues) + k * slack_of(model))
    assert leading[-1] == pytest.approx(model.eigenvalues.sum(), abs=2 * k * slack_of(model))


@given(problems(), seeds, st.data())
def test_eckart_young_no_subspace_captures_more(problem, seed, data):
    k = data.draw(st.integers(1, min(problem.max_rank, 6)))
    model = fit(problem, k, solver="svd")
    rng = np.random.default_rng(seed)
    random = rng.standard_normal((problem.rows.shape[1], k))
    near = model.components.T + 1e-3 * random

    for other in (random, near):
        best = model.eigenvalues.sum()
        assert captured(other, problem) <= best + k * slack_of(model)


@given(tables(dtypes=("float64",)), st.data())
def test_a_table_and_its_transpose_have_the_same_nonzero_spectrum(rows, data):
    # Raw, so that neither is centered: A'A and AA' have n and d times the eigenvalues of C.
    n, d = rows.shape
    k = data.draw(st.integers(1, min(n, d)))

    one, two = (el.fit(table, k, center=False, solver="svd") for table in (rows, rows.T))

    sizes = n * one.eigenvalues[0]
    np.testing.assert_allclose(
        n * one.eigenvalues, d * two.eigenvalues, rtol=0, atol=100 * (n + d) * EPS * sizes
    )


@given(tables(dtypes=("float64",), max_rows=20, max_columns=20), st.data())
def test_both_sides_of_a_table_lead_to_the_same_components(rows, data):
    k = data.draw(st.integers(1, min(len(rows) - 1, rows.shape[1], 4)))

    one, two = (el.fit(rows, k, solver=solver) for solver in ("covariance", "dual"))

    bound = one.certificate.subspace_angle + two.certificate.subspace_angle
    assert bound >= 1 or subspace_distance(one.components.T, two.components.T) <= bound


@given(tables(dtypes=("float64",)), seeds)
def test_rotating_the_data_rotates_the_basis(rows, seed):
    d = rows.shape[1]
    turn = np.linalg.qr(np.random.default_rng(seed).standard_normal((d, d)))[0]
    k = min(len(rows) - 1, d, 2)

    plain, turned = el.fit(rows, k), el.fit(rows @ turn, k)

    # The product with the rotation moves every entry by d eps of its row's length.
    moved = 4 * d * EPS * np.linalg.norm(rows, axis=1).max() * np.sqrt(plain.eigenvalues[0])
    np.testing.assert_allclose(
        plain.eigenvalues,
        turned.eigenvalues,
        rtol=0,
        atol=2 * moved * len(rows) + slack_of(plain) + slack_of(turned),
    )


@given(seeds, st.integers(2, 5))
def test_orthogonal_iteration_raises_every_ritz_value_at_every_pass(seed, rank):
    rows = make_table(40, 15, seed, decay="slow")

    steps = steps_of(OrthogonalIteration(extra=1), rows, rank, 8, seed)

    values = np.array([step.values for step in steps])
    assert np.all(np.diff(values, axis=0) >= -100 * EPS * values[0, 0])


@given(seeds, st.integers(1, 4), st.integers(1, 4))
def test_block_krylov_raises_every_ritz_value_also_across_restarts(seed, rank, width):
    rows = make_table(60, 30, seed, decay="slow")
    solver = BlockKrylov(width=max(rank, width), max_columns=1)

    steps = steps_of(solver, rows, rank, 9, seed)

    sizes = [len(step.values) for step in steps]
    assert max(sizes) <= rank + 2 * solver.width  # it did start again, keeping the best
    values = np.array([step.values[:rank] for step in steps])
    assert np.all(np.diff(values, axis=0) >= -100 * EPS * values[-1, 0])


@given(seeds)
def test_a_krylov_span_finds_what_orthogonal_iteration_finds_and_more(seed):
    # From the same start the Krylov span contains the iterated block.
    rows = make_table(60, 40, seed, decay="slow")
    matrix = np.cov(rows.T)
    side = MatrixSide(matrix, None)

    found = []
    for solver in (BlockKrylov(width=4), OrthogonalIteration(extra=1)):
        steps = solver.steps(side, Ask(3, 1e-12), np.random.default_rng(seed))
        states = [next(steps), *(steps.send(Ask(3, 1e-12)) for _ in range(4))]
        found.append(states[-1].values[:3])

    assert np.all(found[0] >= found[1] - 100 * EPS * found[0][0])


@given(seeds)
def test_the_power_method_stops_on_the_relative_change_of_the_eigenvalue(seed):
    rows = make_table(50, 8, seed, decay="fast")
    solver = PowerIteration(tolerance=1e-4)

    steps = steps_of(solver, rows, 1, 40, seed)

    changes = np.array([step.errors[0] for step in steps])
    values = np.array([step.values[0] for step in steps])
    np.testing.assert_allclose(changes[1:], np.abs(np.diff(values)), rtol=0, atol=10 * EPS)
    settled = int(np.flatnonzero(changes[1:] <= 1e-4 * values[1:])[0]) + 2
    # Having settled at 1e-4 it goes on only because more was asked for, ten times as precisely.
    assert settled < len(steps)


@given(seeds)
def test_power_vectors_are_found_one_after_the_other_each_orthogonal_to_those_before(seed):
    rows = make_table(60, 6, seed, decay="fast")

    model = el.fit(rows, 3, solver=PowerIteration(), tolerance=1e-8)

    truth = exact_spectrum(Problem(rows))
    assert_orthonormal(model.components.T, 100 * EPS)
    for i in range(3):
        sine = subspace_distance(model.components[[i]].T, truth.eigenvectors[:, [i]])
        assert sine <= model.certificate.angle_bounds[i] < 1e-2


def test_the_error_of_orthogonal_iteration_falls_by_the_ratio_of_eigenvalues():
    rows = make_table(200, 20, 3, decay="fast")  # eigenvalues 1/2, 1/4, 1/8, ...

    steps = steps_of(OrthogonalIteration(extra=0), rows, 2, 12, seed=1)

    errors = 0.25 - np.array([step.values[1] for step in steps])
    # The second value's error falls by (1/8 / 1/4)^2 per pass once the start is forgotten.
    ratios = errors[8:12] / errors[7:11]
    np.testing.assert_allclose(ratios, 0.25, rtol=0.05)
