"""`eigenlens fit --covariance`: a model of a matrix, and the page that says what is known of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from eigenlens.cli.command import Call, CommandAnswer
from eigenlens.cli.document import model_data, model_result
from eigenlens.cli.fit_screen import fit_page
from eigenlens.cli.options import ANALYSIS, BudgetOptions, SearchOptions, option
from eigenlens.cli.run_fit import number_or_rule
from eigenlens.digest.leading_components import leading_components
from eigenlens.document.page import Page
from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["MatrixOptions", "answer_matrix"]


@dataclass(frozen=True)
class MatrixOptions:
    covariance: Annotated[
        bool,
        option(
            ANALYSIS, "--covariance", help="DATA is a covariance or correlation matrix, not rows."
        ),
    ] = False
    n_rows: Annotated[
        int | None,
        option(
            ANALYSIS,
            "--n-rows",
            metavar="N",
            help="With --covariance: the number of rows that it was computed from.",
        ),
    ] = None

    @property
    def is_asked_for(self) -> bool:
        return self.covariance or self.n_rows is not None

    def refuse_rows(self, asked: Iterable[str]) -> None:
        """What is said of rows cannot be said of a matrix."""
        if not self.covariance:
            remedy = Phrase("pass {} too", SetOption("covariance", True))
            raise OptionError.needs(Option("n_rows"), "a covariance matrix", remedy)
        others = [name for name in asked if name != "model"]
        if others:
            raise OptionError.excludes(others[0], "covariance")


def answer_matrix(
    data: list[str],
    matrix: MatrixOptions,
    searching: SearchOptions,
    budget: BudgetOptions,
    call: Call,
    output: Path | None,
    in_full: bool,
) -> CommandAnswer:
    """The model of the matrix in the one file given, saved where that is asked for."""
    from eigenlens.fit_matrix import fit_covariance

    if len(data) != 1 or data[0] == "-":
        raise OptionError.needs(Option("covariance"), "one file", "pass the file of the matrix")
    model = fit_covariance(
        data[0],
        number_or_rule(searching.k),
        n_rows=matrix.n_rows,
        solver=searching.solver,
        tolerance=searching.tolerance,
        seed=budget.seed,
    )
    origin = {"data": data[0], "command": call.line}
    model = replace(model, provenance={**model.provenance, **origin})
    if output is not None:
        model.save(output)
        call.talk.note(f"wrote {output}")
    page = matrix_page(model, data[0], in_full)
    return CommandAnswer(page, model_data(model), model_result(model))


def matrix_page(model: Subspace, path: str, in_full: bool) -> Page:
    rows = "" if model.n_rows else ", --n-rows N for sampling intervals"
    closing = (
        f"Next: add -k N{rows}, -o run.eigenlens\n"
        "      eigenlens plot run.eigenlens scree -o scree.svg"
    )
    leading = leading_components(model, None)
    return fit_page(model, Path(path).name, None, leading, closing, in_full=in_full)
