"""Reading at the door of both autoencoders: what scikit-learn takes, and whatever `fit` takes."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any

from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.estimators.parameters import is_random_state
from eigenlens.estimators.plan import read_seed
from eigenlens.estimators.validation import read_rows
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source

__all__ = ["read_random_state", "read_training_source"]


def read_training_source(estimator: Any, given: Any, *, reset: bool) -> Source:
    """With `reset`, their width and names become those the estimator expects."""
    known = open_source(given) if is_unknown_to_sklearn(given) else given
    return read_rows(estimator, known, reset=reset).source


def is_unknown_to_sklearn(given: Any) -> bool:
    """Whether scikit-learn would not know what to do with it: lists of files, and streams."""
    first = given[0] if isinstance(given, list) and given else given
    return isinstance(first, str | PathLike | Iterator) or callable(given)


def read_random_state(estimator: Any) -> int:
    """The seed that `random_state` stands for, as in scikit-learn."""
    state = estimator.random_state
    if not is_random_state(state):
        raise OptionError.needs(
            SetOption("random_state", state),
            "a whole number from 0 up, a RandomState of numpy, or None",
            Phrase("pass {}", SetOption("random_state", 0)),
        )
    return read_seed(estimator)
