"""What is proven about kernel components: intervals, in the units of the kernel matrix.

With E = K - F F' what landmarks leave unseen, positive semidefinite, and e = tr E summed exactly:

    t_i <= lambda_i <= t_i + e          every eigenvalue of the centered matrix
    S   <= captured <= S + e            the k leading ones together; S is what our components hold
    T   <= total    <= T + e            the variance that there is
    (t_i) / (T + e) <= ratio <= (t_i + e) / (T + e)

because K_c = (F F')_c + E_c, tr E_c <= tr E, and adding a positive semidefinite matrix moves every
eigenvalue up by at most its trace. In exact mode e is 0 and the certificate of the table stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.record import Certificate, bound_in_words, round_up

__all__ = ["KernelCertificate", "scale_certificate"]


@dataclass(frozen=True, eq=False)
class KernelCertificate:
    """What is proven about k components of a kernel matrix.

    Attributes
    ----------
    eigenvalue_bounds : (k, 2): each true eigenvalue of the centered matrix lies between the two.
    captured : the variance along the components, exact: the sum of all squared scores.
    captured_bounds : (2,): the variance that the best k components capture.
    total_bounds : (2,): the whole variance, the trace of the centered matrix.
    explained_ratio_bounds : (k, 2): each true eigenvalue over the whole variance.
    captured_ratio : the share of the variance that the components capture, at least.
    captured_ratio_bounds : (2,): the share that they capture.
    residual_trace : what the landmarks leave unseen; 0 in exact mode.
    angle_bounds, subspace_angle, clusters : about the columns of the scores of the fit, as in
        `Certificate`; `project` computes kernel values anew, and rounds them anew.
    suboptimality : on (best possible - captured) / best possible.
    kind, failure_probability, passes, bytes_read, sampling_share, rounding, rule, residuals,
    backward_error : as in `Certificate`.
    """

    table: Certificate  # about the eigenvalues, in the units of the kernel matrix
    captured: float
    total_bounds: Float64Array
    residual_trace: float
    landmarks: int  # 0: all rows
    assumption: str = ""  # what the proof rests on besides arithmetic

    # -- intervals -------------------------------------------------------------------------

    @property
    def eigenvalue_bounds(self) -> Float64Array:
        return self.table.eigenvalue_bounds

    @property
    def captured_bounds(self) -> Float64Array:
        low, high = self.eigenvalue_bounds.sum(axis=0)
        rounding = float(self.table.rounding.sum())
        return np.array([low, min(high, self.captured + self.residual_trace + rounding)])

    @property
    def explained_ratio_bounds(self) -> Float64Array:
        low, high = self.eigenvalue_bounds.T
        least, most = self.total_bounds
        whole = least + self.residual_trace  # what raises an eigenvalue raises the whole as well
        shares = high / whole if whole > 0 else np.ones_like(high)
        return np.column_stack([low / most, np.minimum(shares, 1.0)])

    @property
    def captured_ratio(self) -> float:
        return float(self.captured_ratio_bounds[0])

    @property
    def captured_ratio_bounds(self) -> Float64Array:
        rounding = float(self.table.rounding.sum())
        low, high = max(self.captured - rounding, 0.0), self.captured + rounding
        least, most = self.total_bounds
        return np.array([low / most, min(high / least, 1.0) if least > 0 else 1.0])

    @property
    def suboptimality(self) -> float:
        best = float(self.captured_bounds[1])
        least = self.captured - float(self.table.rounding.sum())
        return min(max(best - least, 0.0) / best, 1.0) if best > 0 else 0.0

    @property
    def reconstruction_error(self) -> float:
        """The sum of squared distances to the components in the kernel's space, at most."""
        return max(float(self.total_bounds[1]) - self.captured, 0.0)

    # -- as of any table -------------------------------------------------------------------

    @property
    def angle_bounds(self) -> Float64Array:
        return self.table.angle_bounds

    @property
    def subspace_angle(self) -> float:
        return self.table.subspace_angle

    @property
    def clusters(self) -> tuple[tuple[int, ...], ...]:
        return self.table.clusters

    @property
    def kind(self) -> str:
        return self.table.kind

    @property
    def failure_probability(self) -> float:
        return self.table.failure_probability

    @property
    def passes(self) -> int:
        return self.table.passes

    @property
    def bytes_read(self) -> int:
        return self.table.bytes_read

    @property
    def sampling_share(self) -> float:
        return self.table.sampling_share

    @property
    def rounding(self) -> Float64Array:
        return self.table.rounding

    @property
    def rule(self) -> str:
        return self.table.rule

    @property
    def residuals(self) -> Float64Array:
        return self.table.residuals

    @property
    def backward_error(self) -> float:
        return self.table.backward_error

    @property
    def relative_error(self) -> float:
        return self.table.relative_error

    # -- in words --------------------------------------------------------------------------

    @property
    def sentences(self) -> tuple[str, ...]:
        """In words: the variance captured, the eigenvalues, the angle, how it is proven."""
        if not self.landmarks:
            *told, proof = self.table.sentences
            return (*told, proof + self.assumption)
        return (
            self.variance_sentence(),
            self.eigenvalue_sentence(),
            self.table.angle_sentence(),
            self.kind_sentence(),
        )

    def __str__(self) -> str:
        return " ".join(self.sentences)

    def variance_sentence(self) -> str:
        count = len(self.angle_bounds)
        low, high = self.captured_ratio_bounds
        subject = "The component captures" if count == 1 else f"The {count} components capture"
        between = f"{low:.4%} to {high:.4%}" if f"{low:.4%}" != f"{high:.4%}" else f"{low:.4%}"
        best = f"the best that {'one' if count == 1 else count} can"
        gap = bound_in_words(self.suboptimality)
        return f"{subject} {between} of the variance, within {gap} of {best}."

    def eigenvalue_sentence(self) -> str:
        share = self.residual_trace / float(self.total_bounds[1])
        share_in_words = bound_in_words(share, "the variance")
        return (
            f"Every eigenvalue lies at most {round_up(self.residual_trace)} above the one found, "
            f"{share_in_words}: what {self.landmarks} landmarks leave unseen."
        )

    def kind_sentence(self) -> str:
        return (
            f"This is proven without sampling, in {self.passes} passes over the data: {self.rule}."
            f"{self.assumption}"
        )

    def __repr__(self) -> str:
        low, high = self.captured_ratio_bounds
        return (
            f"KernelCertificate({self.kind}, captured_ratio={low:.6g} to {high:.6g}, "
            f"suboptimality<={self.suboptimality:.1e}, residual_trace={self.residual_trace:.3g})"
        )

    def truncated(self, k: int) -> KernelCertificate:
        """For the leading k components. What is said of each still holds, and bounds their span."""
        table = self.table
        if k == len(table.angle_bounds):
            return self
        low, high = table.eigenvalue_bounds.T
        captured = float((low + table.rounding)[:k].sum())
        best, gap = float(high[:k].sum()), float(low[k - 1] - high[k])
        kept = replace(
            table,
            captured_ratio=captured / float(self.total_bounds[1]),
            eigenvalue_bounds=table.eigenvalue_bounds[:k],
            angle_bounds=table.angle_bounds[:k],
            subspace_angle=min(table.backward_error / gap, 1.0) if gap > 0 else 1.0,
            suboptimality=max(best - captured, 0.0) / best if best > 0 else 0.0,
            clusters=tuple(run for run in cut_clusters(table.clusters, k) if run),
            rounding=table.rounding[:k],
            residuals=table.residuals[:k],
        )
        return replace(self, table=kept, captured=captured)


def cut_clusters(clusters: tuple[tuple[int, ...], ...], k: int) -> list[tuple[int, ...]]:
    return [tuple(place for place in run if place < k) for run in clusters]


def scale_certificate(
    certificate: Certificate, factor: float, dropped: Float64Array
) -> Certificate:
    """In units `factor` times smaller; `dropped` of eigenvalues, in the new units, counts as 0."""
    return replace(
        certificate,
        eigenvalue_bounds=certificate.eigenvalue_bounds * factor,
        rounding=certificate.rounding * factor + dropped,
        residuals=certificate.residuals * factor,
        backward_error=certificate.backward_error * factor,
        captured_bounds=None,
        reconstruction_bounds=None,
        total_variance_bounds=None,
    )
