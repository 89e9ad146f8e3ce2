"""Kernel PCA: components in the space of a kernel, exact or seen from landmarks, with their proof.

Promises     intervals that hold the true eigenvalues and variances of the centered kernel matrix;
             for each point its exact distance from what the model can see; memory of landmarks only
             where rows are many.
Knows        kernels, tables and solvers of the packages before, Cholesky factors that grow.
Knows not    scikit-learn's names, plots.
Argument     K = FF' + E with E positive semidefinite, whose trace is summed exactly
             (docs/methods/kernel.md).
One more     a kernel is a frozen value with five names (`protocol.py`) and a line in
             `catalogue.py`; a rule for landmarks is one with two, in `pivots.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eigenlens.lazy import make_lazy

# Public name -> its file, loaded on first use.
HOMES = {
    "Cosine": "eigenlens.kernel.dot",
    "Exponential": "eigenlens.kernel.radial",
    "Kernel": "eigenlens.kernel.protocol",
    "Laplacian": "eigenlens.kernel.radial",
    "Linear": "eigenlens.kernel.dot",
    "Polynomial": "eigenlens.kernel.dot",
    "RBF": "eigenlens.kernel.radial",
    "Sigmoid": "eigenlens.kernel.dot",
    "fit_kernel": "eigenlens.kernel.fit",
}

__all__ = sorted(HOMES)

make_lazy(__name__)

if TYPE_CHECKING:
    from eigenlens.kernel.dot import Cosine as Cosine
    from eigenlens.kernel.dot import Linear as Linear
    from eigenlens.kernel.dot import Polynomial as Polynomial
    from eigenlens.kernel.dot import Sigmoid as Sigmoid
    from eigenlens.kernel.fit import fit_kernel as fit_kernel
    from eigenlens.kernel.protocol import Kernel as Kernel
    from eigenlens.kernel.radial import RBF as RBF
    from eigenlens.kernel.radial import Exponential as Exponential
    from eigenlens.kernel.radial import Laplacian as Laplacian
