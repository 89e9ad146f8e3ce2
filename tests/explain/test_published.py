"""Numbers that others print, to their last digit: `published.py` says where they stand."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

import eigenlens as el
from eigenlens.explain import (
    describe_axes,
    eigenvalues,
    rows,
    supplementary_columns,
    supplementary_rows,
    variables,
)
from tests.explain import published as they
from tests.explain.classics import DECATHLON, EVENTS, HALD, HEPTATHLON, NAG, WOLD
from tests.explain.published import assert_prints, of
from tests.explain.records import ARRESTS, AUTO, CRIME

FACTOMINER = {"convention": "factominer"}
PRCOMP = {"convention": "prcomp"}


def standardized(classic, k=None):
    given = classic.frame(10) if classic.columns[:10] == EVENTS else classic.frame()
    return el.fit(given, k or given.shape[1], scale="std")


def vectors(model, count):
    return [of(variables(model), "eigenvector", component=f"PC{i + 1}") for i in range(count)]


def matched(found, printed):
    """Found entries with the signs of the printed ones, where every axis may be turned."""
    signs = np.sign([float(text) for text in printed.split()])
    return np.abs(found) * signs


# -- decathlon: FactoMineR and factoextra --------------------------------------------------


def test_decathlon2_has_the_eigenvalues_of_factoextra():
    table = eigenvalues(standardized(they.DECATHLON2), **FACTOMINER)

    assert_prints(table["eigenvalue"], they.DECATHLON2_EIGENVALUES)
    assert_prints(table["percentage of variance"][:5], they.DECATHLON2_PERCENT)


def test_decathlon2_has_the_variables_of_factoextra():
    table = variables(standardized(they.DECATHLON2, 5), **FACTOMINER)

    coord = of(table, "coord", variable="100m")
    assert_prints(matched(coord, they.X100M_COORD), they.X100M_COORD)
    assert_prints(of(table, "contrib", variable="100m"), they.X100M_CONTRIB)
    assert_prints(of(table, "contrib", variable="High.jump"), they.HIGH_JUMP_CONTRIB)


@pytest.mark.parametrize(
    ("name", "printed"), [("SEBRLE", they.SEBRLE_COORD), ("BERNARD", they.BERNARD_COORD)]
)
def test_decathlon2_has_the_rows_of_factoextra(name, printed):
    table = rows(standardized(they.DECATHLON2, 5), they.DECATHLON2.frame(), **FACTOMINER)

    coord = of(table, "coord", row=name)[: len(printed.split())]
    assert_prints(matched(coord, printed), printed)


def test_one_turn_of_each_axis_makes_all_signs_those_of_factoextra():
    # Sizes alone would forgive a sign that is wrong for one row only.
    model = standardized(they.DECATHLON2, 3)
    hundred = of(variables(model), "loading", variable="100m")
    turn = np.sign(hundred) * np.sign([float(x) for x in they.X100M_COORD.split()[:3]])
    table = rows(model, they.DECATHLON2.frame(), **FACTOMINER)

    for name, printed in (("SEBRLE", they.SEBRLE_COORD), ("BERNARD", they.BERNARD_COORD)):
        three = " ".join(printed.split()[:3])
        assert_prints(turn * of(table, "coord", row=name), three)


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("KARPOV", they.KARPOV_COORD),
        ("WARNERS", they.WARNERS_COORD),
        ("Nool", they.NOOL_COORD),
        ("Drews", they.DREWS_COORD),
    ],
)
def test_supplementary_rows_lie_where_factoextra_has_them(name, printed):
    outside = DECATHLON.only(they.OUTSIDE).frame()
    table = supplementary_rows(standardized(they.DECATHLON2, 3), outside, **FACTOMINER)

    coord = of(table, "coord", row=name)[: len(printed.split())]
    assert_prints(matched(coord, printed), printed)


def test_supplementary_rows_have_the_cos2_of_factoextra():
    outside = DECATHLON.only(they.OUTSIDE).frame()
    table = supplementary_rows(standardized(they.DECATHLON2, 3), outside, **FACTOMINER)

    assert_prints(of(table, "cos2", row="KARPOV"), they.KARPOV_COS2)


@pytest.mark.parametrize(
    ("name", "printed"),
    [("Rank", they.RANK_CORRELATION), ("Points", they.POINTS_CORRELATION)],
)
def test_supplementary_numbers_correlate_as_in_factoextra(name, printed):
    table = supplementary_columns(
        standardized(they.DECATHLON2, 2), they.DECATHLON2.frame(), name, **FACTOMINER
    )

    assert_prints(matched(table["cor"], printed), printed)


def test_the_whole_decathlon_has_the_eigenvalues_of_factominer():
    table = eigenvalues(standardized(DECATHLON), **FACTOMINER)

    assert_prints(table["eigenvalue"], they.DECATHLON_EIGENVALUES)


def test_rows_of_the_whole_decathlon_are_those_of_factominer():
    table = rows(standardized(DECATHLON, 1), DECATHLON.frame(), **FACTOMINER)

    one = [
        np.abs(of(table, name, row="Karpov")[0]) for name in ("coord", "contrib", "cos2", "dist")
    ]
    two = [np.abs(of(table, name, row="Sebrle")[0]) for name in ("coord", "contrib", "cos2")]
    assert_prints(one, they.KARPOV_ON_ONE)
    assert_prints(two, they.SEBRLE_ON_ONE)


@pytest.mark.parametrize(
    ("name", "printed"), [("Decastar", they.DECASTAR), ("OlympicG", they.OLYMPIC)]
)
def test_categories_of_the_decathlon_are_those_of_factominer(name, printed):
    table = supplementary_columns(
        standardized(DECATHLON, 3),
        DECATHLON.frame(),
        {"Competition": DECATHLON.groups},
        **FACTOMINER,
    )

    coord, cos2, v_test, distance = printed
    assert_prints(matched(of(table, "coord", category=name), coord), coord)
    assert_prints(of(table, "cos2", category=name), cos2)
    assert_prints(matched(of(table, "v.test", category=name), v_test), v_test)
    assert_prints(of(table, "dist", category=name)[:1], distance)


def test_the_first_axis_of_the_decathlon_is_described_as_by_dimdesc():
    model, frame = standardized(DECATHLON, 1), DECATHLON.frame()

    table = describe_axes(model, frame, ["Rank", "Points"], **FACTOMINER)

    assert set(table["variable"]) == set(they.FIRST_AXIS)
    turn = -np.sign(of(table, "cor", variable="100m")[0])
    for name, (correlation, p) in they.FIRST_AXIS.items():
        assert_prints([turn * of(table, "cor", variable=name)[0]], correlation)
        assert_prints(of(table, "p.value", variable=name), p)


def test_one_meeting_of_the_decathlon_has_the_eigenvalues_of_prince():
    meeting = DECATHLON.only([name for name in DECATHLON.names if name.isupper() or "Mc" in name])
    table = eigenvalues(standardized(meeting, 5), **FACTOMINER)

    assert len(meeting.names) == 13
    assert_prints(table["eigenvalue"], they.DECASTAR_EIGENVALUES)
    assert_prints(table["percentage of variance"], they.DECASTAR_PERCENT)


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
