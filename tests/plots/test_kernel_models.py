"""Figures that need no columns behind the components take kernel models; the others say so."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens import plots

RNG = np.random.default_rng(0)
ROWS = RNG.standard_normal((80, 3)) * [3, 2, 1]
COLUMNS_ONLY = {
    "circle": lambda model: plots.circle(model),
    "contributions": lambda model: plots.contributions(model),
    "biplot": lambda model: plots.biplot(model, ROWS),
    "outliers": lambda model: plots.outliers(model, ROWS),
    "reconstruction": lambda model: plots.reconstruction(model, ROWS),
}


@pytest.fixture(params=[None, 30], ids=["exact", "landmarks"])
def model(request):
    return el.KernelPCA(3, kernel="rbf", gamma="median", n_landmarks=request.param).fit(ROWS)


def test_scree_shows_the_eigenvalues_and_their_bounds(model):
    ax = plots.scree(model)

    numbers = plots.data(ax)
    np.testing.assert_allclose(numbers["eigenvalue"], model.model_.eigenvalues)
    low, high = model.certificate_.eigenvalue_bounds.T
    np.testing.assert_array_equal(numbers["low"], low)
    np.testing.assert_array_equal(numbers["high"], high)
    assert ax.get_xticklabels()[-1].get_text() == "rest"


@pytest.mark.parametrize("draw", [plots.scores, plots.pairs])
def test_rows_are_drawn_where_the_model_puts_them(model, draw):
    numbers = plots.data(draw(model, ROWS, components=(1, 3), color=ROWS[:, 0]))

    np.testing.assert_array_equal(numbers["PC3"], model.transform(ROWS)[:, 2])


def test_axes_name_their_share(model):
    ax = plots.scores(model, ROWS)

    share = model.model_.explained_ratio[0]
    assert ax.get_xlabel() == f"PC1 ({share:.1%})"


@pytest.mark.parametrize("name", COLUMNS_ONLY)
def test_figures_of_columns_say_what_to_ask_instead(model, name):
    with pytest.raises(el.OptionError, match=r"made of columns.*plots\.scree\(model\)"):
        COLUMNS_ONLY[name](model)
