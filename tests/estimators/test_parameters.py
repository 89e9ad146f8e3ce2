"""Parameters: refused at fit time, in scikit-learn's words."""

import inspect

import numpy as np
import pytest
from sklearn.decomposition import PCA as Theirs

from eigenlens import PCA, MemoryBudgetError, OptionError, ScaleError
from eigenlens.solvers import BlockKrylov
from tests.estimators.tables import table


def test_parameters_are_those_of_scikit_learn_and_five_more():
    ours, theirs = (inspect.signature(one).parameters for one in (PCA, Theirs))

    assert list(ours) == [*theirs, "scale", "tolerance", "memory", "missing", "robust", "device"]
    for name, parameter in theirs.items():
        assert (ours[name].kind, ours[name].default) == (parameter.kind, parameter.default)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("n_components", 1.0, r"an int in the range \[0, inf\), a float in the range \(0.0, 1.0\)"),
        ("n_components", -1, r"an int in the range \[0, inf\)"),
        ("n_components", "most", "a str among {'mle'"),
        ("n_components", [2], "or None"),
        ("copy", "yes", "an instance of 'bool'"),
        ("whiten", 1, "an instance of 'bool'"),
        ("svd_solver", "fastest", "a str among {'auto', 'full', 'covariance_eigh'"),
        ("svd_solver", BlockKrylov, "an object of eigenlens.solvers"),
        ("tol", -1.0, r"a float in the range \[0.0, inf\)"),
        ("iterated_power", -1, r"an int in the range \[0, inf\)"),
        ("iterated_power", "many", "a str among {'auto'}"),
        ("n_oversamples", 0, r"an int in the range \[1, inf\)"),
        ("power_iteration_normalizer", "SVD", "a str among {'auto', 'QR', 'LU', 'none'}"),
        ("random_state", "me", "an instance of 'numpy.random.mtrand.RandomState' or None"),
        ("random_state", -1, r"an int in the range \[0, 4294967295\]"),
    ],
)
def test_a_wrong_parameter_is_named(name, value, words):
    with pytest.raises(OptionError, match=f"The '{name}' parameter of PCA must be .*{words}"):
        PCA(**{name: value}).fit(table())


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("scale", [1, 2], ScaleError),
        ("tolerance", 0.0, OptionError),
        ("memory", "lots", MemoryBudgetError),
    ],
)
def test_our_own_parameters_are_checked_too(name, value, error):
    with pytest.raises(error):
        PCA(2, **{name: value}).fit(table())


def test_the_same_words_as_scikit_learn():
    for parameters in ({"tol": -1.0}, {"n_oversamples": 0}, {"iterated_power": -1}):
        messages = []
        for one in (PCA, Theirs):
            with pytest.raises(ValueError, match="must be") as error:
                one(**parameters).fit(table())
            messages.append(str(error.value))

        assert messages[0] == messages[1]


@pytest.mark.parametrize("value", [np.bool_(True), np.int32(3), np.float64(0.5)])
def test_numpy_values_are_taken(value):
    name = "whiten" if isinstance(value, np.bool_) else "n_components"

    PCA(**{name: value}).fit(table())
