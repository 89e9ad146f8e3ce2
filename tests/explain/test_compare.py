"""Two models are compared by the angles between them, and axis by axis."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.errors import MismatchError, RankError
from eigenlens.explain.data_check import spread_of_columns
from tests.reference.angles import sines

RNG = np.random.default_rng(0)
ROWS = RNG.standard_normal((200, 5)) * [9.0, 5.0, 3.0, 1.0, 1.0]


def test_a_model_is_the_same_as_itself():
    model = el.fit(ROWS, 3)

    found = el.explain.compare(model, model)

    assert found.angles.max() < 1e-5
    assert list(found.table()["component"]) == list(found.table()["matched"])
    assert found.sentences()[0].startswith("Both models hold the same subspace")


def test_angles_are_those_of_the_reference():
    one, two = el.fit(ROWS[:100], 2), el.fit(ROWS[100:] + RNG.standard_normal((100, 5)), 2)

    found = el.explain.compare(one, two).angles

    expected = np.sort(sines(one.components.T, two.components.T).astype(float))
    assert np.allclose(np.sin(np.radians(found)), expected, rtol=1e-12)


def test_columns_are_matched_by_name_whatever_their_order():
    frame = pd.DataFrame(ROWS, columns=list("abcde"))

    found = el.explain.compare(el.fit(frame, 3), el.fit(frame[list("ecadb")], 3))

    assert found.angles.max() < 1e-5


def test_axes_that_changed_places_are_found():
    turned = ROWS * [5.0 / 9.0, 9.0 / 5.0, 1.0, 1.0, 1.0]

    found = el.explain.compare(el.fit(ROWS, 2), el.fit(turned, 2))

    assert list(found.table()["matched"]) == ["PC2", "PC1"]
    assert any("PC1 is PC2" in line for line in found.sentences())


def test_a_subspace_inside_a_larger_one_has_no_angle_to_it():
    model = el.fit(ROWS, 4)

    found = el.explain.compare(model.truncate(2), model)

    assert len(found.angles) == 2
    assert found.angles.max() < 1e-5
    assert "One keeps 2 components, the other 4" in found.sentences()[-1]


def test_different_preparation_is_said():
    found = el.explain.compare(el.fit(ROWS, 2), el.fit(ROWS, 2, scale="std", center=False))

    words = " ".join(found.sentences())
    assert "Only one of the models was scaled" in words
    assert "Only one of the models was centered" in words
    assert "do not hold the same" in words


def test_models_of_other_columns_cannot_be_compared():
    one = el.fit(pd.DataFrame(ROWS, columns=list("abcde")), 2)
    other = el.fit(pd.DataFrame(ROWS, columns=list("abcdx")), 2)

    with pytest.raises(MismatchError, match="lacks 'e' and only the second has 'x'"):
        el.explain.compare(one, other)
    with pytest.raises(MismatchError, match="4 columns"):
        el.explain.compare(el.fit(ROWS, 2), el.fit(ROWS[:, :4], 2))


def test_a_model_without_axes_cannot_be_compared():
    nothing = el.fit(np.random.default_rng(1).standard_normal((500, 40)), "dpa")

    with pytest.raises(RankError, match="0 components"):
        el.explain.compare(nothing, nothing)


def test_the_spread_names_the_columns_that_differ_most():
    frame = pd.DataFrame(ROWS * [1, 1, 1, 0, 0.1], columns=list("abcde"))

    found = spread_of_columns(el.fit(frame, 2))

    assert (found.widest, found.narrowest) == ("a", "e")
    assert found.ratio == pytest.approx(frame["a"].std() / frame["e"].std())


def test_standardized_columns_vary_alike():
    assert spread_of_columns(el.fit(ROWS, 2, scale="std")).ratio == pytest.approx(1.0)
