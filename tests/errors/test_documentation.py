"""docs/errors.md names every error, with its bases, and its example prints what it says."""

import re
from pathlib import Path

import pytest

from eigenlens import errors
from eigenlens.cli.exit_codes import DATA_EXIT, MISMATCH, NOT_CONVERGED, USAGE, code_of_error

PAGE = (Path(__file__).parents[2] / "docs" / "errors.md").read_text(encoding="utf-8")
LINES = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.MULTILINE))
BUILT_IN = (ValueError, TypeError, ConnectionError, RuntimeError)
WARNINGS = {
    "LooksLikeCovariance", "MostlyMissing", "NotCertified", "OutlyingCells", "UnseenCategories",
}  # fmt: skip
EVERY = sorted(set(errors.__all__) - {"EigenlensError"} - WARNINGS)


@pytest.mark.parametrize("name", EVERY)
def test_the_page_names_every_error_with_its_bases(name):
    kind = getattr(errors, name)
    bases = [base.__name__ for base in kind.__bases__ if base is not errors.EigenlensError]

    assert LINES[name] == ", ".join(f"`{base}`" for base in bases)


def test_the_page_names_no_error_that_does_not_exist():
    assert {name for name in LINES if name[0].isupper()} == set(EVERY)


@pytest.mark.parametrize("name", EVERY)
def test_the_page_says_how_a_command_ends(name):
    kind = getattr(errors, name)
    codes = {
        errors.MismatchError: MISMATCH,
        errors.DataError: DATA_EXIT,
        errors.NotReached: NOT_CONVERGED,
        errors.TrainingError: NOT_CONVERGED,
    }
    expected = next((code for one, code in codes.items() if issubclass(kind, one)), USAGE)

    assert code_of_error(kind("words")) == expected
    assert code_of_error(kind("words", errno=13)) == (
        expected if expected == MISMATCH else DATA_EXIT
    )


def test_the_example_prints_what_the_page_says():
    error = errors.RankError.too_large(12, (20, 5))

    assert f"print(error)  # {error}" in PAGE
    assert f"# {error.option} {error.given} {error.allowed}" in PAGE


@pytest.mark.parametrize("name", ["option", "given", "allowed", "path", "line", "rows", "columns"])
def test_every_attribute_of_the_page_exists(name):
    assert getattr(errors.DataError("words"), name) is None
    assert f"`{name}`" in PAGE
