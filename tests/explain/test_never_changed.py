"""Whatever is asked of a model, the bytes it is saved as are the same before and after."""

from functools import partial

import numpy as np
import pytest

import eigenlens as el
from eigenlens import explain, plots
from tests.explain.classics import DECATHLON, EVENTS
from tests.explain.models import fingerprint, small

FRAME = DECATHLON.frame().assign(Competition=DECATHLON.groups)
ROWS = FRAME[list(EVENTS)]
OUTSIDE = ["Points", "Competition"]


MIXED = FRAME[[*EVENTS, "Competition"]]
ABOUT_NO_MODEL = ("downstream",)

# What is asked of models of another kind than the others.
OTHER_MODELS = {
    "eigenlens.explain.categories": lambda: el.fit(MIXED, 3, categories="auto"),
    "eigenlens.explain.sampling_intervals": lambda: el.fit(ROWS, 3, scale="std"),
    "eigenlens.plots.categories": lambda: el.fit(MIXED, 3, categories="auto"),
    "eigenlens.plots.projection": lambda: el.fit(ROWS.iloc[:, :2], 1),
}


@pytest.fixture
def model(request):
    other = OTHER_MODELS.get(request.getfixturevalue("name"))
    # So that all can be asked.
    return el.fit(ROWS, 3, scale="std", robust="cells") if other is None else other()


# Public functions that are asked otherwise than by (model, data).
EXPLAIN = {
    "categories": lambda model: explain.categories(model, MIXED),
    "bootstrap": lambda model: explain.bootstrap(model, FRAME, draws=50),
    "compare": lambda model: explain.compare(model, model.truncate(2)),
    "contributions": lambda model: explain.contributions(model, FRAME, "Casarsa"),
    "describe_axes": lambda model: explain.describe_axes(model, FRAME, OUTSIDE),
    "eigenvalues": lambda model: explain.eigenvalues(model, convention="factominer"),
    "findings": lambda model: explain.findings(model, FRAME, groups=OUTSIDE),
    "rotate": lambda model: explain.rotate(model, "oblimin").project(FRAME),
    "supplementary_columns": lambda model: explain.supplementary_columns(model, FRAME, OUTSIDE),
    "variables": lambda model: explain.variables(model),
}
PLOTS = {
    "categories": lambda model: plots.categories(model, MIXED),
    "images": lambda model: plots.images(model, shape=(2, 5)),
    "projection": lambda model: plots.projection(model, ROWS.iloc[:, :2]),
    "rebuilt": lambda model: plots.rebuilt(model, ROWS, shape=(2, 5), k=(1, 2)),
    "biplot": lambda model: plots.biplot(model, FRAME, color="Competition"),
    "circle": lambda model: plots.circle(model, color="cos2"),
    "contributions": lambda model: plots.contributions(model, FRAME, "Casarsa"),
    "convergence": lambda model: plots.convergence(model),
    "data": lambda model: plots.data(plots.scores(model, FRAME, color="Q")),
    "scree": lambda model: plots.scree(model),
    "spectrum": lambda model: plots.spectrum(model),
}
METHODS = {
    "project": lambda model: model.project(FRAME),
    "project new rows": lambda model: model.project(2 * FRAME[list(EVENTS)]),
    "reconstruct": lambda model: model.reconstruct(np.ones((2, 3))),
    "residual": lambda model: model.residual(FRAME),
    "log_likelihood": lambda model: model.log_likelihood(FRAME),
    "truncate": lambda model: model.truncate(1),
    "summary": lambda model: (model.summary(), str(model), model._repr_html_()),
}


def asked_of(room, special):
    """Every public name of a room, as a question to a model."""
    names = [name for name in room.__all__ if name not in ABOUT_NO_MODEL]
    plain = {name: partial(on_frame, getattr(room, name)) for name in names}
    return {f"{room.__name__}.{name}": special.get(name, plain[name]) for name in names}


def on_frame(function, model):
    return function(model, FRAME)


ASKED = {**asked_of(explain, EXPLAIN), **asked_of(plots, PLOTS), **METHODS}


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


@pytest.mark.parametrize("name", ASKED)
def test_nothing_changes_the_saved_bytes(name, model):
    before = fingerprint(model)

    ASKED[name](model)

    assert fingerprint(model) == before


def test_transforming_with_an_estimator_changes_nothing():
    pca = el.PCA(3).fit(ROWS)
    before = fingerprint(pca.model_)

    pca.transform(ROWS[:7] + 1)
    pca.inverse_transform(np.ones((2, 3)))
    pca.score(ROWS)

    assert fingerprint(pca.model_) == before


def test_a_changed_number_is_seen():
    assert fingerprint(small(2)[0]) != fingerprint(small(2, scale="std")[0])
