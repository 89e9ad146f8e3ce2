"""docs/differences.md names a test for every claim, and the tests exist."""

import re

from tests.architecture.source_tree import REPOSITORY

PAGE = REPOSITORY / "docs" / "differences.md"
SHOWN = sorted((REPOSITORY / "tests" / "estimators").glob("test_*differences.py"))


def claims():
    """Cells of the tables' lines, without their heads."""
    text = PAGE.read_text(encoding="utf-8").partition("## scikit-learn's own tests")[0]
    lines = text.splitlines()
    rows = [line for line in lines if line.startswith("| ") and not line.startswith("| here")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_every_claim_has_a_test():
    text = "".join(path.read_text(encoding="utf-8") for path in SHOWN)
    shown = set(re.findall(r"^def (test_\w+)", text, re.MULTILINE))
    named = [re.findall(r"`(test_\w+)`", row[-1]) for row in claims()]

    assert len(named) >= 10
    assert all(len(names) == 1 for names in named)
    assert {names[0] for names in named} == shown
