"""The judge: how good an answer is, in float64, on the numbers as they are stored.

    H = Q' C Q,   Q an orthonormal basis of all answers and of the known leading directions

The largest eigenvalues of H are the truth: the joint span holds the leading directions of the exact
table, which rounding the entries to float32 turns by 1e-7, so that its Ritz values are off by the
square of that. Where nothing is known beforehand (sparse tables) the best of all answers together
is the optimum; scikit-learn's arpack, run to machine precision, is among them.
Cost     one pass, 2 n d m for m columns of Q.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from benchmarks.peers import Answer

__all__ = ["Mark", "judged"]

ROWS_PER_BLOCK = 4096


@dataclass(frozen=True)
class Mark:
    """Relative shortfall of the captured variance, worst relative error of an eigenvalue."""

    variance_error: float
    eigenvalue_error: float
    sine: float  # of the largest principal angle to the true subspace


def judged(rows: Any, answers: Mapping[str, Answer], leading: np.ndarray | None) -> dict[str, Mark]:
    """One mark per answer."""
    bases = {name: orthonormal(answer.components.T) for name, answer in answers.items()}
    known = [] if leading is None else [leading]
    joint = orthonormal(np.hstack([*known, *bases.values()]))
    values, vectors = np.linalg.eigh(projected_covariance(rows, joint))
    marks = {}
    for name, answer in answers.items():
        rank = len(answer.eigenvalues)
        truth, top = values[::-1][:rank], vectors[:, ::-1][:, :rank]
        coordinates = vectors.T @ (joint.T @ bases[name])
        captured = float(values @ np.square(coordinates).sum(axis=1))
        outside = bases[name] - joint @ (top @ (top.T @ (joint.T @ bases[name])))
        errors = np.abs(answer.eigenvalues.astype(np.float64) - truth) / truth
        marks[name] = Mark(
            variance_error=1.0 - captured / float(truth.sum()),
            eigenvalue_error=float(errors.max()),
            sine=min(1.0, float(np.linalg.norm(outside, 2))),
        )
    return marks


def projected_covariance(rows: Any, basis: np.ndarray) -> np.ndarray:
    """basis' C basis in float64, for rows of any type."""
    n = rows.shape[0]
    # A shift near the mean keeps large means from cancelling the digits of small variances.
    shift = np.asarray(rows[:ROWS_PER_BLOCK].mean(axis=0), dtype=np.float64).ravel() @ basis
    total = np.zeros(basis.shape[1])
    scatter = np.zeros((basis.shape[1],) * 2)
    for block in blocks(rows):
        scores = block @ basis - shift
        total += scores.sum(axis=0)
        scatter += scores.T @ scores
    return (scatter - np.outer(total, total) / n) / (n - 1)


def blocks(rows: Any) -> Iterator[Any]:
    if scipy.sparse.issparse(rows):
        yield rows.astype(np.float64, copy=False)
        return
    for start in range(0, rows.shape[0], ROWS_PER_BLOCK):
        yield rows[start : start + ROWS_PER_BLOCK].astype(np.float64, copy=False)


def orthonormal(columns: np.ndarray) -> np.ndarray:
    return np.linalg.qr(np.asarray(columns, dtype=np.float64))[0]
