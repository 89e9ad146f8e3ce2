"""The nine noise models of the benchmark, a few draws of each: who finds what is there."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from benchmarks.noise_models import MODELS, drawn, spectrum_of, truncation_errors
from eigenlens.rank.bai_ng import BaiNg
from eigenlens.rank.dpa import DPA
from eigenlens.rank.gap import Gap
from eigenlens.rank.gcv import GCV
from eigenlens.rank.kritchman_nadler import KritchmanNadler
from eigenlens.rank.screenot import ScreeNOT

BY_NAME = {model.name: model for model in MODELS}
DRAWS = 6


def ranks(rule, name, draws=DRAWS):
    return [
        rule.choose(spectrum_of(drawn(BY_NAME[name], rng).rows)).value
        for rng in np.random.default_rng(7).spawn(draws)
    ]


@pytest.mark.parametrize("name", ["strong", "columns", "rows", "serial", "noise", "wide", "shadow"])
def test_screenot_finds_what_is_there(name):
    assert ranks(ScreeNOT(), name) == [BY_NAME[name].rank] * DRAWS


def test_screenot_keeps_what_is_worth_its_noise():
    losses = []
    for rng in np.random.default_rng(7).spawn(DRAWS):
        draw = drawn(BY_NAME["weak"], rng)
        errors = truncation_errors(draw)
        losses.append(errors[ScreeNOT().choose(spectrum_of(draw.rows)).value] / errors.min())

    assert np.median(losses) <= 1.05


@pytest.mark.parametrize("name", ["strong", "columns", "rows", "serial", "wide"])
def test_the_edge_of_noise_finds_what_is_there(name):
    assert ranks(DPA(), name) == [5] * DRAWS


@pytest.mark.parametrize("rule", [DPA(), Gap(), BaiNg(), KritchmanNadler(), GCV()])
def test_pure_noise_keeps_nothing_nine_times_in_ten(rule):
    assert np.mean(np.array(ranks(rule, "noise", 40)) == 0) >= 0.9


def test_a_giant_hides_the_rest_from_the_edge_but_not_from_the_cut():
    assert ranks(DPA(), "shadow") == [1] * DRAWS
    assert ranks(ScreeNOT(), "shadow") == [3] * DRAWS


def test_the_errors_are_those_of_the_truncations():
    draw = drawn(BY_NAME["weak"], np.random.default_rng(0))
    centered = draw.rows - draw.rows.mean(axis=0)
    left, sizes, right = np.linalg.svd(centered, full_matrices=False)

    errors = truncation_errors(draw)

    for k in (0, 1, 4, 100):
        truncated = left[:, :k] * sizes[:k] @ right[:k]
        assert_allclose(errors[k], np.sum((truncated - draw.signal) ** 2))
