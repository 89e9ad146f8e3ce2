"""Every error we raise, each written for the person who made the mistake.

    Exception
    └── EigenlensError
        ├── DataError (ValueError)            the numbers cannot be used as they are
        │   ├── CategoryError                 categories or counts cannot be used as they are
        │   ├── CovarianceError               a matrix that is no covariance matrix
        │   ├── ChunkError                    a chunk of a Dask collection differs from the others
        │   ├── FieldError                    an object of a field: AnnData, PLINK, xarray
        │   ├── FileError                     a file cannot be read or written
        │   │   ├── ModelFileError            what model.save(...) writes
        │   │   └── TextFileError             lines, quotes, letters and numbers of a text file
        │   ├── KernelError                   a kernel matrix without components to find
        │   ├── PictureError                  not a picture, or pictures of unequal sizes
        │   ├── SplitError                    too few rows to train on some and judge by others
        │   ├── StreamError                   blocks of rows that do not form one table
        │   ├── TargetError                   nothing to predict, or classes too rare
        │   └── UnsupportedData (TypeError)   the kind of object or column is not one we read
        │       └── MismatchError             model and data do not have the same columns
        ├── OptionError (ValueError)          an argument does not fit
        │   ├── ArgumentError (TypeError)     a name that no argument has
        │   ├── RankError                     the number of components, k
        │   │   └── NotReached                the solver stopped before they were found
        │   ├── WeightsError                  weights=
        │   ├── ScaleError                    scale=
        │   ├── DeviceError                   device=
        │   ├── MemoryBudgetError             memory=
        │   ├── CheckpointError               checkpoint=
        │   ├── ClusterError                  cluster=
        │   └── SensingError                  measurements, signals, bases
        ├── ClusterLost (ConnectionError)     the cluster was lost during the work
        └── TrainingError (RuntimeError)      an autoencoder could not be trained

    UserWarning
    ├── LooksLikeCovariance                   a table of rows that is a covariance matrix
    ├── MostlyMissing                         estimates rest on very few observed cells
    ├── NotCertified                          the requested tolerance was not certified
    ├── OutlyingCells                         a few cells turn the components, far beyond chance
    └── UnseenCategories                      new rows have categories that the fit did not have

An error is fields and remedies first (`root.py`), and words second: `str(error)` in Python's words,
`error.say(wording)` in those of another front end. A message is written once, as a constructor
named after the mistake: `raise RankError.too_large(12, shape)`.
"""

from __future__ import annotations

from eigenlens.errors.categories import CategoryError, UnseenCategories
from eigenlens.errors.cluster import ChunkError, ClusterError, ClusterLost, StreamError
from eigenlens.errors.covariance import CovarianceError, LooksLikeCovariance
from eigenlens.errors.data import DataError, MostlyMissing, SplitError
from eigenlens.errors.device import DeviceError
from eigenlens.errors.extras import SensingError, TrainingError
from eigenlens.errors.fields import FieldError
from eigenlens.errors.files import FileError
from eigenlens.errors.inputs import PictureError, TargetError
from eigenlens.errors.kernel import KernelError
from eigenlens.errors.model_file import ModelFileError
from eigenlens.errors.options import ArgumentError, OptionError, ScaleError, WeightsError
from eigenlens.errors.rank import NotReached, RankError
from eigenlens.errors.resources import CheckpointError, MemoryBudgetError
from eigenlens.errors.root import EigenlensError, NotCertified, OutlyingCells
from eigenlens.errors.text_files import TextFileError
from eigenlens.errors.unsupported import MismatchError, UnsupportedData

__all__ = [
    "ArgumentError",
    "CategoryError",
    "CheckpointError",
    "ChunkError",
    "ClusterError",
    "ClusterLost",
    "CovarianceError",
    "DataError",
    "DeviceError",
    "EigenlensError",
    "FieldError",
    "FileError",
    "KernelError",
    "LooksLikeCovariance",
    "MemoryBudgetError",
    "MismatchError",
    "ModelFileError",
    "MostlyMissing",
    "NotCertified",
    "NotReached",
    "OptionError",
    "OutlyingCells",
    "PictureError",
    "RankError",
    "ScaleError",
    "SensingError",
    "SplitError",
    "StreamError",
    "TargetError",
    "TextFileError",
    "TrainingError",
    "UnseenCategories",
    "UnsupportedData",
    "WeightsError",
]
