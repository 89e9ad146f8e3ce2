"""LinearAutoencoder: two matrices trained to give rows back; the classical relative of PCA."""

from __future__ import annotations

import os
from collections.abc import Iterator
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from eigenlens.algebra.random import random_generator
from eigenlens.algebra.ritz import fix_signs
from eigenlens.algebra.typing import Float64Array
from eigenlens.autoencoder.linear_training import EncoderDecoder, train_pair
from eigenlens.errors import DataError, OptionError, RankError, TrainingError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.estimators.validation import (
    read_random_state,
    read_training_source,
    restoring_attributes_on_failure,
)
from eigenlens.solvers.options import check_whole, is_number_of
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of
from eigenlens.table.budget import budget_bytes
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare
from eigenlens.table.table import TableOperator
from eigenlens.table.workspace import bytes_per_block

__all__ = ["LinearAutoencoder"]

FORMED = 2000  # columns up to which the covariance is formed; beyond, every step is a pass
VANISHED = 1e-3  # of the largest singular value of the decoder: the penalty took that direction
STEEP = 1e-6
ENTRIES_AT_ONCE = 1 << 19


class LinearAutoencoder(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Encoder E and decoder D that lose as little as possible: |x - D E x|^2 + l2 (|E|^2 + |D|^2).

    Without `l2` the decoder spans PCA's subspace, and nothing more can be said of its columns. With
    `l2` its singular vectors are the principal directions themselves, with singular values
    sqrt(1 - l2 / eigenvalue). It is trained from a random start, to show just that; for the
    components themselves `eigenlens.fit` is faster, and proven.

    Parameters
    ----------
    n_components : how many, at most rows - 1 and columns
    l2 : the penalty, in the units of a variance and below that along the last component
    max_iterations : steps of L-BFGS
    random_state : for the start

    Attributes
    ----------
    components_ : (n_components, d) orthonormal; with `l2` the principal directions, in order,
        without it some basis of their span
    encoder_, decoder_ : the two matrices, (n_components, d) and (d, n_components)
    loss_ : the variance lost: without `l2` the sum of the eigenvalues left out
    mean_, n_iter_ : the mean, and how many steps it took

    >>> import numpy as np
    >>> rows = np.random.default_rng(0).standard_normal((200, 5)) * [9, 5, 1, 1, 1]
    >>> coder = LinearAutoencoder(2, l2=1.0).fit(rows)
    >>> bool(abs(coder.components_[0, 0]) > 0.99)
    True
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        l2: float = 0.0,
        max_iterations: int = 5000,
        random_state: Any = 0,
    ) -> None:
        self.n_components = n_components
        self.l2 = l2
        self.max_iterations = max_iterations
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> LinearAutoencoder:
        """Train on `X`, anything that `eigenlens.fit` takes; `y` is ignored.

        A fit that fails leaves everything learned before as it was.
        """
        l2, most = check_l2(self.l2), check_whole("max_iterations", self.max_iterations, 1)
        with restoring_attributes_on_failure(self):
            self._learn(read_training_source(self, X, reset=True), l2, most)
        return self

    def _learn(self, source: Source, l2: float, most: int) -> None:
        table = prepare_centered_table(source)
        count = component_count(self.n_components, table)
        times, total = covariance_product(table)
        if total == 0:
            raise DataError.constant_table(source.shape)
        shape = (count, source.shape[1])
        price = l2 / table.unit / table.unit
        pair = train_pair(
            times, total, shape, price, most, random_generator(read_random_state(self))
        )
        if pair.steps >= most and pair.slope > STEEP:
            raise TrainingError.not_converged(pair.steps, pair.slope)
        self.components_ = decoder_directions(pair, l2)
        self.encoder_, self.decoder_ = pair.encoder, pair.decoder
        self.mean_ = table.moments.mean
        self.loss_, self.n_iter_ = variance_lost(source, self.mean_, table.unit, pair), pair.steps

    def transform(self, X: Any) -> Float64Array:
        """The codes of `X`, (n, n_components)."""
        check_is_fitted(self)
        source = read_training_source(self, X, reset=False)
        codes = [(block - self.mean_) @ self.encoder_.T for block in read_dense_blocks(source)]
        return require_finite_codes(np.concatenate(codes), source)

    def inverse_transform(self, X: Any) -> Float64Array:
        """The rows that have the codes `X`."""
        check_is_fitted(self)
        codes = np.asarray(X, dtype=np.float64)
        if codes.ndim == 0 or codes.shape[-1] != len(self.encoder_):
            raise DataError.wrong_scores(codes.shape, len(self.encoder_))
        rows: Float64Array = codes @ self.decoder_.T + self.mean_
        return rows

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it to a file: plain arrays and words, which `eigenlens.load` gives back."""
        from eigenlens.autoencoder.linear_record import save_linear_autoencoder

        check_is_fitted(self)
        return save_linear_autoencoder(self, path)

    @property
    def _n_features_out(self) -> int:
        return len(self.encoder_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def check_l2(l2: Any) -> float:
    if not (is_number_of(Real, l2) and 0 <= l2 < np.inf):
        raise OptionError.needs(
            SetOption("l2", l2),
            "a number from 0 up",
            Phrase("pass {} for none, or a small variance", SetOption("l2", 0)),
        )
    return float(l2)


def prepare_centered_table(source: Source) -> TableOperator:
    return build_table(
        source, prepare(source, True, None, None), bytes_per_block(source, budget_bytes(None))
    )


def component_count(asked: Any, table: TableOperator) -> int:
    if not is_number_of(Integral, asked) or asked < 1:
        raise RankError.not_positive(asked)
    if asked > table.most_components:
        raise RankError.too_large(int(asked), table.shape)
    return int(asked)


def covariance_product(table: TableOperator) -> tuple[Any, float]:
    """V -> C V in the units of the table, and tr C."""
    if table.shape[1] <= FORMED:
        matrix = table.covariance()
        return lambda vectors: matrix @ vectors, float(np.trace(matrix))
    return table.covariance_times, table.total_variance


def variance_lost(source: Source, mean: Float64Array, unit: float, pair: EncoderDecoder) -> float:
    """From the rows: beside the whole variance, what is lost has few digits or none."""
    lost = max(pair.loss, 0.0)
    if traits_of(source).re_readable:
        squares = 0.0
        for block in read_dense_blocks(source):
            rows = (block - mean) / unit
            squares += float(np.square(rows - rows @ pair.encoder.T @ pair.decoder.T).sum())
        lost = squares / (source.shape[0] - 1)
    found = lost * unit * unit
    if not np.isfinite(found):
        raise DataError.overflow()
    return found


def decoder_directions(pair: EncoderDecoder, l2: float) -> Float64Array:
    """Orthonormal, the decoder's singular vectors, largest first, signs set."""
    left, lengths, _ = np.linalg.svd(pair.decoder, full_matrices=False)
    if l2 and lengths[-1] <= VANISHED * max(float(lengths[0]), VANISHED):
        kept = int(np.sum(lengths > VANISHED))
        raise OptionError.needs(
            SetOption("l2", l2),
            "less than the variance along every component asked for: it leaves "
            f"{kept} of {len(lengths)}",
            Phrase(
                "pass a smaller {}, or {}", Option("l2"), SetOption("n_components", max(kept, 1))
            ),
        )
    return np.ascontiguousarray(fix_signs(left).T)


def read_dense_blocks(source: Source) -> Iterator[Float64Array]:
    for block in source.blocks(max(1, ENTRIES_AT_ONCE // source.shape[1])):
        dense = block.toarray() if source.is_sparse else block
        yield dense.astype(np.float64, copy=False)


def require_finite_codes(codes: Float64Array, source: Source) -> Float64Array:
    from eigenlens.sources.finite import locate_not_finite

    if not np.isfinite(codes).all():
        raise locate_not_finite(source)
    return codes
