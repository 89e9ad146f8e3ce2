"""Options of solvers: what cannot work is refused when the solver is made, in words."""

import numpy as np
import pytest

import eigenlens as el
from tests.fit.words import assert_says


@pytest.mark.parametrize(
    ("solver", "option", "value", "least"),
    [
        ("OrthogonalIteration", "max_passes", 0, 1),
        ("OrthogonalIteration", "extra", -1, 0),
        ("Randomized", "power_passes", 0, 1),
        ("Randomized", "max_passes", -1, 1),
        ("Randomized", "oversamples", -1, 0),
        ("BlockKrylov", "width", 0, 1),
        ("BlockKrylov", "width", 2.5, 1),
        ("BlockKrylov", "max_columns", True, 1),
        ("BlockKrylov", "max_passes", None, 1),
        ("PowerIteration", "max_passes", "many", 1),
        ("Lanczos", "vectors", np.nan, 1),
    ],
)
def test_a_solver_option_that_is_no_such_whole_number_fails_at_birth(solver, option, value, least):
    with pytest.raises(el.OptionError) as caught:
        getattr(el.solvers, solver)(**{option: value})

    assert_says(str(caught.value), f"{option}={value!r}", f"a whole number from {least} up")


@pytest.mark.parametrize("solver", ["PowerIteration", "Lanczos"])
@pytest.mark.parametrize("tolerance", [0, -1, np.nan, True, "small"])
def test_a_solver_tolerance_that_is_no_positive_number_fails_at_birth(solver, tolerance):
    with pytest.raises(el.OptionError) as caught:
        getattr(el.solvers, solver)(tolerance=tolerance)

    assert_says(str(caught.value), f"tolerance={tolerance!r}", "greater than 0")


@pytest.mark.parametrize(
    "solver", ["BlockKrylov", "Lanczos", "OrthogonalIteration", "PowerIteration", "Randomized"]
)
@pytest.mark.parametrize("stop", [60, "soon", el.solvers.WallClock])
def test_a_solver_takes_stop_rules_only(solver, stop):
    with pytest.raises(el.OptionError) as caught:
        getattr(el.solvers, solver)(stop=stop)

    assert_says(str(caught.value), f"stop={stop!r}", "a stop rule", "stop=WallClock(60)")


def test_a_solver_takes_whole_numbers_of_any_kind():
    solver = el.solvers.BlockKrylov(width=np.int64(3), max_passes=np.uint8(4))

    assert (solver.width, solver.max_passes) == (3, 4)
