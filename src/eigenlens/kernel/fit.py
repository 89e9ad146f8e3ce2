"""fit_kernel: from rows and a kernel to a subspace in the kernel's space, with a certificate.

| rows                                | method    | why                                            |
|-------------------------------------|-----------|------------------------------------------------|
| a few n x n matrices fit the budget | exact     | nothing is left out                            |
| more                                | nystrom   | two passes, and memory for landmarks only      |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

from eigenlens.algebra.random import random_generator
from eigenlens.document.verdict import Verdict
from eigenlens.errors import KernelError, MemoryBudgetError, OptionError, RankError
from eigenlens.errors.options import refuse_unknown
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.kernel.bandwidth import choose_gamma
from eigenlens.kernel.catalogue import make_kernel
from eigenlens.kernel.exact import bytes_needed, fit_exact
from eigenlens.kernel.landmark_model import fit_landmarks
from eigenlens.kernel.nystrom import max_landmarks, plan_landmarks
from eigenlens.kernel.pivots import pivot_rule
from eigenlens.kernel.preimage import PREIMAGES
from eigenlens.kernel.protocol import Kernel
from eigenlens.kernel.radial import refuse_not_positive_parameter
from eigenlens.kernel.request import ACCURATE, DENSE_BELOW, KernelRequest
from eigenlens.kernel.subspace import KernelSubspace
from eigenlens.kernel.user_kernels import Precomputed
from eigenlens.machine.limits import available_processors
from eigenlens.solvers.covariance import Covariance
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import keep_within
from eigenlens.table.budget import budget_bytes

__all__ = ["KERNEL_METHODS", "fit_kernel"]

KERNEL_METHODS = ("auto", "exact", "nystrom")
LANDMARKS = 1000  # at most, where the call does not say
ANOTHER_KERNEL = Phrase("pass another kernel such as {}", SetOption("kernel", "rbf"))
UNSEEN_SHARE = 1e-3  # and no more of them than leave this share of the variance unseen


def fit_kernel(
    data: Any,
    k: int | float | None = None,
    *,
    kernel: Any = "rbf",
    gamma: float | str | None = None,
    degree: float = 3,
    coef0: float = 1.0,
    kernel_params: Mapping[str, Any] | None = None,
    method: str = "auto",
    n_landmarks: int | None = None,
    landmarks: str = "rpcholesky",
    tolerance: float | None = None,
    solver: Any = None,
    keep_zeros: bool = True,
    preimage: str | None = None,
    penalty: float | None = None,
    memory: Any = None,
    seed: int = 0,
    threads: int | None = None,
) -> KernelSubspace:
    """Leading components of `data` in the space of a kernel.

    Parameters
    ----------
    data : anything `eigenlens.fit` takes that can be read twice; a square matrix of kernel values
        with kernel="precomputed"
    k : how many components; a fraction of the variance in (0, 1); None: all that are not zero
    kernel, gamma, degree, coef0, kernel_params : as in `eigenlens.KernelPCA`
    method : "exact", "nystrom", or "auto": exact while a few n x n matrices fit the budget
    n_landmarks : of "nystrom"; None: at most 1000, fewer where they see enough
    landmarks : how they are chosen: "rpcholesky", "uniform" or "greedy"
    tolerance : exact: relative error of eigenvalues to be certified. nystrom: the share of the
        variance that landmarks may leave unseen; more are taken until then, or as many as allowed
    solver : an object of `eigenlens.solvers`, for exact mode
    keep_zeros : False leaves out components whose eigenvalue is 0 to rounding; so does k=None
    preimage : "fixed_point" or "ridge" to be able to turn scores back into rows
    penalty : of the ridge; None: the best on held-out rows
    memory, seed : as in `eigenlens.fit`
    threads : that work on tiles of rows; None: one per processor

    >>> import numpy as np
    >>> t = np.random.default_rng(0).uniform(0, 6, 300)
    >>> model = fit_kernel(np.column_stack([np.cos(t), np.sin(t)]), 2, gamma=1.0)
    >>> model.method, model.n_components, model.certificate.kind
    ('exact', 2, 'deterministic')
    """
    refuse_unknown("method", method, KERNEL_METHODS)
    if preimage is not None:
        refuse_unknown("preimage", preimage, PREIMAGES)
    rule, rng, budget = pivot_rule(landmarks), random_generator(seed), budget_bytes(memory)
    k, asked = check_component_count(k), check_landmark_count(n_landmarks)
    if tolerance is not None:
        refuse_not_positive_parameter("tolerance", tolerance)
    source = keep_within(open_source(data), budget)
    bandwidth = choose_gamma(gamma, kernel, source, rng)
    function = make_kernel(kernel, bandwidth.value, degree, coef0, kernel_params)
    refuse_unusable_kernel(function, source.shape, preimage)
    hands = available_processors() if threads is None else max(1, threads)
    exact = bytes_needed(function, source.shape[0], k)
    mode = choose_kernel_method(method, function, source.shape, (exact, budget), asked)
    request = KernelRequest(
        source=source,
        kernel=function,
        k=k,
        bandwidth=bandwidth,
        method=mode,
        tolerance=tolerance,
        solver=Covariance(DENSE_BELOW, ACCURATE) if solver is None else solver,
        preimage=preimage,
        penalty=penalty,
        budget=budget,
        seed=seed,
        hands=hands,
        solver_is_ours=solver is None,
        keep_zeros=keep_zeros and k is not None,
    )
    if mode.value == "exact":
        return fit_exact(request)
    if tolerance is None:
        request = replace(request, tolerance=UNSEEN_SHARE if asked is None else 0.0)
    shape = source.shape[0], numbers_in_row(source)
    least = k if isinstance(k, int) else 1
    most = asked or min(max(LANDMARKS, 2 * least), max(max_landmarks(budget, shape), 1))
    plan = plan_landmarks((least, most), shape, budget, hands)
    return fit_landmarks(request, plan, rule, rng)


def numbers_in_row(source: Source) -> int:
    """On average, with what is stored to place them where rows are sparse."""
    n, d = source.shape
    return -(-source.stored_bytes // (8 * n)) if source.is_sparse else d


def check_component_count(k: object) -> int | float | None:
    if k is None:
        return None
    if isinstance(k, Integral) and not isinstance(k, bool) and int(k) >= 1:
        return int(k)
    if isinstance(k, Real) and not isinstance(k, Integral):
        if not 0 < float(k) < 1:
            raise RankError.fraction_out_of_range(float(k))
        return float(k)
    raise RankError.not_positive(k)


def check_landmark_count(given: object) -> int | None:
    if given is None:
        return None
    if not isinstance(given, Integral) or isinstance(given, bool) or int(given) < 1:
        raise OptionError.not_whole("n_landmarks", given, 1)
    return int(given)


def refuse_unusable_kernel(kernel: Kernel, shape: tuple[int, int], preimage: str | None) -> None:
    if isinstance(kernel, Precomputed):
        if shape[0] != shape[1]:
            raise KernelError.not_square(shape)
        if preimage is not None:
            raise OptionError(
                "Cannot fit_inverse_transform with a precomputed kernel: the rows are not known.",
                "pass the rows and a kernel by name",
                Phrase("pass {}", SetOption("fit_inverse_transform", False)),
                option="fit_inverse_transform",
            )
    if shape[0] < 2:
        raise KernelError.one_row(shape)


def choose_kernel_method(
    method: str, kernel: Kernel, shape: tuple[int, int], room: tuple[int, int], asked: int | None
) -> Verdict:
    """Exact while it fits, unless landmarks were asked for; and why. `room`: needed and allowed."""
    n, (needed, budget) = shape[0], room
    takes = f"{needed / 1e9:.3g} GB, of {budget / 1e9:.3g} GB"
    named = method == "nystrom" or (method == "auto" and asked is not None)
    if not named and needed <= budget:
        rule = "request" if method == "exact" else "memory"
        return Verdict("exact", rule, f"nothing is left out; matrices of {n} x {n} take {takes}")
    if kernel.is_psd is False:
        wants = f"a positive semidefinite kernel, and {kernel.name!r} is not"
        if named:
            exact = Phrase("pass {}", SetOption("method", "exact"))
            raise OptionError.needs(SetOption("method", "nystrom"), wants, exact, ANOTHER_KERNEL)
        raise OptionError.needs(
            f"exact mode would take {takes}, and landmark mode",
            wants,
            Phrase("pass {}", SetOption("memory", f"{-(-needed // 10**9)}GB")),
            "pass fewer rows",
            ANOTHER_KERNEL,
        )
    if method == "exact":
        raise MemoryBudgetError.kernel_matrix(n, needed, budget, max_landmarks(budget, shape))
    return Verdict("nystrom", "request" if named else "memory", f"exact mode would take {takes}")
