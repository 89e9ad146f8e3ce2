"""Exact mode: the centered kernel matrix as a table, solved and proven like any other.

The matrix is the scatter matrix of images that nobody can see, so it is handed on as such: n
"columns", one per row of the data, whose components are the eigenvectors of K_c.

Cost     n^2 / 2 kernel values; eigenvectors as of a covariance matrix of n columns; a few matrices
         of 8 n^2 bytes.
Source   Schoelkopf, Smola and Mueller 1998.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.precision import EPS
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.certify import certify
from eigenlens.document.verdict import Verdict
from eigenlens.errors import KernelError, NotCertified
from eigenlens.fit import fit
from eigenlens.kernel.bandwidth import advise_on_gamma, has_gamma
from eigenlens.kernel.certificate import KernelCertificate, scale_certificate
from eigenlens.kernel.matrix import (
    CenteredMatrix,
    NegativePart,
    center_kernel_matrix,
    negative_part,
)
from eigenlens.kernel.points import Points, origin_shift, points_of
from eigenlens.kernel.preimage import add_preimage
from eigenlens.kernel.protocol import Kernel
from eigenlens.kernel.request import KernelRequest
from eigenlens.kernel.subspace import KernelSubspace
from eigenlens.kernel.user_kernels import Pairs, Precomputed
from eigenlens.model.subspace import Subspace
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.moments_only import MomentsSource
from eigenlens.sources.protocol import Source

__all__ = ["bytes_needed", "fit_exact"]

PEAK_MATRICES, EXTRA_MATRICES = (
    6,
    2,
)  # of n x n at one time, at most; more where all eigenvectors are kept
ROWS_AT_ONCE = 4096
ROUNDING_FACTOR = 64.0  # roundings of products with the matrix, beside those of its entries
SAMPLE_ROWS = 1000
ZERO_SHARE = 1e-13  # what is left of the trace by centering equal points
MANY, FLAT = 50, 3.0
MATRIX_REASON = (
    "products with it are cheap, and a Cholesky factor proves what few of them have found"
)


@dataclass(frozen=True)
class KernelRows:
    """All rows, and their centered kernel matrix."""

    rows: Any
    points: Points
    shift: Float64Array | None
    centered: CenteredMatrix


def fit_exact(request: KernelRequest) -> KernelSubspace:
    """The model of all rows."""
    whole = read_kernel_rows(request)
    kernel, source, centered, n = request.kernel, request.source, whole.centered, len(whole.points)
    found, negative = solve_matrix(request, whole)
    found, values = request.cleaned(found, n, centered.largest)
    vectors = found.components.T if negative is None else negative.remove_from(found.components.T)
    coefficients = coefficients_of(vectors, values)
    rounded = matrix_rounding(kernel, whole.points, centered)
    model = KernelSubspace(
        kernel=kernel,
        anchor_rows=None if isinstance(kernel, Precomputed) else whole.rows,
        anchor_numbers=np.arange(n),
        coefficients=coefficients,
        offset=centered.row_means @ coefficients,
        mean_weights=np.full(n, 1.0 / n),
        mean_square=centered.grand_mean,
        eigenvalues=values,
        anchor_scores=centered.matrix @ coefficients,
        shift=whole.shift,
        method="exact",
        n_rows=n,
        n_features=source.shape[1],
        feature_names=source.names,
        certificate=exact_certificate(found, values, rounded, psd_assumption(kernel, negative)),
        choices=exact_choices(request, found, centered, values, negative),
        provenance=request.provenance,
    )
    few = np.unique(np.linspace(0, n - 1, min(n, SAMPLE_ROWS)).astype(np.intp))
    return add_preimage(model, request, whole.rows[few])


def bytes_needed(kernel: Kernel, n: int, k: int | float | None) -> int:
    """At the highest moment, as measured."""
    many = k is None or isinstance(k, float) or 8 * k > n or not kernel.is_psd
    return (PEAK_MATRICES + EXTRA_MATRICES * many) * 8 * n * n


def read_kernel_rows(request: KernelRequest) -> KernelRows:
    kernel, source = request.kernel, request.source
    rows = read_all_rows(source)
    if not np.isfinite(rows if isinstance(rows, np.ndarray) else rows.data).all():
        raise locate_not_finite(source, KernelError.values_not_finite(kernel.name))
    shift = origin_shift(source, kernel.moves)
    points = points_of(rows, 0, shift)
    with np.errstate(over="ignore", invalid="ignore"):
        centered = center_kernel_matrix(kernel, points, request.hands)
    if not np.isfinite(centered.grand_mean):
        raise KernelError.values_not_finite(kernel.name)
    if np.abs(np.diag(centered.matrix)).max() <= ZERO_SHARE * centered.largest:
        raise KernelError.nothing_varies(kernel.name, len(points))
    return KernelRows(rows, points, shift, centered)


def solve_matrix(request: KernelRequest, whole: KernelRows) -> tuple[Subspace, NegativePart | None]:
    """Eigenvectors of the matrix, of its positive part where it has another."""
    n, kernel, matrix = len(whole.points), request.kernel, whole.centered.matrix
    k = n if request.k is None else min(request.k, n)
    negative = None if kernel.is_psd else negative_part(matrix)
    if negative is not None:
        refuse_negative_eigenvalues(kernel, negative, k, request.solver.name)
    found = fit(
        source_of_matrix(matrix),
        k,
        center=False,
        solver=request.solver,
        tolerance=request.tolerance,
        memory=request.budget,
        seed=request.seed,
    )
    return found, negative


def read_all_rows(source: Source) -> Any:
    """Every row in memory, in the precision of the data; never the caller's own."""
    blocks = [block.copy() for block in source.blocks(ROWS_AT_ONCE)]
    if isinstance(blocks[0], np.ndarray):
        return np.concatenate(blocks)
    from scipy.sparse import vstack

    return vstack(blocks, format="csr")


