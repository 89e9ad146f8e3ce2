"""Verdict: one readable line, and nothing in it changes later."""

import dataclasses

import pytest

from eigenlens.document.verdict import Verdict


def test_a_verdict_reads_as_one_line():
    verdict = Verdict(12, "fraction", "12 components hold 95.3%")

    assert str(verdict) == "12: 12 components hold 95.3% [fraction]"


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (11, 14, "12 (between 11 and 14): so it is [fraction]"),
        (11, None, "12 (at least 11): so it is"),
        (None, 14, "12 (at most 14): so it is [fraction]"),
        (0, 0.25, "12 (between 0 and 0.25): so it is"),
    ],
)
def test_an_interval_is_said(low, high, words):
    assert words in str(Verdict(12, "fraction", "so it is", low=low, high=high))


def test_a_long_fraction_is_rounded():
    assert str(Verdict(1 / 3, "rule", "reason")).startswith("0.333333: reason")


def test_a_verdict_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Verdict(1, "rule", "reason").value = 2


def test_two_verdicts_share_no_evidence():
    assert Verdict(1, "a", "b").evidence is not Verdict(1, "a", "b").evidence


def test_a_verdict_with_evidence_can_be_a_key():
    assert len({Verdict(1, "a", "b", {"n": 1}), Verdict(1, "a", "b", {"n": 1})}) == 1


def test_an_interval_whose_ends_meet_is_not_said():
    assert str(Verdict(12, "fraction", "so it is", low=12, high=12)).startswith("12: ")
