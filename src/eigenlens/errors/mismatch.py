"""Errors about a model and data, or two models, that do not belong together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from eigenlens.errors.unsupported import UnsupportedData
from eigenlens.errors.wording import did_you_mean, listed

__all__ = ["MismatchError"]


class MismatchError(UnsupportedData):
    """The columns are not those that the model was fitted on."""

    @classmethod
    def missing_columns(cls, missing: Sequence[str], wanted: int, extra: Sequence[object]) -> Self:
        """`wanted`: how many columns the model has; `extra`: what the data have besides."""
        besides = f" They have {listed(extra)} besides." if extra else ""
        return cls(
            f"the data have no column {listed(missing)}: {len(missing)} of the {wanted} that the "
            f"model was fitted on.{besides}{did_you_mean(missing, extra)} Rename or add the "
            f"missing, or fit a model of the columns that are there."
        )

    @classmethod
    def wrong_width(cls, shape: Sequence[int], expected: int) -> Self:
        return cls(
            f"the rows have {shape[1]} columns, but the model was fitted on {expected}. "
            f"Pass rows with the same {expected} columns."
        )

    @classmethod
    def other_model(cls, missing: Sequence[object], extra: Sequence[object]) -> Self:
        parts = []
        if missing:
            parts.append(f"the second lacks {listed(missing)}")
        if extra:
            parts.append(f"only the second has {listed(extra)}")
        return cls(
            f"the models were not fitted on the same columns: {' and '.join(parts)}."
            f"{did_you_mean(missing, extra)} Fit both on the same columns to compare them."
        )
