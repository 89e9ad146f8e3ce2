"""Mean-field PPCA: scores and missing cells as independent unknowns, as some packages fit it.

The scores' covariance is that of a complete row, whatever the row lacks, so the fixed point is not
the maximum of the likelihood once cells are missing.
"""

import numpy as np

__all__ = ["fit_mean_field"]


def fit_mean_field(rows, rank, steps=20_000):
    """Loadings, noise and the filled table; `rows` are centered, their mean is not estimated."""
    holes = np.isnan(rows)
    n, d = rows.shape
    filled = np.where(holes, 0.0, rows)
    values, vectors = np.linalg.eigh(filled.T @ filled / n)
    loadings = vectors[:, -rank:] * np.sqrt(values[-rank:])
    noise, scores = values[:-rank].mean(), np.zeros((n, rank))
    for _ in range(steps):
        spread = np.linalg.inv(np.eye(rank) + loadings.T @ loadings / noise)
        filled[holes] = (scores @ loadings.T)[holes]
        scores = filled @ loadings @ spread / noise
        loadings = filled.T @ scores @ np.linalg.inv(scores.T @ scores + n * spread)
        apart = np.square(filled - scores @ loadings.T).sum()
        apart += n * np.trace(loadings.T @ loadings @ spread) + holes.sum() * noise
        moved, noise = abs(apart / (n * d) - noise), apart / (n * d)
        if moved < 1e-16:
            break
    return loadings, noise, filled
