"""again: the lines of Python that make the same page once more."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from eigenlens.model.subspace import Subspace
from eigenlens.sources import frame
from eigenlens.sources.files import path
from eigenlens.sources.open import open_source

__all__ = ["lines_to_repeat"]

MOST_NAMES = 40
MOST_LETTERS = 4000
USUAL = {"center": True, "tolerance": None, "certify": "full", "seed": 0}


def lines_to_repeat(model: Subspace, data: Any, target: object, asked: Mapping[str, Any]) -> str:
    """`asked`: what the report was asked for besides; what cannot be written down has a name."""
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
    options += [
        f"{name}={settings[name]!r}"
        for name, usual in USUAL.items()
        if name in settings and settings[name] != usual
    ]
    solver = model.choices.get("solver")
    if solver is not None and solver.rule == "request":
        options.append(f"solver={solver.value!r}")
    more = [f"{name}={plain(name, value)}" for name, value in asked.items() if value is not None]
    call = ", ".join(["model", given, repr(os.fspath(str(target))), *more])
    return (
        f"import eigenlens\n\n"
        f"model = eigenlens.fit({', '.join([given, *options])})\n"
        f"eigenlens.report({call})"
    )


def plain(name: str, value: Any) -> str:
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
    elif path.accepts(data):
        known = open_source(data).names or ()
    else:
        return None
    if known == model.feature_names:
        return None
    chosen = repr(list(model.feature_names))
    short = len(model.feature_names) <= MOST_NAMES and len(chosen) <= MOST_LETTERS
    return chosen if short else "columns"
