"""`eigenlens show`: what is in a model file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eigenlens.cli.command import Call, CommandAnswer, make_command
from eigenlens.cli.document import model_data, model_result
from eigenlens.cli.kernel_model import kernel_page, refuse_for_kernels
from eigenlens.cli.models import load_any_model
from eigenlens.cli.options import ConventionOption, ModelFile
from eigenlens.document.json_values import plain_value
from eigenlens.document.page import Page, Section, list_pairs, list_sentences, show_table
from eigenlens.document.table import Table
from eigenlens.model.page import (
    certificate_section,
    choices_section,
    describe_preparation,
    variance_section,
)

if TYPE_CHECKING:
    from eigenlens.kernel.subspace import KernelSubspace
    from eigenlens.model.subspace import Subspace

__all__ = ["EXAMPLES", "show"]

EXAMPLES = (
    ("eigenlens show run.eigenlens", "where it comes from, what it holds, what is proven"),
    ("eigenlens show run.eigenlens --json | jq .result.eigenvalues", "for programs"),
)


MOST_VARIABLES, MOST_AXES = 20, 5


@make_command
def show(model: ModelFile, call: Call, convention: ConventionOption = None) -> CommandAnswer:
    """Print what is in a model file."""
    from eigenlens.explain import variables as explained
    from eigenlens.model.subspace import Subspace

    found = load_any_model(model)
    if not isinstance(found, Subspace):
        refuse_for_kernels({"--convention": convention})
        return kernel_page(model, found, origin(found))
    table = explained(found, convention=convention)
    page = Page(
        model,
        (found.headline, f"Columns {describe_preparation(found)}."),
        (
            variance_section(found),
            correlations_section(found),
            Section("Origin", [list_pairs(origin(found))]),
            certificate_section(found),
            choices_section(found),
        ),
        f"Next: eigenlens transform {model} DATA",
    )
    result = {
        **model_result(found),
        "feature_names": found.feature_names,
        "prepared": describe_preparation(found),
        "provenance": found.provenance,
        "variables": list(table.lines()),
    }
    return CommandAnswer(page, model_data(found), result)


def correlations_section(model: Subspace) -> Section:
    """Correlations of the variables with the leading components."""
    from eigenlens.explain import variables

    count = model.n_components
    if not count:
        return Section("Correlations", [list_sentences(["The model keeps no component."])])
    table, shown = variables(model), min(count, MOST_AXES)
    wide = {"variable": list(table["variable"][::count])}
    for place in range(shown):
        wide[f"PC{place + 1}"] = list(table["correlation"][place::count])
    heading = "Correlations of the variables with the components"
    if shown < count:
        heading += f" (the first {shown} of {count})"
    return Section(heading, [show_table(Table(wide, table.notes), most=MOST_VARIABLES)])


def origin(model: Subspace | KernelSubspace) -> tuple[tuple[str, str], ...]:
    """Data, version and settings, one line each."""
    facts: dict[str, Any] = dict(model.provenance)
    settings = facts.pop("settings", {})
    lines = {name: facts[name] for name in ("data", "command", "eigenlens") if name in facts}
    lines |= {name: value for name, value in plain_value(settings).items() if value is not None}
    return tuple((name, str(value)) for name, value in lines.items())
