"""The choice of a solver depends on the problem alone: no clock, no load, no history."""

import ast
import inspect
from dataclasses import replace

import numpy as np
import pytest

import eigenlens as el
from eigenlens.solvers import choose, cost, decay, rates
from eigenlens.solvers.choose import TIE, choose_solver
from eigenlens.solvers.cost import Problem, estimates, problem_of

SHAPES = [(50, 4), (1000, 20), (1797, 64), (7500, 28), (60_000, 784), (40_000, 1200), (600, 9000)]


def problem(shape, rank=2, item_bytes=8):
    n, d = shape
    return Problem(shape, rank, 1e-4, n * d * item_bytes, item_bytes, n * d, False, 1 << 32)


@pytest.mark.parametrize("module", [choose, cost, decay, rates])
def test_nothing_that_chooses_imports_a_clock(module):
    names = {
        name
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }

    assert not {"time", "timeit"} & names


@pytest.mark.parametrize("shape", SHAPES)
def test_no_solver_is_predicted_to_be_a_tie_factor_faster_than_the_one_chosen(shape):
    given = problem(shape)

    solver, verdict = choose_solver(given)

    seconds = {row.name: row.seconds for row in estimates(given)}
    assert seconds[solver.name] <= TIE * min(seconds.values()) + choose.QUICK_SECONDS
    assert verdict.evidence == seconds


def test_ties_go_to_the_first_of_a_fixed_order():
    ties = 0
    for rank in range(2, 60):
        given = problem((6000, 1200), rank)
        seconds = {row.name: row.seconds for row in estimates(given)}
        if seconds["krylov"] < seconds["covariance"] <= TIE * seconds["krylov"]:
            ties += 1
            assert choose_solver(given)[0].name == "covariance"

    assert ties > 0


def test_flatter_spectra_are_predicted_to_take_krylov_longer():
    given = problem((6000, 1200), rank=40)

    times = [
        next(row.seconds for row in estimates(replace(given, decay=a)) if row.name == "krylov")
        for a in (1.5, 1.0, 0.5, 0.25)
    ]

    assert times == sorted(times)


@pytest.mark.parametrize("power", [1.0, 0.5])
def test_the_decay_of_a_power_law_is_guessed_from_a_few_rows(power):
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((4000, 500)) * np.arange(1, 501) ** (-power / 2)

    guessed = problem_of(el.open(rows), 5, 1e-4, 1 << 32).decay

    assert guessed == pytest.approx(power, abs=0.1)


def test_the_same_call_gives_the_same_bits():
    rows = np.random.default_rng(0).standard_normal((3000, 60)).astype(np.float32)

    one, two = el.fit(rows, 4, seed=3), el.fit(rows, 4, seed=3)

    assert one.choices["solver"].value == two.choices["solver"].value
    assert one.components.tobytes() == two.components.tobytes()
    assert one.eigenvalues.tobytes() == two.eigenvalues.tobytes()
