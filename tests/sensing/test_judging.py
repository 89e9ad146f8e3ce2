"""What measurements can settle, where they repeat each other or overlook something; and units."""

import numpy as np
import pytest

import eigenlens as el
from benchmarks.structured_sensing import KINDS, structured_problem
from tests.sensing.signals import measured

METHODS = ("fista", "omp", "basis_pursuit")


def gaussian(m, n, seed=0):
    return np.random.default_rng(seed).standard_normal((m, n)) / np.sqrt(m)


DENSE = np.random.default_rng(1).standard_normal(100)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("second", [1.0, -1.0, 0.0])
def test_measurements_made_twice_count_once(method, second):
    once = gaussian(20, 100)
    A = np.vstack([once, second * once])

    found = el.sensing.recover(A, A @ DENSE, method=method)

    assert found.verdict.value == "doubtful"
    assert found.verdict.evidence["different"] == 20
    assert "20 different measurements of 40" in found.verdict.reason


@pytest.mark.parametrize("method", METHODS)
def test_sums_of_other_measurements_make_no_match_exact(method):
    once = gaussian(20, 100)
    A = np.vstack([once, gaussian(15, 20, 2) @ once])

    found = el.sensing.recover(A, A @ DENSE, method=method)

    assert found.verdict.value == "doubtful"


def test_a_sparse_signal_is_determined_also_where_measurements_repeat():
    A, y, x = measured(100, 40, 4, 0)
    twice = np.vstack([A @ np.eye(100)] * 2)

    found = el.sensing.recover(twice, np.concatenate([y, y]))

    assert np.abs(found.signal - x).max() < 1e-12
    assert found.verdict.value == "determined"


def test_entries_that_no_measurement_sees_are_not_determined():
    x = np.where(np.arange(64) % 2, 1.0, 0.0)
    A = el.sensing.measurement("pixels", 32, 64, seed=0)

    found = el.sensing.recover(A, A @ x)

    assert found.verdict.value == "doubtful"
    assert "no measurement sees 32 of 64 coefficients" in found.verdict.reason


def test_zeros_measure_nothing():
    found = el.sensing.recover(np.zeros((5, 8)), np.ones(5))

    assert found.verdict.value == "doubtful"
    assert found.verdict.evidence["unseen"] == 8


@pytest.mark.filterwarnings("ignore::eigenlens.NotCertified")  # of FISTA on smooth columns
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_called_determined_that_another_signal_could_explain(kind):
    determined = 0
    for seed in range(6):
        A, x = structured_problem(kind, seed)

        found = el.sensing.recover(A, A @ x, method=METHODS[seed % 3])

        claimed = np.count_nonzero(x) <= found.verdict.evidence["limit"]
        right = np.linalg.norm(found.signal - x) <= 1e-4 * np.linalg.norm(x)
        assert found.verdict.value == "doubtful" or right or not claimed
        determined += found.verdict.value == "determined" and right

    assert kind != "random" or determined >= 5  # the verdict is of use, too


def test_columns_in_the_span_of_those_found_could_replace_them():
    A = gaussian(12, 30)
    A[:, 20:] = A[:, :3] @ gaussian(3, 10, 1)
    x = np.zeros(30)
    x[:3] = [1.0, -2.0, 0.7]

    found = el.sensing.recover(A, A @ x, method=el.sensing.OMP(), sparsity=3)

    assert found.verdict.value == "doubtful"
    assert found.verdict.rule in ("replaceable", "dependent")


def test_a_signal_in_noise_is_determined_by_enough_measurements_only():
    A, y, _ = measured(100, 60, 3, 1)
    noise = 0.01 * np.random.default_rng(0).standard_normal(60)
    method = el.sensing.FISTA(penalty=0.2)

    found = el.sensing.recover(A, y + noise, method=method)
    missing = el.sensing.recover(A, y + noise, method="omp", sparsity=1)

    assert found.verdict.value == "determined"
    assert found.verdict.rule == "donoho_tanner"
    assert missing.verdict.value == "doubtful"
    assert missing.verdict.rule == "unexplained"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("of_A", [1e-150, 1e150])
@pytest.mark.parametrize("of_y", [1e-150, 1.0, 1e150])
def test_units_are_invisible(method, of_A, of_y):
    A, y, x = measured(100, 40, 4, 0)
    matrix = A @ np.eye(100)

    found = el.sensing.recover(of_A * matrix, of_y * y, method=method)

    assert np.abs(found.signal / (of_y / of_A) - x).max() < 1e-12
    assert found.verdict.value == "determined"


@pytest.mark.parametrize("unit", [1e-100, 1e100])
def test_objective_gap_and_penalty_are_in_the_units_of_the_numbers(unit):
    A, y, _ = measured(100, 40, 4, 0)
    plain = el.sensing.recover(A, y, method=el.sensing.FISTA(penalty=0.1))

    found = el.sensing.recover(A, unit * y, method=el.sensing.FISTA(penalty=0.1 * unit))

    assert found.objective == pytest.approx(unit**2 * plain.objective, rel=1e-12)
    assert found.gap <= 1e-6 * found.objective
    assert found.penalty == pytest.approx(0.1 * unit, rel=1e-15)
    misfit = A @ found.shrunk - unit * y
    price = found.penalty * np.abs(found.shrunk).sum()
    assert found.objective == pytest.approx(misfit @ misfit / 2 + price, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda A, y: (np.where(A > 2, np.nan, A), y), "holds NaN or infinite"),
        (lambda A, y: (np.where(A > 2, np.inf, A), y), "holds NaN or infinite"),
        (lambda A, y: (1j * A, y), "complex"),
        (lambda A, y: (A, 1j * y), r"y\.imag"),
        (lambda A, y: (A, 1e200 * y), "Divide y by"),
        (lambda A, y: (A, 1e-200 * y), "Divide y by"),
        (lambda A, y: (1e-200 * A, y), "Divide A by"),
        (lambda A, y: (A, ["one"] * len(y)), "does not hold numbers"),
    ],
)
@pytest.mark.parametrize("method", METHODS)
def test_what_cannot_be_multiplied_is_refused(method, change, words):
    A, y = change(np.random.default_rng(0).standard_normal((20, 50)), np.ones(20))

    with pytest.raises(el.SensingError, match=words):
        el.sensing.recover(A, y, method=method)


def test_a_class_is_no_method():
    with pytest.raises(el.OptionError, match=r"FISTA\(\)"):
        el.sensing.recover(gaussian(5, 9), np.ones(5), method=el.sensing.FISTA)


@pytest.mark.parametrize("most", [1, 3, 10, 17])
def test_no_more_steps_are_taken_than_allowed(most):
    A, y, _ = measured(100, 40, 12, 0)

    with pytest.warns(el.NotCertified, match=f"after {most} steps"):
        found = el.sensing.recover(A, y, method=el.sensing.FISTA(max_iterations=most))

    assert found.iterations == most
