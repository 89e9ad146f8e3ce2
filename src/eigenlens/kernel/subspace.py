"""KernelSubspace: the frozen result of a kernel PCA.

Both modes come to the same formula. With anchors z (all rows, or the landmarks) and coefficients A,

    score(x) = k(x, z) A - b          component j is  sum_i A[i, j] k(z_i, .),  of unit length
    mean     = sum_i w[i] k(z_i, .)   where the cloud lies in the kernel's space, as the anchors see
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.document.verdict import Verdict
from eigenlens.errors import DataError, KernelError, OptionError, RankError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.kernel.certificate import KernelCertificate
from eigenlens.kernel.features import Landmarks, landmarks_of
from eigenlens.kernel.points import Points, points_of
from eigenlens.kernel.preimage import Preimage
from eigenlens.kernel.protocol import Kernel
from eigenlens.kernel.transform import kernel_distances, kernel_score_blocks, project_points
from eigenlens.kernel.user_kernels import Precomputed
from eigenlens.model.page import model_html, model_text
from eigenlens.model.rows import match_columns
from eigenlens.model.scores_file import component_names, write_blocks

__all__ = ["KernelSubspace"]


@dataclass(frozen=True, eq=False, repr=False)
class KernelSubspace:
    """Leading components of a kernel matrix, and what is proven of them.

    Attributes
    ----------
    kernel : the kernel, with its parameters.
    anchor_rows : the rows new ones are compared with: all rows in exact mode, or the landmarks;
        None where only a matrix was given. anchor_numbers : which rows of the data they are.
    coefficients : (m, k), A; offset : (k,), b; mean_weights : (m,), w.
    mean_square : the squared length of the mean in the kernel's space.
    eigenvalues : (k,), of the centered kernel matrix, descending; sums of squared scores.
    anchor_scores : (m, k), scores of the anchors; the largest in every column is positive.
    shift : (d,) or None: taken from rows before they are compared.
    method : "exact" or "nystrom".
    certificate : intervals for eigenvalues, captured and total variance.
    choices : what was decided automatically, each a `Verdict` with its reason.
    preimage : how scores are turned back into rows; None where that was not asked for.
    """

    kernel: Kernel
    anchor_rows: Any
    anchor_numbers: IntArray
    coefficients: Float64Array
    offset: Float64Array
    mean_weights: Float64Array
    mean_square: float
    eigenvalues: Float64Array
    anchor_scores: Float64Array
    shift: Float64Array | None
    method: str
    n_rows: int
    n_features: int
    feature_names: tuple[str, ...] | None
    missing = None  # a kernel needs every cell
    categories = None  # and numbers
    mean = None
    certificate: KernelCertificate
    choices: Mapping[str, Verdict]
    provenance: Mapping[str, Any] = field(default_factory=dict)
    preimage: Preimage | None = None

    def __post_init__(self) -> None:
        for array in (
            self.coefficients,
            self.offset,
            self.mean_weights,
            self.eigenvalues,
            self.anchor_scores,
            self.shift,
            self.anchor_rows,
        ):
            if isinstance(array, np.ndarray):
                array.flags.writeable = False

    # -- facts -----------------------------------------------------------------------------

    @property
    def n_components(self) -> int:
        return len(self.eigenvalues)

    @property
    def n_anchors(self) -> int:
        return len(self.anchor_numbers)

    @cached_property
    def anchors(self) -> Points:
        """The anchors as the kernel sees them, shifted."""
        if self.anchor_rows is None:
            return Points(np.empty((self.n_anchors, 0)), self.anchor_numbers)
        return Points(points_of(self.anchor_rows, 0, self.shift).rows, self.anchor_numbers)

    @property
    def total_variance(self) -> float:
        """The trace of the centered kernel matrix, at most; exactly that in exact mode."""
        return float(self.certificate.total_bounds[1])

    @property
    def explained_ratio(self) -> Float64Array:
        """Share of the total variance along each component, at least; see the certificate."""
        return self.eigenvalues / self.total_variance

    @property
    def gamma(self) -> float:
        """Of the kernel; where it has none, what it would have been."""
        return float(getattr(self.kernel, "gamma", 1.0 / self.n_features))

    @property
    def directions(self) -> Float64Array:
        """(m, k): scores of the anchors over the root of the eigenvalue, 0 where that is 0.

        In exact mode, the eigenvectors of the centered kernel matrix.
        """
        roots = np.sqrt(self.eigenvalues)
        scale = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)
        return self.anchor_scores * scale

    @property
    def headline(self) -> str:
        seen = f"{self.n_anchors} landmarks among " if self.method == "nystrom" else ""
        return (
            f"{self.n_components} components of the {self.kernel.name} kernel on {seen}"
            f"{self.n_rows} rows, {self.certificate.captured_ratio:.2%} of the variance"
        )

    @cached_property
    def landmarks(self) -> Landmarks:
        """The anchors with the factor of their kernel matrix; worked out when first asked for."""
        if isinstance(self.kernel, Precomputed):
            raise OptionError.needs(
                "the distance to what the model sees",
                "the kernel as a function, and this model was fitted on a matrix",
                "pass the kernel by name, or as a function of two rows",
            )
        return landmarks_of(self.kernel, self.anchors)

    # -- encode, decode --------------------------------------------------------------------

    def project(self, rows: Any, out: str | Path | None = None) -> Float64Array | Path:
        """Scores of `rows`, (n, k); with `out`, a path, written there block by block."""
        source = self.opened(rows)
        if out is None:
            return project_points(self, source)
        return write_blocks(
            kernel_score_blocks(self, source), component_names(self.n_components), out, rows, source
        )

    def reconstruct(self, scores: Any) -> Float64Array:
        """Rows whose images in the kernel's space come near these scores: pre-images."""
        given = np.asarray(scores, dtype=np.float64)
        if given.ndim != 2 or given.shape[1] != self.n_components:
            raise DataError.wrong_scores(given.shape, self.n_components)
        if self.preimage is None:
            raise OptionError.needs(
                "reconstruct",
                "a pre-image",
                Phrase("fit with {}", SetOption("fit_inverse_transform", True)),
            )
        found = self.preimage.rows_for(self, given)
        return found if self.shift is None else found + self.shift

    def novelty(self, rows: Any) -> Float64Array:
        """Squared distance of each row, in the kernel's space, from all that the anchors span.

        0: the model can see all of it. k(x, x), which is 1 for kernels of distances: nothing.
        """
        return kernel_distances(self, self.opened(rows), to_components=False)

    def residual(self, rows: Any) -> Float64Array:
        """Squared distance of each row, in the kernel's space, to the subspace of components."""
        return kernel_distances(self, self.opened(rows), to_components=True)

    def opened(self, rows: Any) -> Any:
        if isinstance(self.kernel, Precomputed):
            from eigenlens.sources.open import open_source

            source = open_source(rows)
            if source.shape[1] != self.n_features:
                raise KernelError.wrong_columns(source.shape[1], self.n_features)
            return source
        return match_columns(self, rows)

    # -- other models ----------------------------------------------------------------------

    def truncate(self, k: int) -> KernelSubspace:
        """The leading `k` components only, with their own certificate; no pre-image."""
        whole = isinstance(k, Integral) and not isinstance(k, bool)
        if not whole or not 1 <= k <= self.n_components:
            raise RankError.not_held(k, self.n_components)
        if k == self.n_components:
            return self
        reason = f"the leading {k} of {self.n_components} components were kept"
        return replace(
            self,
            coefficients=self.coefficients[:, :k],
            offset=self.offset[:k],
            eigenvalues=self.eigenvalues[:k],
            anchor_scores=self.anchor_scores[:, :k],
            certificate=self.certificate.truncated(k),
            choices={**self.choices, "k": Verdict(k, "truncate", reason)},
            preimage=None if self.preimage is None else self.preimage.truncated(k),
        )

    # -- files -----------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the model to `path`, for `eigenlens.load`; the path comes back.

        A kernel given as a function cannot be saved: that would be code.
        """
        from eigenlens.kernel.record import container_of_kernel_subspace, kernel_subspace_from
        from eigenlens.model.file.save import save_container

        return save_container(container_of_kernel_subspace(self), path, kernel_subspace_from)

    # -- for people ------------------------------------------------------------------------

    def summary(self) -> str:
        """A readable page: eigenvalues, the certificate in words, every choice with its reason."""
        return model_text(self)

    def __str__(self) -> str:
        return model_text(self)

    def __repr__(self) -> str:
        return f"KernelSubspace({self.headline}, {self.certificate.kind} certificate)"

    def _repr_html_(self) -> str:
        return model_html(self)
