"""next_commands: what a person wants after the first screen, as it is typed."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from eigenlens.cli.category_options import CategoryOptions
from eigenlens.cli.input_table import InputTable

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["next_commands", "suggest_categories"]

SHORT_PATH = 60  # letters


def suggest_categories(sheet: InputTable, categorical: CategoryOptions) -> list[str]:
    """How to analyze columns of text, where these are most of the table."""
    texts = sum(one.role == "group" for one in sheet.not_analyzed)
    if categorical.categories != "drop" or texts < max(sheet.source.shape[1], 2):
        return []
    return [f"{texts} columns hold categories: --categories auto analyzes them too."]


def next_commands(
    model: Subspace,
    data: list[str],
    saved_as: Path | None,
    report: Path | None,
    scale: bool | None,
) -> str:
    """Options that the command did not have, and the figure most people want."""
    from eigenlens.explain.data_check import UNEVEN_SPREAD, spread_of_columns

    saved = saved_as or "run.eigenlens"
    uneven = scale is None and spread_of_columns(model).ratio > UNEVEN_SPREAD
    options = ["--scale"] if uneven else []
    if report is None:
        options.append("--report page.html")
    most = min(model.n_features, model.n_rows - 1)
    options += [f"-k {k}" for k in (3, 2) if k <= most and k != model.n_components][:1]
    if saved_as is None:
        options.append(f"-o {saved}")
    given = shlex.join(data)
    named = given if len(given) <= SHORT_PATH else "DATA"
    figure = f"eigenlens plot {saved} biplot --data {named} -o biplot.svg"
    lines = [f"Next: add {', '.join(options)}"] if options else []
    if model.n_features > 1:
        lines.append(f"{'      ' if lines else 'Next: '}{figure}")
    return "\n".join(lines)
