"""Landmarks and pre-images: how much is seen, and how much noise is removed.

landmarks  relative residual trace, and the share of the exact top-10 variance that is captured, of
           2000 rows: by randomly pivoted Cholesky, uniform and greedy choice
preimage   noisy closed curves in 10 dimensions: mean squared error of the denoised rows, everybody
           with the best of the same kernels and numbers of components
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["LANDMARK_CASES", "RULES", "landmark_results", "preimage_results"]

Rows = np.ndarray[Any, np.dtype[np.float64]]
RULES = ("rpcholesky", "uniform", "greedy")
TOP = 10


def roll(n: int, rng: np.random.Generator) -> Rows:
    angle = 1.5 * np.pi * (1 + 2 * rng.random(n))
    return np.column_stack([angle * np.cos(angle), 21 * rng.random(n), angle * np.sin(angle)])


def blobs(n: int, rng: np.random.Generator) -> Rows:
    """Five groups in five dimensions, and one row in twenty far from everything."""
    rows = 3 * rng.standard_normal((5, 5))[rng.integers(5, size=n)] + rng.standard_normal((n, 5))
    outliers = rng.random(n) < 0.05
    rows[outliers] = 20 * rng.standard_normal((int(outliers.sum()), 5))
    return rows


def gaussian(n: int, rng: np.random.Generator) -> Rows:
    return rng.standard_normal((n, 20))


# Name, rows, kernel, width over the median distance, landmarks.
LANDMARK_CASES: list[tuple[str, Callable[..., Rows], str, float, int]] = [
    ("roll, rbf", roll, "rbf", 0.5, 50),
    ("groups and outliers, rbf", blobs, "rbf", 0.29, 200),
    ("groups and outliers, rbf", blobs, "rbf", 0.29, 50),
    ("normal in 20 dimensions, rbf", gaussian, "rbf", 0.5, 200),
    ("roll, exponential", roll, "exponential", 1.0, 200),
]


def landmark_results(n: int, draws: int) -> list[dict[str, Any]]:
    return [landmark_case(*case, n, draws) for case in LANDMARK_CASES]


def landmark_case(
    name: str, make: Callable[..., Rows], kernel: str, width: float, m: int, n: int, draws: int
) -> dict[str, Any]:
    from eigenlens.kernel.fit import fit_kernel

    found: dict[str, Any] = {rule: {"residual": [], "captured": []} for rule in RULES}
    best = []
    for draw in range(draws):
        rows = make(n, np.random.default_rng([7, draw]))
        median = 1 / fit_kernel(rows, 1, kernel="exponential", gamma="median", n_landmarks=5).gamma
        gamma = 1 / (2 * (width * median) ** 2) if kernel == "rbf" else 1 / (width * median)
        spectrum, top = exact_spectrum(rows, kernel, gamma)
        best.append(float(spectrum[m:].sum() / spectrum.sum()))
        for rule in RULES:
            model = fit_kernel(
                rows, TOP, kernel=kernel, gamma=gamma, n_landmarks=m, landmarks=rule, seed=draw
            )
            found[rule]["residual"].append(model.certificate.residual_trace / n)
            found[rule]["captured"].append(float(model.eigenvalues.sum()) / top)
    means = {
        rule: {key: float(np.mean(values)) for key, values in found[rule].items()} for rule in RULES
    }
    residual = {rule: means[rule]["residual"] for rule in RULES}
    return {
        "name": name,
        "landmarks": m,
        "best": float(np.mean(best)),
        "rules": means,
        "spread": {rule: float(np.std(found[rule]["residual"])) for rule in RULES},
        "over_uniform": residual["rpcholesky"] / max(residual["uniform"], 1e-12),
    }


def exact_spectrum(rows: Rows, kernel: str, gamma: float) -> tuple[Rows, float]:
    """Eigenvalues of the matrix, and the sum of the leading ones once it is centered."""
    from scipy.spatial.distance import cdist

    apart = cdist(rows, rows)
    matrix = np.exp(-gamma * (apart**2 if kernel == "rbf" else apart))
    spectrum = np.maximum(np.linalg.eigvalsh(matrix)[::-1], 0.0)
    means = matrix.mean(axis=0)
    matrix += means.mean() - means - means[:, None]
    return spectrum, float(np.linalg.eigvalsh(matrix)[-TOP:].sum())


# -- pre-images ------------------------------------------------------------------------------


def noisy_curve(n: int, seed: int, bend: bool) -> tuple[Rows, Rows]:
    """A circle, or one that also waves, turned into 10 dimensions; clean rows and noisy ones."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, n)
    waves = [np.cos(angle), np.sin(angle), *([np.sin(2 * angle)] if bend else [])]
    frame = np.linalg.qr(rng.standard_normal((10, len(waves))))[0]
    clean = np.column_stack(waves) @ frame.T
    return clean, clean + 0.25 * rng.standard_normal(clean.shape)


def preimage_results(n: int, draws: int) -> list[dict[str, Any]]:
    return [preimage_case(bend, n, draws) for bend in (False, True)]


def preimage_case(bend: bool, n: int, draws: int) -> dict[str, Any]:
    from sklearn.decomposition import PCA
    from sklearn.decomposition import KernelPCA as Theirs

    import eigenlens

    found: dict[str, dict[Any, list[float]]] = {}
    for seed in range(draws):
        clean, rows = noisy_curve(n, seed, bend)

        def note(
            who: str, how: Any, estimator: Any, clean: Rows = clean, rows: Rows = rows
        ) -> None:
            back = estimator.inverse_transform(estimator.fit(rows).transform(rows))
            error = float(np.square(back - clean).sum(axis=1).mean())
            found.setdefault(who, {}).setdefault(how, []).append(error)

        typical = 1 / eigenlens.KernelPCA(1, kernel="rbf", gamma="median").fit(rows).gamma_
        for k in range(1, 10):
            note("linear PCA", k, PCA(k))
        for k in (2, 3, 4, 5, 6):
            for width in (0.5, 1.0, 2.0):
                options = {"gamma": width / typical, "fit_inverse_transform": True}
                ours = eigenlens.KernelPCA(k, kernel="rbf", **options)
                note("ours, rbf", (k, width), ours)
                for alpha in (1.0, 0.1, 0.01):
                    theirs = Theirs(k, kernel="rbf", alpha=alpha, **options)
                    note("scikit-learn, rbf", (k, width, alpha), theirs)
            exponential = {"kernel": "exponential", "gamma": "median"}
            ours = eigenlens.KernelPCA(k, fit_inverse_transform=True, **exponential)
            note("ours, exponential", k, ours)
    best = {who: min(map(np.mean, errors.values())) for who, errors in found.items()}
    noisy = float(np.mean([error_of_noise(n, seed, bend) for seed in range(draws)]))
    return {
        "name": "a circle that waves" if bend else "a circle",
        "noisy": noisy,
        "errors": {who: float(error) for who, error in best.items()},
        "over_linear": float(best["ours, rbf"] / best["linear PCA"]),
        "over_peer": float(best["ours, rbf"] / best["scikit-learn, rbf"]),
    }


def error_of_noise(n: int, seed: int, bend: bool) -> float:
    clean, rows = noisy_curve(n, seed, bend)
    return float(np.square(rows - clean).sum(axis=1).mean())
