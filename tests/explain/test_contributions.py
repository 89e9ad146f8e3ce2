"""Contributions: parts that sum to T2 and Q, the culprit first, and rows that do not exist."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.explain.contributions import contributions
from eigenlens.explain.outliers import outliers
from tests.explain.classics import DECATHLON
from tests.explain.models import explained, fingerprint, small
from tests.explain.test_outliers import CULPRIT, FAR_OUT, PLANTED, planted_rows


@given(explained(), st.data())
def test_parts_are_never_negative_and_sum_to_t2_and_q(drawn, data):
    model, rows, _ = drawn
    row = data.draw(st.integers(0, len(rows) - 1))
    whole = outliers(model, rows)
    size = np.square(rows / (1 if model.scale is None else model.scale)).sum()

    table = contributions(model, rows, row)

    assert min(*table["T2_contribution"], *table["Q_contribution"]) >= 0
    assert sum(table["T2_contribution"]) == pytest.approx(whole["T2"][row], rel=1e-7, abs=1e-9)
    assert sum(table["Q_contribution"]) == pytest.approx(
        whole["Q"][row], rel=1e-7, abs=1e-12 * size
    )


def test_the_variable_that_was_moved_is_named_first():
    rows = planted_rows()

    table = contributions(el.fit(rows, 2), rows, PLANTED)

    assert list(table.columns) == ["variable", "T2_contribution", "Q_contribution"]
    assert table["variable"][0] == f"x{CULPRIT}"


def test_a_far_out_row_names_first_what_would_bring_it_back_most():
    rows = planted_rows()
    model = el.fit(rows, 2)
    ready = rows[FAR_OUT] - model.mean
    inverse = (model.components.T / model.eigenvalues) @ model.components

    def best(column):
        step = (inverse @ ready)[column] / inverse[column, column]
        moved = ready - step * np.eye(10)[column]
        return moved @ inverse @ moved

    names = contributions(model, rows, FAR_OUT)["variable"]

    assert list(names) == [f"x{column}" for column in np.argsort([best(j) for j in range(10)])]


@given(st.integers(0, 1000), st.integers(0, 7))
def test_one_wrong_variable_is_named_first_however_it_spreads(seed, column):
    rng = np.random.default_rng(seed)
    flat = rng.standard_normal((30, 3)) @ rng.standard_normal((3, 8))
    wrong = flat[:1] + 5 * np.eye(8)[column]

    names = contributions(el.fit(flat, 3), wrong, 0)["variable"]

    assert names[0] == f"x{column}"


def test_rows_are_found_by_their_label():
    frame = DECATHLON.frame(10)
    model = el.fit(frame, 2, scale="std")

    by_label = contributions(model, frame, frame.index[3])
    by_place = contributions(model, frame.to_numpy(), 3)

    assert by_label["variable"] == by_place["variable"]
    assert by_label["Q_contribution"] == by_place["Q_contribution"]


def test_a_label_that_does_not_exist_names_the_nearest():
    frame = DECATHLON.frame(10)
    model = el.fit(frame, 2, scale="std")

    with pytest.raises(el.OptionError, match=r"row='MARTINEA' is not known.*mean 'MARTINEAU'"):
        contributions(model, frame, "MARTINEA")


@pytest.mark.parametrize("row", [8, -1, "first", 1.5])
def test_a_position_that_does_not_exist_names_those_that_do(row):
    model, rows = small()

    with pytest.raises(el.OptionError, match=f"row={row!r} needs a row of the data, 0 to 7"):
        contributions(model, rows, row)


def test_a_label_of_two_rows_is_refused():
    model, rows = small()

    with pytest.raises(el.OptionError, match=r"row='a'.*2 rows have this one"):
        contributions(model, rows, "a", labels=list("aabcdefg"))


def test_the_convention_of_factominer_sums_to_its_own_t2():
    frame = DECATHLON.frame(10)
    model = el.fit(frame, 2, scale="std")

    parts = contributions(model, frame, frame.index[0], convention="factominer")

    whole = outliers(model, frame, convention="factominer")
    assert sum(parts["T2_contribution"]) == pytest.approx(whole["T2"][0])
    assert sum(parts["Q_contribution"]) == pytest.approx(whole["Q"][0])


def test_the_model_is_never_changed():
    model, rows = small()
    before = fingerprint(model)

    contributions(model, rows, 0)

    assert fingerprint(model) == before


@pytest.mark.parametrize("seed", range(5))
def test_of_one_component_the_largest_part_comes_first(seed):
    # Each variable, corrected alone, could take all of T2 away: only rounding tells them apart.
    rng = np.random.default_rng(seed)
    rows = np.outer(rng.standard_normal(50), [5, 4, 3, 2, 1]) + 0.01 * rng.standard_normal((50, 5))
    rows[7] = [50, 40, 30, 20, 10]

    table = el.explain.contributions(el.fit(rows, 1), rows, 7)

    assert table["T2_contribution"] == sorted(table["T2_contribution"], reverse=True)
