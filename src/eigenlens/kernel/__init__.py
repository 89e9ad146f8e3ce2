"""Kernel PCA: components in the space of a kernel, exact or seen from landmarks, with their proof.

Promises     intervals that hold the true eigenvalues and variances of the centered kernel matrix;
             for each point its exact distance from what the model can see; memory of landmarks only
             where rows are many.
Knows        kernels, tables and solvers of the rooms before, Cholesky factors that grow.
Knows not    scikit-learn's names, plots.
Argument     K = FF' + E with E positive semidefinite, whose trace is summed exactly
             (docs/methods/kernel.md).
One more     a kernel is a frozen value with five names (`protocol.py`) and a line in
             `catalogue.py`; a rule for landmarks is one with two, in `pivots.py`.
"""

from __future__ import annotations

from eigenlens.kernel.dot import Cosine, Linear, Polynomial, Sigmoid
from eigenlens.kernel.protocol import Kernel
from eigenlens.kernel.radial import RBF, Exponential, Laplacian

__all__ = [
    "RBF",
    "Cosine",
    "Exponential",
    "Kernel",
    "Laplacian",
    "Linear",
    "Polynomial",
    "Sigmoid",
]
