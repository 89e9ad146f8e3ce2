"""A model from leading directions that were kept while rows went by, with what is proven of it.

    F'F <= S <= F'F + e I     =>     t_i <= lambda_i <= t_i + e,     |S v_i - t_i v_i| <= e

t and v are those of F'F; e is what compressions have dropped, and no more than the trace leaves.
The variance captured is then at least what the certificate says: its exact value went by unseen.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from eigenlens.algebra.moments import Moments
from eigenlens.algebra.ritz import Ritz, fix_signs
from eigenlens.algebra.running import RunningMoments
from eigenlens.algebra.scatter import LeadingScatter
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.certify import TableFacts
from eigenlens.certificate.rounding import rounding_of
from eigenlens.certificate.upper_bounds import UpperBounds
from eigenlens.document.verdict import Verdict
from eigenlens.errors import DataError
from eigenlens.model.proof import Proof
from eigenlens.model.subspace import Subspace
from eigenlens.table.roundings import UNIT_ROUNDOFF, Roundings
from eigenlens.table.units import unit_for
from eigenlens.version import __version__

__all__ = ["leading_model"]

RULE = "what was dropped on the way is bounded, and added to every eigenvalue"


def leading_model(
    running: RunningMoments[LeadingScatter], k: int, names: tuple[str, ...] | None
) -> Subspace:
    """The leading `k` components of the rows that went by."""
    shape = running.rows, running.kept.columns
    if running.rows < 2:
        raise DataError.one_row(shape)
    moments = running.moments
    if not moments.squares.any():
        raise DataError.constant_table(shape)
    facts = facts_of_running(running, moments)
    proof = proof_of_running(running.kept, facts, k)
    unit = facts.unit**2
    return Subspace(
        components=np.ascontiguousarray(proof.ritz.span.T),
        eigenvalues=proof.ritz.values * unit,
        mean=moments.mean,
        scale=None,
        n_rows=shape[0],
        feature_names=names,
        total_variance=facts.total_variance * unit,
        feature_variances=facts.diagonal * unit,
        choices=choices_of_running(running.kept, k),
        provenance={
            "eigenlens": __version__,
            "data": f"{shape[0]} rows in blocks",
            "shape": shape,
            "dtype": "float64",
            "settings": {"k": k, "center": True, "scale": None, "solver": "running"},
        },
        moments=moments,
        proof=proof,
    )


def proof_of_running(kept: LeadingScatter, facts: TableFacts, k: int) -> Proof:
    values, vectors = kept.eigenpairs()
    values = values / facts.divisor / facts.unit / facts.unit
    dropped = kept.dropped / facts.divisor / facts.unit / facts.unit
    leading = Ritz(fix_signs(vectors[:, :k]), None, values[:k], np.zeros((1, k)))
    rounding = rounding_of(facts, leading, k)
    missing = min(dropped, max(facts.total_variance - float(values.sum()), 0.0) + rounding.trace)
    allowance = missing + np.append(rounding.values, rounding.leftover)
    roofs = np.pad(values, (0, k + 1))[: k + 1] + allowance
    ceilings = UpperBounds(roofs, missing + rounding.leftover, "deterministic", 0.0, RULE, k)
    return Proof(replace(leading, coupling=missing * np.eye(k)), ceilings, facts)


def facts_of_running(running: RunningMoments[LeadingScatter], moments: Moments) -> TableFacts:
    n, d = running.rows, running.kept.columns
    variances: Float64Array = moments.squares / (n - 1)
    unit = unit_for(float(np.sqrt(variances.sum())))
    variances = variances / unit / unit
    # Every compression rounds like a decomposition of its own.
    rounds = running.kept.compressions * len(running.kept.factor)
    roundings = Roundings(UNIT_ROUNDOFF[8] * running.kept.drift)
    return TableFacts(
        size=max(d, rounds),
        most_components=min(n - 1, d),
        weight=float(n),
        divisor=float(n - 1),
        unit=unit,
        total_variance=float(variances.sum()),
        total_rounding=2 * roundings.relative * float(variances.sum()),
        diagonal=variances,
        roundings=roundings,
        passes=1,
        bytes_read=8 * n * d,
    )


def choices_of_running(kept: LeadingScatter, k: int) -> dict[str, Verdict]:
    reason = (
        f"{kept.columns} columns are too many for a matrix of their products, so {kept.keep} "
        f"leading directions are kept, after {kept.compressions} compressions so far"
    )
    return {
        "k": Verdict(k, "count", "so many were asked for"),
        "solver": Verdict("running", "many columns", reason),
    }
