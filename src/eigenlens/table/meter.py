"""Meter: how often, and how much, the data were read."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Meter"]


@dataclass
class Meter:
    """Counts passes over the data. A sample of rows counts its bytes but no pass."""

    passes: int = 0
    bytes_read: int = 0

    def one_pass(self, stored_bytes: int) -> None:
        self.passes += 1
        self.bytes_read += stored_bytes

    def add(self, other: Meter) -> None:
        """What somebody else has read of the same data."""
        self.passes += other.passes
        self.bytes_read += other.bytes_read
