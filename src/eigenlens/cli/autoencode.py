"""`eigenlens autoencode`: does a nonlinear code of k numbers beat PCA's, and by how much?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from eigenlens.cli.command import Call, CommandAnswer, collecting_failures, make_command
from eigenlens.cli.exit_codes import DONE, INTERRUPTED
from eigenlens.cli.input_table import InputTable, open_input
from eigenlens.cli.options import (
    ANALYSIS,
    OUTPUT,
    BudgetOptions,
    DataFiles,
    Force,
    ReadingOptions,
    option,
)
from eigenlens.cli.output import output_path, refuse_inputs, refuse_same_target, writing_columns
from eigenlens.cli.run_fit import limiting_threads, number_or_rule
from eigenlens.document.json_values import plain_record
from eigenlens.document.page import Page, Section, list_pairs, list_sentences, list_verdicts
from eigenlens.errors import EigenlensError, OptionError
from eigenlens.errors.phrasing import Phrase, SetOption
from eigenlens.model.page import certificate_section
from eigenlens.sources.files.batch_file import ENDINGS

if TYPE_CHECKING:
    from eigenlens.autoencoder.nonlinear import Autoencoder

__all__ = ["EXAMPLES", "autoencode"]

EXAMPLES = (
    ("eigenlens autoencode data.csv -k 2", "does a code of two numbers beat two components?"),
    ("eigenlens autoencode data.csv -k 2 --hidden 128,64 -o coder.eigenlens", "larger; keep it"),
    ("eigenlens autoencode data.csv -k 2 --codes codes.csv", "the codes of all rows"),
)
ENDS = {
    "early": "no better epoch came for a while",
    "done": "hardly anything was left to learn",
    "limit": "the limit was reached",
    "interrupted": "it was interrupted; the best network so far is kept",
}


@dataclass(frozen=True)
class TrainingOptions:
    k: Annotated[
        str,
        option(ANALYSIS, "-k", "--components", metavar="K", help="Length of the code of a row."),
    ] = "2"
    hidden: Annotated[
        str, option(ANALYSIS, "--hidden", metavar="N,N", help="Widths of the hidden layers.")
    ] = "64"
    epochs: Annotated[
        int, option(ANALYSIS, "--epochs", metavar="N", min=0, help="At most so many; 0 is PCA.")
    ] = 100
    scale: Annotated[
        bool, option(ANALYSIS, "--scale/--no-scale", help="Standardize columns first.")
    ] = False


Output = Annotated[
    str | None, option(OUTPUT, "-o", "--output", metavar="FILE", help="Save the network here.")
]
Codes = Annotated[
    str | None,
    option(
        OUTPUT, "--codes", metavar="FILE", help="Write the codes: .csv, .tsv, .parquet, .arrow."
    ),
]


@make_command
def autoencode(
    data: DataFiles,
    call: Call,
    reading: ReadingOptions,
    training: TrainingOptions,
    budget: BudgetOptions,
    output: Output = None,
    codes: Codes = None,
    force: Force = False,
) -> CommandAnswer:
    """Train a nonlinear encoder and decoder that begin as PCA, and say what they gain over it.

    The gain is measured on rows that were set aside, with an interval; where that reaches 0 the
    answer is no gain. Needs torch: pip install 'eigenlens[torch]'.
    """
    from eigenlens.autoencoder.nonlinear import Autoencoder

    inputs = [Path(one) for one in data]
    target = None if output is None else output_path(output, force, inputs)
    table = None if codes is None else check_codes_ending(output_path(codes, force, inputs))
    refuse_same_target([target, table])
    with limiting_threads(budget.threads), open_input(data, reading, call.talk) as sheet:
        refuse_inputs([target, table], sheet.files)
        coder = Autoencoder(
            number_or_rule(training.k),
            hidden=parse_widths(training.hidden),
            max_epochs=training.epochs,
            random_state=budget.seed,
            scale="std" if training.scale else None,
            memory=budget.memory,
            progress=call.talk.shows_progress,
        ).fit(sheet.source)
        failures: list[EigenlensError] = []
        with collecting_failures(failures):
            if target is not None:
                coder.save(target)
                call.talk.note(f"wrote {target}")
        with collecting_failures(failures):
            if table is not None:
                write_codes(coder, sheet, table)
                call.talk.note(f"wrote {table}")
    code = INTERRUPTED if coder.ended_ == "interrupted" else DONE
    return CommandAnswer(
        autoencoder_page(coder, sheet, call), sheet.facts, result_of(coder), code, *failures[:1]
    )


def parse_widths(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() and int(part) for part in parts):
        raise OptionError.needs(
            SetOption("hidden", text),
            "whole numbers from 1 up",
            Phrase("pass for example {}", SetOption("hidden", (128, 64))),
        )
    return tuple(int(part) for part in parts)


def check_codes_ending(path: Path) -> Path:
    if path.suffix.lower() not in ENDINGS:
        raise OptionError.unknown("codes", str(path), [f"*{ending}" for ending in ENDINGS])
    return path


def write_codes(coder: Autoencoder, sheet: InputTable, path: Path) -> None:
    codes = coder.transform(sheet.source)
    with writing_columns(path, path.suffix.lower()) as write:
        columns = {f"code{place + 1}": codes[:, place] for place in range(codes.shape[1])}
        write({"row": sheet.block_of_names(slice(0, len(codes))), **columns})


def autoencoder_page(coder: Autoencoder, sheet: InputTable, call: Call) -> Page:
    n, d = sheet.source.shape
    k = coder.model_.n_components
    gain, epochs = coder.gain_, coder.history_
    heading = "A gain over PCA" if gain.low > 0 else "No gain over PCA"
    held = f"{float(np.min(epochs['held_out'])):.4g} of PCA's loss on the rows it stops by"
    trained = (
        ("epochs", f"{len(epochs) - 1}, the best {coder.best_epoch_}: {held}"),
        ("end", ENDS[coder.ended_]),
    )
    sections = [Section(heading, [list_sentences([gain.reason])])]
    if coder.flatness_ is not None:
        sections.append(Section("Flatness", [list_verdicts({"": coder.flatness_})]))
    sections += [Section("Training", [list_pairs(trained)]), certificate_section(coder.model_)]
    lead = f"{n} rows of {d} columns, coded by {k} number{'s' if k > 1 else ''}."
    closing = "" if "output" in call.args else f"Next: {call.line} -o coder.eigenlens keeps it"
    return Page(sheet.title, (lead,), tuple(sections), closing)


def result_of(coder: Autoencoder) -> dict[str, Any]:
    return {
        "n_components": coder.model_.n_components,
        "gain": plain_record(coder.gain_),
        "flatness": None if coder.flatness_ is None else plain_record(coder.flatness_),
        "best_epoch": coder.best_epoch_,
        "ended": coder.ended_,
        "history": list(coder.history_.lines()),
        "certificate": {"sentences": list(coder.certificate_.sentences)},
    }
