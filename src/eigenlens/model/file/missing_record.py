"""The layout of `model.missing` in a model file, and the way back.

A model without missing cells has no such record, as the files of version 0.1.
"""

from __future__ import annotations

from typing import Any

from eigenlens.algebra.typing import AnyArray
from eigenlens.missing.completer import Completer, OutlierScreen
from eigenlens.missing.contrasts import Contrasts
from eigenlens.missing.factor_law import FactorLaw
from eigenlens.missing.law import Law
from eigenlens.missing.memberships import MembershipLaw
from eigenlens.missing.normal import Normal
from eigenlens.model.file.fields import RecordArrays, RecordFields
from eigenlens.model.file.values import value_from_record, value_to_record
from eigenlens.model.missing_cells import MissingCells
from eigenlens.sources.categories.encoding import Encoding

__all__ = ["MISSING_FIELD", "missing_arrays", "missing_from_record", "missing_to_record"]

MISSING_FIELD = "missing"
WHOLE = ("cells", "rows", "empty_rows", "passes", "hidden_cells", "outlying", "uncertain")
NUMBERS = (
    "share", "defect", "change", "angle", "rate", "distance", "worst_angle", "hidden_error",
)  # fmt: skip
ENGINES = ("gaussian", "lowrank")


def missing_to_record(holes: MissingCells, shelf: dict[str, AnyArray]) -> dict[str, Any]:
    record: dict[str, Any] = {"engine": holes.engine, "unstored": holes.unstored}
    for name in (*WHOLE, *NUMBERS):
        record[name] = value_to_record(getattr(holes, name), shelf)
    law = inner_law(holes.completer.law)
    record["noise"] = value_to_record(law.noise if isinstance(law, FactorLaw) else 0.0, shelf)
    return record


def missing_arrays(holes: MissingCells) -> dict[str, AnyArray]:
    completer, law = holes.completer, inner_law(holes.completer.law)
    spread = law.loadings if isinstance(law, FactorLaw) else getattr(law, "covariance", None)
    arrays = {
        "missing_trail": holes.trail,
        "missing_column_errors": holes.column_errors,
        "missing_mean": law.mean,
        "missing_covariance" if isinstance(law, Normal) else "missing_loadings": spread,
        "missing_center": completer.center,
        "missing_spread": completer.spread,
        "missing_calibration": completer.calibration,
        "missing_support": completer.support,
    }
    if isinstance(completer.law, MembershipLaw):
        arrays["missing_shares"] = completer.law.contrasts.shares
    return {name: array for name, array in arrays.items() if array is not None}


def missing_from_record(
    record: RecordFields,
    arrays: RecordArrays,
    width: int,
    screen: OutlierScreen | None = None,
    encoding: Encoding | None = None,
) -> MissingCells:
    record.only(("engine", "unstored", "noise", *WHOLE, *NUMBERS))
    completer = Completer(
        law_from(record, arrays, width, encoding),
        arrays.take("missing_center", (width,)),
        arrays.take("missing_spread", (width,), least=0.0),
        arrays.take("missing_calibration", (width,), least=0.0),
        screen,
        arrays.optional("missing_support", (width,)),
    )
    counts: dict[str, Any] = {name: record.whole(name) for name in WHOLE}
    numbers: dict[str, Any] = {name: any_float(record, arrays, name) for name in NUMBERS}
    return MissingCells(
        engine=record.text("engine", among=ENGINES),
        trail=arrays.take("missing_trail", (None,)),
        column_errors=arrays.take("missing_column_errors", (width,)),
        completer=completer,
        unstored=record.flag("unstored"),
        **counts,
        **numbers,
    )


def any_float(record: RecordFields, arrays: RecordArrays, name: str) -> float:
    """A number that may be infinite or NaN: what is unknown is said to be."""
    held = value_from_record(record.value(name), arrays.held, record.path)
    if type(held) not in (int, float):
        record.refuse(name, "is not a number")
    return float(held)


def inner_law(law: Law) -> Law:
    """What is stored: of categories, the law of their contrasts."""
    return law.inner if isinstance(law, MembershipLaw) else law


def law_from(
    record: RecordFields, arrays: RecordArrays, width: int, encoding: Encoding | None
) -> Law:
    shares = None
    if encoding is not None and encoding.columns:
        shares = arrays.optional("missing_shares", (width - len(encoding.numbers),))
    if encoding is None or shares is None:
        return plain_law_from(record, arrays, width)
    contrasts = Contrasts(encoding, shares)
    return MembershipLaw(plain_law_from(record, arrays, contrasts.width), contrasts)


def plain_law_from(record: RecordFields, arrays: RecordArrays, width: int) -> Law:
    mean = arrays.take("missing_mean", (width,))
    covariance = arrays.optional("missing_covariance", (width, width))
    if covariance is not None:
        return Normal(mean, covariance)
    loadings = arrays.take("missing_loadings", (width, None))
    return FactorLaw(mean, loadings, record.number("noise", above=0.0))
