"""`eigenlens report`: one page in HTML about a table, or about a model and its rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eigenlens.cli.command import Answer, Call, command
from eigenlens.cli.document import model_data
from eigenlens.cli.fit_screen import digest_of_sheet
from eigenlens.cli.models import is_model_file, loaded
from eigenlens.cli.options import (
    DATA,
    OUTPUT,
    Beside,
    Budget,
    Force,
    Preparing,
    Reading,
    Searching,
    option,
    refuse_for_model,
)
from eigenlens.cli.output import checked, spare
from eigenlens.cli.resume import is_resumed
from eigenlens.cli.sheet import opened_sheet
from eigenlens.cli.standard_input import PIPE
from eigenlens.cli.working import fitted_sheet, on_threads
from eigenlens.document.page import Page
from eigenlens.errors import OptionError

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["EXAMPLES", "report"]

EXAMPLES = (
    ("eigenlens report data.csv --scale", "fit, and write data.html"),
    ("eigenlens report run.eigenlens --data data.csv -o page.html", "of a saved model"),
    ("eigenlens report data.csv --id name --group species --open", "with groups; show it"),
)

Tables = Annotated[
    list[str],
    typer.Argument(metavar="DATA|MODEL", help="A table; or a model file, with --data."),
]
Data = Annotated[
    list[str] | None,
    option(DATA, "--data", metavar="DATA", help="The rows that the model was fitted to."),
]
Output = Annotated[
    str | None,
    option(
        OUTPUT,
        "-o",
        "--output",
        metavar="FILE",
        help="Output file (default: named after the data).",
    ),
]
Title = Annotated[str | None, option(OUTPUT, "--title", metavar="TEXT", help="Title of the page.")]
Open = Annotated[bool, option(OUTPUT, "--open", help="Show the page in the browser.")]


@command
def report(
    tables: Tables,
    call: Call,
    reading: Reading,
    beside: Beside,
    preparing: Preparing,
    searching: Searching,
    budget: Budget,
    data: Data = None,
    output: Output = None,
    title: Title = None,
    show: Open = False,
    force: Force = False,
) -> Answer:
    """Write one HTML page: summary, tables, figures, certificate.

    It can be read offline and without JavaScript. A table is fitted first; a model needs --data.
    """
    from eigenlens.report.write import write_report

    rows, model = asked_for(tables, data)
    if model is not None:
        refuse_for_model(tables[0], preparing, searching)
    force |= is_resumed(searching.checkpoint, call.line)
    named = output or f"{stem_of(rows[0])}.html"
    target = checked(named, force, [Path(one) for one in (*tables, *rows)])
    with on_threads(budget.threads), opened_sheet(rows, reading, call.talk, beside, model) as sheet:
        spare([target], sheet.files)
        found = model or fitted_sheet(sheet, preparing, searching, budget, call)
        digest = digest_of_sheet(found, sheet, budget, call.line)
        write_report(digest, target, title or sheet.title, show)
    result = {"path": str(target), "bytes": target.stat().st_size}
    return Answer(Page(str(target)), model_data(found), result)


def asked_for(tables: list[str], data: list[str] | None) -> tuple[list[str], Subspace | None]:
    """The rows, and the model where one was named."""
    if not any(map(is_model_file, tables)):
        if data:
            raise OptionError.needs(
                "--data", "a model to stand before it", "type: eigenlens report MODEL --data DATA"
            )
        return tables, None
    if len(tables) > 1 or not data:
        raise OptionError.needs(
            f"{tables[0]!r}, a model,",
            "the rows it was fitted to",
            f"type: eigenlens report {tables[0]} --data DATA",
        )
    return data, loaded(tables[0])


def stem_of(data: str) -> str:
    """'digits' of 'data/digits.csv.gz'."""
    return "report" if data == PIPE else Path(data).name.partition(".")[0] or "report"
