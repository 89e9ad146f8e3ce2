"""Reading at the door of both autoencoders: what scikit-learn takes, and whatever `fit` takes."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any

import numpy as np

from eigenlens.errors import MismatchError
from eigenlens.estimators.rows import read_rows
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source

__all__ = ["read_source"]


def read_source(estimator: Any, given: Any, *, reset: bool) -> Source:
    """With `reset`, their width and names become those the estimator expects."""
    if not is_beyond(given):
        return read_rows(estimator, given, reset=reset).source
    source = open_source(given)
    if reset:
        estimator.n_features_in_ = source.shape[1]
        if source.names is not None:
            estimator.feature_names_in_ = np.array(source.names, dtype=object)
        elif hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
    elif source.shape[1] != estimator.n_features_in_:
        raise MismatchError.wrong_width(source.shape, estimator.n_features_in_)
    return source


def is_beyond(given: Any) -> bool:
    """Whether scikit-learn would not know what to do with it: files, streams, sources."""
    first = given[0] if isinstance(given, list) and given else given
    return isinstance(first, str | PathLike | Source | Iterator) or callable(given)
