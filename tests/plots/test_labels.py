"""Labels do not lie on each other, nor outside, and their order says who comes first."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot
from matplotlib.figure import Figure
from matplotlib.text import Text

import eigenlens
from eigenlens import plots
from eigenlens.plots.labels import Label, count_unplaced, crosses_lines, place_labels
from eigenlens.plots.reconstruction import spread_positions
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
    placed = [one for one in place_labels(ax, labels, points) if one is not None]

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

    written = [one is not None for one in placed]
    assert written == sorted(written, reverse=True)
    assert 0 < sum(written) < 200
    assert count_unplaced(placed, "rows").endswith(" of 200 rows")


def test_a_label_is_not_written_over_a_crowd():
    ax = Figure(figsize=(4, 4)).add_subplot()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    crowd = np.random.default_rng(0).random((3000, 2))

    placed = place_labels(ax, [Label("lost among others", 0.5, 0.5, "black")], crowd)

    assert placed == [None]


def test_labels_stay_within_reach():
    ax = Figure(figsize=(4, 4)).add_subplot()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    crowd = 0.5 + np.random.default_rng(0).uniform(-0.2, 0.2, (2000, 2))  # some 60 pixels around
    label = [Label("far", 0.5, 0.5, "black")]

    assert place_labels(ax, label, crowd, reach=20.0) == [None]
    assert place_labels(ax, label, crowd) != [None]


def test_a_line_across_is_seen():
    wall = [np.array([[1.0, -1.0], [1.0, 1.0]])]
    starts, ends = np.zeros((3, 2)), np.array([[2.0, 0.0], [0.5, 0.0], [2.0, 3.0]])

    assert crosses_lines(starts, ends, wall).tolist() == [True, False, False]


@pytest.mark.parametrize("figure", ["circle", "biplot"])
def test_arrows_too_short_to_read_have_no_name_and_are_counted(figure):
    rows = np.random.default_rng(0).standard_normal((2000, 6)) * [5, 4, 1, 1, 1, 1]
    model = eigenlens.fit(rows, 2)

    ax = getattr(plots, figure)(model, *((rows,) if figure == "biplot" else ()))

    assert {text.get_text() for text in ax.texts} == {"x0", "x1", ""}
    assert "4 of 6 arrows are too short or too crowded to name" in ax.get_title("right")
    assert plots.data(ax).notes == (
        "In the figure: 4 of 6 arrows are too short or too crowded to name.",
    )
    assert len([text for text in ax.texts if text.get_text() == "" and text.arrow_patch]) == 6


def test_rows_without_room_for_their_label_are_counted():
    rows = np.random.default_rng(0).standard_normal((400, 4))

    ax = plots.scores(eigenlens.fit(rows, 2), rows, annotate=True)

    written = len([text for text in ax.texts if text.get_text()])
    assert plots.data(ax).notes == (
        f"In the figure: {400 - written} of 400 labels of rows found no room.",
    )


def test_the_words_at_limits_stay_inside_the_axes_and_off_the_line_above():
    rows = np.random.default_rng(0).standard_normal((300, 6)) * [5, 3, 1, 1, 1, 1]

    ax = plots.outliers(eigenlens.fit(rows, 2), rows, levels=(0.9, 0.95, 0.99))

    words = [text for text in ax.texts if text.get_text().endswith("%")]
    frame = ax.get_window_extent()
    assert len(words) == 6
    assert all(box[3] <= frame.y1 - 4 and box[2] <= frame.x1 for box in boxes_of(words))


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
    places = spread_positions(sorted(ends), 12.0)

    assert np.all(np.diff(places) >= 12.0 - 1e-9)


def test_names_at_the_ends_of_reconstruction_lines_do_not_overlap():
    ax = plots.reconstruction(model(), decathlon())

    assert len(boxes_of(ax.texts)) == 7
    assert overlaps(boxes_of(ax.texts)) == []
