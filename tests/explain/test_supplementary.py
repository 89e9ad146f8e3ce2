"""Rows and columns that had no part in the fit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.explain import rows as explain_rows
from eigenlens.explain import supplementary_columns, supplementary_rows, variables
from tests.explain.models import explained, small
from tests.explain.published import of
from tests.fit.words import answer, assert_says

OF_VARIABLES = [
    "variable", "component", "eigenvector", "loading", "correlation", "cos2", "contribution",
]  # fmt: skip


def square(table, name, model):
    return np.reshape(table[name], (-1, model.n_components))


# -- rows ----------------------------------------------------------------------------------


def test_rows_outside_have_the_columns_of_rows_and_no_contribution():
    model, rows = small(2)

    table, inside = supplementary_rows(model, rows), explain_rows(model, rows)

    assert list(table.columns) == list(inside.columns)
    assert np.isnan(table["contribution"]).all()
    for name in ("score", "cos2", "distance"):
        np.testing.assert_array_equal(table[name], inside[name])


# -- numbers -------------------------------------------------------------------------------


@settings(max_examples=25)
@given(explained())
def test_a_variable_of_the_model_put_outside_keeps_its_figures(fitted):
    model, rows, weights = fitted
    if model.mean is None:
        return  # its correlations are about the origin, those of an outside column are not
    table = supplementary_columns(model, rows, {"again": rows[:, 0]}, weights=weights)

    same = {name: square(variables(model), name, model)[0] for name in OF_VARIABLES[2:6]}

    units = 1 if model.scale is None else model.scale[0]
    kept = 1 if model.provenance["settings"]["scale"] == "std" else units
    strong = model.eigenvalues > 1e-6 * model.eigenvalues[0]
    for name, factor in (("correlation", 1), ("cos2", 1), ("loading", kept), ("eigenvector", kept)):
        np.testing.assert_allclose(
            table[name][strong], (same[name] * factor)[strong], atol=1e-6 * max(1, factor)
        )


@given(st.integers(0, 100))
def test_numbers_correlate_as_numpy_has_it(seed):
    model, rows = small(2)
    values = np.random.default_rng(seed).standard_normal(8)

    table = supplementary_columns(model, rows, {"y": values})

    expected = [np.corrcoef(values, scores)[0, 1] for scores in model.project(rows).T]
    np.testing.assert_allclose(table["correlation"], expected, atol=1e-12)
    assert list(table.columns) == OF_VARIABLES


def test_whole_weights_are_repeated_rows():
    model, rows = small(2, weights=[2, 1, 3, 1, 1, 1, 1, 1])
    again = [0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7]
    values, groups = np.arange(8.0) ** 2, np.array(list("aababbab"))

    one = supplementary_columns(
        model, rows, {"y": values, "g": groups}, weights=[2, 1, 3, 1, 1, 1, 1, 1]
    )
    many = supplementary_columns(
        el.fit(rows[again], 2), rows[again], {"y": values[again], "g": groups[again]}
    )

    for name in ("correlation", "centroid", "cos2", "v_test", "eta2", "loading"):
        np.testing.assert_allclose(one[name], many[name], atol=1e-9)


def test_rows_whose_entry_is_missing_are_left_out_of_that_column():
    model, rows = small(2)
    values = np.array([1.0, 4, 2, 8, 5, 7, np.nan, np.nan])

    table = supplementary_columns(model, rows, {"y": values})

    scores = model.project(rows)[:6]
    expected = [np.corrcoef(values[:6], one)[0, 1] for one in scores.T]
    np.testing.assert_allclose(table["correlation"], expected)


# -- categories ----------------------------------------------------------------------------


@settings(max_examples=25)
@given(explained(), st.integers(0, 50))
def test_eta2_is_the_share_of_the_spread_between_groups(fitted, seed):
    model, rows, weights = fitted
    heavy = np.ones(len(rows)) if weights is None else weights
    codes = np.random.default_rng(seed).permutation(np.arange(len(rows)) % 2)
    scores = model.project(rows)

    table = supplementary_columns(model, rows, {"g": codes.astype(str)}, weights=heavy)

    mean = np.average(scores, axis=0, weights=heavy)
    centers = [np.average(scores[codes == g], axis=0, weights=heavy[codes == g]) for g in (0, 1)]
    fitted_scores = np.array(centers)[codes]
    between, total = heavy @ (fitted_scores - mean) ** 2, heavy @ (scores - mean) ** 2
    strong = total > 1e-9 * total.max()
    found = np.array(of(table, "eta2", category="0"))
    np.testing.assert_allclose(found[strong], (between / total)[strong], atol=1e-6)
    np.testing.assert_allclose(
        of(table, "centroid", category="1"), centers[1], atol=1e-8 * np.abs(scores).max()
    )


def test_with_two_groups_both_are_equally_unusual():
    model, rows = small(3)

    table = supplementary_columns(model, rows, {"g": list("aaabbbbb")})

    np.testing.assert_allclose(of(table, "v_test", category="a"), [
        -value for value in of(table, "v_test", category="b")
    ])  # fmt: skip


def test_the_v_test_has_the_spread_of_a_random_draw():
    # Over all ways to draw two of eight rows, v-tests have mean 0 and variance 1.
    from itertools import combinations

    model, rows = small(1)
    tests = []
    for pair in combinations(range(8), 2):
        groups = ["in" if row in pair else "out" for row in range(8)]
        tests += of(supplementary_columns(model, rows, {"g": groups}), "v_test", category="in")

    assert np.mean(tests) == pytest.approx(0, abs=1e-12)
    assert np.mean(np.square(tests)) == pytest.approx(1)


@settings(max_examples=25)
@given(explained(whole=True))
def test_cos2_of_a_category_sums_to_one_over_all_components(fitted):
    model, rows, weights = fitted
    groups = (np.arange(len(rows)) % 2).astype(str)

    table = supplementary_columns(
        model, rows, {"g": groups}, weights=np.ones(len(rows)) if weights is None else weights
    )

    assert sum(of(table, "cos2", category="0")) == pytest.approx(1, abs=1e-6)


def test_numbers_and_categories_share_one_table():
    import pandas

    model, rows = small(1)
    frame = pandas.DataFrame(rows, columns=list("abc")).assign(size=range(8), kind=list("uvuvuvuv"))
    model = el.fit(frame, 1, columns=list("abc"))

    table = supplementary_columns(model, frame, ["kind", "size"])

    assert table["variable"] == ["kind", "kind", "size"]
    assert table["category"] == ["u", "v", None]
    assert {"centroid", "v_test", "eta2", "distance"} <= set(table.columns)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_words_are_read_from_the_file_they_lie_in(tmp_path, ending):
    import polars

    frame = polars.DataFrame(
        {"a": [1.0, 2, 4, 8], "b": [3.0, 1, 5, 2], "kind": list("uvuv"), "n": [1.0, 0, 1, 1]}
    )
    path = tmp_path / f"rows.{ending}"
    (frame.write_csv if ending == "csv" else frame.write_parquet)(path)
    model = el.fit(path, 1, columns=["a", "b"])

    table = supplementary_columns(model, str(path), ["kind", "n"])

    expected = supplementary_columns(model, frame, ["kind", "n"])
    assert table["category"] == ["u", "v", None]
    np.testing.assert_allclose(table["v_test"], expected["v_test"])


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_of_every_library_give_the_same_columns(library):
    import pandas
    import polars
    import pyarrow

    model, rows = small(1)
    outside = {
        "n": [1, 2, None, 4, 8, 5, 7, 1],
        "g": [*"aabbab", None, "b"],
        "t": [True, False] * 4,
    }
    expected = supplementary_columns(model, rows, outside)
    frame = {
        "pandas": lambda: pandas.DataFrame(outside).astype({"n": "Int64", "g": "category"}),
        "polars": lambda: polars.DataFrame(outside),
        "pyarrow": lambda: pyarrow.table(outside),
    }[library]()

    table = supplementary_columns(model, rows, frame)

    assert table["category"] == expected["category"] == [None, "a", "b", "False", "True"]
    np.testing.assert_allclose(table["correlation"], expected["correlation"])
    np.testing.assert_allclose(table["v_test"], expected["v_test"])


def test_a_table_goes_to_frames_and_text():
    model, rows = small(2)

    table = supplementary_columns(model, rows, {"y": np.arange(8), "g": list("aabbabab")})

    assert table.to_pandas().shape == table.to_polars().shape == (6, 12)
    assert table.to_csv().startswith("variable,category,component,eigenvector")
    assert "| g | a | PC1 |" in table.to_markdown()


# -- bad input -----------------------------------------------------------------------------


def test_a_column_that_does_not_exist_names_the_nearest():
    import pandas

    frame = pandas.DataFrame({"a": [1.0, 2, 4], "b": [3.0, 1, 5], "points": [1, 2, 3]})
    model = el.fit(frame, 1, columns=["a", "b"])

    message = answer(el.DataError, supplementary_columns, model, frame, ["pionts"])

    assert_says(message, "'pionts'", "Did you mean 'points'?")


def test_a_column_that_no_file_holds_names_the_nearest(tmp_path):
    import polars

    frame = polars.DataFrame({"a": [1.0, 2, 4], "b": [3.0, 1, 5], "kind": list("uuv")})
    frame.write_csv(tmp_path / "rows.csv")
    model = el.fit(tmp_path / "rows.csv", 1)

    message = answer(el.DataError, supplementary_columns, model, tmp_path / "rows.csv", ["kinds"])

    assert_says(message, "'kinds'", "Did you mean 'kind'?")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (np.ones(8), ("'y'", "constant (1)", "Leave it out")),
        (["a"] * 8, ("'y'", "constant ('a')", "Leave it out")),
        (list("aaaabbbc"), ("'y'", "'c'", "one row only", "2 rows or more", "None")),
        ([None] * 8, ("'y'", "missing")),
        ([1.0, *[np.nan] * 7], ("'y'", "known for 1 row", "Fill in")),
        ([1.0, 2.0], ("'y'", "(2,)", "each of the 8 rows")),
        ([np.inf, *range(7)], ("1 infinite", "'y'", "row 0")),
        (np.arange(8).astype("M8[D]"), ("'y'", "datetime64", "numbers or categories")),
    ],
)
def test_columns_that_say_nothing_are_refused(values, words):
    model, rows = small(1)

    message = answer(el.EigenlensError, supplementary_columns, model, rows, {"y": values})

    assert_says(message, *words)


def test_no_column_at_all_is_refused():
    model, rows = small(1)

    assert_says(answer(el.OptionError, supplementary_columns, model, rows, []), "at least one")


def test_after_a_weighted_fit_the_weights_are_asked_for():
    model, rows = small(1, weights=np.arange(1.0, 9))

    message = answer(el.OptionError, supplementary_columns, model, rows, {"y": np.arange(8)})

    assert_says(message, "fitted with weights", "weights=", "np.ones(n)")
