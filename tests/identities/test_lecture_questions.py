"""What the lecture notes teach to ask of data: how many, how flat, and what does it look like?"""

import numpy as np
import pytest

import eigenlens as el
from tests.problems import make_table


def test_k_by_the_fraction_of_variance():
    rows = make_table(60, 6, 1, decay="slow", offset=3.0)
    held = np.cumsum(np.linalg.eigvalsh(np.cov(rows.T))[::-1])

    model = el.fit(rows, 0.7)

    k = model.n_components
    assert held[k - 2] < 0.7 * held[-1] <= held[k - 1]


def test_k_by_squared_eigenvalues():
    rows = make_table(60, 6, 1, decay="slow", offset=3.0)
    held = np.cumsum(np.linalg.eigvalsh(np.cov(rows.T))[::-1] ** 2)

    model = el.fit(rows, "frobenius:0.8")

    k = model.n_components
    assert held[k - 2] < 0.8 * held[-1] <= held[k - 1]


def test_k_by_the_gap():
    rows = np.random.default_rng(0).standard_normal((400, 12)) * np.repeat([10.0, 1.0], [3, 9])

    model = el.fit(rows, k="gap")

    assert model.n_components == 3


def test_no_gap_no_meaningful_cut_off():
    rows = np.random.default_rng(0).standard_normal((4000, 30)) * 0.9 ** np.arange(30)

    verdict = el.fit(rows, k="gap").choices["k"]

    assert "no gap: any cut-off is arbitrary" in verdict.reason


def test_the_rank_exceeds_the_intrinsic_dimension():
    t = np.random.default_rng(0).uniform(0, 1, 2000)
    curve = np.column_stack([t, t**2, np.zeros_like(t)])

    verdict = el.flatness(curve)

    assert verdict.evidence["rank"] == 2
    assert round(el.intrinsic_dimension(curve).value) == 1


def test_a_curve_in_a_plane_is_not_flat():
    rng = np.random.default_rng(0)
    t = rng.uniform(0, 2 * np.pi, 2000)
    curve = np.column_stack([np.cos(t), np.sin(t), np.zeros_like(t)])
    plane = rng.standard_normal((2000, 2)) @ rng.standard_normal((2, 3))

    assert el.flatness(curve).value == "curved"
    assert el.flatness(plane).value == "flat"


def test_rows_are_seen_in_two_dimensions():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    rows = np.random.default_rng(0).standard_normal((50, 5)) * [5, 3, 1, 1, 1]
    model = el.fit(rows, 2)

    axes = el.plots.scores(model, rows)

    assert "PC1" in axes.get_xlabel()
    assert "%" in axes.get_xlabel()
    pyplot.close("all")
