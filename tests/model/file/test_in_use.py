"""A model that was loaded does all that the one that was saved does, with the same numbers."""

from dataclasses import fields

import matplotlib.pyplot as plt
import numpy as np
import pytest

import eigenlens as el
from tests.model.file.sameness import differences
from tests.plots.gallery import decathlon, model

ROWS = decathlon()
EVENTS = list(model().feature_names)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    return el.load(model().save(tmp_path_factory.mktemp("file") / "decathlon.eigenlens"))


@pytest.mark.parametrize(
    "use",
    [
        lambda one: one.project(ROWS[EVENTS]),
        lambda one: one.reconstruct(one.project(ROWS[EVENTS])),
        lambda one: one.residual(ROWS[EVENTS]),
        lambda one: one.log_likelihood(ROWS[EVENTS]),
        lambda one: one.noise_variance,
        lambda one: one.explained_ratio,
        lambda one: one.truncate(2),
        lambda one: one.truncate(2).certificate,
        lambda one: one.summary(),
        lambda one: one._repr_html_(),
        repr,
        lambda one: el.explain.eigenvalues(one),
        lambda one: el.explain.variables(one),
        lambda one: el.explain.rows(one, ROWS),
        lambda one: el.explain.outliers(one, ROWS),
        lambda one: el.explain.contributions(one, ROWS, ROWS.index[3]),
        lambda one: el.explain.describe_axes(one, ROWS),
        lambda one: el.explain.findings(one, ROWS),
        lambda one: str(el.choose_rank(one)),
    ],
)
def test_every_answer_is_the_same(use, loaded):
    assert differences(use(model()), use(loaded)) == []


@pytest.mark.parametrize("figure", ["scree", "circle", "contributions", "spectrum", "convergence"])
def test_every_picture_of_a_model_alone_has_the_same_numbers(figure, loaded):
    draw = getattr(el.plots, figure)

    numbers = [el.plots.data(draw(one)) for one in (model(), loaded)]

    plt.close("all")
    assert differences(*numbers) == []


@pytest.mark.parametrize("figure", ["scores", "biplot", "outliers", "reconstruction", "pairs"])
def test_every_picture_of_rows_has_the_same_numbers(figure, loaded):
    draw = getattr(el.plots, figure)

    numbers = [el.plots.data(draw(one, ROWS)) for one in (model(), loaded)]

    plt.close("all")
    assert differences(*numbers) == []


def test_it_merges(tmp_path):
    rows = np.random.default_rng(0).standard_normal((200, 5)) * [5, 4, 3, 2, 1]
    halves = [el.fit(part, 2, solver="covariance") for part in (rows[:90], rows[90:])]
    again = [el.load(one.save(tmp_path / "half.eigenlens")) for one in halves]

    assert differences(halves[0].merge(halves[1]), again[0].merge(again[1])) == []


def test_every_field_of_a_model_is_compared():
    assert len(fields(el.Subspace)) == 15
