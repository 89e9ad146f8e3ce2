"""Categories in a fit: what takes part, which levels there are, what is refused in words."""

import warnings

import numpy as np
import pandas as pd
import pytest

import eigenlens as el


def draw(rows=400, seed=0):
    rng = np.random.default_rng(seed)
    group = rng.choice(list("abcd"), rows)
    return pd.DataFrame(
        {
            "x": rng.standard_normal(rows) + 1e6,
            "group": group,
            "word": rng.choice(["u", "v w", "z,q"], rows),
            "truth": rng.random(rows) < 0.3,
            "year": rng.choice([2001, 2002, 2010], rows),
            "y": rng.standard_normal(rows) + (group == "a"),
        }
    )


def indicator_covariance(frame, numbers, groups):
    """The matrix whose eigenvalues are the inertias, dense and by the definition."""
    blocks = [frame[numbers].to_numpy(float)]
    blocks += [pd.get_dummies(frame[name]).to_numpy(float) for name in groups]
    rows = np.hstack(blocks)
    mean = rows.mean(axis=0)
    shares = np.arange(rows.shape[1]) >= len(numbers)
    factor = 1 if numbers else len(groups)
    scale = np.sqrt(np.where(shares, mean * factor, rows.var(axis=0)))
    apart = (rows - mean) / scale
    return apart.T @ apart / len(rows)


@pytest.mark.parametrize("numbers", [["x", "y"], []])
def test_eigenvalues_are_those_of_the_indicator_matrix(numbers):
    frame = draw()[[*numbers, "group", "word"]]

    model = el.fit(frame, 4, categories="auto")

    exact = np.linalg.eigvalsh(indicator_covariance(frame, numbers, ["group", "word"]))[::-1]
    np.testing.assert_allclose(model.eigenvalues, exact[:4], rtol=1e-11)
    assert model.total_variance == pytest.approx(exact.sum(), rel=1e-12)


def test_text_truth_values_and_codes_take_part():
    model = el.fit(draw(), 2, categories="auto")

    names = [column.name for column in model.categories.columns]
    assert names == ["group", "word", "truth", "year"]
    assert model.categories.numbers == ("x", "y")
    assert "year=2010" in model.feature_names
    assert "truth=True" in model.feature_names


def test_identifiers_constants_and_free_text_are_left_out_with_a_reason():
    frame = draw(60).assign(
        key=[f"r{i}" for i in range(60)], same="s", note=[f"n{i // 1.5:.0f}" for i in range(60)]
    )

    choice = el.fit(frame, 2, categories="auto").choices["columns"]

    assert set(choice.evidence["left_out"]) == {"key", "same", "note"}
    assert "identifier" in choice.evidence["why"]["key"]


def test_ordered_categories_keep_their_order_and_numbers_theirs():
    frame = pd.DataFrame(
        {
            "size": pd.Categorical(["big", "small"] * 30, ["small", "big"], ordered=True),
            "code": [10, 9, 100] * 20,
        }
    )

    first, second = el.fit(frame, 1, categories=["size", "code"]).categories.columns

    assert first.levels == ("small", "big")
    assert second.levels == ("9", "10", "100")


def test_rare_levels_become_one_and_are_named():
    letters = ["a"] * 500 + ["b"] * 490 + ["r1"] * 5 + ["r2"] * 5
    frame = pd.DataFrame({"g": letters, "h": ["u", "v"] * 500})

    merged, kept = (el.fit(frame, 1, categories="auto", rare=rare) for rare in (0.01, 0))

    assert merged.categories.columns[0].levels == ("a", "b", "other")
    assert merged.choices["categories"].evidence["merged"] == {"g": ["r1", "r2"]}
    assert kept.categories.columns[0].levels == ("a", "b", "r1", "r2")
    np.testing.assert_array_equal(merged.project(frame[:1].assign(g="r1")),
                                  merged.project(frame[:1].assign(g="r2")))  # fmt: skip


