"""A model as one JSON document: every number of it, under the names it has in Python.

`schema` names the version of this layout; a field may be added within a version, never renamed or
removed. Floats are written so that they read back as the same float64.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eigenlens.document.json_values import plain_record, plain_value

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["SCHEMA", "write_json"]

SCHEMA = "eigenlens.model/1"
FIELDS = (
    "n_rows", "n_features", "n_components", "feature_names", "components", "eigenvalues", "mean",
    "scale", "total_variance", "feature_variances", "explained_ratio", "noise_variance",
)  # fmt: skip


def write_json(model: Subspace, path: Path) -> None:
    text = json.dumps(json_record(model), allow_nan=False, ensure_ascii=False)
    # A lone surrogate in a column's name has no UTF-8; then everything is escaped.
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            text = json.dumps(json_record(model), allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")


def json_record(model: Subspace) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        **{name: plain_value(getattr(model, name)) for name in FIELDS},
        "certificate": {
            **plain_record(model.certificate),
            "sentences": list(model.certificate.sentences),
        },
        "choices": {name: plain_record(verdict) for name, verdict in model.choices.items()},
        "provenance": plain_value(model.provenance),
    }
