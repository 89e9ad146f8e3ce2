"""Errors about rows that come in parts: blocks of a stream, chunks of a collection, a cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from eigenlens.errors.data import DataError
from eigenlens.errors.options import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption, count_things, list_words
from eigenlens.errors.remedies import PythonCode
from eigenlens.errors.root import EigenlensError

__all__ = ["ChunkError", "ClusterError", "ClusterLost", "StreamError"]

CHOOSE_COLUMNS = Phrase("choose columns with {}", Option("columns", "[...]"))
FRESH_ITERATOR = PythonCode(
    "pass a callable that returns a fresh iterator at each call: eigenlens.fit(lambda: blocks(), "
    "...)"
)


class StreamError(DataError):
    """Blocks of rows, from an iterator or a callable, that do not form one table."""

    @classmethod
    def not_a_block(cls, number: int, kind: type) -> Self:
        return cls(
            f"block {number} of the stream (counted from 0) is of type {kind.__name__}, not rows "
            "of numbers.",
            PythonCode(
                "yield 2-D arrays, frames or sparse matrices; for a single row, row[None, :]"
            ),
        )

    @classmethod
    def not_blocks(cls, label: str, kind: type) -> Self:
        return cls(
            f"{label} returned an object of type {kind.__name__}, which holds no blocks of rows.",
            PythonCode(
                "return an iterator of 2-D arrays, frames or sparse matrices, a fresh one at each "
                "call"
            ),
        )

    @classmethod
    def no_blocks(cls, label: str) -> Self:
        return cls(
            f"{label} gave no rows. The usual cause is an iterator that was already read to its "
            "end.",
            "pass a stream of at least 2 rows",
            rows=0,
        )

    @classmethod
    def no_rows_in_query(cls, label: str) -> Self:
        return cls(f"{label} gave no rows.", "check the conditions of the query", rows=0)

    @classmethod
    def different_widths(cls, number: int, given: int, expected: int) -> Self:
        return cls(
            f"block {number} of the stream (counted from 0) has {count_things(given, 'column')}, "
            f"but the first has {expected}.",
            "give every block the same columns",
            CHOOSE_COLUMNS,
            given=given,
            expected=expected,
        )

    @classmethod
    def different_names(cls, number: int, given: Sequence[str], expected: Sequence[str]) -> Self:
        return cls(
            f"block {number} of the stream (counted from 0) has the columns {list_words(given)}, "
            f"but the first has {list_words(expected)}.",
            "bring them into the same order",
            CHOOSE_COLUMNS,
            columns=list(given),
        )

    @classmethod
    def changed_stream(cls, label: str, expected: int, found: int) -> Self:
        return cls.of(
            "{label} gave {expected} rows when it was opened, but {many} this time, so the passes "
            "do not see the same data.",
            PythonCode("return a fresh iterator over the same rows at each call"),
            label=label,
            expected=expected,
            many=f"{found} or more" if found > expected else f"{found}",
        )

    @classmethod
    def changed_numbers(cls, label: str) -> Self:
        return cls(
            f"{label} gave other numbers this time than when it was opened, so the passes do not "
            "see the same data.",
            PythonCode(
                "return the same rows in the same order at each call; if it draws at random, make "
                "a fresh generator with a fixed seed each time"
            ),
        )

    @classmethod
    def read_once(cls, shape: Sequence[int]) -> Self:
        return cls(
            f"the {shape[0]} rows of this stream were read once and cannot be read again; only "
            "their mean and scatter matrix are kept.",
            FRESH_ITERATOR,
        )

    @classmethod
    def not_for_iterators(cls) -> Self:
        return cls.of(
            "an iterator of blocks can be read only once, but its rows are needed more than once.",
            FRESH_ITERATOR,
            PythonCode("pass one block after another: model.project(block)"),
        )

    @classmethod
    def too_wide_to_keep(cls, columns: int, most: int) -> Self:
        return cls(
            "a stream that can be read only once is kept as a matrix of columns x columns; with "
            f"{columns} columns it would take {8 * columns**2 / 1e9:.3g} GB, and the limit is "
            f"{most} columns.",
            FRESH_ITERATOR,
            CHOOSE_COLUMNS,
            PythonCode("use eigenlens.IncrementalPCA"),
            columns=columns,
        )


class ChunkError(DataError):
    """A chunk of a Dask collection is not what the collection says."""

    @classmethod
    def unlike_others(cls, given: str, expected: str) -> Self:
        return cls.of(
            "a chunk has {given}, but the others have {expected}.",
            PythonCode(
                "make all chunks alike, for example with map_blocks(np.asarray, dtype=...) or "
                "map_partitions"
            ),
            given=given,
            expected=expected,
        )

    @classmethod
    def unknown_width(cls, kind: type) -> Self:
        return cls(
            f"this {kind.__name__} does not know how many columns it has.",
            PythonCode("call its compute_chunk_sizes() first"),
        )

    @classmethod
    def far_away(cls, what: str) -> Self:
        return cls.of(
            "{what} needs the rows in this process, but those of a Dask collection stay on their "
            "workers.",
            PythonCode("pass a sample: data[::100].compute()"),
            "use a method that needs only the spectrum",
            what=what,
        )


class ClusterError(OptionError):
    """cluster= cannot be used."""

    @classmethod
    def unreachable(cls, address: object, seconds: float, reason: object) -> Self:
        return cls(
            f"no scheduler answered at {address!s} within {seconds:g} seconds ({reason}).",
            f"check the address, and that a scheduler and workers are running: dask scheduler; "
            f"dask worker {address}",
            reason=reason,
            option="cluster",
        )

    @classmethod
    def no_workers(cls, address: object, seconds: float) -> Self:
        return cls(
            f"the cluster at {address!s} has no workers, and none joined within {seconds:g} "
            "seconds.",
            f"start one: dask worker {address}",
            PythonCode("close the client to work on this machine"),
            option="cluster",
        )

    @classmethod
    def asynchronous(cls, address: object) -> Self:
        return cls(
            f"the client at {address!s} is asynchronous, but a fit waits for its results.",
            Phrase("pass {}", SetOption("cluster", str(address))),
            PythonCode("pass a client made without asynchronous=True"),
            option="cluster",
        )

    @classmethod
    def closed(cls, status: str) -> Self:
        return cls.of(
            "the client that was passed as {option} is {status}.",
            PythonCode("pass one that is running: client = distributed.Client(address)"),
            "pass the address of the scheduler",
            option=Option("cluster"),
            status=status,
        )

    @classmethod
    def other_versions(cls, ours: str, theirs: Mapping[str, str]) -> Self:
        return cls.of(
            "workers need eigenlens {ours} as on this machine, but have {versions}.",
            f"install it there with pip install eigenlens=={ours}, and restart those workers",
            ours=ours,
            versions="; ".join(f"{worker}: {one}" for worker, one in sorted(theirs.items())),
            option="cluster",
        )

    @classmethod
    def not_one(cls, given: object) -> Self:
        return cls.of(
            "{setting} is neither a distributed.Client nor an address.",
            PythonCode("pass the client"),
            Phrase("pass an address such as {}", SetOption("cluster", "tcp://127.0.0.1:8786")),
            setting=SetOption("cluster", given),
            option="cluster",
            given=given,
        )

    @classmethod
    def rows_here(cls, kind: str) -> Self:
        return cls.of(
            "{cluster} was given, but the rows are in the memory of this process ({kind}).",
            Phrase("omit {}", Option("cluster")),
            "pass a Dask collection or a path that the workers can read",
            cluster=Option("cluster"),
            kind=kind,
            option="cluster",
        )

    @classmethod
    def unseen(cls, reason: object, machine: str, folder: object) -> Self:
        return cls.of(
            "a worker on {machine}, in the folder {folder}, cannot read the file: {reason} Workers "
            "read files themselves.",
            "pass an absolute path on a disk that all workers see",
            machine=machine,
            folder=folder,
            reason=reason,
            option="cluster",
        )


class ClusterLost(EigenlensError, ConnectionError):
    """The cluster went away during the work."""

    @classmethod
    def during(cls, reason: object) -> Self:
        return cls.of(
            "the cluster was lost during the work ({reason}).",
            Phrase(
                "start it again and repeat the call; with {} finished passes are not repeated",
                SetOption("checkpoint", "run.ckpt"),
            ),
            reason=reason,
        )

    @classmethod
    def killed(cls, reason: object) -> Self:
        return cls.of(
            "workers died repeatedly of the same task, most likely because they ran out of memory "
            "({reason}).",
            PythonCode("make the chunks smaller with data.rechunk(...)"),
            "give the workers more memory",
            reason=reason,
        )
