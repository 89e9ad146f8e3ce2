"""Categories on a cluster: Dask frames, and files that the workers read.

Frames: levels are counted part by part, and rows made where they lie. Known and unknown
categoricals, text and truth values are alike: levels are those that the rows have. Counting takes a
pass, as does the number of rows.

Files: this process has read the levels and codes, one to four bytes each. Codes go to the workers
once; numbers are read there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.sources.categories.codes import LevelCounter
from eigenlens.sources.categories.columns import FrameTable
from eigenlens.sources.categories.encode import encoded_source
from eigenlens.sources.categories.encoding import Encoding
from eigenlens.sources.categories.indicator import IndicatorSource, MemoryCodes
from eigenlens.sources.dask.cluster import RowRange, active_workers, row_cuts
from eigenlens.sources.dask.collection import fingerprint_of_recipe, pieces_of_collection
from eigenlens.sources.dask.rows import DistributedSource, distributed_source
from eigenlens.sources.dask.workers import Piece
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.protocol import Source
from eigenlens.sources.roles import ROWS_LOOKED_AT
from eigenlens.sources.traits import Inertia

__all__ = ["count_parts", "distribute_categories", "distribute_codes", "head_of_collection"]

PIECES_PER_THREAD = 4

PartCount = tuple[int, list[LevelCounter], Float64Array]


def head_of_collection(data: Any) -> FrameTable:
    """The first rows, to judge columns by."""
    return FrameTable(data.head(ROWS_LOOKED_AT, npartitions=-1, compute=True))


def count_parts(
    data: Any, numbers: Sequence[str], names: Sequence[str]
) -> tuple[list[int], dict[str, LevelCounter], Float64Array]:
    """The rows of every part, the levels of all together, and an origin for the numbers."""
    import dask

    counted = dask.delayed(count_part, traverse=False)
    parts: Sequence[PartCount] = dask.compute(
        *[counted(part, list(numbers), list(names)) for part in data.to_delayed()]
    )
    counters = {
        name: reduce(LevelCounter.join, (part[1][place] for part in parts))
        for place, name in enumerate(names)
    }
    origin = next((part[2] for part in parts if part[0]), np.zeros(len(numbers)))
    return [part[0] for part in parts], counters, origin


def count_part(part: Any, numbers: Sequence[str], names: Sequence[str]) -> PartCount:
    table = FrameTable(part)
    counters = [LevelCounter() for _ in names]
    if table.rows and names:
        for batch in table.values(names):
            for counter, values in zip(counters, batch, strict=True):
                counter.add(values)
    origin = np.zeros(len(numbers))
    if table.rows and numbers:
        first = np.asarray(table.numbers(numbers).sample(np.arange(1)), dtype=np.float64)[0]
        origin = np.where(np.isfinite(first), first, 0.0)
    return table.rows, counters, origin


@dataclass(frozen=True)
class OpenEncoded:
    """Open a part of a frame by levels that are known."""

    encoding: Encoding
    origin: Float64Array

    def __call__(self, part: Any) -> Source:
        return encoded_source(FrameTable(part), self.encoding).less_origin(self.origin)


@dataclass(frozen=True)
class OpenCoded:
    """Open rows `start` to `stop` of a file whose codes were read before."""

    encoding: Encoding
    origin: Float64Array
    numbers: StoredSource | None
    start: int
    stop: int

    def __call__(self, codes: list[Any]) -> Source:
        numbers = None if self.numbers is None else RowRange(self.numbers, self.start, self.stop)
        rows = MemoryCodes(codes, self.stop - self.start)
        return IndicatorSource(self.encoding, numbers, rows, self.origin)


def distribute_codes(source: IndicatorSource) -> Source:
    """The rows of a file with categories, dealt out to the workers of the active client."""
    numbers, workers = source.numbers, active_workers()
    if not isinstance(source.codes, MemoryCodes) or workers.client is None:
        return source
    if not (numbers is None or isinstance(numbers, StoredSource)):
        return source
    most = PIECES_PER_THREAD * max(1, len(workers.threads))
    cuts = np.unique(np.linspace(0, source.shape[0], most + 1).astype(int)).tolist()
    if numbers is not None:
        cuts = row_cuts(numbers, most)
    ranges = list(pairwise(cuts))
    parts = [[line[start:stop] for line in source.codes.columns] for start, stop in ranges]
    held = workers.client.scatter(parts, hash=False)
    pieces = [
        Piece(OpenCoded(source.encoding, source.origin, numbers, start, stop), (codes,))
        for (start, stop), codes in zip(ranges, held, strict=True)
    ]
    made = distributed_source(
        pieces,
        workers,
        np.diff(cuts).tolist(),
        source.names,
        source.fingerprint,
        f"{source!r} on a cluster",
    )
    own = source.traits
    added = {"inertia": own.inertia, "origin": own.origin, "left_out": own.left_out}
    return replace(made, added=added, encoding=source.encoding, passes_to_open=own.passes_to_open)


def distribute_categories(
    data: Any, encoding: Encoding, lengths: Sequence[int], origin: Float64Array, left_out: Any
) -> DistributedSource:
    workers = active_workers()
    pieces = pieces_of_collection(data, OpenEncoded(encoding, origin), workers)
    recipe = f"{fingerprint_of_recipe(data, None)} categories {encoding}"
    made = distributed_source(
        pieces, workers, lengths, encoding.feature_names, recipe, "Dask data frame"
    )
    whole = np.zeros(encoding.width)
    whole[: len(origin)] = origin
    added = {
        "inertia": Inertia(encoding.is_share, encoding.divided_by),
        "origin": (whole,),
        "left_out": dict(left_out),
    }
    return replace(made, added=added, encoding=encoding, passes_to_open=1)
