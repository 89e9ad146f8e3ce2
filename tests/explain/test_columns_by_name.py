"""Every explanation and every figure of rows takes a frame with more than the model's columns."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens import explain, plots
from eigenlens.errors import UnsupportedData
from tests.explain.classics import DECATHLON, EVENTS

ACTIVE = DECATHLON.frame(10)
WHOLE = DECATHLON.frame().assign(Competition=DECATHLON.groups)[
    ["Competition", *reversed(EVENTS), "Rank", "Points"]
]
MODEL = el.fit(ACTIVE, 3, scale="std")

FUNCTIONS = {
    "rows": lambda data: explain.rows(MODEL, data),
    "outliers": lambda data: explain.outliers(MODEL, data),
    "outliers of new rows": lambda data: explain.outliers(MODEL, data, new=True, reference=data),
    "contributions": lambda data: explain.contributions(MODEL, data, "Casarsa"),
    "supplementary_rows": lambda data: explain.supplementary_rows(MODEL, data),
    "supplementary_columns": lambda data: explain.supplementary_columns(
        MODEL, data, {"Points": DECATHLON["Points"]}
    ),
    "describe_axes": lambda data: explain.describe_axes(MODEL, data),
    "bootstrap": lambda data: explain.bootstrap(MODEL, data, draws=50),
    "reconstruction": lambda data: explain.reconstruction(MODEL, data),
    "findings": lambda data: explain.findings(MODEL, data),
    "plots.scores": lambda data: plots.data(plots.scores(MODEL, data)),
    "plots.biplot": lambda data: plots.data(plots.biplot(MODEL, data)),
    "plots.contributions": lambda data: plots.data(plots.contributions(MODEL, data, "Casarsa")),
    "plots.outliers": lambda data: plots.data(plots.outliers(MODEL, data)),
    "plots.reconstruction": lambda data: plots.data(plots.reconstruction(MODEL, data)),
    "plots.pairs": lambda data: plots.data(plots.pairs(MODEL, data)),
}
each = pytest.mark.parametrize("name", FUNCTIONS)


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


@each
def test_columns_are_found_by_name_whatever_stands_beside_them(name):
    assert FUNCTIONS[name](WHOLE).to_csv() == FUNCTIONS[name](ACTIVE).to_csv()


@each
def test_a_column_that_is_missing_is_named_with_the_nearest(name):
    without = WHOLE.rename(columns={"Discus": "Discuss"})

    with pytest.raises(UnsupportedData, match=r"no column 'Discus'.*Did you mean 'Discuss'"):
        FUNCTIONS[name](without)


def test_rotated_scores_are_of_the_same_columns():
    turned = explain.rotate(MODEL)

    np.testing.assert_array_equal(turned.project(WHOLE), turned.project(ACTIVE))
