"""The decathlon as FactoMineR and its neighbors print it, to the last digit."""

import numpy as np
import pytest

from eigenlens.explain import (
    describe_axes,
    eigenvalues,
    rows,
    supplementary_columns,
    supplementary_rows,
    variables,
)
from tests.explain import published as they
from tests.explain.classics import DECATHLON
from tests.explain.published import assert_prints, matched, of, standardized
from tests.reference.factominer import Analysis, group_figures, p_of_correlation

FACTOMINER = {"convention": "factominer"}


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


def turns(model):
    """The sign of each of five axes that makes our rows those of FactoMineR's."""
    found = of(rows(model, they.DECATHLON2.frame()), "score", row="SEBRLE")
    return np.sign(found) * np.sign([float(text) for text in they.SEBRLE_COORD.split()])


@pytest.mark.parametrize("name", they.OUTSIDE_ROWS)
def test_supplementary_rows_are_those_of_factominer(name):
    model = standardized(they.DECATHLON2, 5)
    outside = DECATHLON.only(list(they.OUTSIDE_ROWS)).frame()

    table = supplementary_rows(model, outside, **FACTOMINER)

    coord, cos2, distance = they.OUTSIDE_ROWS[name]
    assert_prints(turns(model) * of(table, "coord", row=name), coord)
    assert_prints(of(table, "cos2", row=name), cos2)
    assert_prints(of(table, "dist", row=name)[:1], distance)


@pytest.mark.parametrize("name", they.OUTSIDE_NUMBERS)
def test_supplementary_numbers_are_those_of_factominer(name):
    model = standardized(they.DECATHLON2, 5)

    table = supplementary_columns(model, they.DECATHLON2.frame(), name, **FACTOMINER)

    correlation, cos2 = they.OUTSIDE_NUMBERS[name]
    assert_prints(turns(model) * table["cor"], correlation)
    assert_prints(table["cos2"], cos2)


@pytest.mark.parametrize("name", they.OUTSIDE_CATEGORIES)
def test_supplementary_categories_are_those_of_factominer(name):
    model = standardized(they.DECATHLON2, 5)
    competition = {"Competition": they.DECATHLON2.groups}

    table = supplementary_columns(model, they.DECATHLON2.frame(), competition, **FACTOMINER)

    coord, cos2, v_test, distance = they.OUTSIDE_CATEGORIES[name]
    assert_prints(turns(model) * of(table, "coord", category=name), coord)
    assert_prints(of(table, "cos2", category=name), cos2)
    assert_prints(turns(model) * of(table, "v.test", category=name), v_test)
    assert_prints(of(table, "dist", category=name)[:1], distance)
    assert_prints(of(table, "eta2", category=name), they.COMPETITION_ETA2)


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


@pytest.mark.parametrize("axis", range(4))
def test_the_axes_of_the_decathlon_are_described_as_by_dimdesc(axis):
    printed, place = they.DESCRIBED[axis], {"component": f"Dim.{axis + 1}"}
    first = next(iter(printed))

    table = describe_axes(
        standardized(DECATHLON, 4), DECATHLON.frame(), ["Rank", "Points"], level=1, **FACTOMINER
    )

    turn = np.sign(of(table, "cor", variable=first, **place)[0])
    for name, (correlation, p) in printed.items():
        assert_prints(turn * np.array(of(table, "cor", variable=name, **place)), correlation)
        assert_prints(of(table, "p.value", variable=name, **place), p)
    shown = [line for line in table.lines() if line["component"] == place["component"]]
    assert {line["variable"] for line in shown if line["p.value"] < 0.05} == set(printed)


def test_one_meeting_of_the_decathlon_has_the_eigenvalues_of_prince():
    meeting = DECATHLON.only([name for name in DECATHLON.names if name.isupper() or "Mc" in name])
    table = eigenvalues(standardized(meeting, 5), **FACTOMINER)

    assert len(meeting.names) == 13
    assert_prints(table["eigenvalue"], they.DECASTAR_EIGENVALUES)
    assert_prints(table["percentage of variance"], they.DECASTAR_PERCENT)


# -- what is printed, without us: from the definitions -------------------------------------


@pytest.mark.parametrize(
    ("name", "printed"), [("Decastar", they.DECASTAR), ("OlympicG", they.OLYMPIC)]
)
def test_printed_figures_of_categories_follow_from_their_definitions(name, printed):
    analysis = Analysis(DECATHLON.rows[:, :10])
    members = [place for place, group in enumerate(DECATHLON.groups) if group == name]

    found = np.array([group_figures(analysis, members, axis) for axis in range(3)])

    coord, cos2, v_test, distance = printed
    assert_prints(matched(found[:, 0], coord), coord)
    assert_prints(found[:, 1], cos2)
    assert_prints(matched(found[:, 2], v_test), v_test)
    assert_prints(found[:1, 3], distance)


@pytest.mark.parametrize("axis", range(4))
def test_printed_correlations_follow_from_their_definitions(axis):
    analysis = Analysis(DECATHLON.rows[:, :10])

    for name, (correlation, p) in they.DESCRIBED[axis].items():
        r = np.corrcoef(DECATHLON[name], analysis.coord[:, axis])[0, 1]
        assert_prints(matched([r], correlation), correlation)
        assert_prints([p_of_correlation(r, 41)], p)
