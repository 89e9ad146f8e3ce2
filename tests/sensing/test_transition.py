"""The Donoho-Tanner curve, and how many measurements follow from it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eigenlens as el
from tests.reference.sensing import donoho_tanner_by_grid

# Computed beforehand, by maximizing the formula.
KNOWN = {
    0.1: 0.1894,
    0.2: 0.2433,
    0.25: 0.2674,
    0.3: 0.2908,
    0.4: 0.3373,
    0.5: 0.3857,
    0.6: 0.4384,
    0.75: 0.5337,
    0.9: 0.6782,
}


@pytest.mark.parametrize(("delta", "rho"), KNOWN.items())
def test_the_curve_has_the_known_values(delta, rho):
    assert abs(el.sensing.donoho_tanner(delta) - rho) <= 0.5e-4 * (1 + 1e-9)


@pytest.mark.parametrize("delta", [0.07, 0.33, 0.81])
def test_the_parameter_finds_the_largest_value_of_the_formula(delta):
    # The grid of 1e-4 misses a maximum by less than the square of that.
    assert abs(el.sensing.donoho_tanner(delta) - donoho_tanner_by_grid(delta)) <= 1e-8


def test_the_ends_of_the_curve():
    assert el.sensing.donoho_tanner(0.0) == 0
    assert el.sensing.donoho_tanner(1.0) == 1
    assert 0 <= el.sensing.donoho_tanner(1e-300) < 1e-2


def test_the_curve_rises():
    values = el.sensing.donoho_tanner(np.linspace(0, 1, 201))

    assert (np.diff(values) > 0).all()


@given(st.integers(2, 2000), st.data())
def test_measurements_needed_is_the_least_number_on_the_curve(N, data):
    s = data.draw(st.integers(1, N - 1))

    m = el.sensing.measurements_needed(N, s)

    assert s < m <= N
    assert m * el.sensing.donoho_tanner(m / N) >= s * (1 - 1e-9)
    assert (m - 1) * el.sensing.donoho_tanner((m - 1) / N) < s * (1 + 1e-9)


@given(st.integers(2, 500), st.data())
def test_what_is_proven_takes_more_than_what_is_expected(N, data):
    s = data.draw(st.integers(1, N - 1))

    expected = el.sensing.measurements_needed(N, s)
    proven = el.sensing.measurements_needed(N, s, failure=0.1)
    surer = el.sensing.measurements_needed(N, s, failure=0.001)

    assert expected <= proven <= surer <= N


def test_nothing_and_everything():
    assert el.sensing.measurements_needed(100, 0) == 0
    assert el.sensing.measurements_needed(100, 100) == 100


def test_the_proven_number_recovers():
    N, s, failure = 60, 2, 0.2
    m = el.sensing.measurements_needed(N, s, failure=failure)
    solved = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x = np.zeros(N)
        x[rng.permutation(N)[:s]] = rng.choice([-1.0, 1.0], s)
        A = el.sensing.measurement("gaussian", m, N, seed=seed)
        found = el.sensing.recover(A, A @ x, method="basis_pursuit").signal
        solved += np.abs(found - x).max() <= 1e-6

    assert m < N
    assert solved >= 20 * (1 - failure)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: el.sensing.donoho_tanner(1.5), ["delta=1.5", "m / N"]),
        (lambda: el.sensing.donoho_tanner(np.nan), ["delta=nan"]),
        (lambda: el.sensing.measurements_needed(10, 11), ["s=11", "at most N=10"]),
        (lambda: el.sensing.measurements_needed(10.5, 1), ["N=10.5"]),
        (lambda: el.sensing.measurements_needed(10, -1), ["s=-1"]),
        (lambda: el.sensing.measurements_needed(10, 1, failure=0), ["failure=0", "0.01"]),
    ],
)
def test_a_mistake_is_told(call, words):
    with pytest.raises(el.OptionError) as caught:
        call()

    assert [word for word in words if word not in str(caught.value)] == []


@pytest.mark.parametrize("failure", [0, 1, "often", True])
def test_a_failure_is_a_probability(failure):
    with pytest.raises(el.OptionError, match="failure="):
        el.sensing.measurements_needed(10, 10, failure=failure)


def test_a_billion_unknowns_take_no_memory():
    found = el.sensing.measurements_needed(10**9, 5, failure=0.01)

    assert el.sensing.measurements_needed(10**9, 5) < found < 1000
