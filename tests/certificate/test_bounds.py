"""The pieces of the argument, one theorem each."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from eigenlens.algebra.orthonormal import orthonormal_basis
from eigenlens.algebra.ritz import ritz_of_image
from eigenlens.certificate.certify import component_sines, find_clusters, subspace_sine
from eigenlens.certificate.leftover import bounds_by_sharing, is_below, trace_leftover
from eigenlens.certificate.probes import COUNT, probe_leftover
from eigenlens.certificate.resting_pairs import COUPLED, resting_pairs
from eigenlens.certificate.upper_bounds import bounds_by_trace, find_upper_bounds
from eigenlens.table.roundings import Roundings
from eigenlens.table.sides import MatrixSide

EPS = np.finfo(np.float64).eps


class Plain:
    """A matrix as a side of its own, in float64."""

    def __init__(self, matrix):
        self.at_hand = matrix
        self.size, self.passes, self.roundings = len(matrix), 0, Roundings(EPS)
        self.trace, self.diagonal = float(np.trace(matrix)), np.diag(matrix)
        self.triangle_diagonal, self.digest = self.diagonal, bytes(32)

    def apply(self, vectors):
        self.passes += 1
        return self.at_hand @ vectors


def matrix_with(values, seed):
    rng = np.random.default_rng(seed)
    basis = orthonormal_basis(rng.standard_normal((len(values), len(values))))
    return (basis * values) @ basis.T


def subspace_near(matrix, rank, seed, steps=1):
    rng = np.random.default_rng(seed)
    basis = orthonormal_basis(rng.standard_normal((len(matrix), rank)))
    for _ in range(steps):
        basis = orthonormal_basis(matrix @ basis)
    return ritz_of_image(basis, matrix @ basis)


def leftover(matrix, ritz):
    outside = np.eye(len(matrix)) - ritz.span @ ritz.span.T
    return float(np.linalg.eigvalsh(outside @ matrix @ outside)[-1])


spectra = st.sampled_from(
    [
        1 / np.arange(1, 41.0),
        1 / np.sqrt(np.arange(1, 41.0)),
        0.7 ** np.arange(40.0),
        np.ones(40),
        np.repeat([3.0, 2.0, 1.0, 0.5], 10),
    ]
)
seeds = st.integers(0, 10_000)


def never(ceilings, leftover):
    return False


@given(spectra, seeds, st.integers(1, 12), st.integers(0, 3))
def test_ceilings_are_above_every_eigenvalue(values, seed, rank, steps):
    matrix = matrix_with(values, seed)
    ritz = subspace_near(matrix, rank, seed + 1, steps)

    found = find_upper_bounds(
        Plain(matrix), ritz, rank + 1, None, True, never, np.random.default_rng(seed)
    )

    assert np.all(np.sort(values)[::-1][: rank + 1] <= found.values)


@given(spectra, seeds, st.integers(1, 12), st.integers(0, 3))
def test_with_the_matrix_at_hand_they_are_deterministic(values, seed, rank, steps):
    matrix = matrix_with(values, seed)
    ritz = subspace_near(matrix, rank, seed + 1, steps)
    side = Plain(matrix)

    found = find_upper_bounds(
        side, ritz, rank + 1, matrix, True, never, np.random.default_rng(seed)
    )

    assert found.kind == "deterministic"
    assert found.failure_probability == 0
    assert np.all(np.sort(values)[::-1][: rank + 1] <= found.values)
    assert side.passes == 0


@given(spectra, seeds, st.integers(1, 12), st.integers(0, 3))
def test_where_nothing_is_enough_they_are_no_looser_than_those_of_the_trace(
    values, seed, rank, steps
):
    matrix = matrix_with(values, seed)
    ritz = subspace_near(matrix, rank, seed + 1, steps)
    side = Plain(matrix)

    found = find_upper_bounds(side, ritz, rank + 1, None, True, never, np.random.default_rng(seed))

    assert np.all(found.values <= bounds_by_trace(side, ritz, rank + 1).values)


def test_a_proof_is_given_up_soon_where_equals_of_the_last_eigenvalue_are_missing():
    # The bound would have to fall to 1.0005 times what is left: hundreds of passes.
    values = np.r_[np.full(10, 5.0), np.linspace(1.0, 0.1, 190)]
    matrix = matrix_with(values, 0)
    side = Plain(matrix)
    found = subspace_near(matrix, 4, 1, steps=60)

    def enough(ceilings, leftover):
        return bool((ceilings[:-1] <= 1.0005 * found.values[:3]).all())

    find_upper_bounds(side, found, 4, None, True, enough, np.random.default_rng(0))

    assert side.passes <= 8


@given(spectra, seeds, st.integers(1, 8), st.integers(0, 3))
def test_proofs_rest_on_pairs_that_hardly_couple_and_some_at_least(values, seed, rank, steps):
    matrix = matrix_with(values, seed)
    ritz, last = subspace_near(matrix, 20, seed + 1, steps), rank - 1

    resting = resting_pairs(ritz, rank, Plain(matrix))

    assert resting.size >= rank + 5
    beyond = np.linalg.norm(resting.coupling) > COUPLED * ritz.values[last]
    if beyond and resting.size > rank + 5:  # all of them, for far less is left outside
        assert resting.size == ritz.size
        assert 4 * np.linalg.norm(ritz.coupling, 2) < ritz.values[last]
        assert ritz.values[-1] <= 0.8 * ritz.values[last]


@given(spectra, seeds, st.integers(1, 12))
def test_the_trace_bounds_the_leftover(values, seed, rank):
    matrix = matrix_with(values, seed)
    ritz = subspace_near(matrix, rank, seed)

    assert leftover(matrix, ritz) <= trace_leftover(np.trace(matrix), ritz) + 100 * EPS


@given(spectra, seeds, st.integers(1, 12))
def test_cholesky_tells_the_leftover_from_both_sides(values, seed, rank):
    matrix = matrix_with(values, seed)
    ritz = subspace_near(matrix, rank, seed)
    true = leftover(matrix, ritz)

    assert is_below(matrix, ritz, true * (1 + 1e-9))
    assert not is_below(matrix, ritz, true * (1 - 1e-9))


@pytest.mark.parametrize(("count", "passes"), [(COUNT, 6), (1, 24)])
@given(values=spectra, seed=seeds)
def test_probes_close_in_on_the_leftover_from_above(count, passes, values, seed):
    matrix = matrix_with(values, seed)
    ritz = subspace_near(matrix, 5, seed)
    true = leftover(matrix, ritz)
    probes = probe_leftover(Plain(matrix), ritz.span, 1e-7, np.random.default_rng(seed), count)

    seen = [next(probes) for _ in range(passes)]

    assert all(one.reached <= true * (1 + 1e-9) for one in seen)
    assert all(true <= one.bound() for one in seen)
    assert seen[-1].bound() <= 1.3 * true
    assert all(one.is_below(1.001 * one.bound()) for one in seen)
    assert not any(one.is_below(true * (1 - 1e-9)) for one in seen)


@given(spectra, seeds, st.integers(1, 6))
def test_a_polynomial_of_probes_is_measured_without_keeping_their_blocks(values, seed, passes):
    matrix = matrix_with(values, seed)
    plain, rng = Plain(matrix), np.random.default_rng(seed)
    block = np.random.default_rng(seed).standard_normal((len(matrix), 4))
    probes = probe_leftover(plain, np.zeros((len(matrix), 0)), 1e-7, rng, 4)
    seen = [next(probes) for _ in range(passes)][-1]
    assume(not seen.ended)

    t = 1.5 * seen.least
    measured = np.exp(np.log(seen.share) - seen.excess(t))

    older, newer = np.zeros_like(block), block / np.linalg.norm(block)
    at, before, last = 1.0, 0.0, 0.0
    total, weight = newer.copy(), 1.0
    for d, b in zip(seen.diagonals, seen.borders, strict=True):
        older, newer = newer, (matrix @ newer - d * newer - last * older) / b
        before, at = at, ((t - d) * at - last * before) / b
        last, total, weight = b, total + at * newer, weight + at**2
    assert measured == pytest.approx(np.linalg.norm(total / weight, 2) ** 2, rel=1e-6)


@pytest.mark.parametrize("count", [1, COUNT])
def test_probes_fail_as_rarely_as_they_say(count):
    # With a failure in every second case allowed, bounds must hold in at least half of 200.
    matrix = matrix_with(np.r_[1.0, np.full(199, 0.1)], 0)
    ritz = ritz_of_image(np.eye(200)[:, :0], np.zeros((200, 0)))
    held = 0
    for seed in range(200):
        probes = probe_leftover(Plain(matrix), ritz.span, 0.5, np.random.default_rng(seed), count)
        held += next(probes).bound() >= 1.0

    assert held >= 100


def test_false_gap():
    # The tempting gap theta_i - (theta_{i+1} + |r_{i+1}|) would claim a sine of 1.11e-4 here.
    matrix = np.diag([15.0, 6.0, 5.99, 5.0])
    matrix[0, 3] = matrix[3, 0] = 1e-3
    matrix[2, 3] = matrix[3, 2] = 5.0
    ritz = ritz_of_image(np.eye(4)[:, :3], matrix[:, :3])
    true = np.sqrt(1 - np.linalg.eigh(matrix)[1][0, -1] ** 2)
    residual = ritz.residuals[0]
    tempting = residual / (15 - (ritz.values[1] + ritz.residuals[1]))

    ceilings = find_upper_bounds(
        Plain(matrix), ritz, 4, matrix, True, never, np.random.default_rng(0)
    ).values
    ours = component_sines(ritz.values, ceilings, ritz.residuals, ritz.values)[0]

    assert tempting < true <= ours


def test_no_gap_no_claim():
    assert subspace_sine(2.0, 2.0, 1e-9) == 1.0
    assert subspace_sine(2.0, 1.0, 1e-9) == pytest.approx(1e-9)


def test_overlapping_intervals_form_one_cluster():
    floors = np.array([5.0, 3.0, 2.9, 1.0])
    ceilings = np.array([5.1, 3.1, 3.1, 1.1, 0.5])
    sines = np.array([0.1, 1.0, 1.0, 0.1])

    assert find_clusters(sines, floors, ceilings) == [range(1, 3)]


def test_a_component_tied_with_what_lies_beyond_is_a_cluster_of_its_own():
    floors, ceilings = np.array([5.0, 1.0]), np.array([5.1, 1.1, 1.05])

    assert find_clusters(np.array([0.1, 1.0]), floors, ceilings) == [range(1, 2)]


def test_a_matrix_at_hand_costs_no_pass():
    origin = Plain(np.eye(3))
    side = MatrixSide(2 * np.eye(3), origin)

    side.apply(np.ones((3, 1)))

    assert side.passes == 0
    assert side.trace == 6


@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(0, 3))
def test_what_the_trace_leaves_is_shared_by_the_eigenvalues(seed, rank, steps):
    rng = np.random.default_rng(seed)
    values = np.sort(rng.exponential(size=14) ** rng.uniform(0.1, 4))[::-1]
    matrix = matrix_with(values, seed)
    ritz = subspace_near(matrix, rank, seed, steps)

    rest = trace_leftover(float(np.trace(matrix)), ritz)
    bounds = bounds_by_sharing(ritz.values, rest, rank + 1)

    blur = 100 * EPS * values[0]
    assert (values[: rank + 1] <= bounds + blur).all()
    assert (bounds <= np.append(ritz.values, 0.0) + rest + blur).all()


def test_a_bound_by_sharing_is_reached():
    # 3 is left beside 4, 2 and 1: it could raise the third to 3 with the second, never to 4.
    assert bounds_by_sharing(np.array([4.0, 2.0, 1.0]), 3.0, 3).tolist() == [7.0, 4.5, 3.0]
