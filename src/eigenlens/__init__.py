"""eigenlens: principal component analysis that proves its answer."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from eigenlens.version import __version__

# Public name -> where it lives. Loaded on first use: `import eigenlens` costs next to nothing.
HOMES = {
    "open": "eigenlens.sources.open:open_source",
    "load": "eigenlens.saved",
    "fit_covariance": "eigenlens.fit_matrix",
    "choose_rank": "eigenlens.questions",
    "intrinsic_dimension": "eigenlens.questions",
    "flatness": "eigenlens.questions",
    "roles": "eigenlens.questions",
    "PCA": "eigenlens.estimators.pca",
    "IncrementalPCA": "eigenlens.estimators.incremental",
    "Imputer": "eigenlens.estimators.imputer",
    "KernelPCA": "eigenlens.estimators.kernel_pca",
    "MCA": "eigenlens.estimators.correspondence",
    "FAMD": "eigenlens.estimators.correspondence",
    "CA": "eigenlens.estimators.correspondence",
    "Certificate": "eigenlens.certificate.record",
    "Checkpoint": "eigenlens.table.checkpoint",
    "DimensionReport": "eigenlens.geometry.report",
    "RankReport": "eigenlens.rank.report",
    "Table": "eigenlens.document.table",
    "Source": "eigenlens.sources.protocol",
    "Subspace": "eigenlens.model.subspace",
    "KernelSubspace": "eigenlens.kernel.subspace",
    "KernelCertificate": "eigenlens.kernel.certificate",
    "Verdict": "eigenlens.document.verdict",
    "EigenlensError": "eigenlens.errors",
    "CategoryError": "eigenlens.errors",
    "CovarianceError": "eigenlens.errors",
    "DataError": "eigenlens.errors",
    "FieldError": "eigenlens.errors",
    "FileError": "eigenlens.errors",
    "KernelError": "eigenlens.errors",
    "PictureError": "eigenlens.errors",
    "TargetError": "eigenlens.errors",
    "ModelFileError": "eigenlens.errors",
    "UnsupportedData": "eigenlens.errors",
    "OptionError": "eigenlens.errors",
    "RankError": "eigenlens.errors",
    "WeightsError": "eigenlens.errors",
    "ScaleError": "eigenlens.errors",
    "MemoryBudgetError": "eigenlens.errors",
    "MismatchError": "eigenlens.errors",
    "CheckpointError": "eigenlens.errors",
    "SensingError": "eigenlens.errors",
    "SplitError": "eigenlens.errors",
    "TrainingError": "eigenlens.errors",
    "MostlyMissing": "eigenlens.errors",
    "NotCertified": "eigenlens.errors",
    "NotReached": "eigenlens.errors",
    "UnseenCategories": "eigenlens.errors",
    "OutlyingCells": "eigenlens.errors",
}
# Fields have names of their own, and one file each.
FIELDS = {"anndata": "anndata", "xarray": "xarray", "genetics": "plink"}
SUBPACKAGES = (
    "autoencoder", "errors", "explain", "kernel", "missing", "plots", "rank", "robust", "sensing",
    "solvers", "testing",
)  # fmt: skip

# A star import leaves the builtin `open` alone; `eigenlens.open` is there all the same.
__all__ = ["__version__", "fit", "report", *sorted(HOMES.keys() - {"open"}), *SUBPACKAGES, *FIELDS]


def __getattr__(name: str) -> Any:
    if name in SUBPACKAGES:
        return import_module(f"eigenlens.{name}")
    if name in FIELDS:
        return import_module(f"eigenlens.fields.{FIELDS[name]}")
    if name not in HOMES:
        raise AttributeError(f"module 'eigenlens' has no attribute {name!r}")
    module, _, attribute = HOMES[name].partition(":")
    value = getattr(import_module(module), attribute or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *HOMES})


class Package(ModuleType):
    """`fit` and `report` are functions, also after the module of that name was imported."""

    @property
    def fit(self) -> Any:
        return import_module("eigenlens.fit").fit

    @fit.setter
    def fit(self, module: ModuleType) -> None:
        """The import system would put the module here; it stays where imports find it."""

    @property
    def report(self) -> Any:
        return import_module("eigenlens.report.write").report

    @report.setter
    def report(self, module: ModuleType) -> None:
        """As with `fit`."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """By name, as plain modules are: a notebook's function that uses us goes to workers so."""
        return import_module, (self.__name__,)


