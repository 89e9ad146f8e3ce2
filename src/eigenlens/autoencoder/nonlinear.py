"""Autoencoder: a network anchored on PCA, with scikit-learn's face."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from eigenlens.algebra.typing import Float64Array
from eigenlens.autoencoder.fit_network import NetworkPlan, fit_network, plan_network
from eigenlens.autoencoder.network import Network
from eigenlens.certificate.record import Certificate
from eigenlens.document.table import Table
from eigenlens.document.verdict import Verdict
from eigenlens.estimators.validation import read_training_source, restoring_attributes_on_failure
from eigenlens.model.rows import centered_blocks
from eigenlens.model.subspace import Subspace

__all__ = ["Autoencoder"]


class Autoencoder(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A nonlinear encoder and decoder that begin as PCA, and the gain over it.

    encode z = V'x + h(x), decode x' = V z + g(z); h and g are small networks that begin as zero.

    Parameters
    ----------
    n_components : how many numbers a row is coded by, fewer than columns; or as k in `fit`
    hidden : widths of the hidden layers, of encoder and decoder alike: 64, or (128, 64)
    max_epochs : at most so many; 0 is PCA
    patience : epochs without a better one before it ends
    random_state : for the split, the weights at the start and the order of rows
    scale : "std" to standardize the columns, or one positive number per column
    method : "lbfgs", "adam" or "auto": by how much there is to train on
    learning_rate : of Adam
    memory : bytes to use beside the data ("2GB"); rows that do not fit are read at every epoch
    progress : True shows epochs on the terminal
    on_interrupt : "return" ends on Ctrl-C with the best network so far, also while it is judged;
        "raise" keeps it too and raises

    Attributes
    ----------
    gain_ : a `Verdict`: the share of PCA's error saved on rows not trained on, with its interval
        (`low`, `high`); its reason says *no gain* where the interval reaches 0
    flatness_ : the `Verdict` of `eigenlens.flatness`, or None where rows are too few for one
    model_, certificate_ : the PCA it is anchored on, and what is proven about that
    network_ : the trained weights, plain arrays
    history_ : a `Table` of losses by epoch, as shares of PCA's
    best_epoch_, ended_ : which epoch was kept, and why training ended

    >>> import numpy as np
    >>> t = np.random.default_rng(0).uniform(-1, 1, 300)
    >>> curve = np.column_stack([t, t**2, t + t**2])
    >>> coder = Autoencoder(1, hidden=16, max_epochs=3).fit(curve)
    >>> coder.transform(curve).shape, coder.gain_.low > 0.5
    ((300, 1), True)
    """

    model_: Subspace
    certificate_: Certificate
    network_: Network
    gain_: Verdict
    flatness_: Verdict | None

    def __init__(
        self,
        n_components: Any = 2,
        *,
        hidden: Any = 64,
        max_epochs: int = 100,
        patience: int = 10,
        random_state: Any = 0,
        scale: Any = None,
        method: str = "auto",
        learning_rate: float = 1e-3,
        memory: Any = None,
        progress: bool = False,
        on_interrupt: str = "return",
    ) -> None:
        self.n_components = n_components
        self.hidden = hidden
        self.max_epochs = max_epochs
        self.patience = patience
        self.random_state = random_state
        self.scale = scale
        self.method = method
        self.learning_rate = learning_rate
        self.memory = memory
        self.progress = progress
        self.on_interrupt = on_interrupt

    def fit(self, X: Any, y: Any = None) -> Autoencoder:
        """Train on `X`, anything that `eigenlens.fit` takes; `y` is ignored.

        A fit that fails leaves everything learned before as it was.
        """
        plan: NetworkPlan = plan_network(self)
        with restoring_attributes_on_failure(self):
            found = fit_network(read_training_source(self, X, reset=True), plan)
        self.model_, self.certificate_ = found.model, found.model.certificate
        self.network_ = found.training.network
        self.gain_, self.flatness_ = found.gain, found.flatness
        self.best_epoch_, self.ended_ = found.training.best, found.training.ended
        epochs = found.training.epochs
        self.history_ = Table(
            {
                "epoch": [one.number for one in epochs],
                "training": [one.training for one in epochs],
                "held_out": [one.held_out for one in epochs],
            }
        )
        if self.ended_ == "interrupted" and plan.on_interrupt == "raise":
            raise KeyboardInterrupt
        return self

    def transform(self, X: Any) -> Float64Array:
        """The codes of `X`, (n, n_components)."""
        check_is_fitted(self)
        rows = read_training_source(self, X, reset=False)
        codes = np.array(self.model_.project(rows))
        start = 0
        for block in centered_blocks(self.model_, rows):
            codes[start : start + len(block)] += self.network_.added_to_scores(block)
            start += len(block)
        return codes

    def inverse_transform(self, X: Any) -> Float64Array:
        """The rows that have the codes `X`, in the units of the data."""
        check_is_fitted(self)
        codes = np.asarray(X, dtype=np.float64)
        rows: Float64Array = self.model_.reconstruct(codes)
        bent = self.network_.added_to_rows(codes)
        return rows + (bent if self.model_.scale is None else bent * self.model_.scale)

    def residual(self, X: Any) -> Float64Array:
        """Squared distance of each (prepared) row to what its code gives back."""
        check_is_fitted(self)
        rows = read_training_source(self, X, reset=False)
        model, net = self.model_, self.network_
        parts = []
        for block in centered_blocks(model, rows):
            codes = block @ model.components.T + net.added_to_scores(block)
            again = codes @ model.components + net.added_to_rows(codes)
            parts.append(np.square(block - again).sum(axis=1))
        return np.concatenate(parts)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it to a file: plain arrays and words, which `eigenlens.load` gives back."""
        from eigenlens.autoencoder.network_record import save_autoencoder

        check_is_fitted(self)
        return save_autoencoder(self, path)

    @property
    def _n_features_out(self) -> int:
        return self.model_.n_components

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