def test_a_column_of_many_even_levels_has_no_rare_ones():
    frame = pd.DataFrame({"g": [f"l{i % 200:03d}" for i in range(1000)], "h": ["u", "v"] * 500})

    assert len(el.fit(frame, 1, categories="auto").categories.columns[0].levels) == 200


def test_integer_weights_are_repeated_rows():
    frame, weights = draw(), np.arange(400) % 3

    one = el.fit(frame, 3, categories="auto", weights=weights)
    two = el.fit(frame.loc[np.repeat(np.arange(400), weights)], 3, categories="auto")

    np.testing.assert_allclose(one.eigenvalues, two.eigenvalues, rtol=1e-12)
    np.testing.assert_allclose(one.mean, two.mean, rtol=1e-12)


def test_unseen_and_missing_levels_contribute_nothing_and_are_counted():
    frame = draw()[["group", "word"]]
    model = el.fit(frame, 2, categories="auto")
    new = frame.head(3).copy()
    new.loc[0, "group"], new.loc[1, "word"] = "new", None

    with pytest.warns(el.UnseenCategories, match="'group': 1 unseen .'new'.*'word': 1 missing"):
        scores = model.project(new)

    # Without its group, a row is the average of itself over all groups, by their shares.
    shares = model.mean[: len(model.categories.columns[0].levels)]
    others = [frame.head(1).assign(group=level) for level in "abcd"]
    average = sum(p * model.project(one)[0] for p, one in zip(shares, others, strict=True))
    np.testing.assert_allclose(scores[0], average, atol=1e-12)


def test_missing_categories_are_an_error_a_level_or_dropped():
    frame = draw()
    frame.loc[5, "group"] = None

    with pytest.raises(el.CategoryError, match="'group' has no value in 1 of 400 rows"):
        el.fit(frame, 2, categories="auto")
    assert "group=missing" in el.fit(frame, 2, categories="auto", missing="level").feature_names
    dropped = el.fit(frame, 2, categories="auto", missing="drop")
    whole = el.fit(frame.drop(index=5), 2, categories="auto")
    np.testing.assert_allclose(dropped.eigenvalues, whole.eigenvalues, rtol=1e-12)


def test_the_file_keeps_levels(tmp_path):
    frame = draw()
    model = el.fit(frame, 2, categories="auto")

    again = el.load(model.save(tmp_path / "model.eigenlens"))

    assert again.categories == model.categories
    np.testing.assert_array_equal(again.project(frame), model.project(frame))


def test_k_is_chosen_by_permuted_columns():
    rng = np.random.default_rng(0)
    hidden = rng.integers(3, size=500)
    noise = rng.integers(3, size=(500, 5))
    seen = np.where(rng.random((500, 5)) < 0.7, hidden[:, None], noise)
    linked = pd.DataFrame(seen.astype(str), columns=[f"c{i}" for i in range(5)])
    apart = pd.DataFrame(rng.integers(3, size=(500, 5)).astype(str))
    apart.columns = [f"c{i}" for i in range(5)]

    chosen = el.fit(linked, categories="auto")

    assert chosen.n_components == 2
    assert chosen.choices["k"].rule == "parallel"
    assert "order of its own" in chosen.choices["k"].reason
    assert el.fit(apart, categories="auto").n_components == 0
    assert "approximate" in el.fit(linked, "screenot", categories="auto").choices["k"].reason


def test_plain_numbers_are_fitted_as_without_the_option():
    frame = draw()[["x", "y"]]

    one, two = el.fit(frame, 1), el.fit(frame, 1, categories="auto")

    assert one.components.tobytes() == two.components.tobytes()
    assert two.categories is None


