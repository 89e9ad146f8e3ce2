"""Imports point one way: a package imports only what stands left of it."""

import pytest

from tests.architecture.source_tree import MODULES, imports_in, imports_of, package_of, short

# From left to right. Packages in one line stand side by side and do not know each other.
ORDER = [
    ["errors"],
    ["version", "lazy", "machine"],
    ["document"],
    ["algebra"],
    ["sources"],
    ["table"],
    ["missing", "solvers"],
    ["robust"],
    ["certificate"],
    ["rank", "geometry"],
    ["model"],
    ["search"],
    ["fit"],
    ["fit_matrix"],
    ["questions"],
    ["fields", "kernel", "sensing"],
    ["estimators"],
    ["autoencoder"],
    ["saved"],
    ["explain"],
    ["digest"],
    ["plots"],
    ["report"],
    ["cli"],
    ["__main__", "testing"],
]
PLACE = {package: place for place, packages in enumerate(ORDER) for package in packages}

# `eigenlens` itself is for users; inside, only what stands at the far right may import it.
MAY_IMPORT_EIGENLENS = {"cli", "__main__", "testing"}

INSIDE = [path for path in MODULES if package_of(path)]


def wrong_imports(package, imports):
    """Imports of `package` that do not point left, as "line 3: eigenlens.plots.scree"."""
    return [f"line {one.line}: {one.target}" for one in imports if not points_left(package, one)]


def points_left(package, one):
    if one.package is None or one.package == package:
        return True
    if one.package in PLACE:
        return PLACE[one.package] < PLACE[package]
    return package in MAY_IMPORT_EIGENLENS


@pytest.mark.parametrize("path", INSIDE, ids=short)
def test_every_room_has_its_place_in_the_order(path):
    assert package_of(path) in PLACE, (
        "a new package: give it a place in ORDER and in ARCHITECTURE.md"
    )


@pytest.mark.parametrize("path", INSIDE, ids=short)
def test_imports_point_left(path):
    assert wrong_imports(package_of(path), imports_of(path)) == []


@pytest.mark.parametrize(
    ("package", "text"),
    [
        ("estimators", "from eigenlens.plots import scree"),
        ("estimators", "from ..plots import scree"),
        ("solvers", "def solve():\n    import eigenlens.fit"),
        ("table", "from eigenlens import model"),
        ("rank", "from eigenlens.geometry import flatness"),
        ("errors", "from eigenlens.document.verdict import Verdict"),
        ("model", "if TYPE_CHECKING:\n    from eigenlens.report import page"),
        ("explain", "import eigenlens as el"),
        ("explain", "from eigenlens import PCA"),
    ],
)
def test_a_wrong_import_is_seen(package, text):
    assert len(wrong_imports(package, imports_in(text, f"eigenlens.{package}"))) == 1


@pytest.mark.parametrize(
    ("package", "text"),
    [
        ("table", "from eigenlens.sources.open import open_source\nimport numpy as np"),
        (
            "table",
            "from .blocks import Block\nfrom ..errors import DataError",
        ),
        ("fit", "from eigenlens import model, document"),
        ("cli", "import eigenlens as el"),
    ],
)
def test_a_right_import_is_accepted(package, text):
    assert wrong_imports(package, imports_in(text, f"eigenlens.{package}")) == []
