"""How much landmarks see: as much as was measured before, never much less than by chance."""

import numpy as np
import pytest

from benchmarks.kernel_page import EARLIER
from benchmarks.kernel_quality import LANDMARK_CASES
from eigenlens.kernel.fit import fit_kernel

DRAWS = 4
WITHIN = 1.25  # uniform draws of the same cases differ by a fifth from each other


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "earlier"),
    list(zip(LANDMARK_CASES, EARLIER, strict=True)),
    ids=lambda given: f"{given[0]}, {given[4]}" if isinstance(given, tuple) else "",
)
def test_random_pivots_see_what_they_saw_before_and_no_less_than_uniform_ones(case, earlier):
    _, make, kernel, width, landmarks = case
    left = {"rpcholesky": [], "uniform": []}
    for draw in range(DRAWS):
        rows = make(2000, np.random.default_rng([7, draw]))
        median = 1 / fit_kernel(rows, 1, kernel="exponential", gamma="median", n_landmarks=5).gamma
        gamma = 1 / (2 * (width * median) ** 2) if kernel == "rbf" else 1 / (width * median)
        for rule, found in left.items():
            model = fit_kernel(
                rows,
                1,
                kernel=kernel,
                gamma=gamma,
                n_landmarks=landmarks,
                landmarks=rule,
                seed=draw,
            )
            found.append(model.certificate.residual_trace / len(rows))

    found, uniform = np.mean(left["rpcholesky"]), np.mean(left["uniform"])
    assert earlier / WITHIN < found < earlier * WITHIN
    assert found <= 1.05 * uniform
