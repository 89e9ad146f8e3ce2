"""Rows at the estimators' door: checked in scikit-learn's words, without copying or reading them.

Whether all numbers are finite is not asked beforehand, which would be a pass over the data: a fit
meets NaN in its first pass, a projection in its scores. Only then scikit-learn is asked to say it.

Reading at the door of both autoencoders: what scikit-learn takes, and whatever `fit` takes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from sklearn.utils import get_tags
from sklearn.utils.validation import validate_data

from eigenlens.errors import DataError, MismatchError, OptionError, UnsupportedData
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.estimators.array_api import NUMPY, namespace_of, to_numpy
from eigenlens.estimators.parameters import is_random_state
from eigenlens.estimators.plan import read_seed
from eigenlens.model.dask_answers import is_dask_collection
from eigenlens.sources import array, arrow_stream, frame, open_arrays
from eigenlens.sources.annotated import is_anndata
from eigenlens.sources.array import plain_array
from eigenlens.sources.device.arrays import is_device_array, plain_tensor
from eigenlens.sources.device.rows import is_on_device
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source
from eigenlens.sources.traits import traits_of

__all__ = [
    "ValidatedRows",
    "check_width",
    "locating_bad_numbers",
    "read_random_state",
    "read_rows",
    "read_training_source",
    "refuse_not_finite",
    "restoring_attributes_on_failure",
    "stays_there",
]

NOT_IN_MEMORY = (str, os.PathLike, Source)  # what is not at hand as an array
SINGLE, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)


@dataclass(frozen=True)
class ValidatedRows:
    """What was given, how it is read, and the dtype of answers about it."""

    given: Any
    source: Source
    dtype: np.dtype[Any]


def read_rows(estimator: Any, given: Any, *, reset: bool) -> ValidatedRows:
    """With `reset`, their width and names become those the estimator expects."""
    if type(given) is np.ndarray:  # the others' checks take longer than a small fit
        return read_array(estimator, given, reset)
    if not isinstance(given, np.ndarray) and (is_not_an_array(given) or stays_there(given)):
        return read_file_or_source(estimator, given, reset)
    given = plain_tensor(to_numpy(given))
    if is_dask_collection(given):
        return read_collection(estimator, given, reset)
    if frame.accepts(given) and not hasattr(given, "sparse"):
        return read_frame(estimator, given, reset)
    if np.ma.is_masked(given):  # scikit-learn would use what lies under the mask
        given = plain_array(given)
    return read_array(estimator, given, reset)


def is_not_an_array(given: Any) -> bool:
    """A file, a source, or an object of a field: scikit-learn would make nothing of it."""
    if isinstance(given, NOT_IN_MEMORY) or is_anndata(given) or open_arrays.accepts(given):
        return True
    return not (frame.accepts(given) or array.accepts(given)) and arrow_stream.accepts(given)


def stays_there(given: Any) -> bool:
    """Whether rows lie on a device, and scikit-learn was told to leave such arrays there."""
    return is_device_array(given) and namespace_of(given) is not NUMPY


def read_frame(estimator: Any, given: Any, reset: bool) -> ValidatedRows:
    """Block by block, where scikit-learn would make one array of it."""
    try:
        source = open_source(given)  # first: names that occur twice are an error of ours
        validate_data(estimator, given, reset=reset, skip_check_array=True)
    except UnsupportedData as unsupported:
        try:
            return read_array(estimator, given, reset)  # numbers kept as objects, for example
        except (ValueError, TypeError):
            raise unsupported from None
    return ValidatedRows(given, source, source.dtype)


def read_collection(estimator: Any, given: Any, reset: bool) -> ValidatedRows:
    """Width and names only: the rows of a Dask collection stay where they are."""
    check_width(estimator, given, reset)
    source = open_source(given)
    return ValidatedRows(given, source, source.dtype)


def check_width(estimator: Any, given: Any, reset: bool) -> None:
    facts = given._meta if hasattr(given, "columns") else given
    validate_data(estimator, facts, reset=reset, skip_check_array=True)


def read_file_or_source(estimator: Any, given: Any, reset: bool) -> ValidatedRows:
    """A file, or a source: scikit-learn knows neither, and its checks want whole arrays."""
    source = open_source(given)
    if reset:
        estimator.n_features_in_ = source.shape[1]
        vars(estimator).pop("feature_names_in_", None)
        if source.names is not None:
            estimator.feature_names_in_ = np.array(source.names, dtype=object)
    elif source.shape[1] != estimator.n_features_in_:
        raise MismatchError.wrong_width(source.shape, estimator.n_features_in_)
    return ValidatedRows(given, source, SINGLE if source.dtype == SINGLE else DOUBLE)


def read_array(estimator: Any, given: Any, reset: bool) -> ValidatedRows:
    # A matrix of pairs is small beside what is done with it, and new rows of another width are
    # told apart only after this.
    if is_accepted_as_it_is(estimator, given, reset):
        return ValidatedRows(given, open_source(given), SINGLE if given.dtype == SINGLE else DOUBLE)
    pairwise = get_tags(estimator).input_tags.pairwise
    checked = validate_array(estimator, given, reset=reset, finite=pairwise)
    return ValidatedRows(given, open_source(checked), SINGLE if checked.dtype == SINGLE else DOUBLE)


def is_accepted_as_it_is(estimator: Any, given: Any, reset: bool) -> bool:
    """A plain table of numbers, of which scikit-learn's checks would say and change nothing.

    With `reset` its width becomes the one the estimator expects. The checks take longer than all
    of the arithmetic for a table of a hundred rows.
    """
    plain = type(given) is np.ndarray and given.ndim == 2
    plain = plain and (given.dtype in (SINGLE, DOUBLE) or given.dtype.kind in "iu")
    pairs = getattr(estimator, "kernel", None) == "precomputed"  # whose finiteness is asked now
    if not plain or not given.size or pairs:
        return False
    if reset:
        vars(estimator).pop("feature_names_in_", None)
        estimator.n_features_in_ = given.shape[1]
        return True
    known = vars(estimator)
    return "feature_names_in_" not in known and known.get("n_features_in_") == given.shape[1]


def validate_array(estimator: Any, given: Any, *, reset: bool, finite: bool) -> Any:
    with np.errstate(over="ignore", invalid="ignore"):  # of the sum that scikit-learn looks at
        return validate_data(
            estimator,
            given,
            reset=reset,
            dtype="numeric",
            accept_sparse=("csr", "csc"),
            ensure_all_finite=finite,
        )


def refuse_not_finite(estimator: Any, rows: ValidatedRows, found: DataError | None = None) -> None:
    """scikit-learn's error for NaN or infinity, and where they are; nothing if there are none."""
    remote = traits_of(rows.source).remote or is_on_device(rows.source)
    if isinstance(rows.given, NOT_IN_MEMORY) or remote:
        return  # what was found says where, and scikit-learn would fetch all rows
    try:
        validate_array(estimator, rows.given, reset=False, finite=True)
    except ValueError as error:
        where = f"\n{found}" if found is not None else ""
        raise DataError(f"{error}{where}") from found


@contextmanager
def locating_bad_numbers(estimator: Any, rows: ValidatedRows) -> Iterator[None]:
    """Around a fit: what it found wrong with the numbers, said in both ways."""
    try:
        yield
    except DataError as found:
        refuse_not_finite(estimator, rows, found)
        raise


@contextmanager
def restoring_attributes_on_failure(estimator: Any) -> Iterator[None]:
    """Around a fit: one that fails leaves everything learned before as it was."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


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
