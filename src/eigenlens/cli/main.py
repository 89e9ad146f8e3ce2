"""The program `eigenlens`: its verbs, and what holds for all of them."""

from __future__ import annotations

from typing import Annotated

import typer

from eigenlens import __version__
from eigenlens.cli.demo import demo

__all__ = ["app"]

CODES = (
    "Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 unexpected, 2 usage, "
    "3 data cannot be used, 130 interrupted."
)

app = typer.Typer(
    name="eigenlens",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # what remains is a mistake of ours: the plain traceback
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=CODES,
)


def show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"eigenlens {__version__}")
        raise typer.Exit


@app.callback()
def eigenlens(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=show_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """PCA that proves its answer.

    Start with: eigenlens demo
    """


app.command(epilog="Try: eigenlens demo -k 10 --solver krylov")(demo)
