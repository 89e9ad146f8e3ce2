"""Flatness: the verdict on sets of known shape, its evidence and its sentence."""

import numpy as np
import pytest

from eigenlens import DataError
from eigenlens.geometry.surrogate import make_surrogates
from eigenlens.questions import flatness
from tests.fit.words import answer, assert_says
from tests.geometry.shapes import lecture_curve, plane, roll

N = 600

FLAT = {
    "uniform plane": plane(N, 2, 3, 0, "uniform"),
    "normal plane": plane(N, 3, 8, 1),
    "20 dimensions": plane(N, 20, 20, 2),
    "plane in noise": plane(N, 2, 50, 3) + 0.1 * np.random.default_rng(3).standard_normal((N, 50)),
}
CURVED = {
    "curve of the lecture": lecture_curve(N, 0),
    "roll": roll(N, 1),
    "noisy roll": roll(N, 2, noise=0.3),
    "roll in 50 dimensions": roll(N, 3, noise=0.1, columns=50),
}


@pytest.mark.parametrize("name", FLAT)
def test_flat_sets_are_flat(name):
    verdict = flatness(FLAT[name])

    assert verdict.value == "flat"
    assert_says(verdict.reason, "a flat subspace suits", "rank", "intrinsic dimension")


def test_rows_that_fill_as_many_dimensions_as_they_span_are_a_piece_of_it():
    """An r-dimensional set inside an r-dimensional plane: equality suffices."""
    equal = flatness(FLAT["uniform plane"]).reason
    noisy = flatness(FLAT["plane in noise"]).reason

    assert_says(equal, "rank 2 = intrinsic dimension", "flat piece of that span")
    assert_says(noisy, "rank 50 >", "decides nothing here")


@pytest.mark.parametrize(
    "law",
    [
        lambda rng: rng.dirichlet(np.ones(3), 500),
        lambda rng: rng.dirichlet(np.ones(7), 400),
        lambda rng: rng.dirichlet(np.full(5, 0.5), 600),
        lambda rng: rng.exponential(size=(400, 6)),
        lambda rng: rng.lognormal(size=(400, 3)),
    ],
    ids=["triangle", "simplex", "crowded simplex", "exponential", "lognormal"],
)
def test_flat_rows_of_any_shape_are_not_called_curved(law):
    """Points of a simplex are no mixture of independent numbers, and as flat as any."""
    verdicts = [flatness(law(np.random.default_rng([11, seed]))).value for seed in range(4)]

    assert "curved" not in verdicts


@pytest.mark.parametrize("name", CURVED)
def test_curved_sets_are_curved(name):
    verdict = flatness(CURVED[name])

    assert verdict.value == "curved"
    assert_says(verdict.reason, "KernelPCA", "autoencoder", "do not fill their span")


def test_the_evidence_of_the_lecture_is_rank_two_and_dimension_one():
    evidence = flatness(lecture_curve(N, 4)).evidence

    assert evidence["rank"] == 2
    assert evidence["dimension"] == pytest.approx(1, abs=0.05)
    assert evidence["ratio"] < 0.7
    assert evidence["smallest_scale_ratio"] < 0.7
    assert 0 < evidence["noise_floor"] < 1e-20


def test_float32_rows_are_ranked_above_their_own_rounding():
    rows = lecture_curve(N, 5).astype(np.float32)

    assert flatness(rows).evidence["rank"] == 2


def test_groups_are_told_apart_from_curvature():
    rng = np.random.default_rng(6)
    rows = rng.standard_normal((N, 4)) + 30 * rng.integers(0, 3, (N, 1))

    verdict = flatness(rows)

    assert verdict.value == "flat"
    assert verdict.evidence["ratio"] > 1


def test_a_surrogate_keeps_the_variances():
    rows = plane(2000, 3, 3, 7, "uniform") * [3, 2, 1]
    scores = rows - rows.mean(axis=0)

    drawn = make_surrogates(scores).draw(np.random.default_rng(0))

    assert np.linalg.norm(np.cov(drawn.T) - np.cov(scores.T)) < 0.1 * np.linalg.norm(
        np.cov(scores.T)
    )


def test_a_turned_square_is_found_again_and_stays_a_square():
    """Permuting the coordinates of a square on its tip would fill its bounding diamond."""
    square = np.random.default_rng(8).uniform(-1, 1, (4000, 2)) @ [[0.8, 0.6], [-0.6, 0.8]]

    drawn = make_surrogates(square).draw(np.random.default_rng(0))

    inside = np.abs(drawn @ np.array([[0.8, 0.6], [-0.6, 0.8]]).T).max(axis=1)
    assert np.mean(inside > 1.1) < 0.01


def test_the_same_seed_gives_the_same_verdict():
    rows = roll(300, 9, noise=0.5)

    assert flatness(rows, seed=1).evidence == flatness(rows, seed=1).evidence


@pytest.mark.parametrize("d", [300, 1000])
def test_noise_wider_than_long_is_flat(d):
    verdict = flatness(np.random.default_rng(d).standard_normal((200, d)))

    assert verdict.value == "flat"
    assert verdict.evidence["rank"] == 199
    assert verdict.evidence["components_compared"] == 20


@pytest.mark.parametrize("n", [10, 30])
def test_few_rows_are_no_error(n):
    assert flatness(plane(n, 2, 3, seed=0)).value in ("flat", "mild", "curved")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (plane(9, 2, 3, seed=0), ["9 rows that differ", "at least 10 rows"]),
        (np.ones((50, 3)), ["all 50 rows are equal", "rows that differ"]),
        (np.repeat(plane(20, 2, 3, seed=0), 3, axis=0), ["40 of the 60 rows", "np.unique"]),
        (np.arange(30.0)[:, None], ["one column", "2 columns or more"]),
    ],
)
def test_rows_without_a_shape_are_refused_with_the_way_out(rows, words):
    assert_says(answer(DataError, flatness, rows), *words)


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_numbers_whose_squares_have_no_room_are_no_error(size):
    rows = size * np.random.default_rng(0).uniform(-1, 1, (100, 4))

    verdict = flatness(rows)

    assert verdict.value == flatness(rows / size).value
    assert verdict.evidence["noise_floor"] is None or np.isfinite(verdict.evidence["noise_floor"])


def test_a_dimension_along_some_components_is_not_given_for_that_of_all():
    rows = np.random.default_rng(0).standard_normal((200, 500))

    reason = flatness(rows).reason

    assert "along the 20 leading components that were compared" in reason
