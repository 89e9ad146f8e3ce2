"""Intrinsic dimension: right on known sets, honest about its error, indifferent to units."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from eigenlens import DataError, OptionError
from eigenlens.questions import intrinsic_dimension
from tests.fit.words import answer, assert_says
from tests.geometry.shapes import lecture_curve, plane, roll


@pytest.mark.parametrize("kind", ["normal", "uniform"])
@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_a_plane_has_the_dimension_it_was_made_with(d, kind):
    report = intrinsic_dimension(plane(1000, d, 10, seed=d, kind=kind))

    assert abs(report.value - d) <= max(3 * report.error, 0.02 * d)


@pytest.mark.parametrize("d", [10, 20])
def test_many_dimensions_are_not_underestimated(d):
    report = intrinsic_dimension(plane(1000, d, 2 * d, seed=0))

    assert abs(report.value - d) <= 0.1 * d
    assert report.scales[3].raw < 0.9 * d  # what neighbors alone would say


def test_the_curve_of_the_lecture_has_dimension_one():
    assert intrinsic_dimension(lecture_curve(1000, 0)).value == pytest.approx(1, abs=0.05)


def test_noise_is_seen_at_small_distances_and_passed_over():
    report = intrinsic_dimension(roll(2000, 0, noise=0.3))

    assert report.scales[0].dimension > 2.3
    assert report.estimate == pytest.approx(2, abs=0.15)


def test_windings_seen_from_afar_are_no_dimension():
    t = np.random.default_rng(0).uniform(0, 10 * np.pi, 4000)

    report = intrinsic_dimension(np.column_stack([100 * np.cos(t), 100 * np.sin(t), t]))

    assert max(one.dimension for one in report.scales) > 1.5
    assert report.estimate == pytest.approx(1, abs=0.1)


def test_without_a_plateau_there_is_no_single_number():
    """A line in noise of ten dimensions: every scale sees another mixture of both."""
    rng = np.random.default_rng(0)
    rows = 0.003 * rng.standard_normal((1000, 10))
    rows[:, 0] += rng.uniform(size=1000)

    report = intrinsic_dimension(rows)

    assert report.value is None
    assert report.error is None
    assert report.estimate > 0
    assert "no plateau" in report.reason
    assert "no single number" in str(report)


@pytest.mark.parametrize("unit", [1e-200, 1e150])
def test_units_do_not_matter(unit):
    rows = plane(300, 2, 4, seed=1)

    one, two = intrinsic_dimension(rows), intrinsic_dimension(unit * rows)

    assert_allclose(two.value, one.value, rtol=1e-6)
    assert_allclose(two.scales[0].distance, unit * one.scales[0].distance, rtol=1e-6)


def test_neither_the_place_nor_the_turn_matters():
    rows = plane(300, 2, 4, seed=1)
    turn, _ = np.linalg.qr(np.random.default_rng(9).standard_normal((4, 4)))

    assert_allclose(
        intrinsic_dimension(rows @ turn + 1e3).value, intrinsic_dimension(rows).value, rtol=1e-6
    )


def test_repeated_rows_change_nothing():
    rows = plane(400, 3, 5, seed=2)
    repeated = np.concatenate([rows, rows[:100], rows[:1]])

    assert intrinsic_dimension(repeated).value == intrinsic_dimension(rows).value
    assert intrinsic_dimension(repeated).n_distinct == 400


def test_float32_rows_give_the_same_answer():
    rows = plane(500, 2, 6, seed=3).astype(np.float32)

    found = intrinsic_dimension(rows).value

    assert found == pytest.approx(intrinsic_dimension(rows.astype(float)).value, rel=1e-6)


def test_whole_numbers_on_a_grid_are_not_taken_for_a_cloud():
    rows = np.random.default_rng(0).integers(0, 40, (600, 2))

    report = intrinsic_dimension(np.unique(rows, axis=0))

    assert report.scales[0].tied
    assert 1 not in report.used


def test_rows_of_zeros_and_ones_have_no_single_number():
    rows = np.random.default_rng(0).integers(0, 2, (300, 30))

    report = intrinsic_dimension(rows)

    assert report.value is None
    assert "grid" in report.reason


def test_sparse_rows_and_files_give_the_answer_of_the_array(tmp_path):
    from scipy.sparse import csr_matrix

    rows = plane(300, 3, 6, seed=4)
    np.save(tmp_path / "rows.npy", rows)

    expected = intrinsic_dimension(rows).value

    assert intrinsic_dimension(tmp_path / "rows.npy").value == expected
    assert intrinsic_dimension(csr_matrix(rows)).value == pytest.approx(expected, rel=1e-6)


def test_some_columns_can_be_asked_about():
    rows = np.hstack([plane(300, 1, 3, seed=5), plane(300, 3, 3, seed=6)])

    assert intrinsic_dimension(rows, columns=[0, 1, 2]).value == pytest.approx(1, abs=0.1)


def test_few_anchors_see_the_same_with_a_larger_error():
    rows = plane(3000, 2, 3, seed=7)

    few, all_ = intrinsic_dimension(rows, anchors=200), intrinsic_dimension(rows)

    assert few.n_anchors == 200
    assert few.scales[0].sampling > 2 * all_.scales[0].sampling
    assert abs(few.value - 2) <= 3 * few.error


def test_the_same_seed_gives_the_same_bits():
    rows = plane(1500, 2, 3, seed=8)

    one, two = (intrinsic_dimension(rows, anchors=100, seed=3) for _ in range(2))

    assert one == two
    assert one.value != intrinsic_dimension(rows, anchors=100, seed=4).value


def test_errors_cover_the_truth_of_flat_sets():
    """A small form of the benchmark, which asks for the nominal rate within 5 points."""
    found = [
        (intrinsic_dimension(plane(500, d, 6, seed=100 * d + seed, kind=kind)), d)
        for d in (1, 3)
        for kind in ("normal", "uniform")
        for seed in range(4)
    ]

    within = [abs(one.value - d) <= 1.96 * one.error for one, d in found]

    assert np.mean(within) >= 0.85


def test_the_report_prints_as_a_table_with_sentences():
    report = intrinsic_dimension(plane(300, 2, 4, seed=1))

    text = str(report)

    assert_says(text, "intrinsic dimension", "rank", "distance", "likelihood", "distinct rows")
    assert len(report.table()) == len(report.scales)
    assert list(report.table()["used"]).count(True) == len(report.used)


def test_few_rows_say_so():
    assert "too few rows" in intrinsic_dimension(plane(12, 2, 3, seed=0)).reason


# -- bad input -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (plane(9, 2, 3, seed=0), ["9 rows that differ", "at least 10 rows"]),
        (np.ones((50, 3)), ["all 50 rows are equal", "rows that differ"]),
        (
            np.repeat(plane(20, 2, 3, seed=0), 3, axis=0),
            ["40 of the 60 rows", "20 distinct", "np.unique(data, axis=0)"],
        ),
        (np.arange(30.0)[:, None], ["one column", "2 columns or more"]),
    ],
)
def test_rows_without_a_dimension_are_refused_with_the_way_out(rows, words):
    assert_says(answer(DataError, intrinsic_dimension, rows), *words)


def test_a_stream_that_is_gone_is_refused():
    blocks = iter([plane(30, 2, 3, seed=0)])

    assert_says(answer(DataError, intrinsic_dimension, blocks), "read once", "callable")


@pytest.mark.parametrize("anchors", [3, "many", 2.5])
def test_anchors_are_some_whole_number(anchors):
    message = answer(OptionError, intrinsic_dimension, plane(30, 2, 3, seed=0), anchors=anchors)

    assert_says(message, f"anchors={anchors!r}", "from 10 up")


def test_more_dimensions_than_so_few_rows_span_are_called_many():
    few = intrinsic_dimension(np.random.default_rng(0).standard_normal((30, 500)))

    assert few.estimate > 29
    assert "30 rows span at most 29, so read it as many" in few.reason
