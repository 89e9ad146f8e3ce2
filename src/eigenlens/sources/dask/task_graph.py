"""The tasks of one pass as a Dask graph, written down at once.

Chained `dask.delayed` calls merge a graph per call, which is quadratic in the number of pieces:
1177 pieces took 15 seconds before anything ran. Here tasks are tuples in plain dictionaries, one
dictionary per worker, since annotations belong to a dictionary as a whole.

Everything that is not the result of another task is hidden in a callable, so that Dask does not
search arrays and user objects for names of tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

__all__ = ["Constant", "PassGraph"]

Key = Hashable
ROWS = "rows"  # the name of the user's own tasks, which have no place of ours


@dataclass(frozen=True)
class Constant:
    """A task that gives what it was made with."""

    value: Any

    def __call__(self) -> Any:
        return self.value


@dataclass
class PassGraph:
    """Tasks, each with the worker it should run on; None leaves that to Dask."""

    tasks: dict[str | None, dict[Key, Any]] = field(default_factory=dict)
    places: dict[Key, str | None] = field(default_factory=dict)
    rows: dict[Key, Any] = field(default_factory=dict)
    name: str = field(default_factory=lambda: f"eigenlens-{uuid4().hex}")

    def add(self, work: Callable[..., Any], *given: Any, worker: str | None = None) -> Key:
        """The key of `work(*given)`, where `given` are keys, futures, lists of them, or None."""
        key = (self.name, len(self.places))
        self.tasks.setdefault(worker, {})[key] = (work, *given)
        self.places[key] = worker
        return key

    def add_rows(self, tasks: Mapping[Key, Any]) -> None:
        """Tasks of the user's collection that several pieces come from."""
        self.rows.update(tasks)

    @property
    def pins(self) -> set[str]:
        return {worker for worker in self.tasks if worker is not None}

    def delayed(self, keys: Sequence[Key]) -> list[Any]:
        """Dask's objects that stand for the results of these tasks."""
        from dask.delayed import Delayed
        from dask.highlevelgraph import HighLevelGraph, MaterializedLayer

        names = {worker: f"{self.name}-{number}" for number, worker in enumerate(self.tasks)}
        layers = {
            names[worker]: MaterializedLayer(tasks, annotations=annotations_for(worker))
            for worker, tasks in self.tasks.items()
        }
        if self.rows:
            layers[f"{self.name}-{ROWS}"] = MaterializedLayer(self.rows)
        everything = set(layers)
        needs = {name: everything - {name} for name in names.values()}
        whole = HighLevelGraph(layers, {name: needs.get(name, set()) for name in layers})
        return [Delayed(key, whole, layer=names[self.places[key]]) for key in keys]


def annotations_for(worker: str | None) -> dict[str, Any] | None:
    """Run there; on another worker should that one be gone."""
    return None if worker is None else {"workers": [worker], "allow_other_workers": True}
