"""write: from a model and its rows, or from a digest of them, to one file that needs nothing else.

The file appears under its name when it is complete; links and permissions stay as they are.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from eigenlens.digest.digest import Digest, digest_of
from eigenlens.digest.row_info import describe_rows
from eigenlens.digest.summary import summary_of
from eigenlens.document.html import escape_text, part_html
from eigenlens.document.page import Chart, Section
from eigenlens.document.phrases import shorten
from eigenlens.document.table import write_whole
from eigenlens.errors import OptionError
from eigenlens.errors.system import writable_path
from eigenlens.explain.model_rows import get_model
from eigenlens.model.rows import match_columns
from eigenlens.model.subspace import Subspace
from eigenlens.report.drawing import colors_of, ramps
from eigenlens.report.map_columns import map_columns
from eigenlens.report.map_figure import library, map_figures
from eigenlens.report.sections import sections_of
from eigenlens.sources import frame
from eigenlens.sources.files import path as file_paths
from eigenlens.sources.open import open_source
from eigenlens.version import __version__

__all__ = ["render_report", "report", "script_safe", "write_report"]

OPTIONAL_PACKAGES = ("jinja2", "matplotlib", "bokeh")
MOST_LETTERS_OF_TITLE = 120
MOST_NAMES = 40
MOST_LETTERS = 4000
DEFAULTS = {"center": True, "tolerance": None, "certify": "full", "seed": 0}


def report(
    model: Any,
    data: Any,
    path: str | Path,
    *,
    labels: Any = None,
    groups: Any = None,
    supplementary_columns: Any = None,
    supplementary_rows: Any = None,
    supplementary_labels: Any = None,
    weights: Any = None,
    title: str | None = None,
    command: str | None = None,
    seed: int = 0,
    memory: Any = None,
    show: bool = False,
) -> Path:
    """One HTML page about a model and its rows, in words, tables and pictures; offline.

    Parameters
    ----------
    data : the rows of the fit: anything `eigenlens.fit` takes and can be read again
    path : the file to write; an existing one is replaced
    labels : names of the rows: a column, or one name each. By default the index of a pandas frame,
        or the column that identifies the rows (`digest/row_info.py` says how), or positions
    groups : columns that sort rows into groups: a name, several, or a mapping from name to one
        entry per row. By default columns of text with few different entries; [] for none
    supplementary_columns : other columns to relate to the components, given like `groups`
    supplementary_rows : rows outside the fit to show among the others
    supplementary_labels : their names, given like `labels`; by default by the same column
    weights : those of the fit, if it had any
    title : by default what the data are called
    command : what to type to reproduce this page, where it was not this call
    seed : for samples of rows and for the bootstrap
    memory : as in `eigenlens.fit`
    show : True opens the page in the browser

    >>> import numpy as np, eigenlens
    >>> rows = np.random.default_rng(0).standard_normal((60, 4)) * [5, 3, 1, 1]
    >>> eigenlens.report(eigenlens.fit(rows, 2), rows, "rows.html").stat().st_size < 3_000_000
    True
    """
    target = checked_target(path)
    opened = open_source(data) if file_paths.accepts(data) else data
    options = {
        "labels": labels,
        "groups": groups,
        "supplementary_columns": supplementary_columns,
        "supplementary_rows": supplementary_rows,
        "supplementary_labels": supplementary_labels,
        "weights": weights,
    }
    found = get_model(model)
    rows = describe_rows(
        opened,
        match_columns(found, opened).shape[0],
        labels=labels,
        groups=groups,
        columns=supplementary_columns,
        analyzed=found.feature_names,
    )
    same_column = supplementary_labels is None and isinstance(labels, str | int)
    digest = digest_of(
        found,
        opened,
        rows,
        extra=supplementary_rows,
        extra_labels=labels if same_column else supplementary_labels,
        weights=weights,
        seed=seed,
        memory=memory,
        code=lines_to_repeat(found, data, path, options) if command is None else command,
    )
    return write_report(digest, target, title_of(data) if title is None else title, show)


def write_report(digest: Digest, path: str | Path, title: str, show: bool = False) -> Path:
    """The page about a digest that may have been used already, for the screen say."""
    target = checked_target(path)
    write_whole(target, render_report(digest, title))
    if show:
        import webbrowser

        webbrowser.open(target.resolve().as_uri())
    return target


def checked_target(path: str | Path) -> Path:
    """Where the page will be, or the error that says why it cannot be made."""
    missing = [name for name in OPTIONAL_PACKAGES if find_spec(name) is None]
    if missing:
        raise OptionError.needs_package("a report", " and ".join(missing), "report")
    return writable_path(path)


def title_of(data: Any) -> str:
    if isinstance(data, str | os.PathLike):
        return Path(os.fspath(data)).name
    return "Principal components"


# -- the page ------------------------------------------------------------------------------


def render_report(digest: Digest, title: str) -> str:
    """The whole file, as text."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("eigenlens.report", "templates"),
        finalize=lambda value: Markup(escape_text(value)) if type(value) is str else value,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["ours"] = Markup  # for what this package drew or wrote itself
    environment.filters["html"] = lambda parts: Markup("".join(map(part_html, parts)))
    sections, picture = take_picture(sections_of(digest))
    columns = map_columns(digest)
    return environment.get_template("page.html").render(
        title=shorten(title, MOST_LETTERS_OF_TITLE),
        summary=summary_of(digest),
        picture=picture,
        sections=sections,
        map_data=script_safe({**columns, "ramps": ramps()}),
        map_plan=script_safe(map_figures(columns)),
        library=library(),
        light=colors_of(0),
        dark=colors_of(1),
        version=__version__,
        made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )


