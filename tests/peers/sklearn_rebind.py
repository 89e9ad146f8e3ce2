"""A pytest plugin: scikit-learn's tests of PCA, IncrementalPCA and KernelPCA, run on ours.

    pytest -p tests.peers.sklearn_rebind --pyargs sklearn.decomposition.tests.test_pca

A test module is imported while its class in `sklearn.decomposition` is ours, so that what it makes
at import time (the instances it is parametrized with) is ours too; scikit-learn itself is then as
it was, and what a module compares the class with stays scikit-learn's. Tests listed in
`deliberate_differences.py` are expected to fail; none is left out.
"""

import importlib
import os
import sys

import pytest

from tests.peers.deliberate_differences import DIFFERENCES

TESTS = "sklearn.decomposition.tests"

# The class that is ours in each of scikit-learn's test modules.
REBOUND = {
    f"{TESTS}.test_pca": "PCA",
    f"{TESTS}.test_incremental_pca": "IncrementalPCA",
    f"{TESTS}.test_kernel_pca": "KernelPCA",
}

# Cases that scikit-learn leaves out unless asked: arrays of other libraries, and single precision.
SWITCHES = {"SCIPY_ARRAY_API": "1", "SKLEARN_RUN_FLOAT32_TESTS": "1"}


def pytest_configure(config):
    for name, value in SWITCHES.items():
        os.environ.setdefault(name, value)
    for module in REBOUND:
        pytest.register_assert_rewrite(module)
        import_rebound(module)


def pytest_report_header():
    return "scikit-learn's tests of PCA, IncrementalPCA and KernelPCA run on those of eigenlens"


def pytest_collection_modifyitems(items):
    expected = {(one.module, one.function): one for one in DIFFERENCES}
    for item in items:
        refuse_theirs(item)
        module = item.module.__name__.rpartition(".")[2]
        difference = expected.get((module, item.originalname))
        if difference is not None:
            mark = pytest.mark.xfail(reason=difference.reason, strict=difference.certain)
            item.add_marker(mark)


def import_rebound(module):
    """scikit-learn's test module, with our class under the name of theirs."""
    import sklearn.decomposition

    import eigenlens

    name = REBOUND[module]
    ours = getattr(eigenlens, name)
    already = sys.modules.get(module)
    if already is not None and getattr(already, name) is ours:
        return already
    theirs = getattr(sklearn.decomposition, name)
    setattr(sklearn.decomposition, name, ours)
    try:
        sys.modules.pop(module, None)
        return importlib.import_module(module)
    finally:
        setattr(sklearn.decomposition, name, theirs)


def refuse_theirs(item):
    """A test that would run on scikit-learn's class proves nothing."""
    name = REBOUND.get(item.module.__name__)
    if name is None:
        return
    bound = getattr(item.module, name)
    given = item.callspec.params.get("estimator") if hasattr(item, "callspec") else None
    for thing in (bound, type(given) if given is not None else bound):
        if not thing.__module__.startswith("eigenlens."):
            raise pytest.UsageError(f"{item.nodeid} would test {thing.__module__}.{name}, not ours")
