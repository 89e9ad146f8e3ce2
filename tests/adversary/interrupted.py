"""A source that stops the process once, in the pass it was asked to."""

import numpy as np

__all__ = ["Interrupted"]


class Interrupted:
    """Rows of an array; KeyboardInterrupt in pass number `stop_after`, never if negative."""

    is_sparse = False
    names = None

    def __init__(self, rows, stop_after):
        self.rows, self.left = rows, stop_after
        self.shape, self.dtype, self.stored_bytes = rows.shape, rows.dtype, rows.nbytes

    def blocks(self, rows_per_block):
        self.left -= 1
        for start in range(0, len(self.rows), rows_per_block):
            if self.left == 0:
                raise KeyboardInterrupt
            yield self.rows[start : start + rows_per_block]

    def panels(self, columns_per_panel):
        for start in range(0, self.shape[1], columns_per_panel):
            yield self.rows[:, start : start + columns_per_panel]

    def sample(self, indices):
        return self.rows[indices].astype(np.float64)
