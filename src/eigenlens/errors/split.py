"""Errors about rows that are too few to be set aside in parts."""

from __future__ import annotations

from typing import Self

from eigenlens.errors.data import DataError

__all__ = ["SplitError"]


class SplitError(DataError):
    """Rows to learn from and rows to judge by: there are not enough for both."""

    @classmethod
    def too_few(cls, given: int, least: int, purpose: str) -> Self:
        return cls(
            f"the table has {given} row(s) (n_samples={given}), but {purpose} needs {least} or "
            f"more. Pass more rows; some hundreds are better."
        )
