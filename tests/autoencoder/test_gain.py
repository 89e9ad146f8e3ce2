"""The gain over PCA: found where rows are curved, *no gain* where they are not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.autoencoder import Autoencoder
from eigenlens.autoencoder.gain import CloudComparison, HeldOutErrors, gain_percent, judge_gain
from eigenlens.document.verdict import Verdict
from tests.autoencoder.sets import flat_gaussian, lecture_curve, reconstructed

CURVED, FLAT = Verdict("curved", "test", ""), Verdict("flat", "test", "")


def test_one_number_codes_the_curve_of_the_lecture():
    rows, new = lecture_curve(300, seed=0), lecture_curve(1000, seed=1)
    model = el.fit(rows, 1)

    coder = Autoencoder(1, hidden=16, max_epochs=20).fit(rows)

    lost = np.square(new - reconstructed(coder, new)).sum()
    assert lost < 0.01 * model.residual(new).sum()
    assert coder.gain_.low > 0.99
    assert coder.flatness_.value == "curved"
    assert "as the rows are curved" in coder.gain_.reason


@pytest.mark.slow
def test_a_flat_gaussian_gives_no_gain():
    verdicts = [
        Autoencoder(3, hidden=16, patience=5, random_state=seed).fit(flat_gaussian(seed)).gain_
        for seed in range(20)
    ]

    none = [one for one in verdicts if "no gain" in one.reason and one.low <= 0]
    assert len(none) >= 18


@pytest.mark.slow
def test_digits_are_given_back_better_than_by_pca():
    from sklearn.datasets import load_digits

    coder = Autoencoder(8, hidden=32, max_epochs=4).fit(load_digits().data[:1000])

    assert coder.gain_.low > 0
    assert coder.gain_.low < coder.gain_.value < coder.gain_.high
    assert "no gain" not in coder.gain_.reason


@pytest.mark.slow
def test_rows_of_shares_are_compared_with_shares():
    rows = np.random.default_rng([2, 10]).dirichlet(np.ones(7), 400)

    gain = Autoencoder(2).fit(rows).gain_

    assert gain.evidence["gain"] > 0.3
    assert gain.evidence["gain_on_flat_clouds"] > 0.12  # of columns permuted alone: 0.08
    assert "no gain" in gain.reason


@pytest.mark.slow
def test_folding_a_curve_through_flat_noise_is_no_gain():
    rows = np.random.default_rng(3).standard_normal((400, 2))

    coder = Autoencoder(1, hidden=32, max_epochs=12).fit(rows)

    gain = coder.gain_
    assert gain.evidence["gain"] > 0.2  # one number, folded, says more of two than PCA's does
    assert gain.evidence["gain_on_flat_clouds"] > 0.1
    assert gain.low <= 0
    assert gain.reason.startswith("no gain")


def test_the_gain_is_that_of_rows_not_trained_on():
    rows = lecture_curve(90)
    coder = Autoencoder(1, hidden=8, max_epochs=3, random_state=5).fit(rows)
    judge = np.random.default_rng(5)
    net = Autoencoder(1, hidden=8, max_epochs=0, random_state=5).fit(rows)

    # The split is drawn after the weights at the start, from the same generator.
    from eigenlens.autoencoder.network import network_of_pca

    network_of_pca(net.model_, (8,), judge)
    chosen = judge.permutation(90)[:18]

    errors = coder.residual(rows[chosen]), net.residual(rows[chosen])
    assert abs(coder.gain_.evidence["gain"] - (1 - errors[0].sum() / errors[1].sum())) <= 1e-9
    assert coder.gain_.evidence["rows"] == 18


# -- the verdict from errors alone -------------------------------------------------------------


def verdict_of(pca, network, flatness=CURVED, clouds=()):
    errors = HeldOutErrors(np.asarray(pca, float), np.asarray(network, float))
    compared = CloudComparison(errors, clouds)
    return judge_gain(errors, flatness, lambda: compared, np.random.default_rng(0))


@given(st.integers(5, 200), st.integers(0, 1000), st.floats(0.1, 0.9))
def test_a_constant_saving_is_found_exactly(n, seed, share):
    pca = np.random.default_rng(seed).exponential(size=n)

    found = verdict_of(pca, (1 - share) * pca)

    assert abs(found.value - share) <= 1e-12
    assert abs(found.low - share) <= 1e-12
    assert "no gain" not in found.reason


def test_what_goes_either_way_is_no_gain():
    rng = np.random.default_rng(0)
    pca = rng.exponential(size=300)

    found = verdict_of(pca, pca * rng.uniform(0, 2, 300))

    assert found.low < 0 < found.high
    assert found.reason.startswith("no gain")
    assert "try more of them, a larger hidden=, or kernel PCA" in found.reason


def test_the_interval_holds_the_truth_as_often_as_it_says():
    hits = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        pca = rng.exponential(size=200)
        network = pca * rng.uniform(0.5, 1.1, 200)  # 1 - mean: a gain of 0.2
        errors = HeldOutErrors(pca, network)
        found = judge_gain(errors, CURVED, str, np.random.default_rng(seed))
        hits += found.low <= 0.2 <= found.high

    # 95 of 100 with a deviation of 2.2; the bootstrap of a ratio falls a little short of it.
    assert hits >= 88


def test_nothing_lost_is_nothing_to_gain():
    found = verdict_of(np.zeros(10), np.zeros(10))

    assert (found.value, found.low, found.high) == (0, 0, 0)
    assert found.reason.startswith("no gain")


def test_flat_clouds_are_asked_only_where_rows_are_not_curved_and_something_was_saved():
    asked = []
    pca = np.ones(50)

    def clouds():
        asked.append(True)
        return CloudComparison(HeldOutErrors(pca, 0.5 * pca), [HeldOutErrors(pca, 0.9 * pca)] * 3)

    for flatness, network in ((CURVED, 0.5 * pca), (FLAT, pca)):
        judge_gain(HeldOutErrors(pca, network), flatness, clouds, np.random.default_rng(0))
    assert asked == []

    found = judge_gain(HeldOutErrors(pca, 0.5 * pca), FLAT, clouds, np.random.default_rng(0))
    assert asked == [True]
    assert abs(found.value - 0.4) <= 1e-12
    assert "flat with the same spectrum" in found.reason


def test_clouds_that_differ_among_themselves_widen_the_interval():
    pca = np.ones(50)
    alike = [HeldOutErrors(pca, (1 - gain) * pca) for gain in (0.2, 0.2, 0.2)]
    unlike = [HeldOutErrors(pca, (1 - gain) * pca) for gain in (0.0, 0.2, 0.4)]

    sure = verdict_of(pca, 0.7 * pca, FLAT, alike)
    unsure = verdict_of(pca, 0.7 * pca, FLAT, unlike)

    assert sure.low > 0
    assert unsure.low <= 0
    assert "no gain" in unsure.reason


def test_of_a_large_table_a_part_is_compared_by_a_network_of_its_own():
    pca = np.ones(50)
    clouds = [HeldOutErrors(pca, 0.8 * pca)] * 3
    part = CloudComparison(HeldOutErrors(pca, 0.8 * pca), clouds, part=700)

    found = judge_gain(HeldOutErrors(pca, 0.5 * pca), FLAT, lambda: part, np.random.default_rng(0))

    assert found.reason.startswith("no gain")
    assert "trained on 700 rows alone 20.0%" in found.reason
    assert (found.value, found.evidence["gain"]) == (0, 0.5)


@pytest.mark.slow
def test_a_large_flat_gaussian_gives_no_gain_either():
    rows = np.random.default_rng(0).standard_normal((40_000, 2))

    coder = Autoencoder(1, hidden=16, max_epochs=5, learning_rate=0.01, memory="500kB").fit(rows)

    assert coder.gain_.evidence["gain"] > 0.2  # a curve that winds through the plane
    assert coder.gain_.evidence["part"] == 40_000
    assert coder.gain_.reason.startswith("no gain")


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.369, "36.9%"), (0.999995, "99.9995%"), (1.0, "100.0%"), (-0.02, "-2.0%")],
)
def test_nines_keep_the_digits_after_them(share, words):
    assert gain_percent(share) == words
