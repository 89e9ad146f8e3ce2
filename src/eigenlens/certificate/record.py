"""Certificate: the record every fit returns, and how it reads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.phrases import format_percent

__all__ = ["Certificate", "bound_in_words", "round_up"]

RULES_IN_WORDS = {
    "the span is the whole space": "every eigenvalue was computed",
    "trace": "it would hold if all the variance left over lay in one direction",
    "Cholesky": "a Cholesky factorization bounds the variance of every direction left out",
    "read-out": "the float32 matrix bounds the variance of every direction left out",
    "probes": "random probes bound the variance of every direction left out",
}


VISIBLE = 5e-7  # a share that is off by less has the four digits that are shown, or nearly
NOTHING_KEPT = (
    "No component is kept, so none of the variance is captured.",
    "There is no eigenvalue to bound.",
    "There is no angle to bound.",
    "The mean alone describes the rows.",
)


@dataclass(frozen=True, eq=False)
class Certificate:
    """What is proven about a subspace of k components.

    Attributes
    ----------
    captured_ratio, reconstruction_error
        Exact facts, but for rounding: the share of the total variance in the subspace, and the sum
        of squared distances of the (prepared, weighted) rows to it; of a matrix that is taken as
        exact, the squared distance expected of one row.
    captured_bounds, reconstruction_bounds, total_variance_bounds
        (2,): between which the two, and the model's total variance, lie in exact arithmetic. None
        in a certificate that makes no such statement (kernel models state their own).
    eigenvalue_bounds
        (k, 2): each true eigenvalue lies between the two.
    angle_bounds
        (k,): on the sine between each component and the true one; 1 inside a cluster.
    subspace_angle
        On the sine of the largest principal angle to the true subspace.
    suboptimality
        On (best possible - captured) / best possible.
    clusters
        Positions in `components` (from 0) of which only the common span can be stated; the text
        counts from PC1.
    kind, failure_probability
        `deterministic` (no sampling enters), `probabilistic`, or `heuristic` (promises nothing).
    passes, bytes_read
        What it took, the certificate included.
    sampling_share
        Numerical error over the sampling error of the eigenvalues; 0 where there is no sample, for
        a matrix that is taken as exact.
    rounding
        (k,): the allowance for floating point, included in the bounds.
    hazard
        How many times larger the second moment is than the variance, where rows were not shifted.
    rule
        What settled the largest variance left over.
    residuals
        (k,): |C v - t v|; some eigenvalue of C lies within each of its value t.
    backward_error
        The components and eigenvalues are exact for a matrix this close to C in norm.
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
    residuals: Float64Array
    backward_error: float
    captured_bounds: Float64Array | None = None
    reconstruction_bounds: Float64Array | None = None
    total_variance_bounds: Float64Array | None = None

    @property
    def relative_error(self) -> float:
        """The largest certified relative error of an eigenvalue that is not zero."""
        low, high = self.eigenvalue_bounds.T
        values = low + self.rounding  # what the fit returns, unless that is zero to rounding
        present = values > 10 * self.rounding + np.finfo(np.float64).tiny
        errors = np.maximum(high - values, self.rounding)
        return float((errors[present] / values[present]).max(initial=0.0))

    @property
    def sentences(self) -> tuple[str, str, str, str]:
        """In words: the variance captured, the eigenvalues, the angle, how it is proven."""
        if not len(self.angle_bounds):
            return NOTHING_KEPT
        error = bound_in_words(self.relative_error, "its size")
        share = bound_in_words(self.sampling_share, "its sampling error")
        beside = f", {share}" if self.sampling_share > 0 else ""
        return (
            self.variance_sentence(),
            f"Every eigenvalue is known to within {error}{beside}.",
            self.angle_sentence(),
            self.kind_sentence(),
        )

    def __str__(self) -> str:
        return " ".join(self.sentences)

    def variance_sentence(self) -> str:
        count = len(self.angle_bounds)
        subject = "The component captures" if count == 1 else f"The {count} components capture"
        best = f"the best that {'one' if count == 1 else count} can"
        missed = (
            "exactly"
            if self.suboptimality == 0
            else f"within {bound_in_words(self.suboptimality)} of"
        )
        return f"{subject} {self.captured_words()} of the variance, {missed} {best}."

    def captured_words(self) -> str:
        """The share with four digits; as an interval where rounding leaves fewer."""
        if self.captured_bounds is None:
            return format_percent(self.captured_ratio, 4)
        low, high = (f"{bound:.4%}" for bound in self.captured_bounds)
        shown = format_percent(self.captured_ratio, 4)
        near = max(self.captured_bounds - self.captured_ratio) <= VISIBLE
        near = near and max(self.captured_ratio - self.captured_bounds) <= VISIBLE
        return shown if near else f"between {low} and {high}"

    def angle_sentence(self) -> str:
        if self.subspace_angle >= 1:
            return (
                "No gap to what lies beyond is proven, so no angle to the true subspace is claimed."
            )
        text = (
            f"The angle to the true subspace has a sine of at most {round_up(self.subspace_angle)}"
        )
        tied = [f"PC{group[0] + 1} to PC{group[-1] + 1}" for group in self.clusters if group[1:]]
        if tied:
            more = f" and {len(tied) - 3} more groups" if len(tied) > 3 else ""
            return f"{text}; only the spans of {', '.join(tied[:3])}{more} can be told."
        return f"{text}."

    def kind_sentence(self) -> str:
        work = f"{self.passes} pass{'' if self.passes == 1 else 'es'} over the data"
        how = RULES_IN_WORDS.get(self.rule, self.rule)
        if self.kind == "deterministic":
            return f"This is proven without sampling, in {work}: {how}."
        if self.kind == "probabilistic":
            chance = f"{self.failure_probability:.0e}"
            return f"This holds except with probability {chance}, after {work}: {how}."
        return f"This is a guess that promises nothing, after {work}: certify='fast' was asked for."

    def _repr_html_(self) -> str:
        from eigenlens.document.html import escape_text
        from eigenlens.document.notebook import notebook_html

        lines = "".join(f"<li>{escape_text(one)}</li>" for one in self.sentences)
        return notebook_html(f"<h4>Certificate, {self.kind}</h4><ul>{lines}</ul>")

    def __repr__(self) -> str:
        return (
            f"Certificate({self.kind}, captured_ratio={self.captured_ratio:.6g}, "
            f"suboptimality<={self.suboptimality:.1e}, subspace_angle<={self.subspace_angle:.1e})"
        )


def bound_in_words(value: float, of: str = "") -> str:
    """A bound as people say it: "0.4% of its size", "3.2e-12 of its size", "13 times its size"."""
    if not np.isfinite(value):
        return "an unknown multiple of " + of if of else "an unknown part"
    if value >= 1:
        return f"{round_up(value)} times {of}".strip()
    text = f"{round_up(100 * value)}%" if value >= 1e-4 or value == 0 else round_up(value)
    return f"{text} of {of}" if of else text


def round_up(value: float, digits: int = 2) -> str:
    """A bound in few digits, rounded so that it still holds."""
    if value == 0:
        return "0"
    step = 10.0 ** (np.floor(np.log10(abs(value))) - digits + 1)
    bound = float(np.ceil(value / step) * step)
    return f"{bound:.{digits - 1}e}" if bound < 1e-3 else f"{bound:.{digits}g}"
