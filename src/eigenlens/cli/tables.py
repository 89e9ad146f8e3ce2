"""tables: what `fit --tables DIR` writes, one file per table, every header saying what it holds.

| file                        | one line per                                                       |
|-----------------------------|--------------------------------------------------------------------|
| `eigenvalues.csv`           | component: eigenvalue, difference, proportion, cumulative, bounds  |
| `variables.csv`             | variable and component: eigenvector, loading, correlation, ...     |
| `scores.csv`                | row: PC1, PC2, ..., T2, Q, quadrant; what `transform` writes       |
| `rows.csv`                  | row: score, cos2, contribution of each component, distance, T2, Q  |
| `supplementary_columns.csv` | column (and category) and component, where there are such          |
| `supplementary_rows.csv`    | row, as in `scores.csv`, where there are such                      |
| `run.json`                  | the document that `--json` prints                                  |

Rows are written while they are read: they may be more than fit in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eigenlens.cli.input_table import InputTable
from eigenlens.cli.output import write_text, writing_columns
from eigenlens.cli.stderr import Messages

if TYPE_CHECKING:
    from eigenlens.explain.distances import RowBlock
    from eigenlens.explain.row_stream import RowStream
    from eigenlens.model.subspace import Subspace

__all__ = ["NAMES", "RUN", "count_odd_rows", "read_stream", "write_rows", "write_tables"]

RUN = "run.json"
NAMES = (
    "eigenvalues.csv",
    "variables.csv",
    "scores.csv",
    "rows.csv",
    "supplementary_columns.csv",
    "supplementary_rows.csv",
    RUN,
)
USUAL = "usual"

Told = Callable[["RowBlock"], dict[str, Any]]


def write_tables(
    folder: Path,
    model: Subspace,
    sheet: InputTable,
    stream: RowStream,
    talk: Messages,
    convention: str | None,
) -> Counter[str]:
    """All but `run.json`; how many rows lie in which quadrant comes back."""
    from eigenlens import explain
    from eigenlens.explain.row_stream import row_stream

    folder.mkdir(exist_ok=True)
    eigenvalues = explain.eigenvalues(model, convention=convention)
    write_text(folder / "eigenvalues.csv", eigenvalues.to_csv())
    write_text(folder / "variables.csv", explain.variables(model, convention=convention).to_csv())
    targets = {folder / "scores.csv": stream.scores, folder / "rows.csv": stream.details}
    counts = write_rows(targets, stream, sheet.block_of_names, talk)
    columns = {**sheet.groups, **sheet.beside}
    if columns and model.n_components:
        table = explain.supplementary_columns(
            model, sheet.source, columns, weights=sheet.weights, convention=convention
        )
        write_text(folder / "supplementary_columns.csv", table.to_csv())
    if sheet.aside is not None:
        others = row_stream(model, sheet.aside, new=True, convention=convention)
        path = folder / "supplementary_rows.csv"
        write_rows({path: others.scores}, others, sheet.block_of_aside_names, talk)
    return counts


def write_rows(
    targets: Mapping[Path, Told],
    stream: RowStream,
    names: Callable[[slice], Any],
    talk: Messages,
) -> Counter[str]:
    """Several files in one pass over the rows, each with what it is told of them."""
    counts: Counter[str] = Counter()
    with ExitStack() as stack:
        writers = [
            (stack.enter_context(writing_columns(path, path.suffix.lower())), told)
            for path, told in targets.items()
        ]
        for block in read_stream(stream, talk):
            row = names(block.span)
            for write, told in writers:
                columns = told(block)
                write({"row": row, **columns})
            counts.update(map(str, columns["quadrant"]))
    return counts


def read_stream(stream: RowStream, talk: Messages) -> Iterator[RowBlock]:
    """The rows block by block, with a line of progress where somebody waits for them."""
    from eigenlens.search.progress import showing_progress

    total = stream.source.shape[0]
    with showing_progress(talk.shows_progress, 1) as display:
        if display is not None:
            display.pass_began(1, total)
        for block in stream.blocks():
            yield block
            if display is not None:
                display.moved(block.span.stop)


def count_odd_rows(counts: Counter[str]) -> int:
    """Rows past a limit; those that nothing can be compared with are none."""
    return sum(count for name, count in counts.items() if name not in (USUAL, "None"))
