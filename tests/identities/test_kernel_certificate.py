"""What is said of kernel components is true: of all of them, of fewer, and of their scores."""

import numpy as np
import pytest
from hypothesis import assume, given

from eigenlens.errors import KernelError
from tests.kernel.problems import (
    EPS,
    NEAR,
    exact,
    holds,
    kernel_problems,
    seen_from_landmarks,
)

near = kernel_problems(clouds=NEAR)


@given(kernel_problems())
def test_truth_lies_inside_the_certificate(problem):
    try:
        models = exact(problem), seen_from_landmarks(problem)
    except KernelError:
        assume(False)  # equal to the kernel: parallel rows under the cosine

    assert all(holds(model, problem) for model in models)


@given(near)
def test_a_truncated_model_keeps_what_was_proven(problem):
    for model in (exact(problem), seen_from_landmarks(problem)):
        for k in range(1, model.n_components + 1):
            fewer = model.truncate(k)

            assert holds(fewer, problem)
            scores = model.project(problem.rows)
            limit = 100 * EPS * np.abs(scores).max()
            np.testing.assert_allclose(fewer.project(problem.rows), scores[:, :k], atol=limit)


@given(near)
def test_captured_is_what_the_scores_hold(problem):
    model = seen_from_landmarks(problem)

    held = np.square(model.project(problem.rows)).sum()

    limit = model.certificate.rounding.sum() + 1e-9 * model.certificate.captured
    assert held == pytest.approx(model.certificate.captured, abs=float(limit))
