"""Two peers of `missing.py` written down from their publications: slow, obvious, for comparison.

regularized iterative PCA   Josse and Husson 2012, as missMDA 1.21's imputePCA does it; components
                            by generalized cross-validation (its estim_ncpPCA), up to 12
softImpute                  Mazumder, Hastie and Tibshirani 2010; the penalty by cells held out

Tables come with standardized columns, NaN in the holes.
"""

from __future__ import annotations

import numpy as np

__all__ = [
    "generalized_cross_validation",
    "impute_iterative_pca",
    "impute_regularized",
    "impute_soft",
]

MOST_COMPONENTS = 12
MOST_STEPS = 1000
AT_REST = 1e-6
PENALTIES = 12


def impute_iterative_pca(given: np.ndarray) -> np.ndarray:
    """The filled table with as many components as generalized cross-validation takes."""
    most = min(MOST_COMPONENTS, given.shape[1] - 1, given.shape[0] - 2)
    fits = [impute_regularized(given, rank) for rank in range(most + 1)]
    criteria = [generalized_cross_validation(given, fits[k][1], k) for k in range(most + 1)]
    rises = np.flatnonzero(np.diff(criteria) > 0)
    best = int(rises[0]) if rises.size else int(np.argmin(criteria))  # it stops at the first rise
    return fits[best][0]


def impute_regularized(given: np.ndarray, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """The filled table, and what `rank` components with shrunken singular values make of it."""
    holes = np.isnan(given)
    rows, columns = given.shape
    filled = np.where(holes, np.nanmean(given, axis=0), given)
    before = np.inf
    for _ in range(MOST_STEPS):
        mean, deviation = filled.mean(axis=0), filled.std(axis=0)
        units = (filled - mean) / deviation
        left, values, right = np.linalg.svd(units / np.sqrt(rows), full_matrices=False)
        noise = 0.0
        if rank < len(values):
            freedom = (rows - 1) * columns - (rows - 1) * rank - columns * rank + rank**2
            spread = rows * columns / min(columns, rows - 1)
            noise = min(spread * np.square(values[rank:]).sum() / freedom, values[rank] ** 2)
        kept = (np.square(values[:rank]) - noise) / values[:rank]
        fitted = (left[:, :rank] * kept) @ right[:rank] * np.sqrt(rows) * deviation + mean
        filled = np.where(holes, fitted, given)
        objective = np.square(
            (fitted - given)[~holes] / np.broadcast_to(deviation, given.shape)[~holes]
        ).mean()
        if abs(1 - objective / before) < AT_REST:
            break
        before = objective
    return filled, fitted


def generalized_cross_validation(given: np.ndarray, fitted: np.ndarray, rank: int) -> float:
    rows, columns = given.shape
    seen = ~np.isnan(given)
    cells = float(seen.sum())
    freedom = cells - (columns + rank * (rows - 1 + columns - rank)) if rank else cells
    if freedom == 0:
        return np.inf
    return float(np.mean(np.square(cells * (given - fitted)[seen] / freedom)))


def impute_soft(given: np.ndarray) -> np.ndarray:
    """The penalty with the smallest error on a twentieth of the cells, then all cells."""
    rng = np.random.default_rng(0)
    seen = np.argwhere(~np.isnan(given))
    held = tuple(seen[rng.choice(len(seen), max(10, len(seen) // 20), replace=False)].T)
    masked = given.copy()
    masked[held] = np.nan
    largest = float(np.linalg.norm(np.nan_to_num(masked), 2))
    penalties = largest * np.geomspace(0.9, 0.01, PENALTIES)
    start = np.zeros(given.shape)
    errors = []
    for penalty in penalties:
        start = soften(masked, penalty, start)
        errors.append(np.square(start[held] - given[held]).mean())
    start = np.zeros(given.shape)
    for penalty in penalties[: int(np.argmin(errors)) + 1]:
        start = soften(given, penalty, start)
    return np.where(np.isnan(given), start, given)


def soften(given: np.ndarray, penalty: float, start: np.ndarray) -> np.ndarray:
    """Singular values less the penalty, holes at what the last step made of them."""
    holes = np.isnan(given)
    for _ in range(MOST_STEPS):
        left, values, right = np.linalg.svd(np.where(holes, start, given), full_matrices=False)
        after = (left * np.maximum(values - penalty, 0.0)) @ right
        change = np.square(after - start).sum() / max(np.square(start).sum(), 1e-12)
        start = after
        if change < 1e-8:
            break
    return start
