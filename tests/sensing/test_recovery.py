"""recover: what it finds, and that its gap is a proof."""

import warnings

import numpy as np
import pytest

import eigenlens as el
from eigenlens.errors import NotCertified
from tests.reference.sensing import lasso_by_coordinates, lasso_objective
from tests.sensing.signals import dense_problem, measured, sparse_signal

EPS = np.finfo(np.float64).eps
METHODS = ("fista", "omp", "basis_pursuit")


def distance(found, x):
    return np.linalg.norm(found.signal - x) / np.linalg.norm(x)


# -- the certificate ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(50))
def test_the_gap_bounds_the_true_suboptimality(seed):
    B, y, penalty = dense_problem(seed)
    least = lasso_objective(B, y, lasso_by_coordinates(B, y, penalty), penalty)

    for steps in (1, 10, 20_000):
        method = el.sensing.FISTA(penalty=penalty, tolerance=1e-9, max_iterations=steps)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotCertified)  # stopped early, as asked for
            found = el.sensing.recover(B, y, method=method)
        reached = lasso_objective(B, y, found.shrunk, penalty)

        assert reached - least <= found.gap
        assert abs(reached - found.objective) <= found.gap
        # The bound is of use too: once converged it is as small as was asked for.
        assert steps < 20_000 or found.gap <= 1e-9 * found.objective


def test_a_gap_that_was_not_reached_is_told():
    A, y, _ = measured(200, 60, 10, seed=0)
    method = el.sensing.FISTA(tolerance=1e-9, max_iterations=20)

    with pytest.warns(NotCertified, match=r"1e-09 was requested.*max_iterations="):
        found = el.sensing.recover(A, y, method=method)

    assert found.gap > 1e-9 * found.objective


@pytest.mark.parametrize("seed", range(5))
def test_the_gap_of_basis_pursuit_bounds_what_a_better_signal_could_save(seed):
    A, y, x = measured(80, 40, 8, seed)

    found = el.sensing.recover(A, y, method="basis_pursuit")

    length = np.abs(found.shrunk).sum()
    assert length - np.abs(x).sum() <= found.gap  # x is one of the signals that explain y
    assert found.gap <= 1e-6 * length


def test_matching_pursuit_proves_nothing_and_says_so():
    A, y, _ = measured(80, 40, 4, seed=0)

    found = el.sensing.recover(A, y, method="omp")

    assert found.gap is None
    assert "nothing is proven" in str(found)


# -- what is found -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["gaussian", "dct"])
def test_a_sparse_signal_comes_back_exactly(method, kind):
    A, y, x = measured(200, 80, 10, seed=2, kind=kind)

    found = el.sensing.recover(A, y, method=method)

    assert distance(found, x) <= 1e-10
    assert np.array_equal(found.support, np.flatnonzero(x))
    assert found.verdict.value == "determined"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["dct", "db2"])
def test_an_image_sparse_in_a_basis_comes_back_from_random_measurements(method, name):
    basis = el.sensing.basis(name, (16, 16))
    image = basis.synthesize(sparse_signal(256, 8, seed=1, law="normal"))
    A = el.sensing.measurement("gaussian", 80, (16, 16), seed=1)

    found = el.sensing.recover(A, A @ image.ravel(), basis, method)

    assert found.signal.shape == (16, 16)
    assert np.abs(found.signal - image).max() <= 1e-9


def test_an_image_sparse_in_cosines_comes_back_from_a_quarter_of_its_pixels():
    basis = el.sensing.basis("dct", (16, 16))
    image = basis.synthesize(sparse_signal(256, 8, seed=4))
    A = el.sensing.measurement("pixels", 64, (16, 16), seed=1)

    found = el.sensing.recover(A, A @ image.ravel(), basis)

    assert np.abs(found.signal - image).max() <= 1e-9


def test_a_learned_basis_fills_in_what_was_not_measured():
    rng = np.random.default_rng(0)
    directions = rng.standard_normal((3, 64))
    rows = 5 + rng.standard_normal((200, 3)) @ directions
    basis = el.sensing.basis(el.fit(rows[:150], 3), (8, 8))
    A = el.sensing.measurement("pixels", 8, (8, 8), seed=0)

    found = el.sensing.recover(A, A @ rows[199], basis)

    assert np.abs(found.signal.ravel() - rows[199]).max() <= 1e-9


def test_with_noise_the_last_fit_takes_away_the_shrinkage():
    A, y, x = measured(200, 80, 8, seed=5)
    noisy = y + 0.01 * np.random.default_rng(0).standard_normal(80)
    method = el.sensing.FISTA(penalty=0.1)

    shrunk = el.sensing.recover(A, noisy, method=method, debias=False)
    fitted = el.sensing.recover(A, noisy, method=method)

    assert distance(fitted, x) < 0.5 * distance(shrunk, x)
    assert fitted.residual <= shrunk.residual


