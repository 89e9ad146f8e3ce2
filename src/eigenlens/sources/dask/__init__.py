"""Rows on a Dask cluster, or in Dask collections without one.

Promises   a pass is done where the rows lie, and one small result per worker comes back. A fit ends
           with the same answer when workers are lost, or with an error; it never waits for ever.
Knows      which client to use (`cluster.py`), how Dask collections are cut into pieces
           (`collection.py`), how a pass is dealt out (`workers.py`) and the table that results
           (`rows.py`). Decision 0013 says why passes are dealt out here and not by dask.array.
Ignores    means, scales, weights: what is done with a piece is decided by `table/`.
"""
