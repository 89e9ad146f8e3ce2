"""options: what several commands understand, as records; `command.py` makes options of the fields.

Reading      which columns and rows of a table, and how its file is written
Preparing    centering and scaling
Searching    how many components, by which solver, within what
Saying       how results and talk are shown
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any

import typer

from eigenlens.cli.outlier_options import CellErrorsFile, CellWeightsFile, FailOn, RobustWay
from eigenlens.cli.text_options import (
    DATA_PANEL,
    DecimalSign,
    DelimiterSign,
    EncodingName,
    FormatName,
    HeaderFlag,
    SkippedLines,
    ThousandsSign,
)
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option

__all__ = [
    "ANALYSIS",
    "DATA",
    "OUTPUT",
    "BudgetOptions",
    "Components",
    "ConventionOption",
    "DataFiles",
    "FailOn",
    "Force",
    "ModelFile",
    "OutputOptions",
    "OutsideOptions",
    "PreparingOptions",
    "ReadingOptions",
    "SearchOptions",
    "SolverName",
    "Weighing",
    "option",
    "refuse_for_model",
    "refuse_unknown_failure",
]

DATA, ANALYSIS, OUTPUT = DATA_PANEL, "Analysis", "Output"


def option(panel: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, rich_help_panel=panel, **more)


def solvers() -> list[str]:
    from eigenlens.solvers.catalogue import SOLVERS

    return ["auto", *SOLVERS]


DataFiles = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA",
        help="A table: file, folder or pattern; several are one table; - is standard input.",
    ),
]
ModelFile = Annotated[
    str, typer.Argument(metavar="MODEL", help="A model file, as 'eigenlens fit -o' writes it.")
]
Force = Annotated[bool, option(OUTPUT, "--force", help="Overwrite outputs that exist.")]
ConventionOption = Annotated[
    str | None,
    option(
        OUTPUT,
        "--convention",
        metavar="NAME",
        help="Use the divisor and the names of factominer or prcomp.",
    ),
]


Weighing = Annotated[
    str | None,
    option(
        DATA, "--weights", metavar="COLUMN", help="Column of row weights: how often a row counts."
    ),
]
Components = Annotated[
    str,
    option(
        ANALYSIS,
        "-k",
        "--components",
        metavar="K",
        help="Number of components, a fraction of the variance, auto, or a rule.",
    ),
]
SolverName = Annotated[
    str,
    option(
        ANALYSIS,
        "--solver",
        metavar="NAME",
        help="Solver; an unknown name lists those that exist.",
        autocompletion=solvers,
    ),
]


@dataclass(frozen=True)
class OutputOptions:
    as_json: Annotated[bool, option(OUTPUT, "--json", help="One JSON document on stdout.")] = False
    as_markdown: Annotated[bool, option(OUTPUT, "--md", help="Markdown on stdout.")] = False
    quiet: Annotated[
        bool, option(OUTPUT, "--quiet", "-q", help="Print nothing but errors on stderr.")
    ] = False
    strict: Annotated[
        bool, option(OUTPUT, "--strict", help="Exit with code 6 after a warning.")
    ] = False


@dataclass(frozen=True)
class ReadingOptions:
    columns: Annotated[
        list[str] | None,
        option(
            DATA,
            "--columns",
            "-c",
            metavar="WHICH",
            help="Columns to analyze, separated by commas: names, first:last, globs, @numeric.",
        ),
    ] = None
    exclude: Annotated[
        list[str] | None,
        option(DATA, "--exclude", "-x", metavar="WHICH", help="Columns to exclude."),
    ] = None
    id: Annotated[
        str | None,
        option(
            DATA,
            "--id",
            metavar="COLUMN",
            help="Column with row names (default: detected); '' for none.",
        ),
    ] = None
    code_as: Annotated[
        str,
        option(
            DATA,
            "--code-as",
            metavar="ROLE",
            help="What columns such as year or class are: group (default) or number, to analyze.",
        ),
    ] = "group"
    missing: Annotated[
        str | None,
        option(
            DATA,
            "--missing",
            metavar="HOW",
            help="Missing cells: error, drop (leave out their rows), auto, gaussian, lowrank "
            "(estimate numbers), unstored (of sparse files), level (of categories). Default: drop, "
            "with a warning, where at most 2 % of the rows have some; else error.",
        ),
    ] = None
    format: FormatName = None
    delimiter: DelimiterSign = None
    header: HeaderFlag = None
    decimal: DecimalSign = None
    thousands: ThousandsSign = None
    encoding: EncodingName = None
    skip_lines: SkippedLines = None


@dataclass(frozen=True)
class OutsideOptions:
    group: Annotated[
        list[str] | None,
        option(DATA, "--group", metavar="WHICH", help="Columns that hold groups of rows."),
    ] = None
    sup_cols: Annotated[
        list[str] | None,
        option(
            DATA,
            "--sup-cols",
            metavar="WHICH",
            help="Supplementary columns: related to the components, not part of the fit.",
        ),
    ] = None
    sup_rows: Annotated[
        list[str] | None,
        option(
            DATA,
            "--sup-rows",
            metavar="WHICH",
            help="Supplementary rows: names, globs, or numbers first:last, counted from 0.",
        ),
    ] = None
    weights: Weighing = None


@dataclass(frozen=True)
class PreparingOptions:
    scale: Annotated[
        bool | None,
        option(
            ANALYSIS,
            "--scale/--no-scale",
            help="Standardize columns, so that units do not matter (default: no).",
        ),
    ] = None
    center: Annotated[
        bool, option(ANALYSIS, "--center/--no-center", help="Subtract the mean of each column.")
    ] = True


@dataclass(frozen=True)
class SearchOptions:
    k: Components = "auto"
    robust: RobustWay = None
    cell_weights: CellWeightsFile = None
    errors: CellErrorsFile = None
    solver: SolverName = "auto"
    tolerance: Annotated[
        float | None,
        option(
            ANALYSIS,
            "--tolerance",
            metavar="ERROR",
            help="Certify every eigenvalue to this relative error, or exit with code 5.",
        ),
    ] = None
    checkpoint: Annotated[
        str | None,
        option(
            ANALYSIS,
            "--checkpoint",
            metavar="FILE",
            help="Save progress here; the same command resumes from it.",
        ),
    ] = None
    cluster: Annotated[
        str | None,
        option(
            ANALYSIS,
            "--cluster",
            metavar="ADDRESS",
            help="Address of a Dask scheduler, tcp://host:8786; its workers read the files.",
        ),
    ] = None
    workers: Annotated[
        int | None,
        option(
            ANALYSIS,
            "--workers",
            metavar="N",
            min=1,
            help="Start a local Dask cluster with this many processes for this command.",
        ),
    ] = None


@dataclass(frozen=True)
class BudgetOptions:
    memory: Annotated[
        str | None,
        option(ANALYSIS, "--memory", metavar="SIZE", help="Memory budget, such as 2GB or 500MB."),
    ] = None
    threads: Annotated[
        int | None, option(ANALYSIS, "--threads", metavar="N", min=1, help="Number of threads.")
    ] = None
    seed: Annotated[int, option(ANALYSIS, "--seed", metavar="N", min=0, help="Random seed.")] = 0


def refuse_for_model(model: str, *records: Any) -> None:
    """What a model has settled cannot be asked for again."""
    for record in records:
        asked = [one.name for one in fields(record) if getattr(record, one.name) != one.default]
        if asked:
            raise OptionError.needs(
                Option(asked[0]),
                f"data, but {model!r} is a model, for which this was decided in the fit",
                "omit it",
                "pass the data instead of the model",
            )


def refuse_unknown_failure(fail_on: str | None) -> None:
    if fail_on not in (None, "outliers"):
        raise OptionError.unknown("fail_on", fail_on, ["outliers"])
