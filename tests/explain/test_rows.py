"""explain.rows: scores, distances and shares of every row."""

import numpy as np
import pytest
from hypothesis import given, settings

import eigenlens as el
from eigenlens.explain import rows as explain_rows
from tests.explain.models import explained, small
from tests.fit.words import answer, assert_says


def square(table, name, model):
    return np.reshape(table[name], (-1, model.n_components))


def test_the_columns_are_those_promised():
    model, rows = small()

    assert list(explain_rows(model, rows).columns) == (
        ["row", "component", "score", "cos2", "contribution", "distance"]
    )


@settings(max_examples=25)
@given(explained())
def test_scores_are_those_of_the_model(fitted):
    model, rows, _ = fitted

    found = square(explain_rows(model, rows), "score", model)

    np.testing.assert_allclose(found, model.project(rows), atol=1e-9 * np.abs(rows).max())


@settings(max_examples=25)
@given(explained())
def test_squared_distance_is_squared_scores_and_residual(fitted):
    model, rows, _ = fitted
    table = explain_rows(model, rows)

    squares = np.square(square(table, "score", model)).sum(axis=1) + model.residual(rows)

    distance = square(table, "distance", model)[:, 0]
    np.testing.assert_allclose(np.square(distance), squares, rtol=1e-9, atol=1e-12 * squares.max())


@settings(max_examples=25)
@given(explained(whole=True))
def test_cos2_of_a_row_sums_to_one_over_all_components(fitted):
    model, rows, _ = fitted

    sums = square(explain_rows(model, rows), "cos2", model).sum(axis=1)

    # A wide table has rows that its n - 1 components hold all the same.
    np.testing.assert_allclose(sums, 1, atol=1e-7)


@settings(max_examples=25)
@given(explained())
def test_contributions_of_all_rows_sum_to_a_hundred(fitted):
    model, rows, weights = fitted

    sums = square(explain_rows(model, rows, weights=weights), "contribution", model).sum(axis=0)

    np.testing.assert_allclose(sums, 100, rtol=1e-6)


def test_a_weighted_row_contributes_as_its_repeats_together():
    model, rows = small(2, weights=[3, 1, 1, 1, 1, 1, 1, 1])
    repeated = np.repeat(rows, [3, 1, 1, 1, 1, 1, 1, 1], axis=0)

    one = square(explain_rows(model, rows, weights=[3, *[1] * 7]), "contribution", model)
    many = square(explain_rows(el.fit(repeated, 2), repeated), "contribution", model)

    np.testing.assert_allclose(one[0], many[:3].sum(axis=0))
    np.testing.assert_allclose(one[1:], many[3:])


def test_factominer_scores_and_distances_of_standardized_rows_divide_by_n():
    model, rows = small(3, scale="std")

    plain, theirs = explain_rows(model, rows), explain_rows(model, rows, convention="factominer")

    np.testing.assert_allclose(theirs["coord"], plain["score"] * np.sqrt(8 / 7))
    np.testing.assert_allclose(theirs["dist"], plain["distance"] * np.sqrt(8 / 7))
    np.testing.assert_allclose(theirs["contrib"], plain["contribution"])


def test_a_row_at_the_center_has_no_cos2():
    rows = np.array([[1.0, 2.0], [-1.0, -2.0], [2.0, -1.0], [-2.0, 1.0], [0.0, 0.0]])

    table = explain_rows(el.fit(rows, 2), rows)

    assert np.isnan(table["cos2"][-2:]).all()
    assert table["distance"][-1] == pytest.approx(0, abs=1e-15)


def test_rows_are_named_by_the_index_of_a_frame_or_by_labels():
    import pandas

    model, rows = small(1)
    frame = pandas.DataFrame(rows, index=list("abcdefgh"))

    assert explain_rows(model, frame)["row"] == list("abcdefgh")
    assert explain_rows(model, rows, labels=list("ABCDEFGH"))["row"] == list("ABCDEFGH")
    assert explain_rows(model, rows)["row"] == list(range(8))


def test_a_frame_may_hold_words_beside_the_columns_of_the_model():
    import pandas

    frame = pandas.DataFrame({"a": [1.0, 2, 4], "word": list("xyz"), "b": [3.0, 1, 5]})
    model = el.fit(frame, 1, columns=["a", "b"])

    assert len(explain_rows(model, frame)) == 3


def test_files_and_sparse_tables_give_the_same_rows(tmp_path):
    import scipy.sparse

    model, rows = small(2)
    np.save(tmp_path / "rows.npy", rows)

    expected = explain_rows(model, rows)["score"]

    for same in (str(tmp_path / "rows.npy"), scipy.sparse.csr_array(rows)):
        np.testing.assert_allclose(explain_rows(model, same)["score"], expected, rtol=1e-9)


@pytest.mark.parametrize("labels", [["a", "b"], "abcdefgh"])
def test_labels_of_wrong_length_are_refused(labels):
    model, rows = small(1)

    message = answer(el.OptionError, explain_rows, model, rows, labels=labels)

    assert_says(message, "labels= of length", "each of the 8 rows", "Pass a list")


def test_weights_of_wrong_length_are_refused():
    model, rows = small(1)

    message = answer(el.WeightsError, explain_rows, model, rows, weights=[1, 2])

    assert_says(message, "2 weights", "8 rows")


def test_rows_of_another_width_are_refused():
    model, rows = small(1)

    assert_says(answer(el.DataError, explain_rows, model, rows[:, :2]), "2 columns", "3")


def test_a_missing_column_is_named_with_the_nearest():
    import pandas

    frame = pandas.DataFrame({"height": [1.0, 2, 4], "age": [3.0, 1, 5]})
    model = el.fit(frame, 1)

    message = answer(el.DataError, explain_rows, model, frame.rename(columns={"height": "hieght"}))

    assert_says(message, "'height'", "Did you mean 'hieght'?")


def test_numbers_that_are_missing_are_named():
    model, rows = small(1)
    rows = rows.copy()
    rows[2, 1] = np.nan

    assert_says(answer(el.DataError, explain_rows, model, rows), "1 missing cell", "row 2")
