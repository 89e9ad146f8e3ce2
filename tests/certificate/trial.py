"""One trial of a certificate: fit a drawn problem in a drawn way, and compare with the truth.

A trial draws the problem, the solver, the number of components, the accuracy asked for and
whether the solver is stopped after one or two passes. `violations` lists every statement of the
certificate that the truth, in extended precision, contradicts: an empty list is the only success.
"""

from dataclasses import dataclass

import numpy as np

from eigenlens.solvers import (
    SVD,
    BlockKrylov,
    Covariance,
    Dual,
    Lanczos,
    OrthogonalIteration,
    PowerIteration,
    Randomized,
)
from tests.fitting import fit
from tests.reference.angles import sines
from tests.reference.exact import captured, divisor, exact_spectrum
from tests.strategies import Problem, nth_problem

FORMS_A_MATRIX = ("covariance", "dual")
# The truth is itself rounded to float64 at the end.
TRUTH = 4 * np.finfo(np.float64).eps


@dataclass(frozen=True)
class Trial:
    problem: Problem
    solver: object
    k: int
    tolerance: float | None
    seed: int

    def fit(self):
        options = {"solver": self.solver, "tolerance": self.tolerance, "seed": self.seed}
        return fit(self.problem, self.k, **options)


def coherent_problem(rng):
    """Two-valued, one-hot or repeated columns: every rounding error has the same sign."""
    n, d = int(rng.choice([300, 1000, 5000])), int(rng.choice([2, 3, 8, 30]))
    size = rng.uniform(0.3, 3)
    signs = np.where(rng.random(n) < rng.choice([0.1, 0.5]), size, -size)
    rows = {
        "repeated two-valued": np.repeat(signs[:, None], d, axis=1),
        "one-hot": size * np.eye(d)[rng.integers(0, d, n)],
        "two-valued": size * (rng.random((n, d)) < 0.5),
        "repeated normal": np.repeat(rng.standard_normal((n, 1)), d, axis=1),
    }
    story = list(rows)[int(rng.integers(4))]
    dtype = "float32" if rng.random() < 0.6 else "float64"
    return Problem(np.ascontiguousarray(rows[story].astype(dtype)), story=f"{story} {n} x {d}")


def nth_trial(index, seed=0):
    rng = np.random.default_rng([index, seed, 7])
    problem = coherent_problem(rng) if rng.random() < 0.08 else nth_problem(index, seed)
    few = int(rng.integers(1, 3))
    solvers = [
        Covariance(),
        Covariance(all_below=6),
        SVD(),
        Dual(all_below=6) if problem.rows.shape[0] <= 300 else Covariance(all_below=6),
        BlockKrylov(),
        BlockKrylov(width=int(rng.integers(1, 6)), max_columns=12),
        OrthogonalIteration(max_passes=60),
        Randomized(),
        Lanczos(),
        PowerIteration(max_passes=60),
        "auto",
        # stopped early
        BlockKrylov(max_passes=few),
        BlockKrylov(width=2, max_passes=few),
        OrthogonalIteration(max_passes=few),
        Randomized(power_passes=few, max_passes=few),
        PowerIteration(max_passes=few),
        Lanczos(max_passes=few),
    ]
    solver = solvers[int(rng.integers(len(solvers)))]
    most = problem.max_rank
    largest = most if rng.random() < 0.5 else min(most, 6)
    k = int(rng.integers(1, largest + 1))
    tolerance = [None, 1e-2, 1e-4, 1e-6][int(rng.integers(4))]
    return Trial(problem, solver, k, tolerance, int(rng.integers(1000)))


def violations(trial, model, truth):
    """Statements that do not hold, in words; with the ratio of bound to true error."""
    certificate, k = model.certificate, trial.k
    values = truth.eigenvalues[:k]
    slack = TRUTH * truth.eigenvalues[0]
    found = []
    low, high = certificate.eigenvalue_bounds.T
    for i in range(k):
        if not low[i] - slack <= values[i] <= high[i] + slack:
            found.append(f"eigenvalue {i}: {values[i]!r} not in [{low[i]!r}, {high[i]!r}]")
    exact = float(captured(model.components.T, trial.problem))
    total, count = truth.total, float(divisor(trial.problem))
    # The truth is rounded to float64, and so are the components.
    near = slack * (k + 1) / total
    for name, fact, bounds, blur in (
        ("total variance", total, certificate.total_variance_bounds, slack),
        ("captured ratio", exact / total, certificate.captured_bounds, near),
        ("reconstruction", (total - exact) * count, certificate.reconstruction_bounds, None),
    ):
        blur = near * total * count if blur is None else blur
        if not bounds[0] - blur <= fact <= bounds[1] + blur:
            found.append(f"{name} {fact!r} not in {bounds!r}")
    allowance = float(certificate.rounding.sum()) + slack * k
    if abs(exact - model.eigenvalues.sum()) > allowance:
        found.append(f"captured {exact!r}, claimed {model.eigenvalues.sum()!r} +- {allowance:.2e}")
    best = values.sum()
    if (best - exact) / best > certificate.suboptimality + near:
        found.append(f"suboptimality {(best - exact) / best!r} > {certificate.suboptimality!r}")
    found += angle_violations(trial, model, truth)
    return found


def angle_violations(trial, model, truth):
    certificate, k = model.certificate, trial.k
    found = []
    if certificate.subspace_angle < 1:
        true = float(sines(truth.eigenvectors[:, :k], model.components.T)[0])
        if true > certificate.subspace_angle + 16 * TRUTH:
            found.append(f"subspace sine {true!r} > {certificate.subspace_angle!r}")
    for i in np.flatnonzero(certificate.angle_bounds < 1):
        true = float(sines(truth.eigenvectors[:, [i]], model.components.T[:, [i]])[0])
        if true > certificate.angle_bounds[i] + 16 * TRUTH:
            found.append(f"component {i} sine {true!r} > {certificate.angle_bounds[i]!r}")
    return found


def run(trial):
    """(violations, certificate kind, ratios of bound over true eigenvalue error)."""
    truth = exact_spectrum(trial.problem)
    model = trial.fit()
    k = trial.k
    errors = truth.eigenvalues[:k] - model.eigenvalues
    bounds = model.certificate.eigenvalue_bounds[:, 1] - model.eigenvalues
    visible = errors > 100 * TRUTH * truth.eigenvalues[0]
    return violations(trial, model, truth), model, bounds[visible] / errors[visible]
