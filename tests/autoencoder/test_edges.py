"""Odd rows and options: an answer, or an error in words."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.autoencoder import Autoencoder, LinearAutoencoder
from eigenlens.errors import TrainingError
from tests.autoencoder.sets import lecture_curve

PROMISED = 1e-4  # of the angle to the principal directions
SMALL = {"hidden": 8, "max_epochs": 3}


def nearly_a_line():
    """On the first axis but for two pairs of rows: most shares of them have no loss at all."""
    t = np.random.default_rng(0).uniform(-1, 1, 149)
    rows = np.zeros((302, 2))
    rows[:149, 0], rows[149:298, 0] = t, -t
    rows[298:] = [[0.5, 1], [0.5, -1], [-0.5, 1], [-0.5, -1]]
    return rows


@pytest.mark.parametrize("seed", range(6))
def test_rows_set_aside_that_pca_gives_back_exactly_do_no_harm(seed):
    coder = Autoencoder(1, random_state=seed, **SMALL).fit(nearly_a_line())

    assert coder.gain_.reason.startswith("no gain")
    assert np.isfinite(coder.history_["held_out"]).all()


def test_where_pca_loses_nothing_no_other_advice_is_given():
    coder = Autoencoder(2, **SMALL).fit(lecture_curve(150))

    assert coder.gain_.reason == "no gain: PCA gives all 30 rows not trained on back exactly"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_components": 0}, ["n_components=0", "Pass 1 or more"]),
        ({"hidden": "64"}, ["hidden='64'"]),
        ({"learning_rate": np.inf}, ["learning_rate=inf"]),
        ({"method": "lbfgs", "memory": "1kB"}, ["method='lbfgs'", "memory=", "method='adam'"]),
    ],
)
def test_a_mistake_is_told(options, words):
    with pytest.raises((el.OptionError, el.RankError)) as caught:
        Autoencoder(**{"n_components": 1, **SMALL, **options}).fit(lecture_curve())

    assert [word for word in words if word not in str(caught.value)] == []


def test_a_rule_that_keeps_nothing_leaves_nothing_to_code():
    noise = np.random.default_rng(0).standard_normal((300, 10))

    with pytest.raises(el.RankError, match=r"at least 1.*Pass 1 or more"):
        Autoencoder("auto", **SMALL).fit(noise)


def test_a_diverging_loss_is_told_as_it_is():
    with pytest.raises(TrainingError) as caught:
        Autoencoder(1, method="adam", learning_rate=1e6, hidden=8).fit(lecture_curve())

    told = float(str(caught.value).split("grew to ")[1].split()[0])
    assert told > 1000


# -- the linear one ----------------------------------------------------------------------------


def falling(shares, n=200):
    """Rows with these eigenvalues, to all digits."""
    rng = np.random.default_rng(0)
    d = len(shares)
    left = rng.standard_normal((n, d))
    left = np.linalg.qr(left - left.mean(axis=0))[0]
    turn = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return (left * np.sqrt(np.asarray(shares) * (n - 1))) @ turn.T


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_loss_has_its_digits_however_little_is_lost(k):
    shares = [1, 1e-3, 1e-6, 1e-9, 1e-12]
    rows = falling(shares)
    exact = np.square(np.linalg.svd(rows - rows.mean(axis=0))[1][k:]).sum() / (len(rows) - 1)

    coder = LinearAutoencoder(k).fit(rows)

    assert abs(coder.loss_ - exact) <= 1e-8 * exact


def test_no_loss_is_below_zero():
    rows = np.random.default_rng(0).standard_normal((8, 50))

    assert 0 <= LinearAutoencoder(7).fit(rows).loss_ <= 1e-20


@pytest.mark.parametrize("unit", [1e-150, 1e150])
def test_units_are_invisible_to_the_linear_one(unit):
    rows = falling([9, 5, 3, 2, 1])

    plain, found = (LinearAutoencoder(2, l2=0.1 * one**2).fit(one * rows) for one in (1, unit))

    assert abs(found.loss_ / unit / unit - plain.loss_) <= 1e-9 * plain.loss_
    assert np.abs(found.components_ - plain.components_).max() <= PROMISED


def test_a_variance_beyond_all_numbers_is_told():
    with pytest.raises(el.DataError, match="exceeds the largest float64"):
        LinearAutoencoder(2).fit(1e160 * falling([9, 5, 3, 2, 1]))
