"""One rule has one answer, whatever the solver, the door and the arithmetic."""

import json

import numpy as np
import pytest

import eigenlens as el
from eigenlens.rank.catalogue import RULES
from eigenlens.rank.dpa import DPA
from eigenlens.rank.gavish_donoho import GavishDonoho
from eigenlens.rank.parallel import Parallel
from eigenlens.rank.spectrum import Spectrum
from eigenlens.solvers.catalogue import SOLVERS

# frobenius names the number that is certain, which depends on how much of the spectrum is known.
EVERY = sorted(set(RULES) - {"auto", "frobenius"})


def factors(count=2, shape=(60, 12), strength=3.0, seed=0):
    rng = np.random.default_rng(seed)
    signal = rng.standard_normal((shape[0], count)) @ rng.standard_normal((count, shape[1]))
    return strength * signal + rng.standard_normal(shape)


TABLES = {
    "tall": factors(),
    "wide": factors(shape=(40, 90)),
    "ten rows": factors(shape=(10, 4)),
    "integers": np.random.default_rng(1).integers(0, 5, (60, 8)),
    "equal columns": np.repeat(factors(shape=(60, 4)), 2, axis=1),
    "repeated rows": np.repeat(factors(shape=(8, 5)), 5, axis=0),
    "outlier": np.vstack([factors(), np.full((1, 12), 1e6)]),
    "single": factors().astype(np.float32),
}


@pytest.mark.parametrize("solver", sorted(SOLVERS))
@pytest.mark.parametrize("name", TABLES)
def test_every_solver_leads_to_the_same_number(name, solver):
    data = TABLES[name]

    for rule in set(EVERY) - {"parallel", "bcv"}:
        try:
            expected = el.fit(data, k=rule, solver="svd").n_components
        except el.RankError:
            continue
        assert el.fit(data, k=rule, solver=solver).n_components == expected, rule


def test_a_rule_waits_while_what_is_not_settled_could_change_its_mind():
    # Nine of 800 values exceed the average, four of them by little: they come late.
    data = factors(5, (3000, 800), 0.5)

    early = el.fit(data, k="kaiser", solver="krylov")

    values = np.linalg.eigvalsh(np.cov(data.T))
    assert early.n_components == np.count_nonzero(values > values.mean())


def test_a_rule_whose_mind_is_made_up_does_not_wait():
    data = factors(5, (3000, 800), 0.5)

    assert el.fit(data, k="dpa", solver="krylov").certificate.passes <= 5


@pytest.mark.parametrize("rule", EVERY)
@pytest.mark.parametrize("name", [one for one in TABLES if one != "ten rows"])
def test_choose_rank_says_what_fit_says(name, rule):
    data = TABLES[name]

    report = el.choose_rank(data, seed=3)

    if rule in report.silent:
        with pytest.raises(el.RankError):
            el.fit(data, k=rule, seed=3)
    else:
        assert report.rules[rule].value == el.fit(data, k=rule, seed=3).n_components


@pytest.mark.parametrize("rule", ["auto", "gcv", "gavish_donoho", "kritchman_nadler", "minka"])
def test_what_only_single_precision_cannot_see_is_seen_in_double(rule):
    # Products of float32 numbers this far out tell nothing below 1e-5 of their squares.
    data = (factors() + 1e4).astype(np.float32)

    single = el.fit(data, k=rule, center=False)

    assert single.n_components == el.fit(data.astype(float), k=rule, center=False).n_components == 3


@pytest.mark.parametrize("rule", EVERY)
def test_evidence_is_finite_and_can_be_written_down(rule):
    for data in (factors(shape=(30, 2), count=1), factors(shape=(30, 1), count=1), factors()):
        try:
            verdict = el.fit(data, k=rule).choices["k"]
        except el.RankError:
            continue
        json.dumps(dict(verdict.evidence), allow_nan=False)


def test_half_of_a_spectrum_is_no_median_where_the_rest_may_hold_nothing():
    # Five of eight values: whether three more hold the little that is left, or one, moves the cut.
    values = np.array([9.0, 2.5, 1.1, 1.0, 0.5])
    part = Spectrum(values, float(values.sum()) + 0.3, 8, 50, 8, rounding=1e-13)

    assert GavishDonoho().choose(part) is None
    for rest, rank in (([0.1, 0.1, 0.1], 2), ([0.3, 0.0, 0.0], 1)):
        whole = Spectrum(np.append(values, rest), part.total, 8, 50, 8, rounding=1e-13)
        assert GavishDonoho().choose(whole).value == rank


# -- rules as objects ------------------------------------------------------------------------


def test_a_rule_may_be_given_with_its_options():
    data = factors()

    strict = el.fit(data, k=DPA(level=1e-6))

    assert strict.choices["k"].rule == "dpa"
    assert strict.provenance["settings"]["k"] == "DPA(level=1e-06)"
    assert el.fit(data, k=Parallel(null="gauss", draws=5)).choices["k"].evidence["draws"] == 5
    assert el.fit(data, k=GavishDonoho(sigma=1.0)).n_components == 2


@pytest.mark.parametrize("given", [DPA, dict, object()])
def test_what_is_no_rule_is_an_error(given):
    with pytest.raises(el.RankError, match="is not a rule"):
        el.fit(factors(), k=given)
