"""Meter: how often, and how much, the data were read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from eigenlens.algebra.typing import FloatArray

__all__ = ["Meter"]


@dataclass
class Meter:
    """Counts passes over the data. A sample of rows counts its bytes but no pass."""

    passes: int = 0
    bytes_read: int = 0

    def one_pass(self, stored_bytes: int) -> None:
        self.passes += 1
        self.bytes_read += stored_bytes

    def counting(
        self, blocks: Iterator[FloatArray], rows: int, stored_bytes: int
    ) -> Iterator[FloatArray]:
        """The same blocks; bytes as they are read, and a pass once the last one was."""
        done = counted = 0
        for block in blocks:
            done += len(block)
            so_far = done * stored_bytes // rows
            self.bytes_read += so_far - counted
            counted = so_far
            yield block
        self.passes += 1

    def add(self, other: Meter) -> None:
        """What somebody else has read of the same data."""
        self.passes += other.passes
        self.bytes_read += other.bytes_read
