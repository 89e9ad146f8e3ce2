"""Certificate: the record every fit returns, and how it reads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["Certificate"]


@dataclass(frozen=True, eq=False)
class Certificate:
    """What is proven about a subspace of k components.

    Attributes
    ----------
    captured_ratio, reconstruction_error
        Exact facts: the share of the total variance in the subspace, and the sum of squared
        distances of the (prepared, weighted) rows to it.
    eigenvalue_bounds
        (k, 2): each true eigenvalue lies between the two.
    angle_bounds
        (k,): on the sine between each component and the true one; 1 inside a cluster.
    subspace_angle
        On the sine of the largest principal angle to the true subspace.
    suboptimality
        On (best possible - captured) / best possible.
    clusters
        Tuples of components (from 0) about which only their common span can be stated.
    kind, failure_probability
        `deterministic` (no sampling enters), `probabilistic`, or `heuristic` (promises nothing).
    passes, bytes_read
        What it took, the certificate included.
    sampling_share
        Numerical error over the sampling error of the eigenvalues.
    rounding
        (k,): the allowance for floating point, included in the bounds.
    hazard
        How many times larger the second moment is than the variance, where rows were not shifted.
    rule
        What settled the largest variance left over.
    """

    captured_ratio: float
    reconstruction_error: float
    eigenvalue_bounds: Float64Array
    angle_bounds: Float64Array
    subspace_angle: float
    suboptimality: float
    clusters: tuple[tuple[int, ...], ...]
    kind: str
    failure_probability: float
    passes: int
    bytes_read: int
    sampling_share: float
    rounding: Float64Array
    hazard: float
    rule: str

    @property
    def relative_error(self) -> float:
        """The largest certified relative error of an eigenvalue that is not zero."""
        low, high = self.eigenvalue_bounds.T
        middle = (low + high) / 2
        present = middle > 10 * (self.rounding + np.finfo(np.float64).tiny)
        if not present.any():
            return 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(((high - low) / middle)[present].max())

    def __str__(self) -> str:
        count = len(self.angle_bounds)
        many = "component" if count == 1 else "components"
        return " ".join(
            (
                f"The {count} {many} capture {self.captured_ratio:.4%} of the total variance, at "
                f"most {share(self.suboptimality)} less than any other {count} could.",
                f"Every eigenvalue is known to {share(self.relative_error)}, "
                f"{share(self.sampling_share)} of its sampling error.",
                self.angle_sentence(),
                self.kind_sentence(),
            )
        )

    def angle_sentence(self) -> str:
        if self.subspace_angle >= 1:
            return "Nothing separates the subspace from what lies beyond it: no angle is claimed."
        text = f"The subspace is within a sine of {self.subspace_angle:.1e} of the true one"
        tied = [group for group in self.clusters if len(group) > 1]
        if tied:
            groups = ", ".join(f"PC{group[0] + 1} to PC{group[-1] + 1}" for group in tied)
            return f"{text}; {groups} can only be told as a span."
        return f"{text}."

    def kind_sentence(self) -> str:
        work = f"{self.passes} pass{'' if self.passes == 1 else 'es'} over the data"
        if self.kind == "deterministic":
            return f"This is proven without sampling, in {work} ({self.rule})."
        if self.kind == "probabilistic":
            return (
                f"This holds except with probability {self.failure_probability:.0e}, "
                f"after {work} ({self.rule})."
            )
        return f"This is a guess that promises nothing, after {work}: certify='fast' was asked for."

    def __repr__(self) -> str:
        return (
            f"Certificate({self.kind}, captured_ratio={self.captured_ratio:.6g}, "
            f"suboptimality<={self.suboptimality:.1e}, subspace_angle<={self.subspace_angle:.1e})"
        )


def share(value: float) -> str:
    """A small share in words people can read: percent, or a power of ten."""
    if not np.isfinite(value):
        return "an unknown share"
    if value == 0:
        return "0 %"
    return f"{100 * value:.2g} %" if value >= 1e-4 else f"{value:.1e}"
