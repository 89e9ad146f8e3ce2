"""What a rule says is in the units of the data, however large or small the numbers are."""

import re

import numpy as np
import pytest

import eigenlens as el
from benchmarks.noise_models import MODELS, drawn, spectrum_of
from eigenlens.rank.catalogue import RULES
from eigenlens.rank.gavish_donoho import GavishDonoho

# What scales like a variance, and what like a standard deviation.
VARIANCES = ("threshold", "edge", "unit")
DEVIATIONS = ("sigma", "cut_off")
SCALES = [2.0**-498, 2.0**498]  # about 1e-150 and 1e150, exact to multiply by
RELATIVE = {"bai_ng", "gap", "parallel"}  # their bars are shares or ratios, at every scale the same


def rows():
    return drawn(MODELS[0], np.random.default_rng(0)).rows[:200, :30]


def rows_for(name):
    """Few enough columns for the rule of small tables."""
    return rows()[:, :12] if name == "small_table" else rows()


def numbers(reason):
    return [float(one) for one in re.findall(r"\d+\.?\d*(?:e[+-]?\d+)?", reason)]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", sorted(set(RULES) - {"auto", "bcv", "fraction", "frobenius"}))
def test_evidence_is_in_the_units_of_the_data(name, scale):
    plain = el.fit(rows_for(name), k=name).choices["k"]
    scaled = el.fit(rows_for(name) * scale, k=name).choices["k"]

    assert scaled.value == plain.value
    for key, expected in plain.evidence.items():
        power = 2 if key in VARIANCES else 1 if key in DEVIATIONS else 0
        if key in ("threshold", "edge") and name in RELATIVE - {"parallel"}:
            power = 0
        if (name, key) == ("parallel", "edge"):  # a share
            power = 0
        if isinstance(expected, float):
            assert scaled.evidence[key] == pytest.approx(expected * scale**power, rel=1e-9), key


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", ["dpa", "screenot", "kaiser"])
def test_reasons_are_in_the_units_of_the_data(name, scale):
    plain = numbers(el.fit(rows(), k=name).choices["k"].reason)
    scaled = numbers(el.fit(rows() * scale, k=name).choices["k"].reason)

    assert scaled[1] == pytest.approx(plain[1] * scale**2, rel=1e-3)  # four digits are shown


@pytest.mark.parametrize("scale", SCALES)
def test_choose_rank_speaks_in_the_units_of_the_data(scale):
    plain, scaled = el.choose_rank(rows()), el.choose_rank(rows() * scale)

    for name in ("dpa", "screenot", "kaiser", "gavish_donoho", "kritchman_nadler", "broken_stick"):
        expected = plain.rules[name].evidence["threshold"] * scale**2
        assert scaled.rules[name].evidence["threshold"] == pytest.approx(expected, rel=1e-9), name
    assert scaled.checks.keys() == plain.checks.keys()


def test_a_known_deviation_is_in_the_units_of_the_data():
    from dataclasses import replace

    spectrum = spectrum_of(rows())
    inside = replace(spectrum, unit=1e-300)  # a table held in units of 1e-150

    plain = GavishDonoho(sigma=1.0).choose(spectrum)
    scaled = GavishDonoho(sigma=1e-150).choose(inside)

    assert scaled.value == plain.value
    assert scaled.evidence["cut_off"] == pytest.approx(plain.evidence["cut_off"] * 1e-150)
