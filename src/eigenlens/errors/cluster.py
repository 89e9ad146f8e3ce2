"""Mistakes and mishaps with a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from eigenlens.errors.data import DataError
from eigenlens.errors.option import OptionError
from eigenlens.errors.root import EigenlensError

__all__ = ["ChunkError", "ClusterError", "ClusterLost"]


class ChunkError(DataError):
    """A chunk of a Dask collection is not what the collection says."""

    @classmethod
    def unlike_others(cls, given: str, expected: str) -> Self:
        return cls(
            f"a chunk has {given}, where the others have {expected}. Make all chunks alike, for "
            f"example with map_blocks(np.asarray, dtype=...) or map_partitions, and fit again."
        )

    @classmethod
    def unknown_width(cls, kind: type) -> Self:
        return cls(
            f"this {kind.__name__} does not know how many columns it has. "
            f"Call its compute_chunk_sizes() first."
        )

    @classmethod
    def far_away(cls, what: str) -> Self:
        return cls(
            f"{what} needs the rows here, and those of a Dask collection stay where they are. "
            f"Pass a sample: data[::100].compute(), or ask for what needs the spectrum only."
        )


class ClusterError(OptionError):
    """cluster= cannot be worked with."""

    @classmethod
    def unreachable(cls, address: object, seconds: float, reason: object) -> Self:
        return cls(
            f"no scheduler answered at {address} within {seconds:g} seconds ({reason}). Check the "
            f"address and that it is running: dask scheduler; dask worker {address}."
        )

    @classmethod
    def no_workers(cls, address: object, seconds: float) -> Self:
        return cls(
            f"the cluster at {address} has no workers, and none came within {seconds:g} seconds. "
            f"Start one: dask worker {address}, or close the client to work on this machine."
        )

    @classmethod
    def asynchronous(cls, address: object) -> Self:
        return cls(
            f"the client at {address} is asynchronous, and a fit waits for its passes. Pass "
            f"cluster={str(address)!r}, or a client made without asynchronous=True."
        )

    @classmethod
    def closed(cls, status: str) -> Self:
        return cls(
            f"cluster= is a client that is {status}. Pass one that is running: "
            f"client = distributed.Client(address), or the address itself."
        )

    @classmethod
    def other_versions(cls, ours: str, theirs: Mapping[str, str]) -> Self:
        told = "; ".join(f"{worker}: {version}" for worker, version in sorted(theirs.items()))
        return cls(
            f"workers need eigenlens {ours} as here, but have {told}. Install it there: "
            f"pip install eigenlens=={ours}, and restart those workers."
        )

    @classmethod
    def not_one(cls, given: object) -> Self:
        return cls(
            f"cluster={given!r} is neither a distributed.Client nor an address. Pass the client, "
            f"or something like cluster='tcp://127.0.0.1:8786'."
        )

    @classmethod
    def rows_here(cls, kind: str) -> Self:
        return cls(
            f"cluster= was given, but the rows lie in the memory of this process ({kind}). Leave "
            f"cluster= away, or pass a Dask collection or a path that the workers can read."
        )

    @classmethod
    def unseen(cls, reason: object, machine: str, folder: object) -> Self:
        return cls(
            f"a worker on {machine}, in the folder {folder}, cannot read the file: {reason} "
            f"Workers read files themselves: pass a path from the root of a disk that all see."
        )


class ClusterLost(EigenlensError, ConnectionError):
    """The cluster went away while it was at work."""

    @classmethod
    def during(cls, reason: object) -> Self:
        return cls(
            f"the cluster was lost while it was at work ({reason}). Start it again and repeat the "
            f"call; with checkpoint='run.ckpt' finished passes are not repeated."
        )

    @classmethod
    def killed(cls, reason: object) -> Self:
        return cls(
            f"workers died of the same task again and again, most likely for want of memory "
            f"({reason}). Make chunks smaller, data.rechunk(...), or give workers more memory."
        )
