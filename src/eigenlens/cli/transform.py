"""`eigenlens transform`: rows through a model: scores, T2, Q, and who is odd."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from eigenlens.cli.command import Call, CommandAnswer, make_command
from eigenlens.cli.exit_codes import DONE, OUTLIERS
from eigenlens.cli.input_table import InputTable, open_input
from eigenlens.cli.kernel_model import kernel_scores, refuse_for_kernels
from eigenlens.cli.models import load_any_model
from eigenlens.cli.options import (
    ANALYSIS,
    OUTPUT,
    ConventionOption,
    DataFiles,
    FailOn,
    Force,
    ModelFile,
    ReadingOptions,
    option,
    refuse_unknown_failure,
)
from eigenlens.cli.outlier_level import RowLevel, check_level, count_outliers
from eigenlens.cli.output import flushing_stdout, output_path, refuse_inputs
from eigenlens.cli.tables import read_stream, write_rows
from eigenlens.document.json_values import plain_value
from eigenlens.document.page import Page, Section, list_pairs, show_table
from eigenlens.document.phrases import count_things, format_entry
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import escape_controls
from eigenlens.explain.convention import get_convention
from eigenlens.explain.outliers import QUADRANTS
from eigenlens.sources.files.batch_file import ENDINGS, column_stream

if TYPE_CHECKING:
    from eigenlens.explain.row_stream import RowStream
    from eigenlens.model.subspace import Subspace

__all__ = ["EXAMPLES", "transform"]

USUAL_LEVEL = 0.99  # of the quadrants, where nobody says

EXAMPLES = (
    ("eigenlens transform run.eigenlens new.csv -o scores.csv", "scores, T2, Q and quadrant"),
    ("eigenlens transform run.eigenlens new.csv | head", "the same as CSV on stdout"),
    (
        "eigenlens transform run.eigenlens new.csv -o s.parquet --fail-on outliers",
        "for a pipeline: exit with 10 where rows are odd",
    ),
)

Output = Annotated[
    str | None,
    option(OUTPUT, "-o", "--output", metavar="SCORES", help="A .csv, .tsv, .parquet or .arrow."),
]
Reference = Annotated[
    str | None,
    option(
        ANALYSIS,
        "--reference",
        metavar="DATA",
        help="The rows of the fit, if the model alone does not give the limit of Q.",
    ),
]


@make_command
def transform(
    model: ModelFile,
    data: DataFiles,
    call: Call,
    reading: ReadingOptions,
    output: Output = None,
    level: RowLevel = None,
    reference: Reference = None,
    fail_on: FailOn = None,
    convention: ConventionOption = None,
    force: Force = False,
) -> CommandAnswer:
    """Give the scores of rows, and say which are odd.

    T2 says how far out they lie, Q how far off the components, the quadrant which is too far.
    Columns are matched by name, in whatever order they stand. Rows of the file that the model was
    fitted to are judged by the limits for rows of a fit, all others by those for new rows. Of the
    model of a kernel there are scores only.
    """
    from eigenlens.model.subspace import Subspace

    refuse_unknown_failure(fail_on)
    get_convention(convention)
    check_level(level)
    inputs = [Path(one) for one in (model, *data)]
    target = None if output is None else check_scores_ending(output_path(output, force, inputs))
    found = load_any_model(model)
    with open_input(data, reading, call.talk, model=found, keeps_rows=True) as sheet:
        refuse_inputs([target], sheet.files)
        if not isinstance(found, Subspace):
            words = ("fail_on", fail_on), ("reference", reference), ("convention", convention)
            refuse_for_kernels(dict(words))
            return kernel_scores(found, sheet, target, call)
        stream = open_row_stream(found, sheet, level or USUAL_LEVEL, reference, convention)
        for note in stream.notes:
            call.talk.note(note)
        if target is not None:
            counts = write_rows({target: stream.scores}, stream, sheet.block_of_names, call.talk)
            call.talk.note(f"wrote {target}")
            answer = summarize_rows(stream, sheet, counts)
        elif call.saying.as_json or call.saying.as_markdown:
            answer = rows_document(stream, sheet, call)
        else:
            answer = CommandAnswer()
            print_rows(stream, sheet, call)
        odd = 0
        if fail_on:
            odd = count_outliers(
                found, sheet, level, call.talk, new=stream.new, reference=reference
            )
    return replace(answer, code=OUTLIERS if odd else DONE)


def open_row_stream(
    model: Subspace, sheet: InputTable, level: float, reference: str | None, convention: str | None
) -> RowStream:
    """The rows as what they are: those of the fit, where the file is the one fitted, or new."""
    from eigenlens.explain.row_stream import row_stream

    return row_stream(
        model,
        sheet.source,
        new=model.provenance.get("fingerprint") != sheet.fingerprint,
        levels=(level,),
        reference=reference,
        convention=convention,
    )


def check_scores_ending(path: Path) -> Path:
    if path.suffix.lower() not in ENDINGS:
        raise OptionError.unknown("output", str(path), [f"*{ending}" for ending in ENDINGS])
    return path


def print_rows(stream: RowStream, sheet: InputTable, call: Call) -> None:
    """CSV on stdout, while rows are read; on a terminal, names cannot steer it."""
    with flushing_stdout(), column_stream(sys.stdout.buffer, ".csv") as write:
        watched = sys.stdout.isatty()
        for block in read_stream(stream, call.talk):
            names, columns = sheet.block_of_names(block.span), stream.scores(block)
            if watched and not isinstance(names, range):
                names = [escape_controls(str(name)) for name in names.to_pylist()]
            write({"row": names, **columns})


def rows_document(stream: RowStream, sheet: InputTable, call: Call) -> CommandAnswer:
    """Every row in one document."""
    columns: dict[str, list[Any]] = {"row": list(sheet.labels)}
    for block in read_stream(stream, call.talk):
        for name, values in stream.scores(block).items():
            columns.setdefault(name, []).extend(plain_value(values))
    counts, table = Counter(map(str, columns["quadrant"])), Table(columns)
    short = summarize_rows(stream, sheet, counts)
    page = Page(sheet.title, (), (Section("Scores", [show_table(table, most=len(table))]),))
    return CommandAnswer(page, short.data, {**short.result, "rows": list(table.lines())})


def summarize_rows(stream: RowStream, sheet: InputTable, counts: Counter[str]) -> CommandAnswer:
    """How many rows lie where, and past which limits."""
    judged = "new rows" if stream.new else "rows of the fit"
    limits = [(name, format_entry(limit)) for name, limit in stream.limits.items()]
    total = sheet.source.shape[0]
    found = [(name, f"{counts[name]} of {total}") for name in QUADRANTS]
    if counts["None"]:
        found.append(("not judged", f"{counts['None']} of {total}"))
    sections = (
        Section("Outliers", [list_pairs(found)]),
        Section("Limits", [list_pairs(limits)]),
    )
    page = Page(sheet.title, (f"{count_things(total, 'row')}, judged as {judged}.",), sections)
    result = {
        "new": stream.new,
        "limits": stream.limits,
        "quadrants": {name: counts[name] for name in (*QUADRANTS, "None") if counts[name]},
    }
    return CommandAnswer(page, sheet.facts, result)
