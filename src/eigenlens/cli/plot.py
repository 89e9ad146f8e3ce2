"""`eigenlens plot`: one figure, as a picture or as its numbers."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eigenlens.cli.command import Call, CommandAnswer, make_command
from eigenlens.cli.document import model_data
from eigenlens.cli.figure_color import NamedColumn, default_color
from eigenlens.cli.input_table import InputTable, open_input
from eigenlens.cli.models import load_any_model, load_subspace
from eigenlens.cli.options import (
    ANALYSIS,
    DATA,
    OUTPUT,
    Force,
    ModelFile,
    OutsideOptions,
    ReadingOptions,
    option,
)
from eigenlens.cli.output import flushing_stdout, output_path, refuse_inputs, writing_output
from eigenlens.document.page import Page, Section, show_table
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption

if TYPE_CHECKING:
    from eigenlens.kernel.subspace import KernelSubspace
    from eigenlens.model.subspace import Subspace

__all__ = ["EXAMPLES", "plot"]

EXAMPLES = (
    ("eigenlens plot run.eigenlens scree -o scree.svg", "what each component holds"),
    ("eigenlens plot run.eigenlens scores --data data.csv --color species -o s.png", "the rows"),
    ("eigenlens plot run.eigenlens circle > circle.svg", "variables; a picture on stdout"),
    ("eigenlens plot run.eigenlens outliers --data data.csv --json", "its numbers instead"),
)

# What each figure takes, of --components, --color, --top, --row; and whether it needs the rows.
FROM_MODEL = ("scree", "circle", "contributions", "spectrum", "convergence")
FROM_ROWS = ("scores", "biplot", "outliers", "reconstruction", "pairs")
OF_KERNELS = ("scree", "scores", "pairs")
TAKES = {
    "scree": ("top",),
    "circle": ("components", "top"),
    "contributions": ("components", "top", "row"),
    "spectrum": (),
    "convergence": (),
    "scores": ("components", "color"),
    "biplot": ("components", "color", "top"),
    "outliers": ("color",),
    "reconstruction": ("top",),
    "pairs": ("components", "color"),
}
COLORED = ("scores", "biplot", "pairs")
ADD_ROWS = Phrase("name the rows with {}", Option("data"))
ENDINGS = (".svg", ".png", ".pdf")
DPI = 150
MOST_DIGITS = 18  # of the number of a row


def kinds() -> list[str]:
    return [*FROM_MODEL, *FROM_ROWS]


Kind = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help=f"{', '.join(FROM_MODEL)}; with --data also {', '.join(FROM_ROWS)}.",
        autocompletion=kinds,
    ),
]
Data = Annotated[
    list[str] | None, option(DATA, "--data", metavar="DATA", help="The rows to be drawn.")
]
Output = Annotated[
    str | None,
    option(OUTPUT, "-o", "--output", metavar="FILE", help="A .svg, .png or .pdf; SVG on stdout."),
]


@dataclass(frozen=True)
class DrawingOptions:
    components: Annotated[
        str | None,
        option(ANALYSIS, "--components", metavar="1,2", help="Components to draw, counted from 1."),
    ] = None
    color: Annotated[
        str | None,
        option(ANALYSIS, "--color", metavar="COLUMN", help="Color rows by a column of the data."),
    ] = None
    top: Annotated[
        int | None, option(ANALYSIS, "--top", metavar="N", min=1, help="How many to show at most.")
    ] = None
    row: Annotated[
        str | None,
        option(ANALYSIS, "--row", metavar="NAME", help="The row to explain; with --data."),
    ] = None
    theme: Annotated[
        str | None, option(OUTPUT, "--theme", metavar="NAME", help="light or dark.")
    ] = None


@make_command
def plot(
    model: ModelFile,
    kind: Kind,
    call: Call,
    reading: ReadingOptions,
    drawing: DrawingOptions,
    data: Data = None,
    output: Output = None,
    force: Force = False,
) -> CommandAnswer:
    """Draw one figure of a model; those of rows need --data."""
    refuse_mixed_options(kind, drawing, data)
    inputs = [Path(one) for one in (model, *(data or ()))]
    target = None if output is None else check_figure_ending(output_path(output, force, inputs))
    wants_numbers = call.saying.as_json or call.saying.as_markdown
    if target is None and not wants_numbers and sys.stdout and sys.stdout.isatty():
        raise OptionError.needs(
            "a picture",
            "a file",
            Phrase("pass {}", SetOption("output", f"{kind}.svg")),
            Phrase("pass {} for its numbers", Option("as_json")),
        )
    found = load_any_model(model) if kind in OF_KERNELS else load_subspace(model)
    with ExitStack() as stack:
        sheet = None
        if data:
            beside = OutsideOptions(group=[drawing.color] if drawing.color else None)
            sheet = stack.enter_context(open_input(data, reading, call.talk, beside, found))
            refuse_inputs([target], sheet.files)
        return draw_figure(found, kind, drawing, sheet, target, call)


def refuse_mixed_options(kind: str, drawing: DrawingOptions, data: list[str] | None) -> None:
    """What does not belong together, before anything is read."""
    if kind not in TAKES:
        raise OptionError.unknown("kind", kind, kinds())
    if kind in FROM_ROWS and not data:
        raise OptionError.needs(f"{kind!r}", "the rows", ADD_ROWS)
    if drawing.row is not None and not data:
        raise OptionError.needs(Option("row"), "the rows", ADD_ROWS)
    for name in ("components", "color", "top", "row"):
        if getattr(drawing, name) is not None and name not in TAKES[kind]:
            known = [f"--{one}" for one in TAKES[kind]]
            raise OptionError.needs(
                Option(name),
                f"another figure: {kind!r} takes {', '.join(known) or 'none of these options'}",
                "omit it",
            )


def check_figure_ending(path: Path) -> Path:
    if path.suffix.lower() not in ENDINGS:
        raise OptionError.unknown("output", str(path), [f"*{ending}" for ending in ENDINGS])
    return path


def draw_figure(
    model: Subspace | KernelSubspace,
    kind: str,
    drawing: DrawingOptions,
    sheet: InputTable | None,
    target: Path | None,
    call: Call,
) -> CommandAnswer:
    """The figure where it is wanted, or its numbers."""
    from eigenlens import plots

    on_stdout = target is None and not (call.saying.as_json or call.saying.as_markdown)
    with without_windows():
        figure = getattr(plots, kind)
        asked = figure_arguments(kind, drawing, sheet)
        if kind in COLORED and sheet is not None:
            asked = {**default_color(model, drawing, sheet), **asked}
        axes = figure(*rows_for(model, kind, sheet), **asked)
        numbers = plots.data(axes)
        if target is not None:
            with writing_output(target) as unfinished:
                save_figure(axes, unfinished, target.suffix.lower())
        elif on_stdout:
            with flushing_stdout():
                save_figure(axes, sys.stdout.buffer, ".svg")
    if on_stdout:
        return CommandAnswer()
    result: dict[str, Any] = {"kind": kind, "numbers": list(numbers.lines())}
    if target is not None:
        result["path"] = str(target)
    page = Page(str(target or kind))
    if call.saying.as_markdown:
        page = replace(
            page, sections=(Section("Numbers", [show_table(numbers, most=len(numbers))]),)
        )
    return CommandAnswer(page, model_data(model), result)


@contextmanager
def without_windows() -> Iterator[None]:
    """No window is opened, wherever this runs; words of an SVG stay words, whatever the font."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    with warnings.catch_warnings(), matplotlib.rc_context():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcParams["svg.fonttype"] = "none"
        try:
            yield
        finally:
            pyplot.close("all")