sys.modules[__name__].__class__ = Package

if TYPE_CHECKING:
    from eigenlens import autoencoder as autoencoder
    from eigenlens import errors as errors
    from eigenlens import explain as explain
    from eigenlens import kernel as kernel
    from eigenlens import plots as plots
    from eigenlens import rank as rank
    from eigenlens import robust as robust
    from eigenlens import sensing as sensing
    from eigenlens import solvers as solvers
    from eigenlens import testing as testing
    from eigenlens.certificate.record import Certificate as Certificate
    from eigenlens.document.table import Table as Table
    from eigenlens.document.verdict import Verdict as Verdict
    from eigenlens.errors import CategoryError as CategoryError
    from eigenlens.errors import CheckpointError as CheckpointError
    from eigenlens.errors import CovarianceError as CovarianceError
    from eigenlens.errors import DataError as DataError
    from eigenlens.errors import EigenlensError as EigenlensError
    from eigenlens.errors import FieldError as FieldError
    from eigenlens.errors import FileError as FileError
    from eigenlens.errors import KernelError as KernelError
    from eigenlens.errors import MemoryBudgetError as MemoryBudgetError
    from eigenlens.errors import MismatchError as MismatchError
    from eigenlens.errors import ModelFileError as ModelFileError
    from eigenlens.errors import MostlyMissing as MostlyMissing
    from eigenlens.errors import NotCertified as NotCertified
    from eigenlens.errors import NotReached as NotReached
    from eigenlens.errors import OptionError as OptionError
    from eigenlens.errors import OutlyingCells as OutlyingCells
    from eigenlens.errors import PictureError as PictureError
    from eigenlens.errors import RankError as RankError
    from eigenlens.errors import ScaleError as ScaleError
    from eigenlens.errors import SensingError as SensingError
    from eigenlens.errors import SplitError as SplitError
    from eigenlens.errors import TargetError as TargetError
    from eigenlens.errors import TrainingError as TrainingError
    from eigenlens.errors import UnseenCategories as UnseenCategories
    from eigenlens.errors import UnsupportedData as UnsupportedData
    from eigenlens.errors import WeightsError as WeightsError
    from eigenlens.estimators.correspondence import CA as CA
    from eigenlens.estimators.correspondence import FAMD as FAMD
    from eigenlens.estimators.correspondence import MCA as MCA
    from eigenlens.estimators.imputer import Imputer as Imputer
    from eigenlens.estimators.incremental import IncrementalPCA as IncrementalPCA
    from eigenlens.estimators.kernel_pca import KernelPCA as KernelPCA
    from eigenlens.estimators.pca import PCA as PCA
    from eigenlens.fields import anndata as anndata
    from eigenlens.fields import plink as genetics  # noqa: F401
    from eigenlens.fields import xarray as xarray
    from eigenlens.fit import fit as fit
    from eigenlens.fit_matrix import fit_covariance as fit_covariance
    from eigenlens.geometry.report import DimensionReport as DimensionReport
    from eigenlens.kernel.certificate import KernelCertificate as KernelCertificate
    from eigenlens.kernel.subspace import KernelSubspace as KernelSubspace
    from eigenlens.model.subspace import Subspace as Subspace
    from eigenlens.questions import choose_rank as choose_rank
    from eigenlens.questions import flatness as flatness
    from eigenlens.questions import intrinsic_dimension as intrinsic_dimension
    from eigenlens.questions import roles as roles
    from eigenlens.rank.report import RankReport as RankReport
    from eigenlens.report.write import report as report
    from eigenlens.saved import load as load
    from eigenlens.sources.open import open_source as open  # noqa: F401
    from eigenlens.sources.protocol import Source as Source
    from eigenlens.table.checkpoint import Checkpoint as Checkpoint
