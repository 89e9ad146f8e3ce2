"""On drawn problems of every kernel truth lies inside the certificate, without exception."""

from dataclasses import replace

import numpy as np
import pytest

from eigenlens.errors import KernelError
from eigenlens.kernel.fit import fit_kernel
from tests.kernel.clouds import KERNELS, nth_problem
from tests.kernel.problems import holds

COUNT = 100


def fitted(problem, method):
    landmarks = {"n_landmarks": problem.landmarks, "landmarks": problem.rule}
    return fit_kernel(
        problem.rows,
        min(problem.k, problem.landmarks),
        method=method,
        seed=problem.seed,
        **problem.options,
        **(landmarks if method == "nystrom" else {}),
    )


def equal_to_the_kernel(problem):
    """One column under the cosine: all that is left of a row is its sign."""
    return problem.kernel == "cosine" and problem.d == 1


@pytest.mark.slow
@pytest.mark.parametrize("method", ["nystrom", "exact"])
def test_a_hundred_certificates_hold(method):
    kernels, failed = set(), []
    for problem in map(nth_problem, range(COUNT)):
        try:
            model = fitted(problem, method)
        except KernelError:
            assert equal_to_the_kernel(problem)
            continue
        kernels.add(problem.kernel)
        if not holds(model, problem):
            failed.append(problem)

    assert failed == []
    assert kernels == set(KERNELS)


def test_the_comparison_can_fail():
    problem = nth_problem(1)
    model = fitted(problem, "exact")
    proof = model.certificate
    wrong = replace(proof.table, eigenvalue_bounds=proof.eigenvalue_bounds + 1e-3)

    assert not holds(replace(model, certificate=replace(proof, table=wrong)), problem)


def test_problems_are_of_every_size_and_kind():
    drawn = [nth_problem(index) for index in range(COUNT)]

    assert max(one.n for one in drawn) == 800
    assert {one.rule for one in drawn} == {"rpcholesky", "uniform", "greedy"}
    assert np.mean([one.landmarks < one.n for one in drawn]) > 0.5
