"""Every error we raise, each written for the person who made the mistake.

    Exception
    └── EigenlensError
        ├── DataError (ValueError)            the numbers cannot be used as they are
        │   ├── ChunkError                    a chunk of a Dask collection is unlike the others
        │   ├── FileError                     a file cannot be read, or not be written
        │   │   └── ModelFileError            what model.save(...) writes
        │   ├── KernelError                   a kernel matrix that has no components to find
        │   ├── SplitError                    rows to learn from and to judge by: too few for both
        │   └── UnsupportedData (TypeError)   the kind of object or column is not one we read
        │       └── MismatchError             model and data have not the same columns
        ├── OptionError (ValueError)          an argument does not fit
        │   ├── RankError                     the number of components, k
        │   │   └── NotReached                the solver stopped before so many were there
        │   ├── WeightsError                  weights=
        │   ├── ScaleError                    scale=
        │   ├── MemoryBudgetError             memory=
        │   ├── CheckpointError               checkpoint=
        │   ├── ClusterError                  cluster=
        │   └── SensingError                  measurements, signals, bases
        ├── ClusterLost (ConnectionError)     the cluster went away while at work
        └── TrainingError (RuntimeError)      an autoencoder could not be trained

    UserWarning
    └── NotCertified                          the tolerance asked for was not proven

A message says what was given, what is possible and what to type next. It is written once, as a
constructor named after the mistake: `raise RankError.too_large(12, shape)`.
"""

from __future__ import annotations

from eigenlens.errors.cluster import ChunkError, ClusterError, ClusterLost
from eigenlens.errors.data import DataError
from eigenlens.errors.file import FileError
from eigenlens.errors.kernel import KernelError
from eigenlens.errors.mismatch import MismatchError
from eigenlens.errors.model_file import ModelFileError
from eigenlens.errors.option import (
    CheckpointError,
    MemoryBudgetError,
    OptionError,
    ScaleError,
    WeightsError,
)
from eigenlens.errors.rank import NotReached, RankError
from eigenlens.errors.root import EigenlensError, NotCertified
from eigenlens.errors.sensing import SensingError
from eigenlens.errors.split import SplitError
from eigenlens.errors.training import TrainingError
from eigenlens.errors.unsupported import UnsupportedData

__all__ = [
    "CheckpointError",
    "ChunkError",
    "ClusterError",
    "ClusterLost",
    "DataError",
    "EigenlensError",
    "FileError",
    "KernelError",
    "MemoryBudgetError",
    "MismatchError",
    "ModelFileError",
    "NotCertified",
    "NotReached",
    "OptionError",
    "RankError",
    "ScaleError",
    "SensingError",
    "SplitError",
    "TrainingError",
    "UnsupportedData",
    "WeightsError",
]
