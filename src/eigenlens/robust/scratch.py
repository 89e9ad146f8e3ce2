"""Scratch: arrays that a thread uses again for its next block.

The system clears memory that a process has handed back before it lends it again, and arrays of
blocks are handed back after every one; clearing takes as long as a pass over the cells.
"""

from __future__ import annotations

from threading import local

import numpy as np

from eigenlens.algebra.typing import Float64Array

__all__ = ["Scratch"]


class Scratch(local):
    """Every thread has arrays of its own; what is in them is what was left there."""

    def array(self, name: str, shape: tuple[int, ...]) -> Float64Array:
        size = int(np.prod(shape))
        held: Float64Array | None = self.__dict__.get(name)
        if held is None or held.size < size:
            held = np.empty(size)
            self.__dict__[name] = held
        return held[:size].reshape(shape)
