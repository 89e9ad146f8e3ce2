"""downstream: what later models gain or lose on components in the place of the columns.

    score(components) - score(columns)     on the same rows held out, split after split

Everything that learns, learns from the training rows of a split only: scaling, components, model.
Components may also learn from rows without labels, which are never tested on.

The interval of a gain is Student's, with the variance of its mean over the splits and, since all
splits share their rows, that of its mean over the rows,

    s^2 / splits + v / rows,       v: variance over rows of a row's average gain

and is widened for the number of comparisons made (Bonferroni): "gain" is said of data without any
in at most 2.5 % of cases (`tests/explain/test_downstream.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.document.verdict import Verdict
from eigenlens.errors import MismatchError, SplitError
from eigenlens.explain.later_models import LaterModel, later_models
from eigenlens.fit import fit
from eigenlens.solvers.options import check_whole
from eigenlens.sources.open import open_source

__all__ = ["DownstreamReport", "downstream"]

CONFIDENCE = 0.95
TEST_SHARE = 1 / 3
FEWEST = 10  # rows with labels
REPORT_COLUMNS = (
    "model", "features", "k", "score", "gain", "low", "high", "verdict", "seconds",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class DownstreamReport:
    """`verdict` is "gain" or "no gain" for the first model of the table, with the best of k.

    Columns of `table()`: `score` is the accuracy, or R^2, on rows held out; `gain` that less the
    score on the columns, between `low` and `high`; `seconds` to learn and predict, reducing
    included.
    """

    verdict: Verdict
    lines: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...]

    def table(self) -> Table:
        columns = zip(*self.lines, strict=True)
        return Table(dict(zip(REPORT_COLUMNS, map(list, columns), strict=True)), self.notes)

    def __str__(self) -> str:
        return f"{self.verdict.value}: {self.verdict.reason}\n\n{self.table()}"

    def _repr_html_(self) -> str:
        from eigenlens.document.html import escape_text
        from eigenlens.document.notebook import notebook_html

        said = f"<p><b>{self.verdict.value}</b>: {escape_text(self.verdict.reason)}</p>"
        return notebook_html(said + self.table()._repr_html_())


def downstream(
    data: Any,
    y: npt.ArrayLike,
    k: int | Sequence[int] = (2, 5, 10, 20),
    *,
    unlabeled: Any = None,
    labels: int | None = None,
    splits: int = 20,
    seed: int = 0,
) -> DownstreamReport:
    """What a classifier or a regression, and k-means, gain on k components of the rows.

    Parameters
    ----------
    data : rows of numbers
    y : what is to be predicted: classes, or numbers
    k : how many components, one number or several
    unlabeled : more rows, for components only
    labels : learn from so many labels only; the other rows that are not tested on lend their
        columns to components, like `unlabeled`. None: five folds, again and again
    splits : how often rows are held out

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> noise, classes = rng.standard_normal((60, 8)), rng.integers(2, size=60)
    >>> downstream(noise, classes, k=2, splits=10).verdict.value
    'no gain'
    """
    rows = rows_in_memory(data)
    more = None if unlabeled is None else rows_in_memory(unlabeled)
    if more is not None and more.shape[1] != rows.shape[1]:
        raise MismatchError.wrong_width(more.shape, rows.shape[1])
    models, target = later_models(np.asarray(y).ravel(), rows.shape[0])
    if len(rows) < FEWEST:
        raise SplitError.too_few(len(rows), FEWEST, "judging later models by rows held out")
    check_whole("splits", splits, 5)
    asked = [k] if isinstance(k, int) else list(k)
    most = min(rows.shape[1], len(rows) * 4 // 5 - 1)
    counts = sorted({min(check_whole("k", one, 1), most) for one in asked})
    rng = np.random.default_rng(seed)
    trials = Trials(rows, target, models, counts, splits)
    for number, (train, test) in enumerate(draw_splits(target, labels, splits, models[0], rng)):
        spare = spare_rows(rows, train, test, more, labels)
        trials.run(number, train, test, spare)
    return trials.report()


def rows_in_memory(data: Any) -> Float64Array:
    source = open_source(data)
    found = np.concatenate(
        [one.toarray() if source.is_sparse else one for one in source.blocks(4096)]
    )
    return found.astype(np.float64)


def draw_splits(
    target: npt.NDArray[Any],
    labels: int | None,
    splits: int,
    model: LaterModel,
    rng: np.random.Generator,
) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
    """Rows to learn from and rows to be tested on, classes in proportion."""
    from sklearn.model_selection import KFold, StratifiedKFold, train_test_split

    stratify = target if model.is_classes else None
    folds = 5  # fewer where a class has fewer rows: each fold has one of them
    if stratify is not None:
        folds = min(folds, int(np.unique(target, return_counts=True)[1].min()))
    everything = np.arange(len(target))
    made = 0
    while made < splits:
        state = int(rng.integers(1 << 31))
        if labels is not None:
            rest, test = train_test_split(
                everything, test_size=TEST_SHARE, stratify=stratify, random_state=state
            )
            few = None if stratify is None else target[rest]
            train, _ = train_test_split(rest, train_size=labels, stratify=few, random_state=state)
            pairs = [(train, test)]
        else:
            kind = KFold if stratify is None else StratifiedKFold
            pairs = list(kind(folds, shuffle=True, random_state=state).split(everything, target))
        for train, test in pairs[: splits - made]:
            made += 1
            yield train, test


def spare_rows(
    rows: Float64Array,
    train: npt.NDArray[Any],
    test: npt.NDArray[Any],
    more: Float64Array | None,
    labels: int | None,
) -> Float64Array | None:
    """Rows without labels; those that are tested on are never among them."""
    parts = [] if more is None else [more]
    if labels is not None:
        parts.append(rows[np.setdiff1d(np.arange(len(rows)), np.concatenate([train, test]))])
    return np.concatenate(parts) if parts else None


@dataclass
class Trials:
    """Scores of every row by every model on every kind of feature, split by split."""

    rows: Float64Array
    target: npt.NDArray[Any]
    models: list[LaterModel]
    counts: list[int]
    splits: int

    def __post_init__(self) -> None:
        self.scores: dict[tuple[str, str, int], list[tuple[npt.NDArray[Any], Float64Array]]] = {}
        self.seconds: dict[tuple[str, str, int], float] = {}

    def run(
        self,
        number: int,
        train: npt.NDArray[Any],
        test: npt.NDArray[Any],
        spare: Float64Array | None,
    ) -> None:
        middle, spread = self.rows[train].mean(axis=0), self.rows[train].std(axis=0)
        spread[spread == 0] = 1.0
        seen, held_out = (self.rows[train] - middle) / spread, (self.rows[test] - middle) / spread
        self.judge("columns", 0, seen, held_out, train, test, number, 0.0)
        kinds = [("components", seen)]
        if spare is not None:
            kinds.append(
                ("components, unlabeled", np.concatenate([seen, (spare - middle) / spread]))
            )
        for kind, learned_from in kinds:
            begun = perf_counter()
            most = min(len(learned_from) - 1, learned_from.shape[1])
            counts = [one for one in self.counts if one <= most] or [most]
            model = fit(learned_from, counts[-1], certify="fast", seed=number)
            scores = model.project(seen), model.project(held_out)
            took = perf_counter() - begun
            for count in counts:
                first, second = (one[:, :count] for one in scores)
                self.judge(kind, count, first, second, train, test, number, took)

    def judge(
        self,
        kind: str,
        count: int,
        seen: Float64Array,
        held_out: Float64Array,
        train: npt.NDArray[Any],
        test: npt.NDArray[Any],
        number: int,
        took: float,
    ) -> None:
        for model in self.models:
            begun = perf_counter()
            found = model.score_rows(
                seen, self.target[train], held_out, self.target[test], seed=number
            )
            key = (model.name, kind, count)
            self.scores.setdefault(key, []).append((test, found))
            self.seconds[key] = self.seconds.get(key, 0.0) + perf_counter() - begun + took

    def report(self) -> DownstreamReport:
        compared = len(self.scores) - len(self.models)
        lines: list[tuple[Any, ...]] = []
        best: Any = None
        for key in self.scores:
            name, kind, count = key
            score = float(np.mean([one.mean() for _, one in self.scores[key]]))
            seconds = self.seconds[key] / self.splits
            if kind == "columns":
                lines.append((name, kind, None, score, None, None, None, None, seconds))
                continue
            gain, low, high = self.interval(key, compared)
            word = "gain" if low > 0 else "loss" if high < 0 else "no gain"
            lines.append((name, kind, count, score, gain, low, high, word, seconds))
            if name == self.models[0].name and (best is None or low > best[1]):
                best = (key, low, gain, high)
        order = [model.name for model in self.models]
        lines.sort(key=lambda line: (order.index(line[0]), line[1] != "columns", line[1]))
        note = (
            f"Scores ({self.models[0].measure}) of rows held out in {self.splits} splits; the "
            f"interval of a gain is widened for {compared} comparisons."
        )
        return DownstreamReport(self.tell(best), tuple(lines), (note,))

    def tell(self, best: Any) -> Verdict:
        (name, kind, count), low, gain, high = best
        word = "gain" if low > 0 else "no gain"
        what = f"{name} on {count} {kind}"
        reach = f"{gain:+.3f} ({low:+.3f} to {high:+.3f})"
        reason = f"{what} scores {reach} compared with the columns themselves"
        evidence = {"gain": gain, "features": kind, "k": count, "model": name}
        return Verdict(word, "rows held out", reason, evidence, low=low, high=high)

    def interval(self, key: tuple[str, str, int], compared: int) -> tuple[float, float, float]:
        from scipy.stats import t

        raw = self.scores[(key[0], "columns", 0)]
        gains = [one - base for (_, one), (_, base) in zip(self.scores[key], raw, strict=True)]
        means = np.array([one.mean() for one in gains])
        total, seen = np.zeros(len(self.rows)), np.zeros(len(self.rows))
        for (test, _), one in zip(raw, gains, strict=True):
            total[test] += one
            seen[test] += 1
        of_rows = total[seen > 0] / seen[seen > 0]
        variance = means.var(ddof=1) / len(means) + of_rows.var(ddof=1) / len(of_rows)
        reach = t.ppf(1 - (1 - CONFIDENCE) / 2 / compared, len(means) - 1) * np.sqrt(variance)
        gain = float(means.mean())
        return gain, gain - float(reach), gain + float(reach)
