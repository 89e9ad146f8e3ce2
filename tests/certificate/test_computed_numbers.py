"""Numbers that are computed before they are multiplied: sums of repeated entries and of weights,
rows of unit length, matrices in the place of rows. Statements hold for the exact ones.
"""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse

import eigenlens as el
from tests.adversary.judge import violations
from tests.adversary.truth import truth_of
from tests.certificate.test_faults import holds, rng
from tests.problems import Problem
from tests.reference.exact import dense, exact_rows

# -- weights and scales ----------------------------------------------------------------------------


@pytest.mark.parametrize("center", [True, False])
def test_weights_whose_sum_is_no_float_are_refused_in_words(center):
    rows = rng(0).standard_normal((10, 2))

    with pytest.raises(el.WeightsError, match="largest float64"):
        el.fit(rows, "parallel", weights=np.full(10, 1e308), center=center)


def test_columns_of_subnormal_numbers_are_standardized_without_a_warning():
    small = [[5.6, -5.0, -4.9], [0.65, 3.4, 5.0], [1.7, 1.6, -5.3]]
    rows = np.column_stack([[-9.9e-161, -1.4e-161, 1.8e-160], 1e-321 * np.array(small)])

    model = el.fit(rows, "frobenius", scale="std", solver="lanczos")

    assert violations(model, truth_of(Problem(rows, scale="std"))) == []


# -- sums of repeated entries ----------------------------------------------------------------------


def test_repeated_entries_that_cancel_leave_what_is_exactly_left():
    left = rng(0).standard_normal((30, 3))
    place = np.tile(np.indices(left.shape).reshape(2, -1), 3)
    large = 1e23 * rng(1).standard_normal(left.size)
    entries = np.concatenate([large, left.ravel(), -large])

    model = el.fit(scipy.sparse.coo_array((entries, place), left.shape), 3)

    assert violations(model, truth_of(Problem(left))) == []


# -- rows of unit length ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class UnitRows(Problem):
    """The rows divided by their lengths, in extended precision."""

    def exact_rows(self):
        rows = dense(self.rows)
        lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        unit = rows / np.where(lengths > 0, lengths, 1)
        return exact_rows(unit, self.weights, self.center, self.scale)


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1.0, 1e200, 1e307])
@pytest.mark.parametrize("sparse", [False, True])
def test_rows_of_any_size_are_divided_by_their_length(size, sparse):
    rows = size * rng(0).uniform(-1, 1, (40, 4))
    rows[3] = 0
    problem = UnitRows(scipy.sparse.csr_array(rows) if sparse else rows)

    holds(problem, 2, normalize="l2")
    holds(problem, 2, normalize="l2", solver="dual")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("solver", ["covariance", "krylov", "svd"])
def test_what_division_by_the_length_rounds_is_within_the_bounds(dtype, sparse, solver):
    rows = (1 + 1e-3 * rng(0).standard_normal((60, 5))).astype(dtype)
    problem = UnitRows(scipy.sparse.csr_array(rows) if sparse else rows)

    holds(problem, 3, normalize="l2", solver=solver)


# -- covariance matrices ---------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::eigenlens.NotCertified")
def test_a_matrix_that_rounding_made_indefinite_has_bounds_wide_enough():
    generator = rng(0)
    root = generator.standard_normal((1, 6)) * 10.0 ** generator.uniform(-2, 2, 6)
    matrix = (root.T @ root).astype(np.float32)  # of rank 1, but for what was rounded
    true = np.sort(np.maximum(np.linalg.eigvalsh(matrix.astype(np.float64)), 0.0))[::-1]

    for solver in ("power", "covariance", "krylov", "orthogonal"):
        low, high = el.fit_covariance(matrix, 2, solver=solver).certificate.eigenvalue_bounds.T

        off = 1e-14 * true[0]
        assert np.all(low <= true[:2] + off)
        assert np.all(true[:2] <= high + off)


@pytest.mark.parametrize("size", [1e294, 1.7e308])
def test_a_matrix_of_numbers_too_large_is_refused_in_words(size):
    with pytest.raises(el.DataError, match="largest float64"):
        el.fit_covariance(size * np.array([[1, 0.5], [0.5, 1]]), 1)


# -- a merge of models whose matrix was not kept ---------------------------------------------------


def test_what_lapack_adds_to_a_matrix_that_is_made_again_is_within_the_bounds():
    from eigenlens.model.united import norm_within

    rows = 50 * rng(0).standard_normal((40, 3)) + 90
    kept, made = (el.fit(rows, 3, center=False, solver=solver) for solver in ("covariance", "svd"))
    union = SimpleNamespace(multipliers=np.ones(3), divisor=made.proof.facts.divisor)

    assert made.moments.scatter is None
    assert norm_within(made, union) > 48 * np.finfo(float).eps * made.eigenvalues[0]
    assert norm_within(kept, union) < 1e-3 * norm_within(made, union)
    assert (
        violations(made.merge(made), truth_of(Problem(np.vstack([rows] * 2), center=False))) == []
    )
