"""Labels do not lie on each other, nor outside, and their order says who comes first."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot
from matplotlib.figure import Figure
from matplotlib.text import Text

from eigenlens import plots
from eigenlens.plots.labels import Label, place_labels
from eigenlens.plots.reconstruction import spread
from tests.plots.gallery import decathlon, model


def boxes_of(texts):
    """Left, bottom, right, top in pixels of the words alone: leading lines are no words."""
    texts[0].get_figure(root=True).draw_without_rendering()  # until then they have no place
    return [Text.get_window_extent(text).extents for text in texts if text.get_text().strip()]


def overlaps(boxes):
    """Pairs of boxes that share more than a hair."""
    return [
        (one, two)
        for place, one in enumerate(boxes)
        for two in boxes[:place]
        if min(one[2], two[2]) - max(one[0], two[0]) > 0.01
        and min(one[3], two[3]) - max(one[1], two[1]) > 0.01
    ]


def test_an_overlap_is_seen():
    assert len(overlaps([(0, 0, 2, 2), (1, 1, 3, 3), (5, 5, 6, 6)])) == 1


@pytest.mark.parametrize("scaling", ["rows", "variables", "view"])
def test_no_two_labels_of_the_decathlon_biplot_overlap(scaling):
    ax = plots.biplot(model(), decathlon(), scaling=scaling)

    boxes = boxes_of(ax.texts)
    assert len(boxes) >= 45  # of 41 rows and 10 variables
    assert overlaps(boxes) == []


def test_every_variable_of_the_decathlon_biplot_is_named():
    ax = plots.biplot(model(), decathlon())

    assert set(model().feature_names) <= {text.get_text() for text in ax.texts}


def test_the_resolution_changes_nothing():
    ax = plots.biplot(model(), decathlon())

    ax.figure.set_dpi(200)

    assert overlaps(boxes_of(ax.texts)) == []


@settings(max_examples=8)
@given(st.integers(0, 1000), st.integers(1, 60))
def test_labels_of_any_points_stay_inside_and_apart(seed, count):
    points = np.random.default_rng(seed).standard_normal((count, 2))
    ax = Figure(figsize=(5, 4)).add_subplot()
    ax.scatter(*points.T)

    labels = [Label(f"row {i}", x, y, "black") for i, (x, y) in enumerate(points)]
    placed = place_labels(ax, labels, points)

    boxes = boxes_of(placed)
    frame = ax.get_window_extent()
    assert overlaps(boxes) == []
    assert len(placed) >= min(count, 10)
    assert all(frame.x0 <= box[0] and box[2] <= frame.x1 for box in boxes)
    assert all(frame.y0 <= box[1] and box[3] <= frame.y1 for box in boxes)


def test_a_crowd_keeps_its_first_labels_and_drops_the_last():
    figure = pyplot.figure(figsize=(2, 2))
    ax = figure.add_subplot()
    ax.set(xlim=(0, 1), ylim=(0, 1))

    labels = [Label(f"number {i}", 0.5, 0.5, "black") for i in range(200)]
    placed = place_labels(ax, labels, np.zeros((0, 2)))

    assert 0 < len(placed) < 200
    assert placed[0].get_text() == "number 0"


def test_words_that_are_there_already_are_kept_off():
    figure = pyplot.figure(figsize=(5, 4))
    ax = figure.add_subplot()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    there = ax.text(0.5, 0.55, "99% of all rows", ha="center", va="center", fontsize=16)

    (placed,) = place_labels(
        ax, [Label("here", 0.5, 0.5, "black")], np.zeros((0, 2)), words=[there]
    )

    assert overlaps(boxes_of([there, placed])) == []


@given(st.lists(st.floats(0, 100), min_size=1, max_size=12))
def test_names_at_the_ends_of_lines_are_a_line_apart(ends):
    places = spread(sorted(ends), 12.0)

    assert np.all(np.diff(places) >= 12.0 - 1e-9)


def test_names_at_the_ends_of_reconstruction_lines_do_not_overlap():
    ax = plots.reconstruction(model(), decathlon())

    assert len(boxes_of(ax.texts)) == 7
    assert overlaps(boxes_of(ax.texts)) == []
