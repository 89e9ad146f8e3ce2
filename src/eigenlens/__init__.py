"""eigenlens: principal component analysis that proves its answer."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Public name -> where it lives. Loaded on first use: `import eigenlens` costs next to nothing.
HOMES = {
    "fit": "eigenlens.fit",
    "open": "eigenlens.sources.open:open_source",
    "PCA": "eigenlens.estimators.pca",
    "Certificate": "eigenlens.certificate.record",
    "Source": "eigenlens.sources.protocol",
    "Subspace": "eigenlens.model.subspace",
    "Verdict": "eigenlens.verdict",
    "EigenlensError": "eigenlens.errors",
    "DataError": "eigenlens.errors",
    "UnsupportedData": "eigenlens.errors",
    "OptionError": "eigenlens.errors",
    "RankError": "eigenlens.errors",
    "WeightsError": "eigenlens.errors",
    "ScaleError": "eigenlens.errors",
    "MemoryBudgetError": "eigenlens.errors",
    "NotCertified": "eigenlens.errors",
}
ROOMS = ("solvers", "testing", "errors")

__all__ = ["__version__", *HOMES, *ROOMS]


def __getattr__(name: str) -> Any:
    if name in ROOMS:
        return import_module(f"eigenlens.{name}")
    if name not in HOMES:
        raise AttributeError(f"module 'eigenlens' has no attribute {name!r}")
    module, _, attribute = HOMES[name].partition(":")
    value = getattr(import_module(module), attribute or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


if TYPE_CHECKING:
    from eigenlens import errors, solvers, testing
    from eigenlens.certificate.record import Certificate
    from eigenlens.errors import (
        DataError,
        EigenlensError,
        MemoryBudgetError,
        NotCertified,
        OptionError,
        RankError,
        ScaleError,
        UnsupportedData,
        WeightsError,
    )
    from eigenlens.estimators.pca import PCA
    from eigenlens.fit import fit
    from eigenlens.model.subspace import Subspace
    from eigenlens.sources.open import open_source as open
    from eigenlens.sources.protocol import Source
    from eigenlens.verdict import Verdict
