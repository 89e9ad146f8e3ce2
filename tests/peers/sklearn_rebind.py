"""A pytest plugin: scikit-learn's tests of PCA, with the name PCA meaning ours.

    pytest -p tests.peers.sklearn_rebind --pyargs sklearn.decomposition.tests.test_pca

The test module is imported while `sklearn.decomposition.PCA` is our class, so that what it makes at
import time (the instances it is parametrized with) is ours too; scikit-learn itself is then as it
was. Tests listed in `deliberate_differences.py` are expected to fail; none is left out.
"""

import importlib
import os
import sys

import pytest

from tests.peers.deliberate_differences import DIFFERENCES

MODULE = "sklearn.decomposition.tests.test_pca"

# Cases that scikit-learn leaves out unless asked: arrays of other libraries, and single precision.
SWITCHES = {"SCIPY_ARRAY_API": "1", "SKLEARN_RUN_FLOAT32_TESTS": "1"}


def pytest_configure(config):
    for name, value in SWITCHES.items():
        os.environ.setdefault(name, value)
    pytest.register_assert_rewrite(MODULE)
    import_rebound()


def pytest_report_header():
    return "scikit-learn's tests of PCA run on eigenlens.PCA"


def pytest_collection_modifyitems(items):
    expected = {difference.function: difference for difference in DIFFERENCES}
    for item in items:
        refuse_theirs(item)
        difference = expected.get(item.originalname)
        if difference is not None:
            mark = pytest.mark.xfail(reason=difference.reason, strict=difference.certain)
            item.add_marker(mark)


def import_rebound():
    """scikit-learn's test module, with our class under the name PCA."""
    import sklearn.decomposition

    from eigenlens import PCA

    already = sys.modules.get(MODULE)
    if already is not None and already.PCA is PCA:
        return already
    theirs = sklearn.decomposition.PCA
    sklearn.decomposition.PCA = PCA
    try:
        sys.modules.pop(MODULE, None)
        return importlib.import_module(MODULE)
    finally:
        sklearn.decomposition.PCA = theirs


def refuse_theirs(item):
    """A test that would run on scikit-learn's class proves nothing."""
    if item.module.__name__ != MODULE:
        return
    given = item.callspec.params.get("estimator") if hasattr(item, "callspec") else None
    for thing in (item.module.PCA, type(given) if given is not None else item.module.PCA):
        if not thing.__module__.startswith("eigenlens."):
            raise pytest.UsageError(f"{item.nodeid} would test {thing.__module__}.PCA, not ours")
