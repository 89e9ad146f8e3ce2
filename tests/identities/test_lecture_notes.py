"""What the lecture notes behind this project teach: `TAUGHT` names a test for each item."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.algebra.orthonormal import orthonormal_basis
from eigenlens.solvers import OrthogonalIteration, PowerIteration
from eigenlens.solvers.step import Ask
from eigenlens.sources.open import open_source
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare
from eigenlens.table.sides import FeatureSide
from tests.distances import assert_orthonormal, subspace_distance
from tests.identities import test_beyond_flat, test_lecture_questions
from tests.problems import make_table

EPS = np.finfo(np.float64).eps

TAUGHT = {
    "covariance matrix, centered, 1/(n-1)": "test_the_covariance_matrix_is_centered",
    "empirical correlation matrix, raw, 1/n": "test_the_raw_second_moments_divide_by_n",
    "standardization: columns in °C and °F": "test_units_do_not_matter_once_standardized",
    "exact route: eigendecomposition of the covariance matrix": "test_the_exact_route",
    "singular value decomposition": "test_the_singular_value_decomposition",
    "truncated singular value decomposition in O(nDd)": "test_truncated_solvers_read_few_vectors",
    "power iteration, stopped on the relative change": "test_power_iteration_stops_on_the_change",
    "next eigenvectors by deflation": "test_deflation_removes_what_was_found",
    "orthogonal iteration from a random orthonormal start": "test_orthogonal_iteration",
    "few samples, many dimensions: inner products only": "test_inner_products_suffice",
    "encode and decode new samples": "test_new_samples_are_encoded_and_decoded",
    "squared error is squared length less squared scores": "test_the_error_of_a_sample",
    "total error is the sum of the dropped eigenvalues": "test_the_total_error",
    "most variance and least error are one problem": "test_one_problem_in_two_words",
    "components are uncorrelated": "test_components_are_uncorrelated",
    "Rayleigh-Ritz": "test_the_rayleigh_quotient_is_largest_at_the_first_component",
    "Frobenius identity": "test_the_frobenius_norm_is_the_root_of_squared_eigenvalues",
    "equal eigenvalues: only the span is determined": "test_equal_eigenvalues_leave_a_span",
    "choose k by the fraction of variance": "test_k_by_the_fraction_of_variance",
    "choose k by the fraction of squared eigenvalues": "test_k_by_squared_eigenvalues",
    "choose k by the gap": "test_k_by_the_gap",
    "no gap means no meaningful cut-off": "test_no_gap_no_meaningful_cut_off",
    "rank of C against intrinsic dimension": "test_the_rank_exceeds_the_intrinsic_dimension",
    "flat or curved": "test_a_curve_in_a_plane_is_not_flat",
    "visualization": "test_rows_are_seen_in_two_dimensions",
    "kernel PCA": "test_the_linear_kernel_is_pca_and_another_one_sees_circles",
    "linear autoencoder = PCA": "test_a_linear_autoencoder_finds_the_subspace_of_pca",
    "sparsity in a fixed basis": "test_a_sparse_signal_comes_back_from_few_measurements",
}


@pytest.mark.parametrize("item", TAUGHT)
def test_every_item_has_its_test(item):
    rooms = [globals(), vars(test_lecture_questions), vars(test_beyond_flat)]
    assert any(callable(room.get(TAUGHT[item])) for room in rooms), f"{item}: write {TAUGHT[item]}"


@pytest.fixture
def rows():
    return make_table(60, 6, 1, decay="slow", offset=3.0)


def eigenvalues_of(matrix):
    return np.linalg.eigvalsh(matrix)[::-1]


def close_to(expected):
    """Equal up to what LAPACK and sums of 60 rows round, relative to the largest."""
    return pytest.approx(expected, rel=0, abs=1000 * EPS * np.abs(expected).max())


# -- covariance and correlation --------------------------------------------------------------


def test_the_covariance_matrix_is_centered(rows):
    model = el.fit(rows, 6)

    assert model.eigenvalues == close_to(eigenvalues_of(np.cov(rows.T)))


def test_the_raw_second_moments_divide_by_n(rows):
    model = el.fit(rows, 6, center=False)

    assert model.eigenvalues == close_to(eigenvalues_of(rows.T @ rows / len(rows)))
    assert model.mean is None


def test_units_do_not_matter_once_standardized(rows):
    fahrenheit = rows * [1.8, 1, 1.8, 1, 1, 1] + [32, 0, 32, 0, 0, 0]

    models = [el.fit(table, 6, scale="std") for table in (rows, fahrenheit)]

    correlations = eigenvalues_of(np.corrcoef(rows.T))
    assert models[0].eigenvalues == close_to(correlations)
    assert models[1].eigenvalues == pytest.approx(correlations, abs=100 * len(rows) * EPS)


# -- algorithms ------------------------------------------------------------------------------


def test_the_exact_route(rows):
    values, vectors = np.linalg.eigh(np.cov(rows.T))

    model = el.fit(rows, 6, solver="covariance")

    assert model.eigenvalues == close_to(values[::-1])
    cosines = np.abs(np.sum(model.components.T * vectors[:, ::-1], axis=0))
    assert cosines == pytest.approx(np.ones(6), abs=1e-12)
    assert model.certificate.passes == 1


def test_the_singular_value_decomposition(rows):
    singular = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False)

    model = el.fit(rows, 6, solver="svd")

    assert model.eigenvalues == close_to(singular**2 / (len(rows) - 1))


@pytest.mark.parametrize("solver", ["krylov", "lanczos"])
def test_truncated_solvers_read_few_vectors(solver):
    # O(n D d): the work per pass is the table times a few vectors, and few passes are needed.
    rows = make_table(400, 300, 2, decay="fast")

    model = el.fit(rows, 3, solver=solver, tolerance=1e-6)

    assert model.eigenvalues == pytest.approx([0.5, 0.25, 0.125], rel=1e-6)
    assert model.certificate.passes <= {"krylov": 10, "lanczos": 60}[solver]


def test_power_iteration_stops_on_the_change(rows):
    first = iterate(PowerIteration(tolerance=1e-3), rows, 2)

    changes = [step.errors[0] / step.values[0] for step in first]
    # The first component is left alone as soon as its eigenvalue changes by less than 1e-3.
    left = next(i for i, change in enumerate(changes) if change < 1e-3)
    assert all(change >= 1e-3 for change in changes[:left])
    assert first[left + 1].values[0] == first[left].values[0]
    assert first[left + 1].values[1] > 0


def test_deflation_removes_what_was_found(rows):
    # A - t v v' has the same eigenvectors, and the second eigenvalue is now its largest.
    covariance = np.cov(rows.T)
    values, vectors = np.linalg.eigh(covariance)
    deflated = covariance - values[-1] * np.outer(vectors[:, -1], vectors[:, -1])

    model = el.fit(rows, 2, solver="power", tolerance=1e-10)

    assert np.linalg.eigvalsh(deflated)[-1] == pytest.approx(values[-2], rel=1e-12)
    assert model.eigenvalues[1] == pytest.approx(values[-2], rel=1e-10)
    assert_orthonormal(model.components.T, 100 * EPS)


def test_orthogonal_iteration(rows):
    steps = iterate(OrthogonalIteration(extra=0), rows, 2)
    covariance = np.cov(rows.T)
    basis = orthonormal_basis(np.random.default_rng(0).standard_normal((6, 2)))
    for _ in range(len(steps) - 1):
        basis = orthonormal_basis(covariance @ basis)

    ours = steps[-1].read_out().vectors(2)

    assert subspace_distance(ours, basis) <= 1e-12


def iterate(solver, rows, rank, count=30):
    source = open_source(rows)
    side = FeatureSide(build_table(source, prepare(source, True, None, None)))
    steps = solver.steps(side, Ask(rank, 1e-12), np.random.default_rng(0))
    return [next(steps), *(steps.send(Ask(rank, 1e-12)) for _ in range(count))]


def test_inner_products_suffice():
    rows = make_table(12, 500, 3)
    centered = rows - rows.mean(axis=0)

    model = el.fit(rows, 11, solver="dual")

    small = eigenvalues_of(centered @ centered.T / 11)[:11]
    assert model.eigenvalues == close_to(small)
    assert_orthonormal(model.components.T, 8 * 500 * EPS)


# -- encoding and decoding -------------------------------------------------------------------


def test_new_samples_are_encoded_and_decoded(rows):
    model = el.fit(rows[:50], 6)

    scores = model.project(rows[50:])

    np.testing.assert_allclose(model.reconstruct(scores), rows[50:], atol=1000 * EPS)


def test_the_error_of_a_sample(rows):
    model = el.fit(rows[:50], 2)
    new = rows[50:]

    scores = model.project(new)
    errors = np.square(new - model.reconstruct(scores)).sum(axis=1)

    lengths = np.square(new - model.mean).sum(axis=1)
    assert errors == close_to(lengths - np.square(scores).sum(axis=1))
    assert model.residual(new) == close_to(errors)


def test_the_total_error(rows):
    model = el.fit(rows, 2)

    dropped = eigenvalues_of(np.cov(rows.T))[2:].sum() * (len(rows) - 1)

    for error in (model.residual(rows).sum(), model.certificate.reconstruction_error):
        assert error == pytest.approx(dropped, rel=1e-12)


# -- what the components are -----------------------------------------------------------------


def test_one_problem_in_two_words(rows):
    model = el.fit(rows, 2)
    centered = rows - model.mean
    rng = np.random.default_rng(0)

    for _ in range(50):
        basis = orthonormal_basis(rng.standard_normal((6, 2)))
        held = np.square(centered @ basis).sum()
        error = np.square(centered - centered @ basis @ basis.T).sum()
        assert held + error == pytest.approx(np.square(centered).sum(), rel=1e-12)
        assert held <= model.eigenvalues.sum() * (len(rows) - 1)
        assert error >= model.certificate.reconstruction_error


def test_components_are_uncorrelated(rows):
    model = el.fit(rows, 6)

    spread = np.cov(model.project(rows).T)

    assert spread == close_to(np.diag(model.eigenvalues))


def test_the_rayleigh_quotient_is_largest_at_the_first_component(rows):
    model, covariance = el.fit(rows, 1), np.cov(rows.T)
    directions = np.random.default_rng(0).standard_normal((1000, 6))

    quotients = np.einsum("ij,jk,ik->i", directions, covariance, directions)
    quotients /= np.square(directions).sum(axis=1)

    first = model.components[0]
    assert first @ covariance @ first == pytest.approx(model.eigenvalues[0], rel=1e-12)
    assert np.all(quotients <= model.eigenvalues[0])


def test_the_frobenius_norm_is_the_root_of_squared_eigenvalues(rows):
    model = el.fit(rows, 6)

    norm = np.linalg.norm(np.cov(rows.T))

    assert np.sqrt(np.square(model.eigenvalues).sum()) == pytest.approx(norm, rel=1e-12)


def test_equal_eigenvalues_leave_a_span():
    rows = make_table(60, 6, 4, decay="fast", ties=2)
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((60, 60)))[0]
    same_covariance = turn @ (rows - rows.mean(axis=0))

    model = el.fit(rows, 2)
    other = el.fit(same_covariance, 2, center=False)

    assert model.certificate.clusters == ((0, 1),)
    assert np.all(model.certificate.angle_bounds == 1)
    assert subspace_distance(model.components.T, other.components.T) <= 1e-12
