"""write: the door of the room. From a model and its rows to one file that needs nothing else.

The file is written under another name in the same folder and renamed when it is whole: whoever
looks sees the old page, or the new one, never half of one.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from eigenlens.document.table import write_whole
from eigenlens.errors import OptionError
from eigenlens.errors.system import writable_path
from eigenlens.explain.reading import fitted
from eigenlens.report.again import lines_to_repeat
from eigenlens.report.given import facts_of
from eigenlens.report.page import page_of

__all__ = ["report"]

GUESTS = ("jinja2", "matplotlib", "bokeh")


def report(
    model: Any,
    data: Any,
    path: str | Path,
    *,
    id: Any = None,
    group: Any = None,
    supplementary_columns: Any = None,
    supplementary_rows: Any = None,
    supplementary_id: Any = None,
    weights: Any = None,
    title: str | None = None,
    command: str | None = None,
    seed: int = 0,
    memory: Any = None,
    open: bool = False,
) -> Path:
    """One HTML page about a model and its rows, in words, tables and pictures; offline.

    Parameters
    ----------
    data : the rows of the fit: anything `eigenlens.fit` takes and can be read again
    path : the file to write; one that is there is replaced
    id : names of the rows: a column, or one name each. By default the index of a pandas frame, or a
        column of text whose entries all differ, or positions
    group : columns that sort rows into groups: a name, several, or a mapping from name to one entry
        per row. By default columns of text with few different entries; [] for none
    supplementary_columns : other columns to relate to the components, given like `group`
    supplementary_rows : rows outside the fit to show beside the others
    supplementary_id : their names, given like `id`; by default by the same column
    weights : those of the fit, if it had any
    title : by default what the data are called
    command : what to type to get this page again, where it was not this call
    seed : for samples of rows and for the bootstrap
    memory : as in `eigenlens.fit`
    open : True shows the page in the browser

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((60, 4)) * [5, 3, 1, 1]
    >>> eigenlens.report(eigenlens.fit(rows, 2), rows, "rows.html").stat().st_size < 3_000_000
    True
    """
    refuse_missing_guests()
    target = writable_path(path)
    asked = {
        "id": id,
        "group": group,
        "supplementary_columns": supplementary_columns,
        "supplementary_rows": supplementary_rows,
        "supplementary_id": supplementary_id,
        "weights": weights,
    }
    again = lines_to_repeat(fitted(model), data, path, asked) if command is None else command
    facts = facts_of(model, data, **asked, seed=seed, memory=memory, again=again)
    write_whole(target, page_of(facts, title_of(data) if title is None else title))
    if open:
        show(target)
    return target


def refuse_missing_guests() -> None:
    missing = [name for name in GUESTS if find_spec(name) is None]
    if missing:
        raise OptionError.needs_package("a report", " and ".join(missing), "report")


def title_of(data: Any) -> str:
    if isinstance(data, str | os.PathLike):
        return Path(os.fspath(data)).name
    return "Principal components"


def show(target: Path) -> None:
    import webbrowser

    webbrowser.open(target.resolve().as_uri())
