"""explain.describe_axes: what goes with an axis, tested as others test it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import eigenlens as el
from eigenlens.explain import describe_axes
from tests.explain.classics import DECATHLON
from tests.explain.models import small
from tests.explain.published import of
from tests.fit.words import answer, assert_says


def everything(model, rows, columns=None, **options):
    return describe_axes(model, rows, columns, level=1, **options)


def test_the_columns_are_those_promised():
    model, rows = small()

    assert list(describe_axes(model, rows).columns) == [
        "component", "kind", "variable", "category",
        "correlation", "eta2", "estimate", "p", "p_adjusted",
    ]  # fmt: skip


@given(st.integers(0, 1000))
def test_numbers_are_tested_as_scipy_does(seed):
    model, rows = small(2)
    values = np.random.default_rng(seed).standard_normal(8)

    table = everything(model, rows, {"y": values})

    for place, scores in enumerate(model.project(rows).T):
        expected = stats.pearsonr(values, scores)
        found = of(table, "p", variable="y", component=f"PC{place + 1}")
        assert found == pytest.approx([expected.pvalue], rel=1e-8)


@given(st.integers(0, 1000))
def test_groups_are_tested_as_scipy_does(seed):
    model, rows = small(2)
    groups = np.random.default_rng(seed).permutation(list("aaabbbcc"))

    table = everything(model, rows, {"g": groups})

    for place, scores in enumerate(model.project(rows).T):
        expected = stats.f_oneway(*(scores[groups == name] for name in "abc"))
        found = of(table, "p", kind="groups", component=f"PC{place + 1}")
        assert found == pytest.approx([expected.pvalue], rel=1e-8)


def test_of_two_groups_each_category_is_tested_by_students_t():
    model, rows = small(1)
    groups = np.array(list("aaabbbbb"))
    scores = model.project(rows)[:, 0]

    table = everything(model, rows, {"g": groups})

    expected = stats.ttest_ind(scores[groups == "a"], scores[groups == "b"])
    half = (scores[groups == "a"].mean() - scores[groups == "b"].mean()) / 2
    assert of(table, "p", category="a") == pytest.approx([expected.pvalue])
    assert of(table, "estimate", category="a") == pytest.approx([half])
    assert of(table, "estimate", category="b") == pytest.approx([-half])


def test_estimates_and_their_errors_are_those_of_a_regression():
    # Effects that sum to zero: y = m + e_g, by least squares with one contrast per group but one.
    model, rows = small(1)
    groups = np.array(list("aaabbbcc"))
    scores = model.project(rows)[:, 0]
    contrasts = {"a": [1, 0], "b": [0, 1], "c": [-1, -1]}
    design = np.array([[1, *contrasts[name]] for name in groups], dtype=float)
    effects = np.linalg.solve(design.T @ design, design.T @ scores)
    error = np.square(scores - design @ effects).sum() / 5
    spread = np.sqrt(error * np.diag(np.linalg.inv(design.T @ design)))

    table = everything(model, rows, {"g": groups})

    for place, name in enumerate("ab", start=1):
        p = 2 * stats.t.sf(abs(effects[place]) / spread[place], 5)
        assert of(table, "estimate", category=name) == pytest.approx([effects[place]])
        assert of(table, "p", category=name) == pytest.approx([p])


def test_p_is_adjusted_over_all_tests_of_its_kind():
    model, rows = small(2)
    table = everything(model, rows, {"y": np.arange(8) ** 2, "g": list("ababbaab")})

    for kind in ("number", "groups", "category"):
        expected = stats.false_discovery_control(of(table, "p", kind=kind))
        np.testing.assert_allclose(of(table, "p_adjusted", kind=kind), expected)


def test_lines_are_chosen_by_the_adjusted_p_and_ordered_by_strength():
    model = el.fit(DECATHLON.frame(10), 3, scale="std")

    table = describe_axes(model, DECATHLON.frame(), ["Points"])

    assert max(table["p_adjusted"]) <= 0.05
    first = of(table, "correlation", component="PC1")
    assert first == sorted(first, reverse=True)
    assert table["component"] == sorted(table["component"])


@settings(max_examples=10)
@given(st.integers(0, 100))
def test_pure_chance_is_seldom_described(seed):
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((60, 4))
    noise = {f"y{place}": rng.standard_normal(60) for place in range(40)}

    table = describe_axes(el.fit(rows, 2), rows, noise)

    assert len([name for name in table["variable"] if name in noise]) <= 3


def test_a_raw_model_is_described_about_the_mean():
    model, rows = small(2, center=False)

    table = everything(model, rows)

    expected = np.corrcoef(rows[:, 1], model.project(rows)[:, 0])[0, 1]
    assert of(table, "correlation", variable="x1", component="PC1") == pytest.approx([expected])


def test_whole_weights_are_repeated_rows():
    weights, again = [2, 1, 3, 1, 1, 1, 1, 1], [0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7]
    model, rows = small(2, weights=weights)
    groups = np.array(list("aababbab"))

    one = everything(model, rows, {"g": groups}, weights=weights)
    many = everything(el.fit(rows[again], 2), rows[again], {"g": groups[again]})

    np.testing.assert_allclose(one["p"], many["p"], atol=1e-12)


def test_a_constant_variable_is_not_described():
    rows = np.column_stack([np.random.default_rng(1).standard_normal((20, 2)), np.full(20, 0.1)])

    table = everything(el.fit(rows, 1), rows)

    assert "x2" not in table["variable"]


@pytest.mark.parametrize("level", [0, -1, 2, "5%", True])
def test_a_level_that_is_no_probability_is_refused(level):
    model, rows = small()

    assert_says(answer(el.OptionError, describe_axes, model, rows, level=level), "level=", "0.05")


def test_more_components_than_there_are_is_refused():
    model, rows = small(2)

    message = answer(el.RankError, describe_axes, model, rows, k=3)

    assert_says(message, "3 components", "has 2", "k=3")


def test_two_rows_are_too_few_to_test():
    model, rows = small(1)

    assert_says(answer(el.OptionError, describe_axes, model, rows[:2]), "2 rows", "3 or more")
