"""`eigenlens export`: a model for programs that do not have eigenlens."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from eigenlens.cli.command import Call, CommandAnswer, make_command
from eigenlens.cli.document import model_data
from eigenlens.cli.models import load_subspace
from eigenlens.cli.options import OUTPUT, Force, ModelFile, option
from eigenlens.cli.output import output_path
from eigenlens.document.page import Page
from eigenlens.errors import OptionError

__all__ = ["EXAMPLES", "export"]

EXAMPLES = (
    ("eigenlens export run.eigenlens --to onnx", "run.onnx: a graph from rows to scores"),
    ("eigenlens export run.eigenlens --to json -o model.json", "all numbers as text"),
    ("eigenlens export run.eigenlens --to npz", "arrays for numpy, R, Julia"),
)


def formats() -> list[str]:
    from eigenlens.model.export.formats import FORMATS

    return list(FORMATS)


To = Annotated[
    str,
    option(OUTPUT, "--to", metavar="KIND", help="onnx, json or npz.", autocompletion=formats),
]
Out = Annotated[
    str | None,
    option(
        OUTPUT,
        "-o",
        "--output",
        metavar="FILE",
        help="Output file (default: named after the model).",
    ),
]


@make_command
def export(
    model: ModelFile, call: Call, to: To = "json", output: Out = None, force: Force = False
) -> CommandAnswer:
    """Write a model as ONNX, JSON or npz."""
    if to not in formats():
        raise OptionError.unknown("to", to, formats())
    found = load_subspace(model)
    path = output_path(output or str(Path(model).with_suffix(f".{to}")), force, [Path(model)])
    found.export(path, to=to)
    return CommandAnswer(Page(str(path)), model_data(found), {"format": to, "path": str(path)})
