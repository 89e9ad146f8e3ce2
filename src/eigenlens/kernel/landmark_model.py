"""From what landmarks see to a model: the table of features, its proof widened by the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from eigenlens.algebra.ritz import fix_signs
from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.certify import certify
from eigenlens.certificate.record import Certificate
from eigenlens.document.verdict import Verdict
from eigenlens.errors import KernelError, OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.fit import fit
from eigenlens.kernel.bandwidth import advise_on_gamma, has_gamma
from eigenlens.kernel.certificate import KernelCertificate, scale_certificate
from eigenlens.kernel.features import Landmarks
from eigenlens.kernel.nystrom import (
    ChosenLandmarks,
    FeatureMoments,
    LandmarkPlan,
    choose_landmarks,
    measure_features,
)
from eigenlens.kernel.pivots import Pivots
from eigenlens.kernel.points import origin_shift
from eigenlens.kernel.preimage import add_preimage
from eigenlens.kernel.request import ACCURATE, DENSE_BELOW, KernelRequest
from eigenlens.kernel.subspace import KernelSubspace
from eigenlens.kernel.user_kernels import Precomputed
from eigenlens.machine.blas_threads import one_blas_thread
from eigenlens.model.subspace import Subspace
from eigenlens.solvers.covariance import Covariance
from eigenlens.sources.moments_only import moments_source

__all__ = ["fit_landmarks"]

PASSES = 2
RULE = (
    "the kernel is positive semidefinite, and the trace of what landmarks leave unseen was summed "
    "over all rows"
)
PSD_CAVEAT = " It rests on the kernel being positive semidefinite, which nothing here contradicts."
ZERO_SHARE = 1e-13
LONELY_SHARE = 0.9  # of what landmarks would leave of rows that have nothing to do with each other


def fit_landmarks(
    request: KernelRequest, plan: LandmarkPlan, rule: Pivots, rng: np.random.Generator
) -> KernelSubspace:
    """In threads of ours alone: for matrices of m x m those of BLAS cost more than they save."""
    with one_blas_thread():
        return model_of_landmarks(request, plan, rule, rng)


def model_of_landmarks(
    request: KernelRequest, plan: LandmarkPlan, rule: Pivots, rng: np.random.Generator
) -> KernelSubspace:
    kernel, source = request.kernel, request.source
    shift = origin_shift(source, kernel.moves)
    tolerance = request.tolerance or 0.0
    chosen = choose_landmarks(kernel, source, shift, plan, rule, tolerance, rng)
    landmarks = chosen.landmarks
    sight = measure_features(landmarks, source, shift, plan)
    moments, n = sight.features.moments, source.shape[0]
    if moments.squares.sum() + sight.unseen <= ZERO_SHARE * sight.trace:
        raise KernelError.nothing_varies(kernel.name, n)
    refuse_too_few_landmarks(request, chosen)
    found, values = request.cleaned(
        solve_features(request, sight, len(landmarks)), n - 1, sight.size
    )
    scores = (landmarks.lower - moments.mean) @ found.components.T
    signs = score_signs(scores)
    directions = found.components.T * signs
    model = KernelSubspace(
        kernel=kernel,
        anchor_rows=None if isinstance(kernel, Precomputed) else chosen.rows,
        anchor_numbers=landmarks.points.numbers,
        coefficients=landmarks.unsolved(directions),
        offset=moments.mean @ directions,
        mean_weights=landmarks.unsolved(moments.mean[:, None])[:, 0],
        mean_square=float(moments.mean @ moments.mean),
        eigenvalues=values,
        anchor_scores=scores * signs,
        shift=shift,
        method="nystrom",
        n_rows=n,
        n_features=source.shape[1],
        feature_names=source.names,
        certificate=landmark_certificate(found, values, landmarks, sight),
        choices=landmark_choices(request, found, chosen, sight),
        provenance=request.provenance,
    )
    return add_preimage(model, request, chosen.some.rows)


def refuse_too_few_landmarks(request: KernelRequest, chosen: ChosenLandmarks) -> None:
    """m landmarks span m components; more are there only where these do not see everything."""
    k, m = request.k, len(chosen.landmarks)
    if isinstance(k, int) and k > m and not chosen.exhausted:
        raise OptionError.needs(
            SetOption("n_components", k),
            f"as many landmarks, and there are {m}",
            Phrase(
                "pass {} or more, or {} or fewer",
                SetOption("n_landmarks", 2 * k),
                SetOption("n_components", m),
            ),
        )


def solve_features(request: KernelRequest, sight: FeatureMoments, m: int) -> Subspace:
    """The table of features, as many components as were asked for."""
    k, source = request.k, request.source
    most = min(source.shape[0] - 1, m)
    table = moments_source(sight.features, None, PASSES * source.stored_bytes)
    everything = k is None or isinstance(k, float)
    count = most if everything else min(int(k), most)  # type: ignore[arg-type]
    solver = Covariance(m if everything else DENSE_BELOW, ACCURATE)
    found = fit(table, count, solver=solver, memory=request.budget, seed=request.seed)
    if not isinstance(k, float):
        return found
    captured = np.cumsum(found.eigenvalues) * (source.shape[0] - 1)
    whole = float(sight.features.kept.squares.sum()) + sight.unseen
    reached = np.flatnonzero(captured >= k * whole)
    if not reached.size:
        raise OptionError.needs(
            SetOption("n_components", k),
            f"landmarks that see more: {m} of them see {captured[-1] / whole:.4g} of the variance",
            Phrase("pass {}, or a smaller fraction", SetOption("n_landmarks", 2 * m)),
        )
    return found.truncate(int(reached[0]) + 1)


def score_signs(scores: Float64Array) -> Float64Array:
    """+1 or -1 per column, so that the largest score of a landmark is positive."""
    found: Float64Array = np.sign(np.sum(fix_signs(scores) * scores, axis=0))
    return np.where(found == 0, 1.0, found)


def landmark_certificate(
    found: Subspace, values: Float64Array, landmarks: Landmarks, sight: FeatureMoments
) -> KernelCertificate:
    divisor = found.n_rows - 1
    rounding = sight.rounding(landmarks)
    seen = float(sight.features.kept.squares.sum())
    return KernelCertificate(
        table=scale_certificate(
            widen_certificate(found, sight.unseen / divisor, rounding / divisor),
            divisor,
            found.eigenvalues * divisor - values,
        ),
        captured=float(values.sum()),
        total_bounds=np.array([max(seen - rounding, 0.0), seen + sight.unseen + rounding]),
        residual_trace=sight.unseen,
        landmarks=len(landmarks),
        assumption="" if landmarks.kernel.is_psd else PSD_CAVEAT,
    )


def widen_certificate(found: Subspace, unseen: float, rounding: float) -> Certificate:
    """The certificate of the table of features, where `unseen` variance may lie anywhere besides.

    A positive semidefinite matrix of that trace is added: eigenvalues rise by no more than it, and
    no vector is sent farther by it than that.
    """
    proof = found.proof
    facts, more = proof.facts, unseen / proof.facts.unit**2
    ritz = replace(proof.ritz, coupling=np.diag(proof.ritz.residuals + more))
    ceilings = replace(proof.ceilings, values=proof.ceilings.values + more, rule=RULE)
    facts = replace(
        facts,
        most_components=found.n_rows - 1,
        total_variance=facts.total_variance + more,
        passes=PASSES,
    )
    return certify(facts, ritz, ceilings, rounding / facts.unit**2)


def landmark_choices(
    request: KernelRequest, found: Subspace, chosen: ChosenLandmarks, sight: FeatureMoments
) -> dict[str, Verdict]:
    varying = float(sight.features.kept.squares.sum()) + sight.unseen
    unrelated = 1 - len(chosen.landmarks) / found.n_rows
    alone = sight.unseen > LONELY_SHARE * unrelated * varying > 0
    count = found.choices["k"]
    if isinstance(request.k, int) and request.k > found.n_components:
        reason = f"{request.k} were asked for, and there are no more"
        count = Verdict(found.n_components, "rank", reason)
    choices = {"method": request.method, "landmarks": chosen.verdict, "k": count}
    if has_gamma(request.kernel):
        share = varying / sight.trace
        choices["gamma"] = advise_on_gamma(request.bandwidth, request.kernel, share, alone)
    return choices
