"""`eigenlens report`: one page in HTML about a table, or about a model and its rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eigenlens.cli.command import Call, CommandAnswer, make_command
from eigenlens.cli.document import model_data
from eigenlens.cli.fit_screen import digest_of_sheet
from eigenlens.cli.input_table import open_input
from eigenlens.cli.models import is_model_file, load_subspace
from eigenlens.cli.options import (
    DATA,
    OUTPUT,
    BudgetOptions,
    Force,
    OutsideOptions,
    PreparingOptions,
    ReadingOptions,
    SearchOptions,
    option,
    refuse_for_model,
)
from eigenlens.cli.output import output_path, refuse_inputs
from eigenlens.cli.resume import is_resumed
from eigenlens.cli.run_fit import limiting_threads, run_fit
from eigenlens.cli.standard_input import PIPE
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


@make_command
def report(
    tables: Tables,
    call: Call,
    reading: ReadingOptions,
    beside: OutsideOptions,
    preparing: PreparingOptions,
    searching: SearchOptions,
    budget: BudgetOptions,
    data: Data = None,
    output: Output = None,
    title: Title = None,
    show: Open = False,
    force: Force = False,
) -> CommandAnswer:
    """Write one HTML page: summary, tables, figures, certificate.

    It can be read offline and without JavaScript. A table is fitted first; a model needs --data.
    """
    from eigenlens.report.write import write_report

    rows, model = split_arguments(tables, data)
    if model is not None:
        refuse_for_model(tables[0], preparing, searching)
    force |= is_resumed(searching.checkpoint, call.line)
    named = output or f"{stem_of(rows[0])}.html"
    target = output_path(named, force, [Path(one) for one in (*tables, *rows)])
    with (
        limiting_threads(budget.threads),
        open_input(rows, reading, call.talk, beside, model) as sheet,
    ):
        refuse_inputs([target], sheet.files)
        found = model or run_fit(sheet, preparing, searching, budget, call)
        digest = digest_of_sheet(found, sheet, budget, call.line)
        write_report(digest, target, title or sheet.title, show)
    result = {"path": str(target), "bytes": target.stat().st_size}
    return CommandAnswer(Page(str(target)), model_data(found), result)


def split_arguments(tables: list[str], data: list[str] | None) -> tuple[list[str], Subspace | None]:
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
    return data, load_subspace(tables[0])


def stem_of(data: str) -> str:
    """'digits' of 'data/digits.csv.gz'."""
    return "report" if data == PIPE else Path(data).name.partition(".")[0] or "report"
