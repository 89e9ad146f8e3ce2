"""What is nothing but rounding counts for nothing, in one way for every rule and every door."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array

import eigenlens as el
from benchmarks.noise_models import spectrum_of
from eigenlens.rank.bai_ng import BaiNg
from eigenlens.rank.catalogue import RULES
from eigenlens.rank.gavish_donoho import GavishDonoho
from eigenlens.rank.gcv import GCV
from eigenlens.rank.kaiser import Kaiser
from eigenlens.rank.kritchman_nadler import KritchmanNadler
from eigenlens.rank.minka import Minka
from eigenlens.rank.screenot import ScreeNOT
from eigenlens.rank.spectrum import Spectrum
from eigenlens.solvers.catalogue import SOLVERS

OF_NOISE = (ScreeNOT(), GavishDonoho(), KritchmanNadler(), GCV(), BaiNg())
ON_SPECTRUM = sorted(set(RULES) - {"parallel", "bcv", "auto"})


def low_rank(shape, rank, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((shape[0], rank)) @ rng.standard_normal((rank, shape[1]))


def signal(n=400, d=8, count=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)) * np.append(np.full(count, 5.0), np.ones(d - count))


@pytest.mark.parametrize("rule", [*OF_NOISE, Minka()], ids=lambda rule: rule.name)
@pytest.mark.parametrize("rank", [1, 3, 9, 24])
@pytest.mark.parametrize("shape", [(200, 50), (50, 200)])
def test_an_exact_rank_is_the_answer_of_every_rule_that_looks_for_noise(rule, rank, shape):
    if rule.name == "minka" and shape[0] < shape[1]:
        pytest.skip("refused")

    verdict = rule.choose(spectrum_of(low_rank(shape, rank)))

    assert verdict.value == rank
    assert "no noise" in verdict.reason


@pytest.mark.parametrize("name", ["kritchman_nadler", "gavish_donoho"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_rounding_is_no_component_whatever_the_solver(name, solver):
    assert el.fit(low_rank((120, 30), 3), k=name, solver=solver).n_components == 3


@pytest.mark.parametrize("size", [1e-150, 1.0, 1e150])
def test_rounding_is_no_component_whatever_the_units(size):
    report = el.choose_rank(low_rank((120, 30), 3) * size)

    found = {name: report.rules[name].value for name in (rule.name for rule in OF_NOISE)}
    assert set(found.values()) == {3}


@pytest.mark.parametrize("name", ON_SPECTRUM)
def test_a_constant_column_changes_no_answer(name):
    data = signal()
    beside = np.column_stack([data, np.full(len(data), 7.0)])

    assert el.fit(beside, k=name).n_components == el.fit(data, k=name).n_components


@pytest.mark.parametrize("name", ON_SPECTRUM)
def test_columns_that_vary_by_less_than_rounding_have_an_answer_or_an_error_of_ours(name):
    rng = np.random.default_rng(3)
    far = csr_array(rng.standard_normal((31, 9)) + 1e9 * rng.standard_normal(9))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", el.NotCertified)
        try:
            model = el.fit(far, k=name, scale="std", solver="krylov")
        except el.errors.RankError:
            return

    assert 0 <= model.n_components <= 9


@pytest.mark.parametrize("name", sorted(set(ON_SPECTRUM) - {"dpa", "kaiser"}))
@pytest.mark.parametrize("solver", ["svd", "covariance", "krylov"])
def test_a_column_that_follows_from_others_ruins_no_answer(name, solver):
    # The same rows in coordinates of the space they lie in have one column less, and no such one.
    data = signal()
    data[:, 2:] -= data[:, 2:].mean(axis=1, keepdims=True)  # six columns that sum to nothing
    within = data @ np.linalg.svd(data, full_matrices=False)[2][:7].T

    found = el.fit(data, k=name, solver=solver).n_components

    assert found == el.fit(within, k=name, solver=solver).n_components
    if name in ("gcv", "minka", "kritchman_nadler", "gap", "screenot"):
        assert found == 2


def graded(seed=0):
    """Columns of sizes from 1 to 1e-5: variances from 1 to 1e-10, all of them real."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((200, 12)) * np.geomspace(1, 1e-5, 12)


@pytest.mark.parametrize("name", ON_SPECTRUM)
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_choose_rank_and_fit_have_the_same_floor(name, kind):
    data = graded().astype(kind)

    said = el.choose_rank(data).rules[name]

    assert said.value == el.fit(data, k=name).n_components


def test_small_but_real_variances_are_no_rounding():
    report = el.choose_rank(graded())

    assert "no noise" not in report.rules["screenot"].reason
    assert report.checks != {}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("scale", [None, "std"])
def test_equal_eigenvalues_are_none_of_them_above_their_average(solver, scale):
    rows = np.vstack([np.eye(12), -np.eye(12)]) * np.pi

    assert el.fit(rows, k="kaiser", solver=solver, scale=scale).n_components == 0


def test_ties_with_the_average_are_left_out_and_others_kept():
    up = 1.0 + np.finfo(float).eps
    tied = Spectrum(np.array([2.0, up, 1.0, 1.0, 0.0]), 5.0, 5, 100, 5, rounding=1e-14)

    assert Kaiser().choose(tied).value == 1


def test_one_direction_has_a_lower_floor_than_all_together():
    # In float32 the sum of 10 000 eigenvalues is known to 1e-5, a small one still by itself.
    values = np.linspace(2, 0.01, 10_000)
    spectrum = Spectrum(values, float(values.sum()), 10_000, 1e5, 10_000, rounding=1.7e-5)

    assert spectrum.rank == 10_000
    assert spectrum.floor < values[-1] < spectrum.floor_of_sums
