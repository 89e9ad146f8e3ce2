"""Kernel PCA as in the textbook: the matrix of all pairs, centered, and its eigenvectors.

Kernel values are taken pair by pair from differences and products in extended precision; only the
eigenvalues are float64's. Meant for at most about a thousand rows.
"""

import numpy as np


def kernel_values(name, one, other, gamma=1.0, degree=3, coef0=1.0):
    """k(x, y) for all pairs of rows, (n, m), in extended precision."""
    one, other = np.asarray(one, np.longdouble), np.asarray(other, np.longdouble)
    if name == "linear":
        # Centering the matrix makes up for any shift, and far away it would cost all digits.
        middle = other.mean(axis=0)
        one, other = one - middle, other - middle
    values = np.empty((len(one), len(other)), np.longdouble)
    for place, row in enumerate(one):
        values[place] = one_row(name, row, other, np.longdouble(gamma), degree, coef0)
    return values


def one_row(name, row, others, gamma, degree, coef0):
    if name in ("linear", "poly", "sigmoid", "cosine"):
        product = (others * row).sum(axis=1)
        if name == "linear":
            return product
        if name == "poly":
            return (gamma * product + coef0) ** degree
        if name == "sigmoid":
            return np.tanh(gamma * product + coef0)
        lengths = np.sqrt((row**2).sum() * (others**2).sum(axis=1))
        return np.divide(product, lengths, out=np.zeros_like(product), where=lengths > 0)
    apart = others - row
    if name == "laplacian":
        return np.exp(-gamma * np.abs(apart).sum(axis=1))
    squares = (apart**2).sum(axis=1)
    return np.exp(-gamma * (squares if name == "rbf" else np.sqrt(squares)))


def centered(matrix):
    """H K H, written out."""
    means = matrix.mean(axis=0)
    return matrix - means - means[:, None] + means.mean()


def eigenvalues(matrix):
    """Of the centered matrix, descending, as float64."""
    return np.linalg.eigvalsh(centered(matrix).astype(np.float64))[::-1]


def scores(matrix, across, k):
    """Of new rows by `across`, their kernel values with the training rows: the textbook's way.

    Signs are such that the largest training score of every component is positive.
    """
    values, vectors = np.linalg.eigh(centered(matrix).astype(np.float64))
    values, vectors = values[::-1][:k], vectors[:, ::-1][:, :k]
    largest = np.abs(vectors).argmax(axis=0)
    vectors = vectors * np.sign(vectors[largest, np.arange(k)])
    new = across - across.mean(axis=1)[:, None] - matrix.mean(axis=0) + matrix.mean()
    return (new @ (vectors / np.sqrt(values))).astype(np.float64)


def residual_trace(matrix, chosen):
    """tr(K - K[:, S] K[S, S]^+ K[S, :]) for rows S, by least squares."""
    columns = matrix[:, chosen].astype(np.float64)
    within = columns[chosen]
    seen = columns @ np.linalg.pinv(within, rcond=1e-13, hermitian=True) @ columns.T
    return float(np.trace(matrix.astype(np.float64)) - np.trace(seen))
