"""How often solvers read the data, and what they hand over at the edges of what was asked."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.solvers import Lanczos, Randomized
from eigenlens.solvers.step import Ask
from eigenlens.sources.open import open_source
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare
from eigenlens.table.sides import FeatureSide
from tests.problems import make_table


def side_of(rows):
    source = open_source(rows)
    return FeatureSide(build_table(source, prepare(source, True, None, None)))


def steps_of(solver, side, rank):
    steps = solver.steps(side, Ask(rank, 1e-12), np.random.default_rng(0))
    yield next(steps)
    while True:
        try:
            yield steps.send(Ask(rank, 1e-12))
        except StopIteration:
            return


@pytest.mark.parametrize(
    ("power_passes", "max_passes", "rounds"),
    [(4, 2, [2]), (4, 4, [4]), (4, 6, [4, 6]), (1, 3, [1, 2, 3])],
)
def test_randomized_builds_with_no_more_passes_than_allowed(power_passes, max_passes, rounds):
    side = side_of(make_table(80, 30, 1, decay="slow"))
    solver = Randomized(power_passes=power_passes, max_passes=max_passes)
    before = side.passes

    steps = list(steps_of(solver, side, 3))

    assert [step.passes for step in steps] == rounds
    assert side.passes - before == max_passes + len(rounds)  # each round is read out once


@pytest.mark.parametrize("k", [11, 12])
def test_lanczos_without_room_for_another_vector_is_proven_by_the_matrix(k):
    rows = make_table(60, 12, 2, decay="slow")

    model = el.fit(rows, k, solver=Lanczos(), tolerance=1e-8)

    assert model.certificate.kind == "deterministic"
    assert model.certificate.relative_error <= 1e-8


def test_lanczos_hands_the_matrix_over_where_it_forms_it():
    side = side_of(make_table(60, 12, 2, decay="slow"))

    (step,) = steps_of(Lanczos(), side, 11)

    assert step.passes == 1
    np.testing.assert_array_equal(step.matrix, side.matrix())


def test_lanczos_asked_for_more_than_arpack_can_give_turns_to_the_matrix():
    side = side_of(make_table(60, 12, 2, decay="slow"))
    steps = Lanczos().steps(side, Ask(3, 1e-6), np.random.default_rng(0))

    first = next(steps)
    last = steps.send(Ask(11, 1e-6))

    assert first.matrix is None
    assert last.passes == first.passes + 1
    assert last.matrix is not None
    assert last.values.size == 12
