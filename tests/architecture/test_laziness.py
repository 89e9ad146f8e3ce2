"""Importing eigenlens costs little, and an optional library is loaded only by what uses it."""

import json
import os
import subprocess
import sys

import pytest

from tests.architecture.source_tree import (
    MODULES,
    PACKAGE,
    SOURCE,
    imports_in,
    imports_of,
    package_of,
    short,
)

# Imported inside functions only, in every package.
OPTIONAL = {
    "bokeh", "cupy", "dask", "distributed", "h5py", "jinja2", "matplotlib", "onnx", "onnxruntime",
    "pandas", "polars", "pyarrow", "pywt", "torch", "zarr",
}  # fmt: skip
# Imported freely in these packages, inside functions in all others.
ALLOWED_IN = {
    "sklearn": {"estimators", "autoencoder", "testing"},
    "typer": {"cli"},
    "rich": {"cli", "document"},
}

NEVER_AT_IMPORT = OPTIONAL | {"sklearn", "narwhals", "scipy"}
NEVER_BY_FITTING_AN_ARRAY = OPTIONAL | {"sklearn"}

NO_PACKAGE = not (PACKAGE / "__init__.py").exists()

REPORT_IMPORT = """
import json, sys, time
before = set(sys.modules)
start = time.perf_counter()
import eigenlens
seconds = time.perf_counter() - start
loaded = sorted({name.partition(".")[0] for name in set(sys.modules) - before})
print(json.dumps({"seconds": seconds, "loaded": loaded}))
"""

REPORT_FIT = """
import json, sys
import numpy as np
import eigenlens
eigenlens.fit(np.random.default_rng(0).standard_normal((50, 4)), k=2)
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def in_fresh_interpreter(program):
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def early_imports(package, imports):
    """Optional libraries that `package` would load on being imported, as "line 3: torch.nn"."""
    return [
        f"line {one.line}: {one.target}"
        for one in imports
        if one.runs_at_import
        and (one.library in OPTIONAL or package not in ALLOWED_IN.get(one.library, {package}))
    ]


@pytest.mark.skipif(NO_PACKAGE, reason="the package has no __init__.py yet")
def test_import_loads_numpy_and_nothing_heavier():
    loaded = set(in_fresh_interpreter(REPORT_IMPORT)["loaded"])

    assert loaded & NEVER_AT_IMPORT == set()
    assert loaded - sys.stdlib_module_names <= {"eigenlens", "numpy"}


@pytest.mark.skipif(NO_PACKAGE, reason="the package has no __init__.py yet")
def test_import_takes_under_half_a_second():
    # The best of five: on a busy machine a single run measures the neighbors.
    seconds = min(in_fresh_interpreter(REPORT_IMPORT)["seconds"] for _ in range(5))

    assert seconds < 0.5


def test_fitting_an_array_loads_no_optional_library():
    assert set(in_fresh_interpreter(REPORT_FIT)) & NEVER_BY_FITTING_AN_ARRAY == set()


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_optional_libraries_are_imported_inside_functions(path):
    assert early_imports(package_of(path), imports_of(path)) == []


@pytest.mark.parametrize(
    ("package", "text"),
    [
        ("sources", "import pandas as pd"),
        ("plots", "from matplotlib import pyplot"),
        ("table", "try:\n    import dask.array\nexcept ImportError:\n    pass"),
        ("model", "class Loader:\n    import h5py"),
        ("solvers", "from sklearn.utils.extmath import randomized_svd"),
        ("fit", "import rich"),
        ("table", "if TYPE_CHECKING:\n    pass\nelse:\n    import torch"),
    ],
)
def test_an_early_import_is_seen(package, text):
    assert len(early_imports(package, imports_in(text))) == 1


@pytest.mark.parametrize(
    ("package", "text"),
    [
        ("sources", "def read():\n    import pandas as pd"),
        ("table", "if TYPE_CHECKING:\n    import torch"),
        ("table", "if typing.TYPE_CHECKING:\n    import torch"),
        ("estimators", "from sklearn.base import BaseEstimator"),
        ("cli", "import typer\nfrom rich.table import Table"),
    ],
)
def test_a_late_import_is_accepted(package, text):
    assert early_imports(package, imports_in(text)) == []
