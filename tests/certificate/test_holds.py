"""Certificates hold: true eigenvalues, captured variance and angles lie inside what is stated.

Two thousand drawn problems, without exception: tall, wide, square, rank-deficient, tied, slow,
fast, offset, float32, float64, sparse, weighted, with every solver, a third of them stopped early
after one or two passes. `python -m tests.certificate.report` prints how tight the bounds are.
"""

from dataclasses import replace

import numpy as np
import pytest

from tests.certificate.trial import FORMS_A_MATRIX, nth_trial, run, violations
from tests.reference.exact import exact_spectrum

CHUNK = 50
CHUNKS = 40


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_statement_holds(chunk):
    for index in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        trial = nth_trial(index, seed=1)

        wrong, model, _ = run(trial)

        assert not wrong, (index, trial, wrong)
        assert model.certificate.kind != "heuristic", (index, trial)
        if model.choices["solver"].value in FORMS_A_MATRIX:
            assert model.certificate.kind == "deterministic", (index, trial)


def lowered(certificate):
    bounds = certificate.eigenvalue_bounds.copy()
    bounds[:, 1] = bounds[:, 0]
    return replace(certificate, eigenvalue_bounds=bounds)


WRONG = {
    "upper bounds moved down": lowered,
    "captured ratio raised": lambda c: replace(c, captured_bounds=c.captured_bounds + 1e-3),
    "nothing missed": lambda c: replace(c, suboptimality=0.0),
    "no reconstruction error": lambda c: replace(c, reconstruction_bounds=np.zeros(2)),
    "no total variance": lambda c: replace(c, total_variance_bounds=np.zeros(2)),
    "subspace exact": lambda c: replace(c, subspace_angle=0.0),
    "components exact": lambda c: replace(c, angle_bounds=np.zeros_like(c.angle_bounds)),
}


@pytest.mark.parametrize("how", WRONG)
def test_a_wrong_certificate_is_noticed(how):
    trial = next(
        trial
        for trial in map(nth_trial, range(1000))
        if getattr(trial.solver, "max_passes", 0) == 2 and trial.k < trial.problem.max_rank // 2
    )
    model = trial.fit()
    truth = exact_spectrum(trial.problem)
    model.__dict__["certificate"] = WRONG[how](model.certificate)

    assert violations(trial, model, truth)
