"""The page on the certificate names, for every term of the rounding, the attack on it."""

import re
from dataclasses import fields
from pathlib import Path

from eigenlens.table.roundings import Roundings
from tests.adversary.registry import load_kinds

PAGE = Path(__file__).parents[2] / "docs" / "methods" / "certificate.md"


def attacked_terms():
    """Term -> names of the attacks on it, as the page has them."""
    table = PAGE.read_text(encoding="utf-8").split("| attacked by |")[1].split("\n\n")[0]
    lines = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| `")]
    return {cells[0].strip(" `"): re.findall(r"`(\w+)`", cells[-1]) for cells in lines}


def test_every_term_of_the_account_is_named_with_an_attack():
    terms = attacked_terms()
    assert set(terms) == {one.name for one in fields(Roundings)}
    assert all(terms.values())


def test_every_attack_that_is_named_exists():
    named = {name for names in attacked_terms().values() for name in names}
    assert named <= set(load_kinds())
