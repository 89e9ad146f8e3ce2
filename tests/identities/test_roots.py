"""A root is where the sign changes, as scipy finds it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from eigenlens.algebra.roots import find_root


@given(
    root=st.floats(-5, 5),
    steepness=st.floats(0.1, 50),
    power=st.sampled_from([1, 3]),
    ends=st.tuples(st.floats(0.01, 20), st.floats(0.01, 20)),
)
def test_a_root_is_found_within_its_width(root, steepness, power, ends):
    low, high = root - ends[0], root + ends[1]

    found = find_root(lambda x: np.tanh(steepness * (x - root)) ** power, low, high, width=1e-9)

    assert abs(found - root) <= 2e-9


def test_it_takes_as_few_steps_as_the_method_of_brent():
    calls = {"own": 0, "brent": 0}

    def counted(name):
        def function(x):
            calls[name] += 1
            return np.exp(x) - 7 * x**2

        return function

    own = find_root(counted("own"), -3.0, 0.2, width=1e-14)

    assert own == pytest.approx(brentq(counted("brent"), -3.0, 0.2, xtol=1e-14), abs=4e-14)
    assert calls["own"] <= calls["brent"] + 5


def test_a_function_of_one_sign_is_refused():
    with pytest.raises(ValueError, match="no change of sign"):
        find_root(lambda x: x**2 + 1, -1.0, 1.0, width=1e-9)
