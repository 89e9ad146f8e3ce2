"""Reading in tests: readers as sources, their rows as one array, and the memory it takes."""

import tracemalloc

import numpy as np

from eigenlens.sources.files.stored import StoredSource


def source_of(reader):
    return StoredSource(reader, slice(0, reader.shape[1]), reader.fingerprint())


def dense(block):
    return block if isinstance(block, np.ndarray) else block.toarray()


def rows_of(reader, rows_per_block=4):
    return np.vstack([dense(block) for block in source_of(reader).blocks(rows_per_block)])


def peak_bytes(work):
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
