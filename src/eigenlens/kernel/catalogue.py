"""The only list of kernels: the name a user types, and what it needs.

gamma=None is scikit-learn's 1 / number of columns; "median" and "knn" are in `bandwidth.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option
from eigenlens.kernel.dot import Cosine, Linear, Polynomial, Sigmoid
from eigenlens.kernel.protocol import Kernel
from eigenlens.kernel.radial import RBF, Exponential, Laplacian
from eigenlens.kernel.user_kernels import Pairs, Precomputed

__all__ = ["BY_DISTANCE", "KERNELS", "make_kernel"]

Make = Callable[[Any, Any, Any], Kernel]

# Name -> from gamma, degree and coef0.
KERNELS: Mapping[str, Make] = {
    "linear": lambda gamma, degree, coef0: Linear(),
    "rbf": lambda gamma, degree, coef0: RBF(gamma),
    "exponential": lambda gamma, degree, coef0: Exponential(gamma),
    "laplacian": lambda gamma, degree, coef0: Laplacian(gamma),
    "poly": lambda gamma, degree, coef0: Polynomial(gamma, degree, coef0),
    "polynomial": lambda gamma, degree, coef0: Polynomial(gamma, degree, coef0),
    "cosine": lambda gamma, degree, coef0: Cosine(),
    "sigmoid": lambda gamma, degree, coef0: Sigmoid(gamma, coef0),
    "precomputed": lambda gamma, degree, coef0: Precomputed(),
}

# Those whose gamma is 1 over a length, or over its square: where a typical distance says something.
BY_DISTANCE = ("rbf", "exponential", "laplacian")


def make_kernel(
    kernel: object, gamma: float, degree: float, coef0: float, parameters: Mapping[str, Any] | None
) -> Kernel:
    """The kernel a name, a function of two rows, or an object of this room stands for."""
    if isinstance(kernel, str):
        if kernel not in KERNELS:
            raise OptionError.unknown("kernel", kernel, (*KERNELS, "a function of two rows"))
        return KERNELS[kernel](gamma, degree, coef0)
    if isinstance(kernel, type):
        raise OptionError.needs(
            Option("kernel", kernel.__name__), "an object, not a class", "pass an instance of it"
        )
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel):
        return Pairs(kernel, dict(parameters or {}))
    raise OptionError.unknown("kernel", kernel, (*KERNELS, "a function of two rows"))