REFUSED = {
    "one level": (pd.DataFrame({"g": ["a"] * 9, "h": list("uvu" * 3)}), ["g"], "one level only"),
    "identifier": (pd.DataFrame({"g": list("abcdefghi")}), ["g"], "identifier"),
    "free text": (pd.DataFrame({"g": list("abcdefghh")}), ["g"], "8 different values in 9 rows"),
    "unknown": (pd.DataFrame({"g": list("ababababa")}), ["no"], "there is no column 'no'"),
    "negative": ([[1, -2], [3, 4], [2, 2]], "counts", "row 0, column 'x1' holds -2"),
    "empty row": ([[0, 0], [3, 4], [1, 2]], "counts", "all counts are 0 in row 0"),
    "empty column": ([[0, 3], [0, 4], [0, 2]], "counts", "all counts are 0 in column 'x0'"),
    "a word": ([[1, 2], [3, 4]], "autos", "Possible: 'drop', 'auto', 'counts'"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_gets_a_sentence(case):
    data, categories, words = REFUSED[case]

    with pytest.raises(el.EigenlensError, match=words.replace("(", r"\(")):
        el.fit(data, 1, categories=categories)


def test_a_table_without_a_usable_column_says_why():
    frame = pd.DataFrame({"a": ["x"] * 9, "id": [f"r{place}" for place in range(9)]})

    with pytest.raises(el.CategoryError, match=r"every cell is 'x'.*differs in every row"):
        el.fit(frame, 1, categories="auto")


def test_a_hundred_thousand_levels():
    rng = np.random.default_rng(0)
    many = [f"l{i}" for i in np.tile(np.arange(100_000), 2)]
    frame = pd.DataFrame({"a": many, "b": rng.choice(list("uv"), 200_000)})

    model = el.fit(frame, 1, categories="auto", certify="fast")

    assert model.n_features == 100_002
    few = frame.head(150_000)
    with pytest.raises(el.CategoryError, match="100000 different values in 150000 rows"):
        el.fit(few, 1, categories=["a", "b"])


@pytest.mark.parametrize("given", [{"center": False}, {"scale": [1.0, 2.0]}, {"rare": 2.0}])
def test_options_that_do_not_go_with_categories(given):
    frame = draw()

    with pytest.raises(el.EigenlensError):
        el.fit(frame, 1, categories="auto", **given)


def test_two_models_with_categories_do_not_merge():
    model = el.fit(draw(), 1, categories="auto")

    with pytest.raises(el.OptionError, match="without categories"):
        model.merge(model)


def test_classes_give_the_same_numbers():
    frame = draw()
    mca = el.MCA(2).fit(frame[["group", "word"]])
    famd = el.FAMD(2).fit(frame)
    counts = pd.crosstab(frame["group"], frame["word"])
    ca = el.CA(2).fit(counts)

    for one, data in ((mca, frame[["group", "word"]]), (famd, frame), (ca, counts)):
        table = el.explain.categories(one, data)
        levels = np.reshape(table["coordinate"], (-1, 2))
        np.testing.assert_allclose(one.column_coordinates()[-len(levels) :], levels, atol=1e-12)
        np.testing.assert_array_equal(one.row_coordinates(data), one.model_.project(data))
        assert one.total_inertia_ == one.model_.total_variance
        assert len(one.eigenvalues_summary) == 2
    assert list(mca.get_feature_names_out()) == ["mca0", "mca1"]


def test_nothing_is_warned_of_where_nothing_is_wrong():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = el.fit(draw(), 2, categories="auto")
        model.project(draw())


def test_the_report_has_a_section_of_categories(tmp_path):
    frame = draw(80)
    model = el.fit(frame, 2, categories="auto")

    page = el.report(model, frame, tmp_path / "page.html")

    text = page.read_text(encoding="utf-8")
    assert 'id="categories"' in text
    assert "Map of levels" in text


def test_levels_stand_at_the_mean_of_their_rows_in_a_biplot():
    frame = draw(80)
    model = el.fit(frame, 2, categories="auto")

    ax = el.plots.biplot(model, frame, top=["group=a", "x"])

    mean = model.project(frame)[frame["group"] == "a"].mean(axis=0)
    diamond = ax.collections[-1].get_offsets()
    np.testing.assert_allclose(diamond, [mean], atol=1e-12)
