"""`eigenlens compare`: how far two models point the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from eigenlens.cli.command import Call, CommandAnswer, make_command
from eigenlens.cli.document import model_data
from eigenlens.cli.models import load_subspace
from eigenlens.document.page import Page, Section, list_sentences, show_table
from eigenlens.document.phrases import count_things
from eigenlens.document.table import Table
from eigenlens.model.page import describe_preparation

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["EXAMPLES", "compare"]

EXAMPLES = (
    ("eigenlens compare monday.eigenlens tuesday.eigenlens", "angles, and which axis is which"),
    ("eigenlens compare a.eigenlens b.eigenlens --json", "for programs"),
)

HEADINGS = {
    "component": "component of A",
    "matched": "component of B",
    "angle": "degrees apart",
    "proportion": "share in A",
    "matched_proportion": "share in B",
}
First = Annotated[str, typer.Argument(metavar="A", help="A model file.")]
Second = Annotated[str, typer.Argument(metavar="B", help="Another model of the same columns.")]


@make_command
def compare(a: First, b: Second, call: Call) -> CommandAnswer:
    """Compare two models: principal angles and matched axes."""
    from eigenlens.explain import compare as compared

    one, two = load_subspace(a), load_subspace(b)
    found = compared(one, two)
    angles = Table(
        {
            "angle": list(range(1, len(found.angles) + 1)),
            "degrees": [float(angle) for angle in found.angles],
        }
    )
    page = Page(
        f"{a} and {b}",
        (
            describe_model(a, one),
            describe_model(b, two),
        ),
        (
            Section("Summary", [list_sentences(found.sentences())]),
            Section("Matched components", [show_table(found.table(), most=20, headings=HEADINGS)]),
            Section("Principal angles", [show_table(angles, most=20)]),
        ),
    )
    result = {
        "principal_angles": found.angles,
        "matched_axes": list(found.table().lines()),
        "sentences": found.sentences(),
    }
    return CommandAnswer(page, {"a": model_data(one), "b": model_data(two)}, result)


def describe_model(name: str, model: Subspace) -> str:
    components = count_things(model.n_components, "component")
    return f"{name}: {components} of {model.n_rows:,} rows, {describe_preparation(model)}."
