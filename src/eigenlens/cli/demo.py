"""`eigenlens demo`: the first screen and the first page, of wines that scikit-learn ships."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from eigenlens.cli.command import Call, CommandAnswer, make_command
from eigenlens.cli.document import model_data, model_result
from eigenlens.cli.options import OUTPUT, Components, Force, SolverName, option
from eigenlens.cli.output import output_path
from eigenlens.cli.run_fit import number_or_rule
from eigenlens.cli.wording import wording_of_command
from eigenlens.errors import EigenlensError, OptionError
from eigenlens.errors.system import os_errors
from eigenlens.model.page import model_page

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["EXAMPLES", "TITLE", "Wines", "demo", "load_wines", "number_or_rule", "python_call"]

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


ReportFile = Annotated[
    str | None,
    option(
        OUTPUT,
        "--report",
        metavar="FILE",
        help=f"Where to write the page; by default {PAGE}, which is replaced.",
    ),
]
NoReport = Annotated[bool, option(OUTPUT, "--no-report", help="Write no page, only print.")]


@make_command
def demo(
    call: Call,
    k: Components = "auto",
    solver: SolverName = "auto",
    report: ReportFile = None,
    no_report: NoReport = False,
    force: Force = False,
) -> CommandAnswer:
    """Fit measurements of wines; print what was found, what is proven, and why; write a page.

    The wines come with scikit-learn: nothing is downloaded. With --json a page is written only
    where --report asks for one.
    """
    from eigenlens.fit import fit

    target = plan_page(report, no_report, force, call)
    table = load_wines()
    model = fit(table.frame(), number_or_rule(k), scale="std", solver=solver)
    told: list[str] = [python_call(k, solver)]
    failure = None
    try:
        path = None if target is None else write_demo_page(model, table, target, call)
    except EigenlensError as error:
        path, failure = None, error
    if path is not None:
        told.append(f"Report: {path} (open it in a browser)")
    result = {**model_result(model), "report": None if path is None else str(path)}
    page = model_page(model, TITLE, "\n".join(told))
    return CommandAnswer(page, model_data(model), result, failure=failure)


def plan_page(asked: str | None, unwanted: bool, force: bool, call: Call) -> Path | None:
    """Where the page goes; None where none is wanted."""
    if unwanted and asked is not None:
        raise OptionError.excludes("report", "no_report")
    if asked is not None:
        return output_path(asked, force)
    return None if unwanted or call.saying.as_json else PAGE


def write_demo_page(model: Subspace, table: Wines, target: Path, call: Call) -> Path | None:
    """The page; None, and a note, where nobody asked for it and what it takes is not installed."""
    from eigenlens.report.write import report

    try:
        if target == PAGE:
            make_folder(PAGE.parent)
        return report(
            model,
            table.frame(),
            target,
            groups={"grower": list(table.growers)},
            title="Wines of three growers",
            command=call.line,
        )
    except OptionError as error:
        if target != PAGE or "package" not in error.fields:
            raise
        call.talk.note(f"no page: {error.say(wording_of_command())}")
        return None


def make_folder(folder: Path) -> None:
    with os_errors(PAGE, "written"):
        folder.mkdir(exist_ok=True)


def python_call(k: str, solver: str) -> str:
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


def load_wines() -> Wines:
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
