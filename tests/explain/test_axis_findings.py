"""Sentences about components: each rule is triggered, and kept silent."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.explain.findings import findings
from tests.explain.sayings import answers, ordinary, said

# -- k -------------------------------------------------------------------------------------


def test_components_clear_of_chance_are_counted_with_what_they_hold():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((200, 3)) * 4 @ rng.standard_normal((3, 30))
    rows += rng.standard_normal(rows.shape)
    model = el.fit(rows, 3)

    ((sentence, number),) = said(model, rows, "k", ranks=None)

    share = f"{model.explained_ratio.sum():.0%}"
    expected = f"Three components stand out from noise; together they hold {share}"
    assert sentence.startswith(expected)
    assert number == 3


def test_random_data_have_no_structure_to_find():
    noise = np.random.default_rng(0).standard_normal((200, 30))

    ((sentence, number),) = said(el.fit(noise, 2), noise, "k", ranks=None)

    assert sentence.startswith("No component stands out from random data")
    assert number == 0


def test_rules_that_disagree_are_all_heard():
    rows = ordinary()

    ((sentence, number),) = said(el.fit(rows, 2), rows, "k", ranks=answers(2, 5))

    assert sentence.startswith("Suggested: 2 for denoising, 9 for most of the variance.")
    assert sentence.endswith("directions that are not noise finds 5.")
    assert number == 2


def test_a_test_that_finds_fewer_is_no_contradiction():
    rows = ordinary()

    ((sentence, number),) = said(el.fit(rows, 2), rows, "k", ranks=answers(5, 2))

    assert sentence.endswith("not noise finds 2: large components can hide smaller ones.")
    assert number == 5


def test_a_model_that_keeps_fewer_says_so():
    rows = ordinary()

    ((sentence, _),) = said(el.fit(rows, 2), rows, "k", ranks=answers(4, 4))

    assert "Four components stand out from noise; this model keeps 2" in sentence


def test_of_too_few_rows_nothing_is_said_about_k():
    rows = ordinary(n=9)

    assert said(el.fit(rows, 2), rows, "k", ranks=None) == []


# -- axes ----------------------------------------------------------------------------------


def test_a_column_of_other_units_is_named():
    rows = ordinary(turn=False, variances=(160_000, 1, 1, 1))

    ((sentence, number),) = said(el.fit(rows, 1), rows, "scale")

    assert "x0" in sentence
    assert number == pytest.approx(400, rel=0.2)


def test_standardized_or_alike_columns_are_not():
    rows = ordinary(turn=False, variances=(160_000, 1, 1, 1))
    alike = ordinary()

    assert said(el.fit(rows, 1, scale="std"), rows, "scale") == []
    assert said(el.fit(alike, 1), alike, "scale") == []


def sizes():
    rng = np.random.default_rng(0)
    return rng.standard_normal((100, 1)) * 3 + rng.standard_normal((100, 5))


def test_a_size_axis_is_told_and_its_poles_are_not():
    rows = sizes()
    model = el.fit(rows, 1)

    ((sentence, number),) = said(model, rows, "size")

    assert "all correlations have the same sign" in sentence
    assert number > 0.8
    assert said(model, rows, "axis") == []


def test_an_axis_of_two_signs_is_none_and_names_its_poles():
    rows = sizes() * [1, 1, 1, -1, -1]
    model = el.fit(rows, 1)

    assert said(model, rows, "size") == []
    ((sentence, number),) = said(model, rows, "axis")
    assert " contrasts " in sentence
    ahead, behind = sentence.split(" contrasts ")[1].split(" with ")
    assert {name in ahead for name in ("'x0'", "'x1'", "'x2'")} != {True, False}
    assert ("'x3'" in behind) == ("'x0'" in ahead)
    assert number > 0.5


def test_an_axis_of_one_variable_is_carried_by_it():
    rows = ordinary(turn=False, variances=(25, 1, 1))

    ((sentence, number),) = said(el.fit(rows, 1), rows, "axis")

    assert "is driven by 'x0'" in sentence
    assert number > 0.9


def of_spectrum(values, n=120):
    """Rows whose covariance matrix has exactly these eigenvalues."""
    rows = ordinary(n, values)
    rows = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)[0]
    axes = np.linalg.qr(np.random.default_rng(1).standard_normal((len(values), len(values))))[0]
    return rows * np.sqrt((n - 1) * np.array(values)) @ axes


def test_eigenvalues_that_sampling_mixes_are_not_separately_meaningful():
    rows = of_spectrum([25, 9, 8, 1, 1])
    model = el.fit(rows, 3)

    ((sentence, number),) = said(model, rows, "degeneracy")

    assert sentence.startswith("With 120 rows, PC2 (20.5%) and PC3 (18.2%) cannot be separated")
    assert number == pytest.approx(np.degrees(np.arctan(np.sqrt(72 / 120))))
    assert [text[:3] for text, _ in said(model, rows, "axis")] == ["PC1"]


def test_numbers_however_large_are_compared():
    rows = np.random.default_rng(0).standard_normal((80, 5)) * [5, 3, 1, 1, 1]

    large = findings(el.fit(1e120 * rows, 3), 1e120 * rows)

    assert large["finding"] == findings(el.fit(rows, 3), rows)["finding"]


def test_eigenvalues_well_apart_are():
    rows = of_spectrum([25, 9, 5, 1, 1])

    assert said(el.fit(rows, 3), rows, "degeneracy") == []
