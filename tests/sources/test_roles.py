"""Roles of columns, in frames and files alike."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.sources.roles import judge_numbers, judge_texts

RNG = np.random.default_rng(0)


def table(n=60):
    return pd.DataFrame(
        {
            "id": np.arange(1, n + 1),
            "species": RNG.choice(["Adelie", "Gentoo"], n),
            "length": RNG.normal(40, 5, n),
            "depth": RNG.normal(17, 2, n),
            "year": RNG.integers(2007, 2010, n),
            "seen": [f"2020-01-{day % 28 + 1:02d}" for day in range(n)],
            "tag": [f"bird {number}" for number in range(n)],
        }
    )


@pytest.mark.parametrize("kind", ["frame", "csv", "parquet"])
def test_a_table_is_analyzed_alike_in_memory_and_from_a_file(kind, tmp_path):
    frame = table()
    data = frame
    if kind != "frame":
        data = tmp_path / f"birds.{kind}"
        frame.to_csv(data, index=False) if kind == "csv" else frame.to_parquet(data)

    model = el.fit(data, 1)

    assert model.feature_names == ("length", "depth")
    assert set(model.choices["columns"].evidence["left_out"]) == {
        "id", "species", "year", "seen", "tag",
    }  # fmt: skip
    assert el.roles(data)["role"] == [
        "identifier", "group", "measurement", "measurement", "code", "date", "identifier",
    ]  # fmt: skip


def test_columns_without_a_name_have_roles_of_their_own(tmp_path):
    lines = [f"{place},{x:.3f},{y:.3f},," for place, (x, y) in enumerate(RNG.normal(size=(30, 2)))]
    (tmp_path / "t.csv").write_text(",a,b,,\n" + "\n".join(lines) + "\n")

    found = el.roles(tmp_path / "t.csv")

    assert found["column"] == ["", "a", "b", "", ""]
    assert found["role"] == ["identifier", "measurement", "measurement", "empty", "empty"]


def test_columns_asked_for_by_name_are_analyzed_whatever_their_role():
    assert el.fit(table(), 1, columns=["id", "length"]).feature_names == ("id", "length")


@pytest.mark.parametrize(
    ("name", "values", "first", "role"),
    [
        ("row", np.arange(1.0, 9), True, "identifier"),
        ("x", np.arange(8.0), True, "identifier"),
        ("x", np.arange(8.0), False, "measurement"),
        ("Row_Number", np.arange(1.0, 9), False, "identifier"),
        ("ID", np.array([7.0, 3, 9, 12]), False, "identifier"),
        ("year", np.array([2007.0, 2008, 2007, 2008]), False, "code"),
        ("year", np.arange(1950.0, 2000), False, "measurement"),
        ("pixel", np.array([0.0, 1, 0, 1, 1, 0]), False, "measurement"),
        ("a", np.full(5, 3.0), False, "constant"),
        ("a", np.full(5, np.nan), False, "empty"),
    ],
)
def test_numbers_are_judged_by_heading_and_values(name, values, first, role):
    assert judge_numbers(name, values, first).role == role


@pytest.mark.parametrize(
    ("values", "role"),
    [
        (["a", "b", "a", "b"], "group"),
        (["a", "b", "c", "d"], "identifier"),
        (["12:30", "13:15", "12:30"], "date"),
        ([None, "", None], "empty"),
        ([f"w{i % 30}" for i in range(50)], "text"),
    ],
)
def test_texts_are_judged_by_their_values(values, role):
    assert judge_texts("a", values).role == role


def test_the_estimator_refuses_text_as_scikit_learn_does():
    with pytest.raises(ValueError, match=r"numbers|convert"):
        el.PCA(1).fit(table())
