"""The standing adversary for about a minute: nothing that a certificate says is false.

`make adversary` goes on for as long as asked, with other seeds.
"""

import joblib
import pytest

from eigenlens.certificate import upper_bounds
from tests.adversary.registry import load_kinds, nth_attack
from tests.adversary.run import CERTIFIED, REFUSED, VIOLATED, judge_one, main

SEED = 20261116
CHUNK = 100
CHUNKS = 40


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_statement_is_false(chunk):
    for index in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        kind, outcome, words = judge_one(index, SEED)

        assert outcome in (CERTIFIED, REFUSED), (index, kind, words)


@pytest.mark.parametrize("name", load_kinds())
def test_most_attacks_of_a_kind_are_answered(name):
    # A kind that is always refused would prove nothing.
    place, count = list(load_kinds()).index(name), len(load_kinds())
    outcomes = [judge_one(place + count * turn, SEED + 1)[1] for turn in range(6)]

    assert CERTIFIED in outcomes
    assert VIOLATED not in outcomes


def test_the_same_number_draws_the_same_attack():
    (_, one), (_, two) = nth_attack(7, SEED), nth_attack(7, SEED)

    assert repr(one.options) == repr(two.options)
    assert joblib.hash(one.problem.rows) == joblib.hash(two.problem.rows)


def test_the_attack_on_probes_finds_those_that_the_seed_alone_decides(monkeypatch):
    monkeypatch.setattr(upper_bounds, "data_dependent_generator", lambda rng, side: rng)
    place, count = list(load_kinds()).index("hidden_direction"), len(load_kinds())

    outcomes = [judge_one(place + count * turn, SEED)[1] for turn in range(20)]

    assert VIOLATED in outcomes


def test_a_term_that_no_kind_attacks_is_answered_with_those_there_are(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["run", "--term", "luck", "--fits", "1"])

    with pytest.raises(SystemExit):
        main()
    said = capsys.readouterr().err

    assert "'luck' is not known" in said
    assert "'starts and probes'" in said
