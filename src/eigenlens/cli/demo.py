"""`eigenlens demo`: the first screen. Fits the handwritten digits that scikit-learn ships."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from eigenlens.cli.exits import readable_errors

if TYPE_CHECKING:
    from eigenlens.algebra.typing import Float64Array

__all__ = ["TITLE", "demo", "digits", "in_python", "number_or_rule"]

TITLE = "Handwritten digits: 1797 pictures of 8 x 8 pixels, one row each"


@readable_errors()
def demo(
    k: Annotated[
        str,
        typer.Option(
            "-k",
            "--components",
            metavar="K",
            help="How many: a number, a fraction of the variance, or a rule (frobenius:0.9).",
        ),
    ] = "0.95",
    solver: Annotated[
        str, typer.Option(metavar="NAME", help="How to find them; a wrong name lists the right.")
    ] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead.")] = False,
) -> None:
    """Fit handwritten digits; print what was found, what is proven, and why.

    The digits come with scikit-learn: nothing is downloaded.
    """
    from eigenlens.fit import fit

    model = fit(digits(), number_or_rule(k), solver=solver)
    if as_json:
        from eigenlens.cli.document import document

        asked = {"k": k, "solver": solver}
        typer.echo(json.dumps(document("demo", asked, model), indent=2, allow_nan=False))
    else:
        from eigenlens.cli.screen import console, screen, show

        paper = console()
        show(screen(model, TITLE, in_python(k, solver), paper), paper)


def number_or_rule(text: str) -> int | float | str:
    """ "29" is a number of components, "0.95" a fraction, anything else the name of a rule."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def in_python(k: str, solver: str) -> str:
    """The call that gives the same model."""
    named = "" if solver == "auto" else f", solver={solver!r}"
    return f"In Python: eigenlens.fit(X, k={number_or_rule(k)!r}{named})"


def digits() -> Float64Array:
    """1797 rows of 64 gray values, 0 to 16."""
    import gzip
    from importlib.util import find_spec
    from pathlib import Path

    import numpy as np

    # The file itself: importing scikit-learn would take longer than all the rest of the demo.
    package = find_spec("sklearn")
    if package is not None and package.origin is not None:
        path = Path(package.origin).parent / "datasets" / "data" / "digits.csv.gz"
        if path.exists():
            with gzip.open(path, "rt") as file:
                return np.loadtxt(file, delimiter=",")[:, :-1]
    from sklearn.datasets import load_digits

    pictures: Float64Array = load_digits().data
    return pictures
