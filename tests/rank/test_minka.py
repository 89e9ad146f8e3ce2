"""Minka's rule: the evidence, term by term, and what it chooses."""

from math import lgamma, log, pi

import numpy as np
import pytest
from numpy.testing import assert_allclose

from eigenlens import RankError, fit
from eigenlens.rank.minka import Minka, log_evidence
from eigenlens.rank.spectrum import Spectrum
from eigenlens.solvers.catalogue import SOLVERS


def slow_evidence(t, k, n):
    """The formula of the docstring as it stands, with loops."""
    d = len(t)
    v = sum(t[k:]) / (d - k)
    level = [*t[:k], *[v] * (d - k)]
    m = d * k - k * (k + 1) / 2
    directions = -k * log(2) + sum(
        lgamma((d - i + 1) / 2) - (d - i + 1) / 2 * log(pi) for i in range(1, k + 1)
    )
    fitted = -n / 2 * sum(map(log, t[:k])) - n / 2 * (d - k) * log(v)
    volume = (m + k) / 2 * log(2 * pi) - k / 2 * log(n)
    curvature = sum(
        log(n * (t[i] - t[j]) * (1 / level[j] - 1 / level[i]))
        for i in range(k)
        for j in range(i + 1, d)
    )
    return directions + fitted + volume - curvature / 2


def spectrum(size, seed):
    return np.sort(np.random.default_rng(seed).gamma(1, 1, size))[::-1]


def rows_with_signal(n=400, d=12, signal=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)) * np.append(
        np.arange(signal, 0, -1) + 2.0, np.ones(d - signal)
    )


@pytest.mark.parametrize(("size", "rows"), [(2, 10), (5, 40), (12, 1000), (30, 31)])
def test_the_evidence_is_the_formula_up_to_a_constant(size, rows):
    t = spectrum(size, seed=size)

    found = log_evidence(t, rows)

    slow = np.array([slow_evidence(t, k, rows) for k in range(1, size)])
    assert_allclose(found - found[0], slow - slow[0], rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize(("size", "rows"), [(5, 40), (12, 1000), (30, 31)])
def test_the_evidence_is_that_of_scikit_learn(size, rows):
    from sklearn.decomposition._pca import _assess_dimension

    t = spectrum(size, seed=size)

    found = log_evidence(t, rows)

    theirs = np.array([_assess_dimension(t, k, rows) for k in range(1, size)])
    assert_allclose(found - found[0], theirs - theirs[0], rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize("scale", [1e-20, 1e20])
def test_units_do_not_matter(scale):
    t = spectrum(12, seed=1)

    assert log_evidence(scale * t, 100).argmax() == log_evidence(t, 100).argmax()


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_finds_the_signal(solver):
    assert fit(rows_with_signal(), k="minka", solver=solver).n_components == 3


def test_the_choice_explains_itself():
    verdict = fit(rows_with_signal(), k="minka").choices["k"]

    assert (verdict.value, verdict.rule) == (3, "minka")
    assert "largest evidence" in verdict.reason
    assert verdict.evidence["lead"] > 0


def test_pure_noise_keeps_one():
    rows = np.random.default_rng(0).standard_normal((600, 10))

    assert fit(rows, k="minka").n_components == 1


@pytest.mark.parametrize("solver", ["svd", "covariance"])
def test_directions_without_variance_count_for_nothing(solver):
    # scikit-learn answers 11: beyond them no noise is left, which has the largest evidence of all.
    rows = rows_with_signal()
    rows[:, -1] = rows[:, :-1].mean(axis=1)

    assert fit(rows, k="minka", solver=solver).n_components == 3


def test_as_many_rows_as_columns_are_enough():
    # Centered they vary in one direction less than there are columns, and that one is not kept.
    assert fit(rows_with_signal(n=40, d=40, seed=1), k="minka").n_components <= 5


def test_integer_weights_are_repeated_rows():
    rows = rows_with_signal(n=60, d=8)
    weights = np.arange(60) % 3 + 1

    weighted = fit(rows, k="minka", weights=weights)

    repeated = fit(np.repeat(rows, weights, axis=0), k="minka")
    assert_allclose(weighted.choices["k"].evidence["lead"], repeated.choices["k"].evidence["lead"])


def test_equal_eigenvalues_are_no_error():
    assert np.isfinite(log_evidence(np.array([4.0, 1, 1, 1, 1, 1]), 50)).all()


def test_one_column_keeps_it():
    assert fit(rows_with_signal(d=3)[:, :1], k="minka").n_components == 1


def test_a_part_of_the_spectrum_is_not_enough():
    rule = Minka()
    part = Spectrum(np.array([3.0, 2.0]), 9.0, 6, 100, 6)

    assert rule.first_guess(6) == 6
    assert rule.choose(part) is None
    assert "all eigenvalues (6)" in str(rule.out_of_reach(part))


def test_more_columns_than_rows_are_refused():
    with pytest.raises(
        RankError, match=r"as many rows as columns.* 20 rows and 30 columns.*k=0.95"
    ):
        fit(np.random.default_rng(0).standard_normal((20, 30)), k="minka")


def test_the_refusal_comes_from_the_choice_whatever_is_listed():
    with pytest.raises(RankError, match="20 rows and 30 columns"):
        Minka().choose(Spectrum(np.array([3.0]), 9.0, 19, 20, 30))


def test_it_takes_no_number():
    with pytest.raises(RankError, match="minka:3"):
        fit(rows_with_signal(), k="minka:3")
