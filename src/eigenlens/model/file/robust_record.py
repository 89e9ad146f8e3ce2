"""The layout of `model.robust` in a model file, and the way back; absent for a classical fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray
from eigenlens.model.file.fields import RecordArrays, RecordFields
from eigenlens.model.file.values import value_to_record
from eigenlens.robust.record import RobustFit
from eigenlens.robust.screen import CellScreen
from eigenlens.robust.wrap import Wrapping

__all__ = ["ROBUST_FIELD", "robust_arrays", "robust_from_record", "robust_to_record"]

ROBUST_FIELD = "robust"
KINDS = ("wrap", "rows", "cells")
MAPS = ("location", "scale", "center", "spread")


def robust_to_record(found: RobustFit, shelf: dict[str, AnyArray]) -> dict[str, Any]:
    sampled = 0 if found.wrapping is None else found.wrapping.sampled
    return {
        "kind": found.kind,
        "share": value_to_record(found.share, shelf),
        "outlying": found.outlying,
        "sampled": sampled,
    }


def robust_arrays(found: RobustFit) -> dict[str, AnyArray]:
    arrays: dict[str, AnyArray] = {}
    if found.wrapping is not None:
        arrays |= {f"robust_{name}": getattr(found.wrapping, name) for name in MAPS}
    if found.kept is not None:
        arrays["robust_kept"] = found.kept.astype(np.float64)
    if found.screen is not None:
        screened = np.isfinite(found.screen.penalties)
        arrays["robust_penalties"] = np.where(screened, found.screen.penalties, 0.0)
        arrays["robust_screened"] = screened.astype(np.float64)
    return arrays


def robust_from_record(
    record: RecordFields, arrays: RecordArrays, rows: int, width: int
) -> RobustFit:
    record.only(("kind", "share", "outlying", "sampled"))
    kind = record.text("kind", among=KINDS)
    wrapping = kept = screen = None
    if kind == "wrap":
        maps = {name: arrays.take(f"robust_{name}", (width,)) for name in MAPS}
        wrapping = Wrapping(**maps, sampled=record.whole("sampled"))
    elif kind == "rows":
        kept = arrays.take("robust_kept", (rows,), least=0.0) > 0
    else:
        penalties = arrays.take("robust_penalties", (width,))
        screened = arrays.take("robust_screened", (width,), least=0.0) > 0
        screen = CellScreen(np.where(screened, penalties, np.inf))
    share = record.number("share", least=0.0)
    return RobustFit(kind, share, wrapping, kept, screen, record.whole("outlying"))
