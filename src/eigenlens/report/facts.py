"""facts: everything the sections speak of, asked once.

All rows are asked; what would take too long is in `costly.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.document.phrases import count_things
from eigenlens.document.table import Table
from eigenlens.explain.contributions import order_for, parts_of, prepared_row
from eigenlens.explain.data_check import data_check
from eigenlens.explain.findings import findings
from eigenlens.explain.outliers import outliers
from eigenlens.explain.reading import scores_and_lengths, variable_names
from eigenlens.explain.variables import correlations
from eigenlens.fit import fit
from eigenlens.model.merge import is_standardized
from eigenlens.model.subspace import Subspace
from eigenlens.plots.density import DENSITY_ABOVE, stratified_sample
from eigenlens.plots.style import percent_label
from eigenlens.report.beside import Beside
from eigenlens.report.costly import Costly
from eigenlens.sources.checksum import Checksum
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source

__all__ = ["ODD", "Extra", "Facts"]

WIDER = 12  # components shown beside those kept
MOST_TO_FIT_AGAIN = 100_000_000  # entries
PLANE = 2
TO_LOOK_AT = 4
ODD = 20
SAMPLED = 20_000  # rows of the map beside those past a limit, where not all are shown
MOST_FLAGGED = 200_000
ENDS = 3
ROWS_PER_BLOCK = 4096


@dataclass(frozen=True, eq=False)
class Extra:
    """Rows beside those of the fit; `table`: their T2 and Q, by the limits for new rows."""

    labels: list[str]
    source: Source
    table: Table


@dataclass(frozen=True, eq=False)
class Facts:
    """The model, its rows, and what `explain` and `ask` say of them.

    `memory`: bytes to use beside the data; `again`: what to type to get this page once more.
    """

    model: Subspace
    source: Source
    weights: Float64Array
    beside: Beside
    extra: Extra | None
    seed: int
    memory: int
    again: str

    @cached_property
    def costly(self) -> Costly:
        return Costly(
            self.model, self.source, self.weights, self.preparation, self.seed, self.memory
        )

    @property
    def given_weights(self) -> Float64Array | None:
        """None where every row counts once."""
        return None if (self.weights == 1).all() else self.weights

    @property
    def preparation(self) -> dict[str, Any]:
        """How the rows of the model were prepared, as `fit` takes it."""
        model = self.model
        return {
            "center": model.mean is not None,
            "scale": "std" if is_standardized(model) else model.scale,
        }

    # -- all rows --------------------------------------------------------------------------

    @cached_property
    def scores(self) -> Float64Array:
        """Along the components that are looked at."""
        return self.scores_of(self.source)

    @property
    def correlations(self) -> Float64Array:
        """(d, components looked at), of every variable with every component."""
        own = correlations(self.model)
        return np.hstack([own, correlations(self.wider)[:, own.shape[1] : self.looked_at]])

    @cached_property
    def extra_scores(self) -> Float64Array:
        """The same of the rows beside those of the fit."""
        if self.extra is None:
            return np.empty((0, self.looked_at))
        return self.scores_of(self.extra.source)

    def scores_of(self, source: Source) -> Float64Array:
        own = scores_and_lengths(self.model, source)[0]
        if self.looked_at == own.shape[1]:
            return own
        wide = scores_and_lengths(self.wider, source)[0]
        return np.hstack([own, wide[:, own.shape[1] : self.looked_at]])

    @cached_property
    def outliers(self) -> Table:
        return outliers(self.model, self.source, labels=self.beside.labels)

    def called(self, row: int) -> str:
        """A row in a sentence: by its name, or 'row 7'."""
        label = self.beside.labels[row]
        return f"row {label}" if isinstance(self.beside.labels, range) else str(label)

    def ends(self, component: int) -> tuple[list[str], list[str]]:
        """Names of the rows farthest along a component, and farthest the other way."""
        along = self.scores[:, component]
        few = max(min(ENDS, len(along) // 2), 1)
        far = np.argpartition(along, [few - 1, len(along) - few])
        low = sorted((row for row in far[:few] if along[row] < 0), key=lambda row: along[row])
        high = sorted((row for row in far[-few:] if along[row] > 0), key=lambda row: -along[row])
        labels = self.beside.labels
        return [str(labels[row]) for row in high], [str(labels[row]) for row in low]

    @property
    def checksum(self) -> str:
        """Of the numbers, as they were read: other data have another."""
        digest = Checksum()
        for block in self.source.blocks(ROWS_PER_BLOCK):
            digest.add(block)
        return str(digest)

    @cached_property
    def odd(self) -> list[int]:
        """Rows past the highest limits, the farthest first."""
        usual = np.array([name in ("usual", None) for name in self.outliers["quadrant"]])
        return [int(row) for row in self.farthest if not usual[row]]

    @cached_property
    def farthest(self) -> IntArray:
        """All rows, by how many times they exceed their limits."""
        return np.argsort(-np.maximum(self.times("T2"), self.times("Q")), kind="stable")

    @cached_property
    def shown(self) -> IntArray:
        """Rows of the map: all, or those past a limit and a sample over the plane of the others."""
        n = self.source.shape[0]
        if n <= DENSITY_ABOVE:
            return np.arange(n)
        odd = np.array(self.odd[:MOST_FLAGGED], dtype=np.intp)
        return np.union1d(odd, stratified_sample(self.plane, np.zeros(n, dtype=np.intp), SAMPLED))

    @property
    def plane(self) -> Float64Array:
        """The first two coordinates there are, (n, 2)."""
        if self.scores.shape[1] >= PLANE:
            return self.scores[:, :PLANE]
        off = np.asarray(self.outliers["Q"], dtype=np.float64)
        return np.column_stack([self.scores[:, 0] if self.scores.shape[1] else off, off])

    @cached_property
    def oddest(self) -> Float64Array:
        """The numbers of the first ODD odd rows, read together."""
        rows = self.source.sample(np.array(self.odd[:ODD], dtype=np.intp))
        return rows.astype(np.float64, copy=False)

    @cached_property
    def reasons(self) -> list[list[str]]:
        """For each of them its variables, the one to be checked first in front."""
        if not self.odd:
            return []
        names, rows = variable_names(self.model), open_source(self.oddest)
        found = []
        for place, row in enumerate(self.odd[:ODD]):
            ready = prepared_row(self.model, rows, place)
            parts = parts_of(self.model, ready)
            order = order_for(self.odd_by(row), self.model, *parts, ready)
            found.append([names[one] for one in order])
        return found

    def odd_by(self, row: int) -> str:
        """The statistic by which a row is odd: the one that exceeds its limit more times."""
        times = {name: self.times(name)[row] for name in ("T2", "Q")}
        return "T2" if times["T2"] > times["Q"] else "Q"

    def times(self, statistic: str) -> Float64Array:
        """How many times its highest limit each row has; 0 where there is no limit."""
        values = np.asarray(self.outliers[statistic], dtype=np.float64)
        limit = self.outliers[f"{statistic}_limit_99"][0]
        return values / limit if limit else np.zeros(len(values))

    @cached_property
    def checks(self) -> Table:
        return data_check(self.model, self.source)

    @cached_property
    def findings(self) -> Table:
        return findings(
            self.model,
            self.source,
            groups={**self.beside.groups, **self.beside.columns} or None,
            weights=self.given_weights,
            labels=self.beside.labels,
            ranks=self.costly.ranks.answer,
            seed=self.seed,
        )

    def numbers(self, *topics: str) -> list[float]:
        """The numbers that the sentences of some topics rest on."""
        pairs = zip(self.findings["topic"], self.findings["number"], strict=True)
        return [float(number) for topic, number in pairs if topic in topics]

    def found(self, *topics: str) -> list[str]:
        """The sentences of some topics, in their order."""
        table = self.findings
        return [
            sentence
            for topic, sentence in zip(table["topic"], table["finding"], strict=True)
            if topic in topics
        ]

    @cached_property
    def wider(self) -> Subspace:
        """A model with some more components, to see what one more would bring."""
        model, (n, d) = self.model, self.source.shape
        most = min(n - (model.mean is not None), d)
        count = min(most, model.n_components + WIDER)
        if count == model.n_components or n * d > MOST_TO_FIT_AGAIN:
            return model
        wide = fit(
            self.source,
            count,
            weights=self.given_weights,
            certify="fast",
            memory=self.memory,
            seed=self.seed,
            **self.preparation,
        )
        # Rows that were read into memory have left the names of their columns behind.
        return replace(wide, feature_names=model.feature_names)

    @cached_property
    def drawn(self) -> Subspace:
        """The model itself, or one with a second component where it has no plane to look at."""
        enough = self.model.n_components >= PLANE or self.wider is self.model
        return self.model if enough else self.wider.truncate(min(PLANE, self.wider.n_components))

    @property
    def looked_at(self) -> int:
        """How many components the map offers: those kept, and some more if they are few."""
        return max(self.model.n_components, min(TO_LOOK_AT, self.wider.n_components))

    @property
    def not_kept(self) -> str:
        """What to say where components are shown that the model does not keep."""
        if self.looked_at == self.model.n_components:
            return ""
        return (
            f"The model keeps {count_things(self.model.n_components, 'component')}; the map "
            f"shows a few more, which may be noise."
        )

    def share(self, component: int) -> str:
        """'PC3 (11.1%), not kept'."""
        kept = component < self.model.n_components
        label = percent_label(self.model if kept else self.wider, component)
        return label if kept else f"{label}, not kept"
