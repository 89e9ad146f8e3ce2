"""Numbers that others print, to their last digit: `published.py` says where they stand."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris, load_wine

import eigenlens as el
from eigenlens.explain import eigenvalues, rows, supplementary_rows, variables
from tests.explain import published as they
from tests.explain.classics import HALD, HEPTATHLON, NAG, WOLD
from tests.explain.published import assert_prints, matched, of, standardized
from tests.explain.records import ARRESTS, AUTO, CRIME

PRCOMP = {"convention": "prcomp"}


def vectors(model, count):
    return [of(variables(model), "eigenvector", component=f"PC{i + 1}") for i in range(count)]


# -- prcomp, SAS, Stata, MATLAB, NAG -------------------------------------------------------


def test_arrests_are_those_of_prcomp():
    model = standardized(ARRESTS)
    table = eigenvalues(model, **PRCOMP)

    assert_prints(table["Standard deviation"], they.ARRESTS_DEVIATIONS)
    assert_prints(table["Proportion of Variance"], they.ARRESTS_SHARES)
    rotation = variables(model, **PRCOMP)
    for name, printed in zip(("PC1", "PC2"), they.ARRESTS_ROTATION, strict=True):
        assert_prints(of(rotation, "rotation", component=name), printed, up_to_sign=True)
    scores = of(rows(model, ARRESTS.frame(), **PRCOMP), "x", row="Alabama")
    assert_prints(np.abs(scores), they.ALABAMA)


def test_arrests_as_they_are_have_the_variances_of_prcomp():
    assert_prints(eigenvalues(el.fit(ARRESTS.rows, 4))["eigenvalue"], they.ARRESTS_RAW)


def test_crime_rates_are_those_of_sas():
    model = standardized(CRIME)

    assert_prints(eigenvalues(model)["eigenvalue"], they.CRIME_EIGENVALUES)
    for found, printed in zip(vectors(model, 2), they.CRIME_VECTORS, strict=True):
        assert_prints(found, printed, up_to_sign=True)


def test_cement_is_that_of_matlab():
    model = el.fit(HALD.rows, 4)

    assert_prints(eigenvalues(model)["eigenvalue"], they.HALD_LATENT)
    for found, printed in zip(vectors(model, 4), they.HALD_COEFF, strict=True):
        assert_prints(found, printed, up_to_sign=True)
    assert_prints(eigenvalues(standardized(HALD))["eigenvalue"], they.HALD_SCALED)


def test_the_example_of_nag_comes_out():
    model = el.fit(NAG.rows, 3)
    table = eigenvalues(model)

    assert_prints(table["eigenvalue"], they.NAG_EIGENVALUES)
    assert_prints(table["proportion"], they.NAG_SHARES)
    for found, printed in zip(vectors(model, 2), they.NAG_VECTORS, strict=True):
        assert_prints(found, printed, up_to_sign=True)
    scores = rows(model, NAG.rows)
    for row, printed in enumerate(they.NAG_SCORES):
        assert_prints(matched(of(scores, "score", row=row), printed), printed)


@pytest.mark.parametrize(("kept", "printed"), [(0, "8.6127 0.1255"), (1, "4.1183 0.1276")])
def test_the_equality_of_the_remaining_roots_of_nag_comes_out(kept, printed):
    # Bartlett: (n - 1 - (2p + 5) / 6) (-sum log t + m log mean t), m roots, (m - 1)(m + 2) / 2 df.
    roots = np.asarray(eigenvalues(el.fit(NAG.rows, 3))["eigenvalue"])[kept:]
    n, p, m = 10, 3, 3 - kept

    statistic = (n - 1 - (2 * p + 5) / 6) * (m * np.log(roots.mean()) - np.log(roots).sum())

    assert_prints([statistic, stats.chi2.sf(statistic, (m - 1) * (m + 2) / 2)], printed)


def test_the_communalities_of_nist_come_out():
    model = standardized(NAG)

    shares = np.reshape(variables(model.truncate(2))["cos2"], (3, 2)).sum(axis=1)

    assert_prints(eigenvalues(model)["eigenvalue"], they.NIST_EIGENVALUES)
    assert_prints(shares, they.NIST_COMMUNALITIES)


def test_cars_without_gaps_are_those_of_stata():
    whole = AUTO.rows[~np.isnan(AUTO.rows).any(axis=1)]
    model = el.fit(whole, 8, scale="std")

    assert len(whole) == 69
    assert_prints(eigenvalues(model)["eigenvalue"], they.AUTO_EIGENVALUES)
    assert_prints(vectors(model, 1)[0], they.AUTO_VECTOR, up_to_sign=True)


def test_three_variables_of_all_cars_are_those_of_stata():
    three = np.column_stack([AUTO[name] for name in ("mpg", "weight", "length")])
    model = el.fit(three, 3, scale="std")

    assert_prints(eigenvalues(model)["eigenvalue"], they.AUTO_THREE)
    assert_prints(vectors(model, 1)[0], they.AUTO_THREE_VECTOR, up_to_sign=True)


def test_the_example_of_wold_comes_out():
    model = el.fit(WOLD.rows, 2, scale="std")
    scores = np.reshape(rows(model, WOLD.rows)["score"], (3, 2)).T
    new = np.reshape(supplementary_rows(model, they.WOLD_NEW)["score"], (2, 2))

    assert_prints(eigenvalues(model)["proportion"], they.WOLD_SHARES)
    for place in range(2):
        vector = vectors(model, 2)[place]
        turn = np.sign(vector[1]) * np.sign(float(they.WOLD_VECTORS[place].split()[1]))
        assert_prints(turn * np.array(vector), they.WOLD_VECTORS[place])
        assert_prints(turn * scores[place], they.WOLD_SCORES[place])
        of_both = " ".join(text.split()[place] for text in they.WOLD_NEW_SCORES)
        assert_prints(turn * new[:, place], of_both)


def test_the_heptathlon_is_that_of_the_handbook():
    given = HEPTATHLON.rows
    for column in ("hurdles", "run200m", "run800m"):
        place = HEPTATHLON.columns.index(column)
        given[:, place] = given[:, place].max() - given[:, place]

    table = eigenvalues(el.fit(given, 7, scale="std"), **PRCOMP)

    assert_prints(table["Standard deviation"], they.HEPTATHLON_DEVIATIONS)


def test_iris_and_wine_are_what_everybody_has():
    iris = el.fit(load_iris().data, 4)
    wine = el.fit(load_wine().data, 3, scale="std")

    assert_prints(
        eigenvalues(iris, **PRCOMP)["Standard deviation"], "2.0562689 .4926162 .2796596 .1543862"
    )
    assert_prints(vectors(iris, 1)[0], ".361387 -.084523 .856671 .358289", up_to_sign=True)
    assert_prints(eigenvalues(wine)["proportion"], ".36198848 .1920749 .1112363")


# -- the comparison itself -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "printed"),
    [([1.2346], "1.234"), ([1.0, 2.0], "1.0"), ([np.nan], "1.0"), ([-1.0], "1.0")],
)
def test_a_digit_that_differs_is_seen(found, printed):
    with pytest.raises(AssertionError):
        assert_prints(found, printed)
