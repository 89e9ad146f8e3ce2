"""Errors about training: what went wrong, and what to change."""

from __future__ import annotations

from typing import Self

from eigenlens.errors.root import EigenlensError

__all__ = ["TrainingError"]


class TrainingError(EigenlensError, RuntimeError):
    """A network, or a linear autoencoder, could not be trained."""

    @classmethod
    def diverged(cls, epoch: int, loss: float, learning_rate: float | None) -> Self:
        if learning_rate is None:
            way = "Pass method='adam', or scale='std' where columns differ much in size"
        else:
            way = f"Pass learning_rate={learning_rate / 10:.3g} or less, or method='lbfgs'"
        grown = "is no number any more" if loss != loss else f"grew to {loss:.3g} times PCA's"
        return cls(f"the loss {grown} in epoch {epoch}: training diverges. {way}.")

    @classmethod
    def not_converged(cls, steps: int, slope: float) -> Self:
        return cls(
            f"the linear autoencoder has not converged after {steps} steps: the gradient is still "
            f"{slope:.3g} of the variance. Pass a larger max_iterations=, or fewer components: "
            f"equal variances on both sides of the cut have no best subspace."
        )
