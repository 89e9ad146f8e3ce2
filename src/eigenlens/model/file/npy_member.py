"""One array as a `.npy` member: its header is written by the book, and compared, never parsed.

    \\x93NUMPY 1 0 | length | {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } | numbers

What is said of an array in `model.json` determines its header byte for byte. So a header that says
anything else (objects to unpickle, other sizes) is refused without being looked into.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.typing import AnyArray

__all__ = ["ArrayHeader", "contiguous_with_header", "raw_bytes"]

# Whole and real numbers, truth values.
PLAIN = ("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8")
ALIGNMENT = 64


@dataclass(frozen=True)
class ArrayHeader:
    """What `model.json` says of an array."""

    dtype: str
    shape: tuple[int, ...]
    fortran: bool
    sha256: str

    @property
    def header(self) -> bytes:
        text = (
            f"{{'descr': {self.dtype!r}, 'fortran_order': {self.fortran}, 'shape': {self.shape}, }}"
        )
        fill = -(10 + len(text) + 1) % ALIGNMENT
        line = text.encode("ascii") + b" " * fill + b"\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(line)) + line

    @property
    def data_bytes(self) -> int:
        return math.prod(self.shape) * int(self.dtype[2])

    @property
    def is_plain(self) -> bool:
        """Whether it is an array of numbers, and not so large that sizes overflow."""
        small = len(self.shape) <= 8 and all(0 <= size < 1 << 48 for size in self.shape)
        return small and self.dtype in PLAIN

    def empty(self) -> AnyArray:
        order: Any = "F" if self.fortran else "C"
        return np.empty(self.shape, np.dtype(self.dtype), order=order)


def contiguous_with_header(array: AnyArray) -> tuple[ArrayHeader, AnyArray]:
    """The array without gaps and in the order it lies in, which decides how products round."""
    compact = np.array(array, dtype=array.dtype.newbyteorder("<"), order="K", copy=None)
    if not (compact.flags.c_contiguous or compact.flags.f_contiguous):
        compact = compact.copy(order="K")
    if not (compact.flags.c_contiguous or compact.flags.f_contiguous):
        compact = np.ascontiguousarray(compact)
    fortran = not compact.flags.c_contiguous
    one = ArrayHeader(compact.dtype.str, compact.shape, fortran, "")
    digest = hashlib.sha256(one.header)
    for piece in raw_bytes(compact):
        digest.update(piece)
    return ArrayHeader(one.dtype, one.shape, fortran, digest.hexdigest()), compact


def raw_bytes(array: AnyArray) -> Iterator[memoryview]:
    """The bytes of an array without gaps, in memory order and not copied."""
    if array.size:
        yield array.reshape(-1, order="A").view(np.uint8).data
