"""How many components a table with missing cells has."""

import numpy as np
import pytest

import eigenlens as el
from tests.missing.drawn import draw_holes


def draw_rows(n, d, seed, rank):
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.standard_normal((d, max(rank, 1))))[0] * 3.0
    signal = rng.standard_normal((n, max(rank, 1))) @ axes.T if rank else 0.0
    return signal + rng.standard_normal((n, d))


@pytest.mark.parametrize("k", ["auto", "parallel"])
def test_clear_components_are_found(k):
    rows = draw_holes(draw_rows(300, 10, 1, rank=2), 0.25, seed=2)

    model = el.fit(rows, k, missing="auto")

    assert model.n_components == 2


def test_noise_with_holes_has_no_components():
    """Holes spread eigenvalues as fewer rows would: the rule is told of as many."""
    found = [
        el.fit(draw_holes(draw_rows(150, 12, seed, rank=0), 0.2, seed), missing="auto").n_components
        for seed in range(8)
    ]

    assert np.count_nonzero(found) <= 1


def test_parallel_analysis_permutes_observed_cells_through_the_engine():
    rows = draw_holes(draw_rows(120, 6, 3, rank=1), 0.3, seed=4)

    choice = el.fit(rows, "parallel", missing="auto").choices["k"]

    assert choice.value == 1
    assert "observed cells" in choice.reason


def test_a_rule_of_the_spectrum_says_what_it_assumes():
    rows = draw_holes(draw_rows(200, 10, 5, rank=2), 0.3, seed=6)

    assert "complete ones" in el.fit(rows, "auto", missing="auto").choices["k"].reason


def test_a_rule_that_needs_complete_rows_is_refused_in_words():
    rows = draw_holes(draw_rows(60, 5, 7, rank=1), 0.2, seed=8)

    with pytest.raises(el.RankError, match="complete rows, and cells are missing"):
        el.fit(rows, "bcv", missing="auto")
