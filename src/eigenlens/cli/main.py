"""The program `eigenlens`: its verbs, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from eigenlens import __version__
from eigenlens.cli import (
    autoencode,
    choose,
    compare,
    demo,
    export,
    fit,
    plot,
    report,
    sense,
    show,
    transform,
)
from eigenlens.cli.exit_codes import reporting_at_exit
from eigenlens.cli.signals import sigterm_as_interrupt

__all__ = ["app"]

CODES = (
    "Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 unexpected, 2 usage or "
    "an output that exists, 3 data unusable or output not writable, 4 model and data do not fit, "
    "5 not converged, 6 warnings under --strict, 10 outliers under --fail-on outliers, "
    "130 interrupted, 143 terminated."
)


class Program(typer.Typer):
    """SIGTERM stops it as Ctrl-C does; help that cannot be printed ends in one line too."""

    def __call__(self, *args: Any, **more: Any) -> Any:
        with sigterm_as_interrupt(), reporting_at_exit():
            return super().__call__(*args, **more)


app = Program(
    name="eigenlens",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # what remains is a bug: the plain traceback
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


def add_verb(verb: Callable[..., Any], examples: Sequence[tuple[str, str]]) -> None:
    """A verb whose help begins with examples."""
    told = "\n\n".join(" ".join(part.split()) for part in (verb.__doc__ or "").split("\n\n"))
    first = told.partition("\n")[0]
    lines = [line for typed, what in examples for line in (f"  # {what}", f"  {typed}")]
    # The mark keeps lines as they are.
    text = "\b\nExamples:\n" + "\n".join(lines) + "\n\n" + told
    app.command(help=text, short_help=first, epilog=CODES)(verb)


add_verb(fit.fit, fit.EXAMPLES)
add_verb(transform.transform, transform.EXAMPLES)
add_verb(choose.choose, choose.EXAMPLES)
add_verb(report.report, report.EXAMPLES)
add_verb(plot.plot, plot.EXAMPLES)
add_verb(show.show, show.EXAMPLES)
add_verb(compare.compare, compare.EXAMPLES)
add_verb(export.export, export.EXAMPLES)
add_verb(autoencode.autoencode, autoencode.EXAMPLES)
add_verb(sense.sense, sense.EXAMPLES)
add_verb(demo.demo, demo.EXAMPLES)
