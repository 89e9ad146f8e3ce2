"""Reading at the door of both autoencoders: what scikit-learn takes, and whatever `fit` takes."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any

from eigenlens.estimators.validation import read_rows
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source

__all__ = ["read_training_source"]


def read_training_source(estimator: Any, given: Any, *, reset: bool) -> Source:
    """With `reset`, their width and names become those the estimator expects."""
    known = open_source(given) if is_unknown_to_sklearn(given) else given
    return read_rows(estimator, known, reset=reset).source


def is_unknown_to_sklearn(given: Any) -> bool:
    """Whether scikit-learn would not know what to do with it: lists of files, and streams."""
    first = given[0] if isinstance(given, list) and given else given
    return isinstance(first, str | PathLike | Iterator) or callable(given)
