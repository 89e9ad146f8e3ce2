"""Rules that compare eigenvalues with each other are shown only those that have settled."""

import numpy as np
import pytest

import eigenlens as el


def with_factors(count, seed, shape=(600, 300)):
    rng = np.random.default_rng(seed)
    n, d = shape
    U = np.linalg.qr(rng.standard_normal((n, count)))[0]
    V = np.linalg.qr(rng.standard_normal((d, count)))[0]
    signal = (U * np.linspace(8, 2, count) * np.sqrt(n)) @ V.T
    return signal + rng.standard_normal(shape)


@pytest.mark.parametrize("solver", ["krylov", "orthogonal", "randomized", "lanczos"])
@pytest.mark.parametrize("seed", [0, 1])
def test_many_factors_are_counted_by_truncated_solvers_too(solver, seed):
    assert el.fit(with_factors(30, seed), solver=solver).n_components == 30


@pytest.mark.parametrize(
    "solver", ["svd", "covariance", "krylov", "randomized", "lanczos", "power"]
)
@pytest.mark.parametrize("rank", [1, 2])
def test_the_gap_of_an_exact_rank_is_found_by_every_solver(solver, rank):
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((60, rank)) @ rng.standard_normal((rank, 40))

    assert el.fit(rows, k="gap", solver=solver).n_components == rank


def test_waiting_for_values_to_settle_asks_for_no_more_of_them():
    model = el.fit(with_factors(5, 0, (2000, 700)), solver="krylov")

    assert model.n_components == 5
    assert model.choices["k"].evidence["listed"] < 100
