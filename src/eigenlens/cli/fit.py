"""`eigenlens fit`: from a table to a model, and what there is to say about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from eigenlens.cli.category_options import CategoryOptions
from eigenlens.cli.command import Call, CommandAnswer, collecting_failures, make_command
from eigenlens.cli.document import json_envelope, model_data, model_result
from eigenlens.cli.exit_codes import DONE, OUTLIERS
from eigenlens.cli.fit_matrix import MatrixOptions, answer_matrix
from eigenlens.cli.fit_screen import digest_of_sheet, digest_result, fit_page, is_quick
from eigenlens.cli.input_table import InputTable, open_input
from eigenlens.cli.next_commands import next_commands, suggest_categories, tell_how_written
from eigenlens.cli.options import (
    OUTPUT,
    BudgetOptions,
    ConventionOption,
    DataFiles,
    FailOn,
    Force,
    OutsideOptions,
    PreparingOptions,
    ReadingOptions,
    SearchOptions,
    option,
    refuse_unknown_failure,
)
from eigenlens.cli.outlier_level import RowLevel, check_level, count_outliers
from eigenlens.cli.output import (
    folder_for,
    output_path,
    refuse_inputs,
    refuse_same_target,
    write_text,
)
from eigenlens.cli.resume import is_resumed
from eigenlens.cli.run_fit import limiting_threads, run_fit
from eigenlens.cli.tables import NAMES, RUN, write_tables
from eigenlens.digest.leading_components import leading_components
from eigenlens.errors import EigenlensError, OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption
from eigenlens.explain.convention import get_convention
from eigenlens.model.completion import write_completion

if TYPE_CHECKING:
    from eigenlens.digest.digest import Digest
    from eigenlens.model.subspace import Subspace

__all__ = ["EXAMPLES", "fit"]

EXAMPLES = (
    ("eigenlens fit data.csv", "number of components, their meaning, outliers"),
    ("eigenlens fit data.csv --scale -k 5 -o run.eigenlens", "five, standardized; save the model"),
    ("eigenlens fit data.parquet --tables out --report page.html", "every table, and a page"),
    ("eigenlens fit 'days/*.csv' -c 'temp*,wind' --id station", "many files, some columns"),
    ("zcat big.csv.gz | eigenlens fit - -k 0.9 --json", "from a pipe, for a program"),
)

Output = Annotated[
    str | None, option(OUTPUT, "-o", "--output", metavar="MODEL", help="Save the model here.")
]
Folder = Annotated[
    str | None, option(OUTPUT, "--tables", metavar="DIR", help="Write every table as CSV here.")
]
PageFile = Annotated[
    str | None, option(OUTPUT, "--report", metavar="FILE", help="Write a page in HTML here.")
]
FilledFile = Annotated[
    str | None,
    option(OUTPUT, "--fill", metavar="FILE", help="Write the table with missing cells filled."),
]
ErrorsFile = Annotated[
    str | None,
    option(OUTPUT, "--fill-errors", metavar="FILE", help="Write the errors of the filled cells."),
]
SummaryFlag = Annotated[
    bool | None,
    option(
        OUTPUT,
        "--summary/--no-summary",
        help="Describe components and outliers (default: only if it is fast).",
    ),
]
CertificateFlag = Annotated[
    bool,
    option(OUTPUT, "--certificate", help="Print the whole certificate and every choice."),
]


@dataclass(frozen=True)
class Outputs:
    """Where things go; what is None is not wanted."""

    model: Path | None
    tables: Path | None
    report: Path | None
    fill: Path | None = None
    fill_errors: Path | None = None

    @property
    def named(self) -> dict[str, str]:
        names = ("model", "tables", "report", "fill", "fill_errors")
        pairs = [(name, getattr(self, name)) for name in names]
        return {name: str(path) for name, path in pairs if path is not None}

    @property
    def files(self) -> list[Path | None]:
        """Every file that may be written, and the folder of tables."""
        inside = [] if self.tables is None else [self.tables / name for name in NAMES]
        return [self.model, self.report, self.fill, self.fill_errors, self.tables, *inside]


@make_command
def fit(
    data: DataFiles,
    call: Call,
    reading: ReadingOptions,
    categorical: CategoryOptions,
    beside: OutsideOptions,
    preparing: PreparingOptions,
    searching: SearchOptions,
    budget: BudgetOptions,
    matrix: MatrixOptions,
    output: Output = None,
    tables: Folder = None,
    report: PageFile = None,
    summary: SummaryFlag = None,
    certificate: CertificateFlag = False,
    fail_on: FailOn = None,
    level: RowLevel = None,
    convention: ConventionOption = None,
    fill: FilledFile = None,
    fill_errors: ErrorsFile = None,
    force: Force = False,
) -> CommandAnswer:
    """Find the leading components of a table and describe them.

    Without -o the model is printed and not saved. The data are read block by block and may be
    larger than memory.
    """
    force |= is_resumed(searching.checkpoint, call.line)
    outputs = plan_outputs(output, tables, report, force, data, (fill, fill_errors))
    refuse_nothing_to_fill(outputs, reading.missing)
    refuse_unknown_failure(fail_on)
    check_level(level)
    get_convention(convention)
    if matrix.is_asked_for:
        matrix.refuse_rows({**outputs.named, **({"fail_on": fail_on} if fail_on else {})})
        with limiting_threads(budget.threads):
            return answer_matrix(data, matrix, searching, budget, call, outputs.model, certificate)
    with (
        limiting_threads(budget.threads),
        open_input(data, reading, call.talk, beside, categorical=categorical) as sheet,
    ):
        refuse_inputs(outputs.files, sheet.files)
        model = run_fit(sheet, preparing, searching, budget, call)
        fill_cells(model, sheet, outputs, call)
        sheet = sheet.filled(model)
        # Kept before anything else is asked of it; and what it says is not lost with a full disk.
        failures: list[EigenlensError] = []
        with collecting_failures(failures):
            save_model(model, outputs.model, call)
        described = summary or (summary is None and is_quick(sheet))
        digest = None
        if described or outputs.report is not None:
            digest = digest_of_sheet(model, sheet, budget, call.line)
        if summary is None and not described:
            call.talk.note("large table: not interpreted (--summary reads it again for that)")
        shown = digest if described else None
        leading = leading_components(model, shown)
        told = {
            "not_analyzed": {one.name: f"{one.role}: {one.reason}" for one in sheet.not_analyzed},
            "outputs": outputs.named,
        }
        result = {**model_result(model), **digest_result(shown, leading), **told}
        closing = next_commands(model, data, outputs.model, outputs.report, preparing.scale)
        remarks = [*sheet.absence, *suggest_categories(sheet, categorical)]
        remarks += tell_how_written(model.choices)
        page = fit_page(
            model, sheet.title, shown, leading, closing, in_full=certificate, remarks=remarks
        )
        odd = count_outliers(model, sheet, level, call.talk) if fail_on else 0
        with collecting_failures(failures):
            write_outputs(outputs, model, digest, sheet, call, convention)
            write_run(outputs, model, call, result)
    code = OUTLIERS if fail_on and odd else DONE
    return CommandAnswer(page, model_data(model), result, code, *failures[:1])


def plan_outputs(
    output: str | None,
    tables: str | None,
    report: str | None,
    force: bool,
    data: list[str],
    filled: tuple[str | None, str | None] = (None, None),
) -> Outputs:
    """Where things go, or the error that says why they cannot, before anything is computed."""
    inputs = [Path(one) for one in data]
    outputs = Outputs(
        None if output is None else output_path(output, force, inputs),
        None if tables is None else folder_for(tables, NAMES, force),
        None if report is None else output_path(report, force, inputs),
        *(None if one is None else output_path(one, force, inputs) for one in filled),
    )
    refuse_same_target(outputs.files)
    return outputs


def save_model(model: Subspace, path: Path | None, call: Call) -> None:
    if path is not None:
        model.save(path)
        call.talk.note(f"wrote {path}")


def refuse_nothing_to_fill(outputs: Outputs, missing: str | None) -> None:
    named = "fill" if outputs.fill is not None else "fill_errors"
    if (outputs.fill or outputs.fill_errors) and missing in (None, "error", "drop"):
        raise OptionError.needs(
            Option(named),
            "missing cells to be estimated",
            Phrase("pass {} too", SetOption("missing", "auto")),
        )


def fill_cells(model: Subspace, sheet: InputTable, outputs: Outputs, call: Call) -> None:
    """The table with its missing cells filled, and their standard errors."""
    for path, errors in ((outputs.fill, False), (outputs.fill_errors, True)):
        if path is not None:
            write_completion(model, sheet.source, path, errors)
            call.talk.note(f"wrote {path}")


def write_outputs(
    outputs: Outputs,
    model: Subspace,
    digest: Digest | None,
    sheet: InputTable,
    call: Call,
    convention: str | None,
) -> None:
    """Tables and page."""
    from eigenlens.explain.row_stream import row_stream

    if outputs.tables is not None:
        stream = row_stream(model, sheet.source, weights=sheet.weights, convention=convention)
        write_tables(outputs.tables, model, sheet, stream, call.talk, convention)
        call.talk.note(f"wrote the tables in {outputs.tables}")
    if outputs.report is not None and digest is not None:
        from eigenlens.report.write import write_report

        write_report(digest, outputs.report, sheet.title)
        call.talk.note(f"wrote {outputs.report}")


def write_run(outputs: Outputs, model: Subspace, call: Call, result: Mapping[str, Any]) -> None:
    if outputs.tables is not None:
        told = json_envelope(call.name, call.args, model_data(model), result, call.talk.warnings)
        write_text(outputs.tables / RUN, json.dumps(told, indent=2, allow_nan=False) + "\n")
