"""The plugin does what it says: scikit-learn's tests see our class, and few may differ."""

import importlib
import sys

import pytest
import sklearn.decomposition

import eigenlens
from tests.architecture.source_tree import REPOSITORY
from tests.peers import deliberate_differences, sklearn_rebind
from tests.peers.deliberate_differences import DIFFERENCES

PCA_TESTS, INCREMENTAL_TESTS, KERNEL_TESTS = sklearn_rebind.REBOUND


@pytest.fixture(params=sklearn_rebind.REBOUND)
def name(request):
    return request.param


@pytest.fixture
def module(name, monkeypatch):
    """scikit-learn's test module with our class; forgotten afterwards."""
    monkeypatch.delitem(sys.modules, name, raising=False)
    yield sklearn_rebind.import_rebound(name)
    sys.modules.pop(name, None)


only_pca = pytest.mark.parametrize("name", [PCA_TESTS], indirect=True)
only_others = pytest.mark.parametrize("name", [INCREMENTAL_TESTS, KERNEL_TESTS], indirect=True)


def instances(module):
    """What the module's tests are parametrized with at import time."""
    marks = module.test_pca_array_api_compliance.pytestmark
    return next(mark.args[1] for mark in marks if mark.args[0] == "estimator")


@only_pca
def test_the_name_means_our_class(module):
    assert module.PCA is eigenlens.PCA
    assert instances(module)
    assert {type(one) for one in instances(module)} == {eigenlens.PCA}


@only_others
def test_what_a_class_is_compared_with_stays_theirs(module, name):
    ours = sklearn_rebind.REBOUND[name]
    assert getattr(module, ours) is getattr(eigenlens, ours)
    assert module.PCA is sklearn.decomposition.PCA


def test_scikit_learn_keeps_its_own(module):
    assert sklearn.decomposition.PCA is sklearn.decomposition._pca.PCA
    theirs = sklearn.decomposition._incremental_pca.IncrementalPCA
    assert sklearn.decomposition.IncrementalPCA is theirs
    assert sklearn.decomposition.KernelPCA is sklearn.decomposition._kernel_pca.KernelPCA


@pytest.mark.parametrize(
    ("name", "ours", "test"),
    [
        (PCA_TESTS, eigenlens.PCA, "test_feature_names_out"),
        (INCREMENTAL_TESTS, eigenlens.IncrementalPCA, "test_incremental_pca_feature_names_out"),
        (KERNEL_TESTS, eigenlens.KernelPCA, "test_kernel_pca_feature_names_out"),
    ],
    indirect=["name"],
)
def test_their_tests_run_our_code(module, ours, test, monkeypatch):
    getattr(module, test)()

    def broken(self, X, y=None):
        raise ZeroDivisionError

    monkeypatch.setattr(ours, "fit", broken)
    with pytest.raises(ZeroDivisionError):
        getattr(module, test)()


class Item:
    """As much of a collected test as the plugin looks at."""

    nodeid = "test_something"

    def __init__(self, module):
        self.module = module


def test_a_module_that_was_not_rebound_is_refused(name, monkeypatch):
    monkeypatch.delitem(sys.modules, name, raising=False)
    theirs = importlib.import_module(name)

    with pytest.raises(pytest.UsageError, match=r"would test sklearn\.decomposition"):
        sklearn_rebind.refuse_theirs(Item(theirs))


def test_a_module_that_was_rebound_is_let_through(module):
    sklearn_rebind.refuse_theirs(Item(module))


def test_few_tests_differ():
    functions = [difference.function for difference in DIFFERENCES]

    assert len(set(functions)) == len(functions) <= deliberate_differences.MOST == 8


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda one: one.function)
def test_a_difference_names_a_test_and_gives_a_reason(difference):
    module = importlib.import_module(f"{sklearn_rebind.TESTS}.{difference.module}")

    assert callable(getattr(module, difference.function))
    assert difference.reason.endswith(".")
    assert len(difference.reason.split()) >= 8


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda one: one.function)
def test_a_difference_is_told_to_users(difference):
    page = (REPOSITORY / "docs" / "differences.md").read_text(encoding="utf-8")

    assert f"`{difference.function}`" in page
