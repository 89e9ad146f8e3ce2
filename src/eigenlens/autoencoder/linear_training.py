"""The linear autoencoder: two matrices, trained by what they lose.

    minimize   tr (I - D E) C (I - D E)' + l2 (|E|^2 + |D|^2)      E (k, d),  D (d, k)

C is the covariance, so without l2 the loss is the variance that is lost. Its minima span the
leading subspace, in any coordinates (Baldi and Hornik 1989). With l2 > 0, E becomes D' and
D = U S W with the principal directions in U and S^2 = 1 - l2 / eigenvalue (Kunin, Bloom, Goeva,
Seed 2019): directions with eigenvalues below l2 vanish.

Given the encoder, the best decoder is a small linear system, D = C E' (E C E' + l2 I)^-1. What is
left is a function of E alone; L-BFGS minimizes it from a random start. Its gradient is that of the
loss with the best D held fixed:

    dL/dE = 2 ((D'D) E C - D'C + l2 E)

Without l2 the best encoder for a decoder is known too, and every 200 steps it is put in.

Cost     two products of C with k vectors per step.
Choose   to see that training finds PCA, or to compare with other autoencoders; for PCA itself
         `eigenlens.fit` is faster, and proven.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["EncoderDecoder", "train_pair"]

STAGE = 200  # steps before the encoder is set right
FLAT = 1e-14
SETTLED = 1e-16
Product = Callable[[Float64Array], Float64Array]  # V (d, m) -> C V


@dataclass(frozen=True, eq=False)
class EncoderDecoder:
    encoder: Float64Array  # (k, d)
    decoder: Float64Array  # (d, k)
    loss: float  # the variance lost, without the penalty
    steps: int
    slope: float  # largest entry of the gradient when it ended


def train_pair(
    times: Product,
    total: float,
    shape: tuple[int, int],
    l2: float,
    max_iterations: int,
    rng: np.random.Generator,
) -> EncoderDecoder:
    """`total` is tr C; `shape` is (k, d). Everything in units of `total`, to be near 1."""
    k, d = shape
    price, steps = l2 / total, 0
    encoder = rng.standard_normal((k, d)) / np.sqrt(d)
    value = np.inf
    while steps < max_iterations:
        if price == 0:
            # Of this decoder in orthonormal coordinates the transpose is the best encoder.
            encoder = np.linalg.qr(loss_and_gradient(encoder, times, total, price)[2])[0].T
        encoder, more = minimize_loss(
            encoder, times, total, price, min(STAGE, max_iterations - steps)
        )
        before, steps = value, steps + more
        value, gradient, decoder = loss_and_gradient(encoder, times, total, price)
        if not value < before - SETTLED:
            break
    if price == 0:
        # D E is the same with an orthonormal decoder, and what it loses then has all its digits.
        decoder, triangle = np.linalg.qr(decoder)
        encoder = triangle @ encoder
    loss = total * lost_share(encoder, decoder, times, total)
    return EncoderDecoder(encoder, decoder, loss, steps, float(np.abs(gradient).max()))


def minimize_loss(
    encoder: Float64Array, times: Product, total: float, price: float, most: int
) -> tuple[Float64Array, int]:
    """The encoder after a number of steps of L-BFGS, and that number."""
    from scipy.optimize import minimize

    def value_and_slope(flat: Float64Array) -> tuple[float, Float64Array]:
        value, gradient, _ = loss_and_gradient(flat.reshape(encoder.shape), times, total, price)
        return value, gradient.ravel()

    limits = {"maxiter": most, "maxfun": 2 * most, "maxcor": 30, "ftol": 0.0, "gtol": FLAT}
    found = minimize(value_and_slope, encoder.ravel(), jac=True, method="L-BFGS-B", options=limits)
    return found.x.reshape(encoder.shape), max(1, int(found.nit))


def loss_and_gradient(
    encoder: Float64Array, times: Product, total: float, price: float
) -> tuple[float, Float64Array, Float64Array]:
    """The objective with the best decoder, its gradient in the encoder, and that decoder."""
    k = len(encoder)
    image = times(encoder.T) / total  # C E'
    inner = encoder @ image  # E C E'
    decoder = np.asarray(np.linalg.solve(inner + price * np.eye(k), image.T).T, dtype=np.float64)
    value = 1 - float(np.sum(decoder * image)) + price * float(np.square(encoder).sum())
    pulled = times(decoder) / total
    gradient = 2 * ((decoder.T @ decoder) @ image.T - pulled.T + price * encoder)
    return value, gradient, decoder


def lost_share(encoder: Float64Array, decoder: Float64Array, times: Product, total: float) -> float:
    """tr (I - DE) C (I - DE)' / tr C."""
    image = times(encoder.T) / total
    inner = encoder @ image
    return 1 - 2 * float(np.sum(decoder * image)) + float(np.sum((decoder.T @ decoder) * inner))
