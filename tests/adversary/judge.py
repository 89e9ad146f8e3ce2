"""Every statement of a certificate against the truth; what does not hold comes back in words."""

import numpy as np

from tests.adversary.truth import EPS as EXTENDED
from tests.adversary.truth import basis_of, sine_of_spans, sine_of_vectors

DOUBLE = float(np.finfo(np.float64).eps)
TRUTH = 64 * EXTENDED  # what the truth itself may be off, relative to the largest eigenvalue
STORED = 4 * DOUBLE  # components are stored in float64


def violations(model, truth):
    """Statements that do not hold; an empty list is the only success."""
    certificate = model.certificate
    found = [*not_finite(certificate), *facts_violated(model, truth)]
    if certificate.kind == "heuristic":
        return found
    return [*found, *values_violated(model, truth), *angles_violated(model, truth)]


def not_finite(certificate):
    named = {
        "eigenvalue_bounds": certificate.eigenvalue_bounds,
        "captured_ratio": certificate.captured_ratio,
        "captured_bounds": certificate.captured_bounds,
        "reconstruction_bounds": certificate.reconstruction_bounds,
        "total_variance_bounds": certificate.total_variance_bounds,
        "angle_bounds": certificate.angle_bounds,
        "subspace_angle": certificate.subspace_angle,
        "suboptimality": certificate.suboptimality,
        "rounding": certificate.rounding,
        "residuals": certificate.residuals,
    }
    return [f"{name} is not finite" for name, one in named.items() if not np.isfinite(one).all()]


def outside(name, value, bounds, slack):
    low, high = (np.longdouble(bound) for bound in bounds)
    if low - slack <= value <= high + slack:
        return []
    return [f"{name} is {value:.17g}, claimed within [{low:.17g}, {high:.17g}]"]


def facts_violated(model, truth):
    """What needs no proof, only arithmetic."""
    certificate, total = model.certificate, truth.total
    slack = TRUTH * total
    captured = truth.captured(basis_of(model.components)) if model.n_components else 0.0
    # Components are rounded: their span is a little off the one the sums belong to.
    turned = STORED * float(truth.values[0]) * max(model.n_components, 1)
    slack_captured = slack + turned
    low, high = certificate.total_variance_bounds
    apart = np.abs(truth.diagonal - model.feature_variances).max()
    found = [
        *outside("total variance", total, (low, high), slack),
        *outside("stated total variance", np.longdouble(model.total_variance), (low, high), 0),
        *outside(
            "captured ratio", captured / total, certificate.captured_bounds, slack_captured / total
        ),
        *outside(
            "stated captured ratio",
            np.longdouble(certificate.captured_ratio),
            certificate.captured_bounds,
            0,
        ),
        *outside(
            "reconstruction error",
            (total - captured) * truth.divisor,
            certificate.reconstruction_bounds,
            slack_captured * truth.divisor,
        ),
    ]
    if apart > (high - low) / 2 + slack:
        found.append(f"a feature variance is off by {apart:.3g}, the total by {(high - low) / 2}")
    return found


def values_violated(model, truth):
    certificate, k = model.certificate, model.n_components
    largest = truth.values[0]
    found = []
    for i, bounds in enumerate(certificate.eigenvalue_bounds):
        # A singular value of the truth is off by a share of the largest one.
        slack = TRUTH * np.sqrt(largest * truth.values[i]) + TRUTH**2 * largest
        found += outside(f"eigenvalue {i}", truth.values[i], bounds, slack)
    if not k:
        return found
    best = truth.values[:k].sum()
    missed = (best - truth.captured(basis_of(model.components))) / best if best > 0 else 0.0
    if missed > certificate.suboptimality + STORED * k:
        found.append(f"suboptimality is {missed:.3g}, claimed {certificate.suboptimality:.3g}")
    vectors = model.components.T.astype(np.longdouble)
    rest = truth.image(vectors) - vectors * model.eigenvalues
    lengths = np.sqrt((rest * rest).sum(0))
    stored = STORED * float(truth.values[0])
    for i in np.flatnonzero(lengths > certificate.residuals + stored):
        found.append(f"residual {i} is {lengths[i]:.3g}, claimed {certificate.residuals[i]:.3g}")
    return found


def angles_violated(model, truth):
    certificate, k = model.certificate, model.n_components
    found = []
    if k and certificate.subspace_angle < 1:
        true = sine_of_spans(truth.vectors[:, :k], basis_of(model.components))
        if true > certificate.subspace_angle + STORED * k:
            found.append(f"subspace sine is {true:.3g}, claimed {certificate.subspace_angle:.3g}")
    for i in np.flatnonzero(certificate.angle_bounds < 1):
        vector = model.components[i].astype(np.longdouble)
        true = sine_of_vectors(truth.vectors[:, i], vector)
        if true > certificate.angle_bounds[i] + STORED:
            claimed = certificate.angle_bounds[i]
            found.append(f"sine of component {i} is {true:.3g}, claimed {claimed:.3g}")
    return found
