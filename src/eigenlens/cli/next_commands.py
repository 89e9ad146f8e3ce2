"""next_commands: what a person wants after the first screen, as it is typed."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from eigenlens.cli.category_options import CategoryOptions
from eigenlens.cli.input_table import InputTable
from eigenlens.document.verdict import Verdict
from eigenlens.errors.phrasing import list_words

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["next_commands", "suggest_categories", "tell_how_written"]

SHORT_PATH = 60  # letters
SHOWN = 3  # columns


def suggest_categories(sheet: InputTable, categorical: CategoryOptions) -> list[str]:
    """How to analyze columns of text, where these are most of the table."""
    texts = sum(one.role == "group" for one in sheet.not_analyzed)
    if categorical.categories != "drop" or texts < max(sheet.source.shape[1], 2):
        return []
    return [f"{texts} columns hold categories: --categories auto analyzes them too."]


def tell_how_written(choices: Mapping[str, Verdict]) -> list[str]:
    """What was found about the writing of the file, and not said by the person, in one sentence."""
    found = {name: one for name, one in choices.items() if one.rule != "request"}
    parts: list[str] = []
    if "skip_lines" in found:
        count = found["skip_lines"].value
        lines, it = ("a line", "it") if count == 1 else (f"{count} lines", "them")
        parts.append(f"{lines} above the table, passed over (--skip-lines 0 keeps {it})")
    if "numbers" in found:
        evidence = found["numbers"].evidence
        columns = evidence["columns"].items()
        if evidence["decimal"] == ",":
            parts.append("decimal commas")
        parts += [f"{kind} in {list_words(names, SHOWN)}" for kind, names in columns]
    if "encoding" in found:
        parts.append(f"text in {found['encoding'].value}")
    return [f"Found in the file: {'; '.join(parts)}."] if parts else []


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
    if min(model.n_features, model.n_rows - 1) > 1:
        options.append("-k N")
    if saved_as is None:
        options.append(f"-o {saved}")
    given = shlex.join(data)
    named = given if len(given) <= SHORT_PATH else "DATA"
    figure = f"eigenlens plot {saved} biplot --data {named} -o biplot.svg"
    lines = [f"Next: add {', '.join(options)}"] if options else []
    if model.n_features > 1:
        lines.append(f"{'      ' if lines else 'Next: '}{figure}")
    return "\n".join(lines)
