"""Drawn problems and the market: they are what their names say, and come out the same again."""

import inspect
import warnings

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given

from tests import market
from tests.problems import DECAYS, ORDERS, make_table, spectrum
from tests.reference import dense, exact_spectrum
from tests.strategies import KINDS, draw_problems, make_problem, nth_problem, problems, tables


def numbers(problem):
    """Everything a problem is made of, as comparable arrays."""
    scale = [] if problem.scale is None or isinstance(problem.scale, str) else problem.scale
    weights = [] if problem.weights is None else problem.weights
    return [dense(problem.rows), np.asarray(weights), np.asarray(scale)]


def same(one, two):
    """The same problem, to the last bit."""
    return all(np.array_equal(a, b) for a, b in zip(numbers(one), numbers(two), strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_a_recipe_makes_the_same_problem_again(kind):
    problem = make_problem(kind, 12, 7, 3, scale="given")

    again = eval(repr(problem), {"make_problem": make_problem})

    assert same(again, problem)
    assert not same(make_problem(kind, 12, 7, 4, scale="given"), problem)


def test_unknown_kinds_are_refused_by_name():
    with pytest.raises(ValueError, match=r"'round' is not one of tall, wide"):
        make_problem("round", 5, 5, 0)


@pytest.mark.parametrize("decay", DECAYS[:3])
@pytest.mark.parametrize("ties", [1, 3])
def test_tables_have_the_spectrum_asked_for(decay, ties):
    table = make_table(30, 9, 5, decay=decay, ties=ties, offset=3.0)

    found = np.linalg.eigvalsh(np.cov(table, rowvar=False))[::-1]

    assert found == pytest.approx(spectrum(decay, 9, ties), rel=1e-10)


def test_kinds_are_what_they_are_called():
    made = {kind: make_problem(kind, 12, 18, 0) for kind in KINDS}
    shapes = {kind: made[kind].rows.shape for kind in ("tall", "wide", "square")}

    assert shapes == {"tall": (18, 12), "wide": (12, 18), "square": (12, 12)}
    assert made["float32"].rows.dtype == np.float32
    assert made["integers"].rows.dtype.kind in "iub"
    assert scipy.sparse.issparse(made["sparse"].rows)
    assert made["weighted"].weights is not None
    assert np.abs(made["offset"].rows.mean(axis=0)).min() > 1e5


@pytest.mark.parametrize("seed", range(6))
def test_rank_deficient_problems_have_a_third_of_the_rank(seed):
    eigenvalues = exact_spectrum(make_problem("rank_deficient", 20, 16, seed)).eigenvalues

    assert np.sum(eigenvalues > 1e-25 * eigenvalues[0]) == 5


@pytest.mark.parametrize("order", ORDERS)
def test_memory_order_changes_no_number(order):
    plain = make_problem("tall", 9, 5, 1)
    moved = make_problem("tall", 9, 5, 1, order=order)

    assert same(moved, plain)
    assert (order == "C") == (moved.rows.flags.c_contiguous and moved.rows.flags.writeable)


def test_the_mix_is_reproducible_and_a_longer_run_begins_with_a_shorter_one():
    few = list(draw_problems(15, seed=2))
    many = list(draw_problems(30, seed=2))

    assert all(same(a, b) for a, b in zip(few, many, strict=False))
    assert same(few[9], nth_problem(9, seed=2))
    assert repr(few) != repr(list(draw_problems(15, seed=3)))


def test_the_mix_holds_every_kind_and_combination():
    drawn = list(draw_problems(300))

    assert {problem.story.split()[0] for problem in drawn} == set(KINDS)
    assert {problem.rows.shape for problem in drawn} >= {(200, 30), (30, 200), (300, 120)}
    assert {bool(problem.center) for problem in drawn} == {True, False}
    assert {type(problem.scale) for problem in drawn} == {type(None), str, np.ndarray}
    sparse = [problem for problem in drawn if scipy.sparse.issparse(problem.rows)]
    assert any(problem.weights is not None for problem in sparse)
    assert any(problem.rows.dtype == np.float32 for problem in sparse)


def test_every_drawn_problem_can_be_fitted():
    for problem in draw_problems(150, seed=1):
        total = exact_spectrum(problem).total if problem.rows.shape[0] < 100 else 1.0

        assert np.isfinite(total), problem
        assert total > 0, problem
        assert problem.max_rank >= 1, problem


@given(tables())
def test_tables_are_finite_vary_and_have_two_rows(table):
    assert table.ndim == 2
    assert table.shape[0] >= 2
    assert np.isfinite(table).all()
    assert np.ptp(table.astype(float), axis=0).max() > 0


@given(problems(max_rows=12, max_columns=8))
def test_problems_have_variance_and_a_short_name(problem):
    assert exact_spectrum(problem).total > 0
    assert len(repr(problem)) < 300


@pytest.mark.parametrize("name", market.MARKET)
def test_market_tables_have_a_story_and_repeat(name):
    build = market.MARKET[name]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        once, twice = build(), build()

    assert same(once, twice) or name == "one_nan"
    assert once.story == " ".join(inspect.getdoc(build).split())
    assert repr(once) == f"market.{name}()"


def test_market_has_the_tables_everyone_is_promised():
    promised = (
        "far_from_origin twins one_row constant_column wide rank_two_in_a_thousand slow_decay "
        "all_zero huge_and_tiny integers one_outlier sparse_with_large_means"
    )

    assert set(promised.split()) <= set(market.MARKET)
    assert set(market.REFUSED) | set(market.FITTING) == set(market.MARKET)


def test_far_from_origin_comes_in_other_sizes():
    problem = market.far_from_origin(300, "float64", 1e7)

    assert problem.rows.shape == (300, 10)
    assert problem.rows.dtype == np.float64
    assert repr(problem) == "market.far_from_origin(300, 'float64', 10000000.0)"
    assert np.abs(problem.rows.mean(axis=0) - 1e7).max() < 10


def test_the_false_gap_is_false():
    problem = market.false_gap()
    exact = exact_spectrum(problem)

    sine = np.linalg.norm(exact.eigenvectors[1:, 0])

    assert exact.eigenvalues[0] > 15
    assert sine == pytest.approx(1.58e-4, rel=0.01)
