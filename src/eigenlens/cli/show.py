"""`eigenlens show`: what is in a model file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eigenlens.cli.command import Answer, Call, command
from eigenlens.cli.document import model_data, model_result
from eigenlens.cli.kernel_model import kernel_page, refuse_for_kernels
from eigenlens.cli.model_page import choices, eigenvalues, proven, variables
from eigenlens.cli.models import loaded_with_kernels, prepared
from eigenlens.cli.options import Convention, ModelFile
from eigenlens.cli.page import Listed, Page, Section
from eigenlens.model.export.plain_values import plain_value
from eigenlens.model.page import headline

if TYPE_CHECKING:
    from eigenlens.kernel.subspace import KernelSubspace
    from eigenlens.model.subspace import Subspace

__all__ = ["EXAMPLES", "show"]

EXAMPLES = (
    ("eigenlens show run.eigenlens", "where it comes from, what it holds, what is proven"),
    ("eigenlens show run.eigenlens --json | jq .result.eigenvalues", "for programs"),
)


@command
def show(model: ModelFile, call: Call, convention: Convention = None) -> Answer:
    """Print what is in a model file."""
    from eigenlens.explain import variables as explained
    from eigenlens.model.subspace import Subspace

    found = loaded_with_kernels(model)
    if not isinstance(found, Subspace):
        refuse_for_kernels({"--convention": convention})
        return kernel_page(model, found, origin(found))
    table = explained(found, convention=convention)
    page = Page(
        model,
        (headline(found), f"Columns {prepared(found)}."),
        (
            eigenvalues(found),
            variables(found),
            Section("Where it comes from", (Listed(origin(found)),)),
            proven(found),
            choices(found),
        ),
        f"Next: eigenlens transform {model} DATA",
    )
    result = {
        **model_result(found),
        "feature_names": found.feature_names,
        "prepared": prepared(found),
        "provenance": found.provenance,
        "variables": list(table.lines()),
    }
    return Answer(page, model_data(found), result)


def origin(model: Subspace | KernelSubspace) -> tuple[tuple[str, str], ...]:
    """Data, version and settings, one line each."""
    facts: dict[str, Any] = dict(model.provenance)
    settings = facts.pop("settings", {})
    lines = {name: facts[name] for name in ("data", "command", "eigenlens") if name in facts}
    lines |= {name: value for name, value in plain_value(settings).items() if value is not None}
    return tuple((name, str(value)) for name, value in lines.items())