def test_what_is_not_settled_is_called_doubtful_and_not_fitted_again():
    A, y, x = measured(200, 60, 50, seed=0)

    found = el.sensing.recover(A, y)

    assert distance(found, x) > 0.1
    assert found.verdict.value == "doubtful"
    assert found.verdict.evidence["needed"] > 60
    assert "would do" in found.verdict.reason
    assert np.array_equal(found.coefficients, found.shrunk)


def test_matrices_sparse_matrices_and_operators_are_alike():
    from scipy.sparse import csr_array

    A, y, _ = measured(60, 30, 3, seed=1)
    matrix = A.matmat(np.eye(60))

    ways = [el.sensing.recover(one, y).signal for one in (A, matrix, csr_array(matrix))]

    assert np.abs(ways[0] - ways[1]).max() <= 1e-9
    assert np.abs(ways[0] - ways[2]).max() <= 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_zeros_are_measured_of_zero(method):
    A = el.sensing.measurement("gaussian", 10, 30)

    found = el.sensing.recover(A, np.zeros(10), method=method)

    assert not found.signal.any()
    assert found.gap in (0, None)


@pytest.mark.parametrize("unit", [1e-150, 1e150])
@pytest.mark.parametrize("method", METHODS)
def test_the_unit_does_not_matter(unit, method):
    A, y, x = measured(100, 50, 5, seed=3)

    found = el.sensing.recover(A, unit * y, method=method)

    assert np.linalg.norm(found.signal / unit - x) <= 1e-9 * np.linalg.norm(x)


# -- the phase transition, small ---------------------------------------------------------------


@pytest.mark.parametrize("delta", [0.25, 0.5])
def test_success_turns_into_failure_around_the_curve(delta):
    N, trials = 100, 10
    m = round(delta * N)
    limit = el.sensing.donoho_tanner(delta) * m

    def share(times):
        hits = 0
        for seed in range(trials):
            A, y, x = measured(N, m, max(1, round(times * limit)), seed)
            hits += distance(el.sensing.recover(A, y, method="basis_pursuit"), x) <= 1e-6
        return hits / trials

    assert share(0.6) >= 0.8
    assert share(1.5) <= 0.2


# -- what cannot be ----------------------------------------------------------------------------


def recover_some(**changes):
    A, y, _ = measured(50, 20, 2, seed=0)
    arguments = {"A": A, "y": y, **changes}
    return el.sensing.recover(arguments.pop("A"), arguments.pop("y"), **arguments)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"sparsity": 25}, ["20 measurements", "sparsity=25", "50", "ake 42 measurements or more"]),
        ({"sparsity": 20}, ["20 measurements", "sparsity=20", "no method"]),
        ({"sparsity": 51}, ["sparsity=51", "at most 50"]),
        ({"sparsity": 0}, ["sparsity=0", "from 1 up"]),
        ({"method": "spgl1"}, ["method='spgl1'", "'fista', 'omp', 'basis_pursuit'"]),
        ({"method": 3}, ["method=3", "FISTA()"]),
        ({"y": np.ones(7)}, ["(7,)", "20 numbers", "A @ signal.ravel()"]),
        ({"y": np.full(20, np.nan)}, ["20 of the 20 measurements", "number 0", "rows of A"]),
        ({"basis": "dct"}, ["basis='dct'", "sensing.basis('dct', shape)"]),
        ({"A": "pixels"}, ["type str", "LinearOperator"]),
    ],
)
def test_a_mistake_is_told_with_the_way_out(changes, words):
    with pytest.raises(el.OptionError) as caught:
        recover_some(**changes)

    assert [word for word in words if word not in str(caught.value)] == []


def test_a_basis_for_other_signals_is_refused():
    with pytest.raises(el.SensingError, match=r"\(20, 50\).*50 entries.*\(8, 8\)"):
        recover_some(basis=el.sensing.basis("dct", (8, 8)))


def test_measurements_that_nothing_matches_are_told():
    A = np.ones((2, 3))

    with pytest.raises(el.SensingError, match="method='fista'"):
        el.sensing.recover(A, [1.0, 2.0], method="basis_pursuit")


def test_a_matrix_beyond_memory_is_not_formed():
    A = el.sensing.measurement("pixels", 30_000, (300, 300))

    for method in ("omp", "basis_pursuit"):
        with pytest.raises(el.SensingError, match=r"30000 x 90000.*21.6 GB.*method='fista'"):
            el.sensing.recover(A, np.ones(30_000), method=method)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"penalty": 0}, "penalty=0"),
        ({"tolerance": -1}, "tolerance=-1"),
        ({"max_iterations": 0}, "max_iterations=0"),
    ],
)
def test_options_fail_at_birth(options, words):
    with pytest.raises(el.OptionError, match=words):
        el.sensing.FISTA(**options)
    with pytest.raises(el.OptionError, match="tolerance=0"):
        el.sensing.OMP(tolerance=0)
