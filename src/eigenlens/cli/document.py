"""Answers as one JSON document: what the screen shows, for programs.

`schema` names the command and the version of this layout; a field may be added within a version,
never renamed or removed. Numbers that are not finite are null.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from eigenlens import __version__
from eigenlens.document.json_values import plain_record, plain_value

if TYPE_CHECKING:
    from eigenlens.kernel.subspace import KernelSubspace
    from eigenlens.model.subspace import Subspace

__all__ = [
    "SCHEMA_VERSION",
    "json_envelope",
    "model_data",
    "model_result",
]

SCHEMA_VERSION = 1


def json_envelope(
    command: str,
    args: Mapping[str, Any],
    data: Mapping[str, Any],
    result: Mapping[str, Any],
    warnings: Iterable[str] = (),
) -> dict[str, Any]:
    """What was asked, what was read, what came out: the same for every command."""
    return {
        "schema": f"eigenlens.{command}/{SCHEMA_VERSION}",
        "tool_version": __version__,
        "args": plain_value(args),
        "data": plain_value(data),
        "warnings": list(warnings),
        "result": plain_value(result),
    }


def model_data(model: Subspace | KernelSubspace) -> dict[str, Any]:
    return {
        "rows": model.n_rows,
        "columns": model.n_features,
        "dtype": str(model.provenance["dtype"]),
    }


def model_result(model: Subspace | KernelSubspace) -> dict[str, Any]:
    from eigenlens.explain.eigenvalues import eigenvalues

    return {
        "n_components": model.n_components,
        "total_variance": plain_value(model.total_variance),
        "eigenvalues": list(eigenvalues(model).lines()),
        "certificate": {
            "sentences": list(model.certificate.sentences),
            **plain_record(model.certificate),
        },
        "choices": {name: plain_record(verdict) for name, verdict in model.choices.items()},
    }
