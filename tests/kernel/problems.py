"""Kernel problems for hypothesis, both ways to fit them, and the truth to compare with."""

import numpy as np
from hypothesis import strategies as st

from eigenlens.kernel.fit import fit_kernel
from tests.kernel.clouds import CLOUDS, KERNELS, KernelProblem, sensible
from tests.reference import kernel as reference

EPS = np.finfo(np.float64).eps
NEAR = ("roll", "blobs", "gaussian", "curve", "repeated")


@st.composite
def kernel_problems(draw, clouds=tuple(CLOUDS), kernels=KERNELS, most_rows=40):
    rows = draw(st.integers(5, most_rows))
    chosen = {
        "cloud": draw(st.sampled_from(clouds)),
        "n": rows,
        "d": draw(st.integers(2, 6)),
        "kernel": draw(st.sampled_from(kernels)),
        "degree": draw(st.integers(1, 3)),
        "coef0": draw(st.sampled_from([0.0, 1.0])),
        "landmarks": draw(st.integers(1, rows)),
        "rule": draw(st.sampled_from(["rpcholesky", "uniform", "greedy"])),
        "k": draw(st.integers(1, 5)),
        "seed": draw(st.integers(0, 1000)),
    }
    problem = KernelProblem(gamma=0.0, **chosen)
    gamma = sensible(problem, np.random.default_rng(problem.seed))
    return KernelProblem(gamma=gamma, **chosen)


def exact(problem, **options):
    return fit_kernel(problem.rows, problem.k, method="exact", **problem.options, **options)


def seen_from_landmarks(problem, landmarks=None, **options):
    landmarks = landmarks or problem.landmarks
    return fit_kernel(
        problem.rows,
        min(problem.k, landmarks),
        method="nystrom",
        n_landmarks=landmarks,
        landmarks=problem.rule,
        seed=problem.seed,
        **problem.options,
        **options,
    )


def matrix(problem, others=None):
    rows = problem.rows
    return reference.kernel_values(
        problem.kernel,
        rows if others is None else others,
        rows,
        problem.gamma,
        problem.degree,
        problem.coef0,
    )


def rounding(problem):
    """Entries of the matrix are off by some eps of the largest, and so is what is made of them."""
    size = float(np.abs(matrix(problem)).max())
    return 64 * EPS * problem.n * size


def apart(values, k, least):
    """How many leading eigenvalues have a gap behind them that tells their vectors apart."""
    gaps = values[:k] - np.append(values, 0.0)[1 : k + 1]
    clear = np.minimum(gaps, np.append(np.inf, gaps[:-1])) > least
    return int(np.cumprod(clear).sum())


def holds(model, problem):
    """Whether truth lies inside; its own rounding is that of eigenvalues of a float64 matrix."""
    values = np.maximum(reference.eigenvalues(matrix(problem)), 0.0)[: model.n_components]
    total = float(np.trace(reference.centered(matrix(problem))))
    proof, slack = model.certificate, EPS * problem.n * total
    low, high = proof.eigenvalue_bounds.T
    shares = np.minimum(values / total, 1.0)
    return (
        (low - slack <= values).all()
        and (values <= high + slack).all()
        and proof.captured_bounds[0] - slack <= values.sum() <= proof.captured_bounds[1] + slack
        and proof.total_bounds[0] - slack <= total <= proof.total_bounds[1] + slack
        and (proof.explained_ratio_bounds[:, 0] <= shares + EPS * problem.n).all()
        and (shares <= proof.explained_ratio_bounds[:, 1] + EPS * problem.n).all()
    )
