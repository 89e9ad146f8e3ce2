"""Who is to blame for values that are not finite: the rows, or the kernel."""

from __future__ import annotations

from eigenlens.errors import DataError, KernelError
from eigenlens.kernel.protocol import Kernel
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.protocol import Source

__all__ = ["not_finite"]


def not_finite(source: Source, kernel: Kernel) -> DataError:
    """The error that says where NaN and infinity are, or that the kernel made them."""
    found = locate_not_finite(source)
    rows_are_finite = str(found) == str(DataError.overflow())
    return KernelError.values_not_finite(kernel.name) if rows_are_finite else found
