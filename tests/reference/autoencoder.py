"""Slow twins of the room `autoencoder`: one number at a time, and differences for derivatives."""

import math

import numpy as np


def passed_by_loops(layers, x):
    """One row through the layers."""
    values = list(x)
    for number, (weights, biases) in enumerate(layers):
        sums = [
            sum(values[i] * weights[i][j] for i in range(len(values))) + biases[j]
            for j in range(len(biases))
        ]
        last = number == len(layers) - 1
        values = sums if last else [math.tanh(one) for one in sums]
    return np.array(values)


def linear_loss(encoder, decoder, covariance, l2):
    """tr (I - DE) C (I - DE)' + l2 (|E|^2 + |D|^2), as it is written."""
    left = np.eye(len(covariance)) - decoder @ encoder
    penalty = l2 * (np.square(encoder).sum() + np.square(decoder).sum())
    return float(np.trace(left @ covariance @ left.T) + penalty)


def differences(function, x, step=1e-6):
    """Central differences of a function of a matrix."""
    slope = np.zeros_like(x)
    for place in np.ndindex(*x.shape):
        for sign in (1, -1):
            moved = x.copy()
            moved[place] += sign * step
            slope[place] += sign * function(moved) / (2 * step)
    return slope
