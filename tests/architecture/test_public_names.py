"""What `__all__` promises exists, everywhere; and the examples in docstrings are true."""

import ast
import builtins
import doctest
import importlib
import subprocess
import sys

import pytest

from eigenlens.rank.catalogue import RULES, rule_for
from tests.architecture.source_tree import MODULES, PACKAGE, dotted, short

NO_PACKAGE = not (PACKAGE / "__init__.py").exists()


@pytest.mark.skipif(NO_PACKAGE, reason="the package has no __init__.py yet")
def test_public_names_are_listed_once_and_shown_by_dir():
    eigenlens = importlib.import_module("eigenlens")

    assert len(set(eigenlens.__all__)) == len(eigenlens.__all__)
    assert set(eigenlens.__all__) <= set(dir(eigenlens))


def test_a_star_import_leaves_builtins_alone():
    eigenlens = importlib.import_module("eigenlens")

    assert set(eigenlens.__all__) & set(dir(builtins)) == set()
    assert callable(eigenlens.open)
    assert "open" in dir(eigenlens)


@pytest.mark.parametrize("name", ["kernel", "rank"])
def test_rules_and_kernels_are_found_without_loading_anything_before(name):
    program = f"import eigenlens; print(sorted(dir(eigenlens.{name})))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    catalogue = {
        "kernel": {"Cosine", "Exponential", "Laplacian", "Linear", "Polynomial", "RBF", "Sigmoid"},
        "rank": {type(rule_for(rule, (9, 9), 8, True)).__name__ for rule in RULES},
    }
    assert catalogue[name] <= set(ast.literal_eval(done.stdout))


@pytest.mark.skipif(NO_PACKAGE, reason="the package has no __init__.py yet")
def test_a_name_that_does_not_exist_is_an_attribute_error():
    eigenlens = importlib.import_module("eigenlens")

    with pytest.raises(AttributeError, match="no_such_name"):
        _ = eigenlens.no_such_name


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_every_name_in_all_resolves(path):
    module = importlib.import_module(dotted(path))

    for name in getattr(module, "__all__", []):
        assert hasattr(module, name), f"{module.__name__}.__all__ promises {name}"


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_examples_in_docstrings_are_true(path, monkeypatch, tmp_path):
    module = importlib.import_module(dotted(path))
    monkeypatch.chdir(tmp_path)

    failed, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS)

    assert failed == 0
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")  # examples leave their figures open
