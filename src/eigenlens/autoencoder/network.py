"""The network: PCA, and what it adds to it at both ends.

    z = V'x + s h(x / u)         s (k,): deviations along the components
    x' = V z + u g(z / s)        u: root mean square deviation of a column

for a prepared row x, (row - mean) / scale. h and g have layers tanh(x W + b), the last without
tanh; that last one begins as zeros, so that h = g = 0 and the network is PCA. As tanh is bounded,
far from all rows trained on the network differs from PCA by a constant at most.

The same lines run on numpy arrays and on torch tensors: `tanh` is the only word they differ in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.model.subspace import Subspace

__all__ = [
    "Layer",
    "Network",
    "apply_layers",
    "network_errors",
    "network_of_pca",
    "network_with_layers",
]

Layer = tuple[Any, Any]  # weights (in, out) and biases (out,)
SPREAD_FLOOR = 1e-12  # of the largest variance: a component without any is not divided by


@dataclass(frozen=True, eq=False)
class Network:
    """`basis` (d, k) and `spread` (k,) are in units of `unit`, like what the layers see."""

    encoder: tuple[Layer, ...]
    decoder: tuple[Layer, ...]
    basis: Any
    spread: Any
    unit: float

    @property
    def parameters(self) -> list[Any]:
        return [one for layer in (*self.encoder, *self.decoder) for one in layer]

    def with_parameters(self, values: Sequence[Any]) -> Network:
        pairs = list(zip(values[::2], values[1::2], strict=True))
        count = len(self.encoder)
        return replace(self, encoder=tuple(pairs[:count]), decoder=tuple(pairs[count:]))

    def added_to_scores(self, prepared: Float64Array) -> Float64Array:
        """s h(x / u) in the units of the scores."""
        bent = apply_layers(self.encoder, prepared / self.unit, np.tanh)
        added: Float64Array = self.unit * self.spread * bent
        return added

    def added_to_rows(self, scores: Float64Array) -> Float64Array:
        """u g(z / s) in prepared units."""
        bent = apply_layers(self.decoder, scores / (self.unit * self.spread), np.tanh)
        added: Float64Array = self.unit * bent
        return added


def apply_layers(layers: Sequence[Layer], x: Any, tanh: Callable[[Any], Any]) -> Any:
    """Through the layers, one after the other."""
    for weights, biases in layers[:-1]:
        x = tanh(x @ weights + biases)
    weights, biases = layers[-1]
    return x @ weights + biases


def network_errors(net: Network, rows: Any, tanh: Callable[[Any], Any]) -> Any:
    """|x - x'|^2 of every row, in units of u^2; rows are prepared and divided by u."""
    scores = rows @ net.basis + net.spread * apply_layers(net.encoder, rows, tanh)
    again = scores @ net.basis.T + apply_layers(net.decoder, scores / net.spread, tanh)
    return ((rows - again) ** 2).sum(axis=1)


def network_of_pca(model: Subspace, hidden: Sequence[int], rng: np.random.Generator) -> Network:
    """The network that is PCA: random inside, zero where it would show."""
    d, k = model.n_features, model.n_components
    return network_with_layers(
        model, random_layers((d, *hidden, k), rng), random_layers((k, *hidden, d), rng)
    )


def network_with_layers(
    model: Subspace, encoder: tuple[Layer, ...], decoder: tuple[Layer, ...]
) -> Network:
    """These layers on that PCA, in its units."""
    unit = float(np.sqrt(model.total_variance / model.n_features))
    variances = np.maximum(model.eigenvalues, SPREAD_FLOOR * model.eigenvalues[0])
    basis = np.ascontiguousarray(model.components.T)
    return Network(encoder, decoder, basis, np.sqrt(variances) / unit, unit)


def random_layers(widths: Sequence[int], rng: np.random.Generator) -> tuple[Layer, ...]:
    made = [
        (
            rng.standard_normal((before, after)) / np.sqrt(before),
            rng.uniform(-1.0, 1.0, after),
        )
        for before, after in pairwise(widths[:-1])
    ]
    return (*made, (np.zeros((widths[-2], widths[-1])), np.zeros(widths[-1])))
