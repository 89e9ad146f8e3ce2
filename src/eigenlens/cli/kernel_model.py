"""kernel_model: what `show` and `transform` say of a model that `KernelPCA` saved.

Its components are made of rows, not of columns: there are scores, and no T2, Q, loadings or figures
of variables.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eigenlens.cli.command import Call, CommandAnswer
from eigenlens.cli.document import model_data, model_result
from eigenlens.cli.input_table import InputTable
from eigenlens.cli.output import writing_columns
from eigenlens.document.json_values import plain_value
from eigenlens.document.page import Page, Section, list_pairs, show_table
from eigenlens.document.phrases import count_things
from eigenlens.document.table import Table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import SetOption, escape_controls
from eigenlens.model.page import certificate_section, choices_section, variance_section
from eigenlens.sources.files.batch_file import column_stream

if TYPE_CHECKING:
    from eigenlens.kernel.subspace import KernelSubspace

__all__ = ["kernel_page", "kernel_scores", "refuse_for_kernels"]


def kernel_page(
    path: str, model: KernelSubspace, origin: tuple[tuple[str, str], ...]
) -> CommandAnswer:
    """What is in the file."""
    page = Page(
        path,
        (model.headline,),
        (
            variance_section(model),
            Section("Origin", [list_pairs(origin)]),
            certificate_section(model),
            choices_section(model),
        ),
        f"Next: eigenlens transform {path} DATA",
    )
    result = {
        **model_result(model),
        "kernel": {"name": model.kernel.name, "gamma": model.gamma},
        "method": model.method,
        "anchors": model.n_anchors,
        "feature_names": model.feature_names,
        "provenance": model.provenance,
    }
    return CommandAnswer(page, model_data(model), result)


def refuse_for_kernels(options: Mapping[str, object]) -> None:
    """Options about what a kernel model does not have."""
    for name, value in options.items():
        if value is not None:
            raise OptionError.needs(
                SetOption(name, value),
                "T2 and Q of columns, which a kernel model does not have",
                "omit it",
            )


def kernel_scores(
    model: KernelSubspace, sheet: InputTable, target: Path | None, call: Call
) -> CommandAnswer:
    """Scores of every row: into a file, into one document, or as CSV on stdout."""
    blocks = score_columns(model, sheet)
    total, facts = sheet.source.shape[0], sheet.facts
    if target is not None:
        with writing_columns(target, target.suffix.lower()) as write:
            for columns in blocks:
                write(columns)
        call.talk.note(f"wrote {target}")
        return CommandAnswer(
            Page(sheet.title, (f"{count_things(total, 'row')}.",), ()),
            facts,
            {"rows_written": total},
        )
    if call.saying.as_json or call.saying.as_markdown:
        held: dict[str, list[Any]] = {}
        for columns in blocks:
            for name, values in columns.items():
                held.setdefault(name, []).extend(plain_value(values))
        held["row"] = list(sheet.labels)
        table = Table(held)
        page = Page(sheet.title, (), (Section("Scores", [show_table(table, most=len(table))]),))
        return CommandAnswer(page, facts, {"rows": list(table.lines())})
    print_scores(blocks)
    return CommandAnswer()


def score_columns(model: KernelSubspace, sheet: InputTable) -> Iterator[dict[str, Any]]:
    """Blocks of rows: their names, and a column for each component."""
    from eigenlens.kernel.transform import kernel_score_blocks

    start = 0
    for block in kernel_score_blocks(model, model.opened(sheet.source)):
        span = slice(start, start + len(block))
        scores = {f"PC{place + 1}": block[:, place] for place in range(block.shape[1])}
        yield {"row": sheet.block_of_names(span), **scores}
        start = span.stop


def print_scores(blocks: Iterator[dict[str, Any]]) -> None:
    """CSV while rows are read; on a terminal, names cannot steer it."""
    watched = sys.stdout.isatty()
    sys.stdout.flush()
    with column_stream(sys.stdout.buffer, ".csv") as write:
        for columns in blocks:
            names = columns["row"]
            if watched and not isinstance(names, range):
                names = [escape_controls(str(name)) for name in names.to_pylist()]
            write({**columns, "row": names})
    sys.stdout.buffer.flush()
