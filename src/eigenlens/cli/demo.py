"""`eigenlens demo`: the first screen and the first page, of wines that scikit-learn ships."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eigenlens.cli.exits import readable_errors
from eigenlens.cli.working import number_or_rule

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["EXAMPLES", "TITLE", "Wines", "demo", "in_python", "number_or_rule", "wines"]

TITLE = "Wines of three growers in one region: 178 bottles, 13 measurements each"
PAGE = Path("demo") / "report.html"
EXAMPLES = (
    ("eigenlens demo", "a first screen, and a first page in demo/report.html"),
    ("eigenlens demo -k 10 --solver krylov --no-report", "ten components, by block Krylov"),
    ("eigenlens demo --json", "for programs"),
)
MEASUREMENTS = (
    "alcohol", "malic acid", "ash", "alkalinity of ash", "magnesium", "phenols", "flavanoids",
    "nonflavanoid phenols", "proanthocyanins", "color intensity", "hue", "protein (OD280/OD315)",
    "proline",
)  # fmt: skip
GROWERS = ("grower 1", "grower 2", "grower 3")


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
    ] = "auto",
    solver: Annotated[
        str, typer.Option(metavar="NAME", help="How to find them; a wrong name lists the right.")
    ] = "auto",
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"Where to write the page; by default {PAGE}."),
    ] = None,
    no_report: Annotated[
        bool, typer.Option("--no-report", help="Write no page: the screen only.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON document instead; a page only if asked for.")
    ] = False,
    as_markdown: Annotated[bool, typer.Option("--md", help="Markdown instead.")] = False,
) -> None:
    """Fit measurements of wines; print what was found, what is proven, and why; write a page.

    The wines come with scikit-learn: nothing is downloaded.
    """
    from eigenlens.fit import fit

    table = wines()
    model = fit(table.frame(), number_or_rule(k), scale="std", solver=solver)
    again = f"eigenlens demo -k {k} --solver {solver}"
    target = None if no_report else written(model, table, report, not as_json, again)
    if as_json:
        from eigenlens.cli.document import document

        asked = {"k": k, "solver": solver}
        found = document("demo", asked, model)
        found["result"]["report"] = None if target is None else str(target)
        typer.echo(json.dumps(found, indent=2, allow_nan=False))
    else:
        hint = in_python(k, solver)
        if target is not None:
            hint = f"{hint}\nReport: {target} (open it in a browser)"
        printed(model, hint, as_markdown)


def printed(model: Subspace, hint: str, as_markdown: bool) -> None:
    from eigenlens.cli.screen import console, screen, show

    paper = console()
    if as_markdown:
        from eigenlens.cli.markdown import markdown
        from eigenlens.cli.model_page import model_page

        print(markdown(model_page(model, TITLE, hint)), file=paper.file)
    else:
        show(screen(model, TITLE, hint, paper), paper)


def written(
    model: Subspace, table: Wines, asked: Path | None, wanted: bool, command: str
) -> Path | None:
    """Where the page is; None where none is wanted, or nobody asked and it cannot be made."""
    if asked is None and not wanted:
        return None
    from eigenlens.errors import OptionError
    from eigenlens.report.write import report

    if asked is None:
        PAGE.parent.mkdir(exist_ok=True)
    try:
        return report(
            model,
            table.frame(),
            asked or PAGE,
            group={"grower": list(table.growers)},
            title="Wines of three growers",
            command=command,
        )
    except OptionError as error:
        if asked is not None or "not installed" not in str(error):
            raise
        typer.echo(f"no page: {error}", err=True)
        return None


def in_python(k: str, solver: str) -> str:
    """The call that gives the same model."""
    named = "" if solver == "auto" else f", solver={solver!r}"
    return f"In Python: eigenlens.fit(X, k={number_or_rule(k)!r}, scale='std'{named})"


@dataclass(frozen=True)
class Wines:
    """One row of 13 measurements per bottle, and who grew it."""

    rows: Sequence[Sequence[float]]
    growers: Sequence[str]

    def frame(self) -> Any:
        """With the names of the columns."""
        import pyarrow

        return pyarrow.table(dict(zip(MEASUREMENTS, zip(*self.rows, strict=True), strict=True)))


def wines() -> Wines:
    """Forina's wines of the UCI repository."""
    # The file itself: importing scikit-learn would take longer than all the rest of the demo.
    package = find_spec("sklearn")
    if package is not None and package.origin is not None:
        path = Path(package.origin).parent / "datasets" / "data" / "wine_data.csv"
        if path.exists():
            with path.open(newline="") as file:
                _, *lines = csv.reader(file)
            rows = [[float(entry) for entry in line[:-1]] for line in lines]
            return Wines(rows, [GROWERS[int(line[-1])] for line in lines])
    from sklearn.datasets import load_wine

    data = load_wine()
    return Wines(data.data.tolist(), [GROWERS[code] for code in data.target])
