"""Autoencoder: does going beyond a flat subspace help on these data, and by how much?

Promises     a network anchored on the certified PCA: before training it is that PCA, bit for bit;
             the gain over it on rows not trained on, with a paired bootstrap interval, or *no
             gain*; the same seed gives the same network. `LinearAutoencoder`, the classical one:
             it finds PCA's subspace, with an equal L2 penalty its directions.
Knows        sources in blocks, `fit`, the flatness of the rows; torch, inside functions and for
             training only: a trained network is plain arrays, and numpy runs it.
Knows not    convolutions, variational or contractive networks, training frameworks.
One more     a way to train is a frozen value with `epochs(...)` in `training.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eigenlens.lazy import make_lazy

# Public name -> its file, loaded on first use.
HOMES = {
    "Autoencoder": "eigenlens.autoencoder.nonlinear",
    "LinearAutoencoder": "eigenlens.autoencoder.linear",
}

__all__ = list(HOMES)


make_lazy(__name__)

if TYPE_CHECKING:
    from eigenlens.autoencoder.linear import LinearAutoencoder as LinearAutoencoder
    from eigenlens.autoencoder.nonlinear import Autoencoder as Autoencoder
