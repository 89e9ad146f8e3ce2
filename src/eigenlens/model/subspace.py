"""Subspace: the frozen result of a fit."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.certify import certify
from eigenlens.certificate.record import Certificate
from eigenlens.document.verdict import Verdict
from eigenlens.errors import DataError
from eigenlens.model import derived
from eigenlens.model.completion import complete_model_rows, draw_completions, score_errors
from eigenlens.model.dask_answers import is_dask_collection, map_chunks, refuse_other_scores
from eigenlens.model.device_answers import answer_elsewhere, is_elsewhere, rows_there
from eigenlens.model.kept_columns import project_beside
from eigenlens.model.missing_cells import MissingCells
from eigenlens.model.page import model_headline, model_html, model_text
from eigenlens.model.proof import Proof
from eigenlens.model.rows import (
    block_scores,
    centered_blocks,
    log_densities,
    project_rows,
    require_finite,
)
from eigenlens.model.scores_file import write_scores
from eigenlens.model.spectrum import spectrum_of_model
from eigenlens.rank.numerical_rank import numerical_rank
from eigenlens.robust.record import RobustFit
from eigenlens.sources.categories.encoding import Encoding

__all__ = ["Subspace"]


@dataclass(frozen=True, eq=False, repr=False)
class Subspace:
    """Leading components of a table, what they capture, and the proof of it.

    Attributes
    ----------
    components : (k, d), orthonormal rows; the largest entry of each is positive.
    eigenvalues : (k,), variances along them, descending.
    mean, scale : (d,) or None where rows are not centered or not scaled.
    total_variance, feature_variances : trace and diagonal of the covariance matrix.
    choices : what was decided automatically, each a `Verdict` with its reason.
    provenance : where the model comes from: version, settings, kind of data.
    categories : None, or the levels of categorical columns.
    """

    components: Float64Array
    eigenvalues: Float64Array
    mean: Float64Array | None
    scale: Float64Array | None
    n_rows: int
    feature_names: tuple[str, ...] | None
    total_variance: float
    feature_variances: Float64Array
    choices: Mapping[str, Verdict]
    provenance: Mapping[str, Any]
    moments: Moments
    proof: Proof
    missing: MissingCells | None = None
    categories: Encoding | None = None
    robust: RobustFit | None = None

    def __post_init__(self) -> None:
        own = (self.components, self.eigenvalues, self.mean, self.scale, self.feature_variances)
        for array in (one for one in own if one is not None):
            array.flags.writeable = False

    # -- facts -----------------------------------------------------------------------------

    @property
    def n_components(self) -> int:
        return len(self.eigenvalues)

    @property
    def n_features(self) -> int:
        return int(self.components.shape[1])

    @property
    def column_shape(self) -> tuple[int, ...]:
        """(h, w) or (h, w, c) of a model of pictures, else (d,): the shape of one row."""
        return tuple(self.provenance.get("column_shape", (self.n_features,)))

    @cached_property
    def certificate(self) -> Certificate:
        """What is proven about the components and eigenvalues."""
        return certify(self.proof.facts, self.proof.ritz, self.proof.ceilings)

    @cached_property
    def rank(self) -> Verdict:
        """The numerical rank of the table, or "at least" where only a part of it was looked at."""
        known = self.choices.get("rank")
        return numerical_rank(spectrum_of_model(self)) if known is None else known

    @property
    def n_filled(self) -> int:
        """How many of the components hold more than rounding: the others are empty."""
        return min(self.n_components, int(self.rank.value))

    @property
    def explained_ratio(self) -> Float64Array:
        """Share of the total variance along each component."""
        return self.eigenvalues / self.total_variance

    @property
    def noise_variance(self) -> float:
        """Average variance of the d - k directions left out (maximum likelihood)."""
        captured = float(self.eigenvalues.sum())
        return derived.mean_noise_variance(
            self.total_variance, captured, self.n_features, self.n_components
        )

    @property
    def reading(self) -> Mapping[str, str]:
        """How rows are read: `layer` and `obsm` of an AnnData, `normalize`, where it was asked."""
        found: Mapping[str, str] = self.provenance.get("settings", {}).get("reading", {})
        return found

    @property
    def headline(self) -> str:
        return model_headline(self)

    # -- encode, decode --------------------------------------------------------------------

    def project(
        self,
        rows: Any,
        out: str | Path | None = None,
        *,
        errors: bool = False,
        keep: Sequence[str] | None = None,
    ) -> Any:
        """Scores of `rows`: their coordinates along the components, (n, k).

        A model fitted with missing="auto" fills missing cells with what is expected of them, and
        with `errors=True` also gives the standard errors of the scores: a pair of arrays.

        With `keep`, names of columns, a frame comes back of the kind that came in: these columns as
        they are, and PC1, PC2, ... beside them.

        A frame or file with names is read by the names of the model's columns, in any order, and
        whatever else stands beside them; rows without names by position.
        With `out`, a path ending in .npy, .csv or .parquet, they are written there block by block
        and the path comes back. Of a Dask collection this and what follows are Dask arrays, not yet
        computed; of a torch tensor, a cupy or jax array of the same kind, on the same device.
        """
        if keep is not None:
            return project_beside(self, rows, keep)
        if errors:
            return self.project(rows), score_errors(self, rows)
        if out is not None:
            return write_scores(self, rows, out)
        if is_elsewhere(rows):
            return answer_elsewhere(self, rows, Subspace.project, self.n_components)
        with np.errstate(invalid="ignore", over="ignore"):
            return require_finite(project_rows(self, rows), self, rows)

    def reconstruct(self, scores: Any) -> Any:
        """The rows that have these scores and no residual, in the units of the data."""
        if is_dask_collection(scores):
            refuse_other_scores(scores, self.n_components)
            return map_chunks(scores, self.reconstruct, self.n_features, np.dtype(np.float64))
        if is_elsewhere(scores):
            return rows_there(self, scores)
        given = np.asarray(scores, dtype=np.float64)
        if given.ndim == 0 or given.shape[-1] != self.n_components:
            raise DataError.wrong_scores(given.shape, self.n_components)
        rows = given @ self.components
        if self.scale is not None:
            rows = rows * self.scale
        return rows if self.mean is None else rows + self.mean

    def residual(self, rows: Any) -> Any:
        """Squared distance of each (prepared) row to the subspace."""
        if is_elsewhere(rows):
            return answer_elsewhere(self, rows, Subspace.residual, None)
        parts = []
        for block in centered_blocks(self, rows):
            # Subtract the projection rather than squared lengths: near the subspace the
            # difference of two large numbers would be all rounding.
            with np.errstate(invalid="ignore", over="ignore"):
                apart = block - block_scores(self, block) @ self.components
                parts.append(np.square(apart).sum(axis=1))
        return require_finite(np.concatenate(parts), self, rows)

    def log_likelihood(self, rows: Any) -> Any:
        """Log density of each row under the probabilistic model, in the units of the data."""
        if is_elsewhere(rows):
            return answer_elsewhere(self, rows, Subspace.log_likelihood, None)
        with np.errstate(invalid="ignore", over="ignore"):
            return require_finite(log_densities(self, rows, self.noise_variance), self, rows)

    # -- missing cells ---------------------------------------------------------------------

    def complete(self, rows: Any, *, errors: bool = False, out: str | Path | None = None) -> Any:
        """`rows` with their missing cells filled with what is expected given the others.

        With `errors=True` a pair: the rows, and the standard error of every filled cell (0 where
        nothing was missing). With `out`, the filled rows are written there block by block.
        Of a table with categories two tables: a filled category has its likeliest level, its error
        is the probability that it has another one.
        """
        return complete_model_rows(self, rows, errors, out)

    def draws(self, rows: Any, m: int = 20, *, seed: int = 0) -> Iterator[Float64Array]:
        """`m` completed tables, their missing cells drawn at random: multiple imputation."""
        return draw_completions(self, rows, m, seed)

    # -- other models ----------------------------------------------------------------------

    def truncate(self, k: int) -> Subspace:
        """The leading `k` components only, with their own certificate."""
        from eigenlens.model.merge import truncate_model

        return truncate_model(self, k)

    def merge(self, other: Subspace) -> Subspace:
        """The model of both sets of rows together, exact; both must have kept their moments."""
        from eigenlens.model.merge import merge_models

        return merge_models(self, other)

    # -- files -----------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the model to `path`, for `eigenlens.load`; the path comes back.

        A zip of `model.json` and `.npy` arrays, without pickle. The same model gives the same
        bytes. A file of that name is replaced, once the new one is complete.
        """
        from eigenlens.model.file.save import save_subspace

        return save_subspace(self, path)

    def export(self, path: str | os.PathLike[str], to: str | None = None) -> Path:
        """Write the model for other programs; the path comes back.

        `to` is "onnx" (a graph from rows to scores), "json" or "npz"; None: what the ending says.
        """
        from eigenlens.model.export.formats import export_model

        return export_model(self, path, to)

    def to_sklearn(self) -> Any:
        """A fitted `sklearn.decomposition.PCA` whose `transform` is our `project`.

        Of a scaled model: a `Pipeline` of a `StandardScaler` and a `PCA`.
        """
        from eigenlens.model.export.sklearn_pca import to_sklearn

        return to_sklearn(self)

    def to_torch(self, dtype: Any = None) -> Any:
        """A `torch.nn.Linear` whose output is our `project`, in float32 by default."""
        from eigenlens.model.export.layers import to_torch

        return to_torch(self, dtype)

    def to_sentence_transformers(self) -> list[Any]:
        """Modules (`Dense`) to append to a `SentenceTransformer`."""
        from eigenlens.model.export.layers import to_sentence_transformers

        return to_sentence_transformers(self)

    def to_faiss(self) -> Any:
        """A trained `faiss.LinearTransform`, for `faiss.IndexPreTransform`."""
        from eigenlens.model.export.layers import to_faiss

        return to_faiss(self)

    # -- for people ------------------------------------------------------------------------

    def summary(self) -> str:
        """A readable page: eigenvalues, the certificate in words, every choice with its reason."""
        return model_text(self)

    __str__ = summary

    def __repr__(self) -> str:
        return f"Subspace({model_headline(self, brief=True)}, {self.certificate.kind} certificate)"

    def _repr_html_(self) -> str:
        return model_html(self)
