"""The plugin does what it says: scikit-learn's tests see our class, and few may differ."""

import importlib
import sys

import pytest
import sklearn.decomposition

import eigenlens
from tests.architecture.source_tree import REPOSITORY
from tests.peers import deliberate_differences, sklearn_rebind
from tests.peers.deliberate_differences import DIFFERENCES


@pytest.fixture
def module(monkeypatch):
    """scikit-learn's test module with our class; forgotten afterwards."""
    monkeypatch.delitem(sys.modules, sklearn_rebind.MODULE, raising=False)
    yield sklearn_rebind.import_rebound()
    sys.modules.pop(sklearn_rebind.MODULE, None)


def instances(module):
    """What the module's tests are parametrized with at import time."""
    marks = module.test_pca_array_api_compliance.pytestmark
    return next(mark.args[1] for mark in marks if mark.args[0] == "estimator")


def test_the_name_means_our_class(module):
    assert module.PCA is eigenlens.PCA
    assert instances(module)
    assert {type(one) for one in instances(module)} == {eigenlens.PCA}


def test_scikit_learn_keeps_its_own(module):
    assert sklearn.decomposition.PCA is not eigenlens.PCA
    assert sklearn.decomposition.PCA is sklearn.decomposition._pca.PCA


def test_their_tests_run_our_code(module, monkeypatch):
    module.test_feature_names_out()

    def broken(self, X, y=None):
        raise ZeroDivisionError

    monkeypatch.setattr(eigenlens.PCA, "fit", broken)
    with pytest.raises(ZeroDivisionError):
        module.test_feature_names_out()


class Item:
    """As much of a collected test as the plugin looks at."""

    nodeid = "test_something"

    def __init__(self, module):
        self.module = module


def test_a_module_that_was_not_rebound_is_refused(monkeypatch):
    monkeypatch.delitem(sys.modules, sklearn_rebind.MODULE, raising=False)
    theirs = importlib.import_module(sklearn_rebind.MODULE)

    with pytest.raises(pytest.UsageError, match=r"would test sklearn\.decomposition"):
        sklearn_rebind.refuse_theirs(Item(theirs))


def test_a_module_that_was_rebound_is_let_through(module):
    sklearn_rebind.refuse_theirs(Item(module))


def test_few_tests_differ():
    functions = [difference.function for difference in DIFFERENCES]

    assert len(set(functions)) == len(functions) <= deliberate_differences.MOST == 8


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda one: one.function)
def test_a_difference_names_a_test_and_gives_a_reason(difference, module):
    assert callable(getattr(module, difference.function))
    assert difference.reason.endswith(".")
    assert len(difference.reason.split()) >= 8


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda one: one.function)
def test_a_difference_is_told_to_users(difference):
    page = (REPOSITORY / "docs" / "differences.md").read_text(encoding="utf-8")

    assert f"`{difference.function}`" in page
