"""Parameters of the estimators, checked at fit time in scikit-learn's words.

The words are scikit-learn's because its users, and its tests, match on them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from inspect import Parameter, signature
from numbers import Integral, Real
from typing import Any

import numpy as np

from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import did_you_mean
from eigenlens.rank.catalogue import RULES
from eigenlens.solvers.catalogue import SOLVERS

__all__ = ["INCREMENTAL", "SKLEARN_NAMES", "SKLEARN_SOLVERS", "check_parameters"]

# What scikit-learn calls a method, and what we call it.
SKLEARN_SOLVERS = {
    "full": "svd",
    "covariance_eigh": "covariance",
    "arpack": "lanczos",
    "randomized": "randomized",
}
SKLEARN_NAMES = {ours: theirs for theirs, ours in SKLEARN_SOLVERS.items()}
SOLVER_NAMES = ("auto", *SKLEARN_SOLVERS, *(name for name in SOLVERS if name != "randomized"))
RULE_NAMES = ("mle", *RULES)
NORMALIZERS = ("auto", "QR", "LU", "none")
NAMES_OF = {
    "n_components": RULE_NAMES,
    "svd_solver": SOLVER_NAMES,
    "power_iteration_normalizer": NORMALIZERS,
}


def is_bool(value: Any) -> bool:
    return isinstance(value, bool | np.bool_)


def is_int_from(least: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, Integral) and int(value) >= least


def is_count(value: Any) -> bool:
    if isinstance(value, str):
        return value.partition(":")[0] in RULE_NAMES
    fraction = isinstance(value, Real) and not isinstance(value, Integral) and 0 < float(value) < 1
    return value is None or fraction or is_int_from(0)(value)


def is_solver(value: Any) -> bool:
    if isinstance(value, str):
        return value in SOLVER_NAMES
    return hasattr(value, "steps") and hasattr(value, "sided") and not isinstance(value, type)


def is_random_state(value: Any) -> bool:
    if isinstance(value, Integral):
        return 0 <= int(value) < 2**32
    return value is None or isinstance(value, np.random.RandomState)


def is_among(names: tuple[str, ...]) -> str:
    return "a str among {" + ", ".join(repr(name) for name in names) + "}"


BOOL = (is_bool, "an instance of 'bool' or an instance of 'numpy.bool'")

Constraints = Mapping[str, tuple[Callable[[Any], bool], str]]

# Parameter -> what it must satisfy, and how to say so.
CONSTRAINTS: Constraints = {
    "n_components": (
        is_count,
        f"an int in the range [0, inf), a float in the range (0.0, 1.0), {is_among(RULE_NAMES)} "
        f"or None",
    ),
    "copy": BOOL,
    "whiten": BOOL,
    "svd_solver": (is_solver, f"{is_among(SOLVER_NAMES)} or an object of eigenlens.solvers"),
    "tol": (
        lambda value: isinstance(value, Real) and 0 <= float(value) < np.inf,
        "a float in the range [0.0, inf)",
    ),
    "iterated_power": (
        lambda value: value == "auto" if isinstance(value, str) else is_int_from(0)(value),
        "a str among {'auto'} or an int in the range [0, inf)",
    ),
    "n_oversamples": (is_int_from(1), "an int in the range [1, inf)"),
    "power_iteration_normalizer": (
        lambda value: isinstance(value, str) and value in NORMALIZERS,
        is_among(NORMALIZERS),
    ),
    "random_state": (
        is_random_state,
        "an int in the range [0, 4294967295], an instance of 'numpy.random.mtrand.RandomState' "
        "or None",
    ),
}


COUNT_OR_NONE = (
    lambda value: value is None or is_int_from(1)(value),
    "an int in the range [1, inf) or None",
)
INCREMENTAL: Constraints = {
    "n_components": COUNT_OR_NONE,
    "whiten": BOOL,
    "copy": BOOL,
    "batch_size": COUNT_OR_NONE,
}


def check_parameters(estimator: Any, constraints: Constraints = CONSTRAINTS) -> None:
    """Every parameter that has a constraint; the others are checked by `eigenlens.fit`."""
    for name, default in default_parameters(estimator.__class__):
        value = getattr(estimator, name)
        if value is default:
            continue
        satisfied, words = constraints.get(name, (None, ""))
        if satisfied is not None and not satisfied(value):
            raise OptionError.of(
                "The {option!r} parameter of {estimator} must be {allowed}. Got {given!r} instead."
                "{hint}",
                option=name,
                estimator=type(estimator).__name__,
                allowed=words,
                given=value,
                hint=suggest_name(name, value),
            )


@cache
def default_parameters(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    """Those of its constructor, if it is one of ours: others may have defaults that do not serve.

    To look them up takes as long as a small fit.
    """
    ours, known = kind.__module__.startswith("eigenlens."), signature(kind).parameters
    names = kind._get_param_names()
    return tuple((name, known[name].default if ours else Parameter.empty) for name in names)


def suggest_name(parameter: str, value: Any) -> str:
    """The nearest name that the parameter takes, for one that was misspelled."""
    if not isinstance(value, str):
        return ""
    return did_you_mean([value.partition(":")[0]], NAMES_OF.get(parameter, ()))
