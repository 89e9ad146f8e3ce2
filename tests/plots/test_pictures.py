"""Figures of pictures, of projections, and of eigenvalues on a logarithmic axis."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

import eigenlens as el
from eigenlens import plots

DIGITS = load_digits().images[:300]


@pytest.fixture(scope="module")
def model():
    return el.fit(DIGITS, 20)


def test_mean_and_components_are_pictures(model):
    ax = plots.images(model, k=5)

    assert len(ax.images) == 6
    assert [text.get_text() for text in ax.texts][:2] == [
        "mean",
        f"PC1 ({model.explained_ratio[0]:.1%})",
    ]
    assert ax.images[1].get_array().shape == (8, 8, 3)


def test_flat_rows_are_given_their_shape():
    flat = el.fit(DIGITS.reshape(300, 64), 2)

    assert len(plots.images(flat, shape=(8, 8)).images) == 3
    with pytest.raises(el.OptionError, match=r"shape=\(h, w\)"):
        plots.images(flat)


def test_colors_stay_colors():
    model = el.fit(np.random.default_rng(0).random((20, 4, 6, 3)), 2)

    assert plots.images(model).images[0].get_array().shape == (4, 6, 3)


def test_more_components_give_more_back(model):
    table = plots.data(plots.rebuilt(model, DIGITS, k=(1, 5, 20), rows=4))

    shares = table["share_given_back"][1:]
    assert sorted(shares) == shares
    assert shares[-1] > 0.8


def test_all_components_give_the_pictures_back():
    views = np.random.default_rng(0).standard_normal((30, 3, 3))

    table = plots.data(plots.rebuilt(el.fit(views, 9), views, k=9))

    assert table["share_given_back"][1] == pytest.approx(1)


def test_more_components_than_the_model_has_are_refused(model):
    with pytest.raises(el.RankError, match="21"):
        plots.rebuilt(model, DIGITS, k=21)


def test_errors_of_a_projection_stand_at_right_angles():
    rows = np.random.default_rng(0).standard_normal((40, 2)) @ [[2, 1], [0, 0.5]]
    model = el.fit(rows, 1)

    ax = plots.projection(model, rows)

    errors = np.array([np.diff(one, axis=0)[0] for one in ax.collections[0].get_segments()])
    assert np.abs(errors @ model.components[0]).max() < 1e-12
    assert plots.data(ax)["distance"] == pytest.approx(np.sqrt(model.residual(rows)))
    assert ax.get_legend_handles_labels()[1][-1] == "regression"


def test_the_regression_line_is_another_one():
    rows = np.random.default_rng(0).standard_normal((400, 2)) @ [[2, 1], [0, 0.8]]
    model = el.fit(rows, 1)

    ax = plots.projection(model, rows)

    x, y = ax.lines[-1].get_data()
    regression = (y[1] - y[0]) / (x[1] - x[0])
    component = model.components[0, 1] / model.components[0, 0]
    assert regression < component


def test_three_columns_are_drawn_with_their_plane():
    rows = np.random.default_rng(0).standard_normal((40, 3)) * [3, 2, 0.2]

    assert plots.projection(el.fit(rows, 2), rows).name == "3d"


def test_a_projection_of_many_columns_cannot_be_drawn(model):
    with pytest.raises(el.OptionError, match="2 or 3 columns"):
        plots.projection(model, DIGITS)


def test_a_logarithmic_scree_marks_gap_and_rank():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((200, 4)) @ rng.standard_normal((4, 12))

    ax = plots.scree(el.fit(rows, 12), log=True)

    names = [line.get_label() for line in ax.lines]
    assert "gap after 4" in names
    assert "rank 4" in names
    assert ax.get_yscale() == "log"


def test_a_logarithmic_scree_says_where_there_is_no_gap():
    rows = np.random.default_rng(0).standard_normal((300, 15)) * np.linspace(2, 1, 15)

    ax = plots.scree(el.fit(rows, 15), log=True)

    assert [text.get_text() for text in ax.texts] == ["no gap"]
