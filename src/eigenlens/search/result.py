"""result: what a search has found, as a model in the units of the data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.ritz import fix_signs
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.certify import facts_of_table
from eigenlens.document.verdict import Verdict
from eigenlens.errors.phrasing import list_words
from eigenlens.missing.treatment import Treatment
from eigenlens.model.missing_cells import missing_cells_of
from eigenlens.model.proof import Proof
from eigenlens.model.subspace import Subspace
from eigenlens.robust.compare import compare_with_wrapped
from eigenlens.robust.treatment import RobustTreatment
from eigenlens.search.prove import SearchResult
from eigenlens.sources.block import dtype_name
from eigenlens.sources.categories.encoding import categories_verdict, encoding_of
from eigenlens.sources.device.rows import is_on_device
from eigenlens.sources.moments_only import MomentsSource
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.shift import centering_verdict
from eigenlens.table.table import TableOperator
from eigenlens.version import __version__

__all__ = ["subspace_from"]

KEPT_SCATTER_BYTES = 32 << 20  # a scatter matrix up to this size stays with the model, for merge
SHOWN = 5
# Rules that ask nothing about noise, and the one that draws it with the same holes.
NO_NOISE = ("request", "count", "fraction", "frobenius", "parallel")
NOISE_OF_NUMBERS = (
    "screenot", "dpa", "minka", "kritchman_nadler", "gavish_donoho", "bai_ng", "bcv", "gcv",
    "small_table", "broken_stick",
)  # fmt: skip


def subspace_from(
    table: TableOperator,
    found: SearchResult,
    solver: Verdict,
    settings: dict[str, Any],
    outliers: RobustTreatment,
) -> Subspace:
    """The model in the units of the data; `solver`: which one it was, and why.

    Its certificate is computed from `proof` when it is first asked for.
    """
    ritz, unit, moments = found.ritz, table.unit**2, table.moments
    vectors = fix_signs(ritz.vectors(ritz.size))
    signed = replace(ritz, span=vectors, rotation=None, values=np.maximum(ritz.values, 0.0))
    centered, scaled = table.preparation.center, table.preparation.scale is not None
    choices = {"k": found.rank, "rank": found.numerical_rank, "solver": solver, "stop": found.stop}
    if centered:
        choices["centering"] = centering_verdict(table.rows.shift)
    choices |= choices_about_columns(table.source)
    if is_on_device(table.source):
        choices["device"] = table.source.place
    treated = outliers.treated
    encoding = encoding_of(table.source)
    if encoding is not None:
        choices["categories"] = categories_verdict(encoding)
        choices["k"] = qualify_rank(found.rank)
    if treated.choice is not None:
        choices["missing"] = treated.choice
        choices["k"] = say_what_is_assumed(choices["k"], treated)
    robust = outliers.choice
    if robust is None and encoding is None:
        spread = moments.squares / moments.weight
        robust = compare_with_wrapped(
            table.source, table.preparation, vectors.T, spread, table.sample
        )
    if robust is not None:
        choices["robust"] = robust
    model = Subspace(
        components=np.ascontiguousarray(vectors.T),
        eigenvalues=signed.values * unit,
        mean=moments.mean if centered else None,
        scale=table.scale if scaled else None,
        n_rows=table.shape[0],
        feature_names=table.source.names,
        total_variance=table.total_variance * unit,
        feature_variances=table.feature_variances * unit,
        choices=choices,
        provenance={
            "eigenlens": __version__,
            "data": repr(table.source),
            "shape": table.shape,
            "dtype": dtype_name(table.source.dtype),
            "settings": settings,
            **shape_of_columns(table.source),
        },
        moments=moments_to_keep(table, moments, found.matrix),
        categories=encoding,
        proof=Proof(signed, found.ceilings, facts_of_table(table, signed.from_triangle)),
        robust=outliers.record,
    )
    holes = missing_cells_of(model, treated)
    if holes is None:
        return model
    outlying = 0 if outliers.record is None else outliers.record.outlying
    return replace(model, missing=replace(holes, outlying=outlying))


def say_what_is_assumed(rank: Verdict, treated: Treatment) -> Verdict:
    """Rules that judge noise by the spectrum see the expected one, as of fewer complete rows."""
    reader = treated.reader
    if reader is None or rank.rule in NO_NOISE:
        return rank
    rows = reader.observed.rows * reader.observed.informative_share
    words = f"with missing cells the rows are taken for {rows:.0f} complete ones"
    return replace(rank, reason=f"{rank.reason}; {words}")


def qualify_rank(rank: Verdict) -> Verdict:
    """A rule that supposes noise of numbers is approximate for categories, and says so."""
    if rank.rule not in NOISE_OF_NUMBERS:
        return rank
    words = f"{rank.reason}; its law of noise is that of numbers, and approximate for categories"
    return replace(rank, reason=words)


def moments_to_keep(
    table: TableOperator, moments: Moments, covariance: Float64Array | None
) -> Moments:
    """Weight, mean and squares; the scatter too where it was formed and is not large.

    It takes the place of the covariance matrix, which nobody asks for any more. That of a table
    of expected moments is at hand whatever the solver.
    """
    if covariance is None and isinstance(table.source, MomentsSource):
        given = table.source.moments.scatter
        small = given is not None and given.nbytes <= KEPT_SCATTER_BYTES
        return replace(moments, scatter=given) if small else moments
    if covariance is None or covariance.nbytes > KEPT_SCATTER_BYTES:
        return moments
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        scatter = np.multiply(covariance, table.divisor, out=covariance)
        if table.unit != 1:
            scatter *= table.unit**2
        if table.scale is not None:
            scatter *= table.scale[:, None]
            scatter *= table.scale
        if not table.preparation.center:
            scatter -= moments.weight * np.outer(moments.mean, moments.mean)
    # No entry of a scatter matrix is larger than the largest on its diagonal.
    finite = np.isfinite(np.diag(scatter)).all()
    return replace(moments, scatter=scatter) if finite else moments


def shape_of_columns(source: Source) -> dict[str, Any]:
    """Where the columns are the pixels of a picture: its shape."""
    shape = traits_of(source).column_shape
    return {} if shape is None else {"column_shape": shape}


def choices_about_columns(source: Source) -> dict[str, Verdict]:
    """What was decided about a file: how it is written, and which columns are left out."""
    made, others = dict(traits_of(source).decided), traits_of(source).left_out
    if others:
        shown = [f"{name!r} ({why})" if why else repr(name) for name, why in others.items()]
        reason = f"left out: {list_words(shown, SHOWN, quote=False)}"
        evidence = {"left_out": list(others), "why": dict(others)}
        made["columns"] = Verdict(source.shape[1], "numeric columns", reason, evidence)
    return made
