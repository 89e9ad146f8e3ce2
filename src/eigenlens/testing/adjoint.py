"""check_adjoint: the verbs of a table belong to one and the same matrix.

    <A v, u> = <v, A'u>        C V = A'(A V) / divisor        K U = A(A'U) / divisor

and the matrices formed, their triangles and the total variance agree with the products. Of any
other linear operator, in scipy's sense, only the first is asked, and that it is linear.

Allowed   8 r |A|^2 |v| |u| where r is the table's own rounding of one product, sqrt(m) u for sums
          of m, and |A| the Frobenius norm before the mean was taken out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array
from eigenlens.sources.open import open_source
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare
from eigenlens.table.table import TableOperator
from eigenlens.testing.claims import claim, claim_close

__all__ = ["check_adjoint"]

VECTORS = 3
MIXTURE = np.array([2.0, -1.0, 0.5])
LARGEST_MATRIX = 2000  # matrices of more rows are not formed: only products are compared
ROUNDINGS = 8  # each comparison has two products of two sums each on either side


def check_adjoint(
    table: Any,
    rng: np.random.Generator,
    *,
    center: bool = True,
    scale: Any = None,
    weights: Any = None,
) -> None:
    """Check the products of a table with vectors drawn from `rng`.

    `table` is a `TableOperator`, or data, which are then prepared with these options; or a scipy
    LinearOperator, such as a measurement or a basis of `eigenlens.sensing`.
    """
    if hasattr(table, "matmat") and hasattr(table, "rmatmat"):
        check_operator(table, rng)
        return
    ours = (
        table if isinstance(table, TableOperator) else prepare_table(table, center, scale, weights)
    )
    n, d = ours.shape
    total = float(ours.uncorrected_variances.sum())
    slack = ROUNDINGS * ours.roundoff + max(n, d) * EPS
    features, rows = unit_columns(rng, d), unit_columns(rng, n)

    scores, pulled = (
        counted_product(ours, ours.project, features),
        counted_product(ours, ours.pull_back, rows),
    )
    length = (total * ours.divisor) ** 0.5
    claim_close(scores.T @ rows, features.T @ pulled, slack * length, "<A v, u> = <v, A'u>")

    image = counted_product(ours, ours.covariance_times, features)
    again = ours.pull_back(scores) / ours.divisor
    claim_close(image, again, slack * total, "C V = A'(A V) / divisor")

    dual = counted_product(ours, ours.inner_products_times, rows)
    again = ours.project(pulled) / ours.divisor
    claim_close(dual, again, slack * total, "K U = A(A'U) / divisor")

    check_linear(ours, features, slack * length)
    if d <= LARGEST_MATRIX:
        check_matrix(ours.covariance(), ours.triangle(), features, image, slack * total, "C")
        trace = float(np.trace(ours.covariance()))
        claim_close(ours.total_variance, trace, slack * total, "the total variance is the trace")
    if n <= LARGEST_MATRIX:
        check_matrix(ours.inner_products(), ours.dual_triangle(), rows, dual, slack * total, "K")


def check_operator(operator: Any, rng: np.random.Generator) -> None:
    """<A v, u> = <v, A'u> and linearity, and that vectors one by one give what a matrix does."""
    n, d = operator.shape
    right, left = unit_columns(rng, d), unit_columns(rng, n)
    given = right.copy(), left.copy()
    forward, back = operator.matmat(right), operator.rmatmat(left)
    largest = max(np.linalg.norm(forward, axis=0).max(), np.linalg.norm(back, axis=0).max())
    allowed = ROUNDINGS * max(n, d) * EPS * float(largest)
    claim_close(forward.T @ left, right.T @ back, allowed, "<A v, u> = <v, A'u>")
    one_by_one = np.column_stack([operator.matvec(column) for column in right.T])
    claim_close(one_by_one, forward, allowed, "matvec gives what matmat does")
    one_by_one = np.column_stack([operator.rmatvec(column) for column in left.T])
    claim_close(one_by_one, back, allowed, "rmatvec gives what rmatmat does")
    mixed = operator.matvec(right @ MIXTURE)
    claim_close(mixed, forward @ MIXTURE, 4 * allowed, "A is linear")
    unchanged = np.array_equal(right, given[0]) and np.array_equal(left, given[1])
    claim(unchanged, "an operator does not change the vectors it is given")


def prepare_table(data: Any, center: bool, scale: Any, weights: Any) -> TableOperator:
    source = open_source(data)
    return build_table(source, prepare(source, center, scale, weights))


def unit_columns(rng: np.random.Generator, size: int) -> Float64Array:
    columns = rng.standard_normal((size, VECTORS))
    columns /= np.linalg.norm(columns, axis=0)
    return columns


def counted_product(
    table: TableOperator, verb: Callable[[Float64Array], Float64Array], vectors: Float64Array
) -> Float64Array:
    """The product, after checking that it was counted as one pass and left `vectors` alone."""
    before, given = table.meter.passes, vectors.copy()
    product = verb(vectors)
    name = verb.__name__
    claim(table.meter.passes == before + 1, f"{name} counts as one pass over the data")
    claim(np.array_equal(vectors, given), f"{name} does not change the vectors it is given")
    return product


def check_linear(table: TableOperator, vectors: Float64Array, allowed: float) -> None:
    mixed, apart = vectors @ MIXTURE[:, None], table.project(vectors) @ MIXTURE[:, None]
    claim_close(table.project(mixed), apart, 4 * allowed, "A is linear")


def check_matrix(
    matrix: Float64Array,
    triangle: Float64Array,
    vectors: Float64Array,
    image: Float64Array,
    allowed: float,
    name: str,
) -> None:
    """The matrix formed is symmetric, has the products as its own, and is R'R."""
    claim_close(matrix, matrix.T, allowed, f"{name} is symmetric")
    claim_close(
        matrix @ vectors, image, allowed, f"{name} as formed gives the products with {name}"
    )
    claim_close(triangle.T @ triangle, matrix, allowed, f"R'R = {name}")