def save_figure(axes: Any, place: Any, ending: str) -> None:
    figure = axes.get_figure(root=True)
    figure.savefig(place, format=ending.removeprefix("."), bbox_inches="tight", dpi=DPI)


def rows_for(model: Subspace | KernelSubspace, kind: str, sheet: InputTable | None) -> list[Any]:
    if sheet is None or kind in ("scree", "spectrum"):
        return [model]
    return [model, sheet.source]


def figure_arguments(
    kind: str, drawing: DrawingOptions, sheet: InputTable | None
) -> dict[str, Any]:
    """The arguments of the figure, from what was typed."""
    asked: dict[str, Any] = {"theme": drawing.theme}
    if drawing.components is not None:
        asked["components"] = parse_components(drawing.components)
    if drawing.color is not None and sheet is not None:
        if len(sheet.groups) > 1:
            raise OptionError.needs(
                SetOption("color", drawing.color), "a single column", "name one of them"
            )
        asked["color"] = NamedColumn(*next(iter(sheet.groups.items())))
    if drawing.top is not None:
        asked["top"] = drawing.top
    if drawing.row is not None:
        asked["row"] = row_of(drawing.row, sheet)
    if kind in ("scores", "biplot", "outliers", "contributions") and sheet is not None:
        asked["labels"] = sheet.labels
    return asked


def row_of(typed: str, sheet: InputTable | None) -> str | int:
    """By its name, or by its number where rows have no names."""
    if sheet is None or sheet.names is not None:
        return typed
    if not typed.isdecimal() or len(typed) > MOST_DIGITS:
        raise OptionError.needs(
            SetOption("row", typed),
            "a number, because these rows have no names",
            Phrase("pass for example {}", SetOption("row", 0)),
        )
    return int(typed)


def parse_components(text: str) -> Any:
    """ "1,3" and "PC1,PC3" are two; "4" is one."""
    names = [int(part) if part.isdecimal() else part for part in map(str.strip, text.split(","))]
    return names[0] if len(names) == 1 else names