def take_picture(sections: Sequence[Section]) -> tuple[list[Section], list[Chart]]:
    """The sections without the chart of rows, and that chart, which stands above them."""
    taken = [
        part
        for section in sections
        for part in section.parts
        if isinstance(part, Chart) and part.name == "map"
    ]
    left = [
        replace(section, parts=[part for part in section.parts if not is_one_of(part, taken)])
        for section in sections
    ]
    return left, taken


def is_one_of(part: object, some: Sequence[object]) -> bool:
    return any(part is one for one in some)


def script_safe(value: Any) -> str:
    """JSON for inside a script element: nothing in it can end the element, or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


# -- the lines that make it again ------------------------------------------------------------


def lines_to_repeat(
    model: Subspace, data: Any, target: object, options_given: Mapping[str, Any]
) -> str:
    """What cannot be written down goes by the name of its option."""
    settings = dict(model.provenance.get("settings", {}))
    given = repr(os.fspath(data)) if isinstance(data, str | os.PathLike) else "data"
    options = [f"k={settings.get('k', model.n_components)!r}"]
    names = columns_of(model, data)
    if names is not None:
        options.append(f"columns={names}")
    if settings.get("scale") is not None:
        options.append("scale='std'" if settings["scale"] == "std" else "scale=scale")
    if settings.get("weighted"):
        options.append("weights=weights")
    if model.robust is not None:
        options.append(f"robust={model.robust.kind!r}")
    options += [
        f"{name}={settings[name]!r}"
        for name, default in DEFAULTS.items()
        if name in settings and settings[name] != default
    ]
    solver = model.choices.get("solver")
    if solver is not None and solver.rule == "request":
        options.append(f"solver={solver.value!r}")
    more = [
        f"{name}={argument_text(name, value)}"
        for name, value in options_given.items()
        if value is not None
    ]
    call = ", ".join(["model", given, repr(os.fspath(str(target))), *more])
    return (
        f"import eigenlens\n\n"
        f"model = eigenlens.fit({', '.join([given, *options])})\n"
        f"eigenlens.report({call})"
    )


def argument_text(name: str, value: Any) -> str:
    """Names of columns as they are; anything larger by what it was given as."""
    short = isinstance(value, str | int | float) or (
        isinstance(value, list | tuple)
        and len(value) <= MOST_NAMES
        and all(isinstance(one, str | int) for one in value)
    )
    return repr(value) if short else name


def columns_of(model: Subspace, data: Any) -> str | None:
    """The columns that were chosen, where the data have others too."""
    if model.feature_names is None:
        return None
    if frame.accepts(data):
        known = tuple(map(str, frame.as_frame(data).columns))
    elif file_paths.accepts(data):
        known = open_source(data).names or ()
    else:
        return None
    if known == model.feature_names:
        return None
    chosen = repr(list(model.feature_names))
    short = len(model.feature_names) <= MOST_NAMES and len(chosen) <= MOST_LETTERS
    return chosen if short else "columns"
