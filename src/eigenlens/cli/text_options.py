"""text_options: how a text file is written, where it does not show it itself."""

from __future__ import annotations

from typing import Annotated, Any

import typer

__all__ = [
    "DATA_PANEL",
    "DecimalSign",
    "DelimiterSign",
    "EncodingName",
    "FormatName",
    "HeaderFlag",
    "SkippedLines",
    "ThousandsSign",
]

DATA_PANEL = "Data"


def text_option(*names: str, **more: Any) -> Any:
    return typer.Option(*names, rich_help_panel=DATA_PANEL, **more)


FormatName = Annotated[
    str | None,
    text_option(
        "--format", metavar="ENDING", help="Read the file as csv, parquet, npy, and so on."
    ),
]
DelimiterSign = Annotated[
    str | None,
    text_option("--delimiter", metavar="CHAR", help="Separator between the entries of a CSV line."),
]
HeaderFlag = Annotated[
    bool | None,
    text_option("--header/--no-header", help="Whether the first line of CSV holds names."),
]
DecimalSign = Annotated[
    str | None,
    text_option("--decimal", metavar="SIGN", help="Decimal sign of numbers in CSV: . or ,"),
]
ThousandsSign = Annotated[
    str | None,
    text_option(
        "--thousands", metavar="SIGN", help="Separator of thousands in CSV: , . ' or a space."
    ),
]
EncodingName = Annotated[
    str | None,
    text_option("--encoding", metavar="NAME", help="Encoding of CSV, such as utf-16 or cp1252."),
]
SkippedLines = Annotated[
    int | None,
    text_option(
        "--skip-lines", metavar="N", min=0, help="Lines above the table in CSV; 0 for none."
    ),
]