def coefficients_of(vectors: Float64Array, values: Float64Array) -> Float64Array:
    """(n, k): eigenvectors over the root of their eigenvalues, which sum to 0 exactly."""
    roots = np.sqrt(values)
    scale = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)
    found = vectors * scale
    return np.asarray(found - found.mean(axis=0))


def exact_certificate(
    found: Subspace, values: Float64Array, rounded: float, assumption: str
) -> KernelCertificate:
    """What is proven of the table, in the units of the kernel matrix."""
    n, proof = found.n_rows, found.proof
    # The matrix itself is rounded, entry by entry, relative to k(x, x): centering may leave little
    # of that. No eigenvalue, and no trace, is moved by more than if all entries were off one way.
    off = EPS * n * rounded
    table = certify(proof.facts, proof.ritz, proof.ceilings, off / n / proof.facts.unit**2)
    table = scale_certificate(table, n, found.eigenvalues * n - values)
    total = found.total_variance * n
    slack = float(2 * table.rounding.max(initial=0.0)) + EPS * n * total
    return KernelCertificate(
        table=table,
        captured=float(values.sum()),
        total_bounds=np.array([max(total - slack, 0.0), total + slack]),
        residual_trace=0.0,
        landmarks=0,
        assumption=assumption,
    )


def exact_choices(
    request: KernelRequest,
    found: Subspace,
    centered: CenteredMatrix,
    values: Float64Array,
    negative: NegativePart | None,
) -> dict[str, Verdict]:
    n, total = found.n_rows, found.total_variance * found.n_rows
    # Rows that have nothing to do with each other have n - 1 equal eigenvalues.
    alone = n >= MANY and float(values.max(initial=0.0)) * (n - 1) < FLAT * total
    choices = {"method": request.method, **found.choices}
    if request.solver_is_ours:
        choices["solver"] = Verdict("covariance", "matrix at hand", MATRIX_REASON)
    if has_gamma(request.kernel):
        share = total / centered.trace_before if centered.trace_before > 0 else 1.0
        choices["gamma"] = advise_on_gamma(request.bandwidth, request.kernel, share, alone)
    if negative is not None:
        choices["kernel"] = negative_verdict(request.kernel, negative)
    return choices


def source_of_matrix(matrix: Float64Array) -> MomentsSource:
    """The matrix in the place of a scatter matrix; nothing of it is copied."""
    n = len(matrix)
    moments = Moments(float(n), np.zeros(n), np.diag(matrix).copy(), matrix)
    return MomentsSource(moments, None, matrix.nbytes, ROUNDING_FACTOR)


def matrix_rounding(kernel: Kernel, points: Points, centered: CenteredMatrix) -> float:
    """By how many eps an entry of the matrix may be off, in its own units."""
    longest = 0.0 if isinstance(kernel, Precomputed | Pairs) else float(points.lengths.max())
    return kernel.roundings(longest, points.width) * centered.largest


# -- kernels that are not positive semidefinite ------------------------------------------------


def refuse_negative_eigenvalues(
    kernel: Kernel, negative: NegativePart, k: int | float, solver: str
) -> None:
    """Where what was asked for reaches into the negative part; elsewhere it is told of.

    The randomized solver is refused altogether: it goes by magnitudes, in scikit-learn's hands.
    """
    if not negative.is_significant:
        return
    error = KernelError.indefinite(
        kernel.name,
        negative.least,
        negative.largest,
        negative.share,
        negative.count,
        negative.positive,
    )
    if isinstance(k, float) or k > negative.positive or solver == "randomized":
        raise error
    NotCertified.indefinite(kernel.name, negative.share, negative.least).warn()


def psd_assumption(kernel: Kernel, negative: NegativePart | None) -> str:
    if negative is None or not negative.is_significant:
        return ""
    return (
        f" It is about the positive part: the matrix of the {kernel.name!r} kernel is not positive "
        f"semidefinite, and {negative.share:.2%} of it is negative."
    )


def negative_verdict(kernel: Kernel, negative: NegativePart) -> Verdict:
    reason = (
        f"{negative.count} of its eigenvalues are negative, down to {negative.least:.3g}, and were "
        f"left out: {negative.share:.2%} of the whole"
    )
    return Verdict(kernel.name, "positive part", reason, {"negative_share": negative.share})
