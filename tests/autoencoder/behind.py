"""Rows behind a source that tests can watch or disturb."""

import eigenlens as el


class Behind:
    """A source that passes on what it is asked for."""

    def __init__(self, rows):
        self.inner = el.open(rows)

    shape = property(lambda self: self.inner.shape)
    dtype = property(lambda self: self.inner.dtype)
    names = property(lambda self: self.inner.names)
    is_sparse = property(lambda self: self.inner.is_sparse)
    stored_bytes = property(lambda self: self.inner.stored_bytes)

    def blocks(self, rows_per_block):
        yield from self.inner.blocks(rows_per_block)

    def panels(self, columns_per_panel):
        yield from self.inner.panels(columns_per_panel)

    def sample(self, indices):
        return self.inner.sample(indices)
