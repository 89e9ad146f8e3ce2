"""method: what is proven, what was done, with which settings, and how to do it again."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np

from eigenlens.digest.digest import Digest
from eigenlens.digest.summary import preparation_words
from eigenlens.document.page import Code, PagePart, Section, answer_section, show_table
from eigenlens.document.phrases import count_things
from eigenlens.document.table import Table
from eigenlens.model.page import eigenvalue_figures, proof_sentences
from eigenlens.version import __version__

__all__ = ["method_section", "proof_section"]

MOST_EIGENVALUES = 60


def proof_section(digest: Digest) -> Section:
    model = digest.model
    caption = "Eigenvalues and their proven bounds"
    parts = [eigenvalue_figures(model, MOST_EIGENVALUES, caption)] if model.n_components else []
    return answer_section("certificate", "Certificate", proof_sentences(model), parts)


GLOSSARY = {
    "component (PC)": "a direction in which the rows vary most, given those before it",
    "score": "where a row lies along a component",
    "eigenvalue": "the variance of the scores along a component",
    "loading": "eigenvector × √eigenvalue: covariance with the standardized component",
    "correlation": "of a variable with the scores along a component",
    "contribution": "percent of a component that a variable, or a row, makes",
    "cos²": "share of a variable, or of a row, that a component shows",
    "T²": "squared distance of a row within the components, in units of their variance",
    "Q": "squared distance of a row to the components: what they do not explain of it",
    "η²": "share of a component's variance that lies between groups",
    "v-test": "distance of a group's mean from the center, in units of what chance would give",
}


def method_section(digest: Digest) -> Section:
    model = digest.model
    settings = dict(model.provenance.get("settings", {}))
    says = [
        f"Principal component analysis of {count_things(model.n_rows, 'row')} and "
        f"{count_things(model.n_features, 'column')}: "
        f"columns {preparation_words(digest)}. Variances divide by "
        f"{'n − 1' if model.mean is not None else 'n'}. The entry of largest magnitude in each "
        f"component is positive; signs have no other meaning."
    ]
    rows: dict[str, Any] = {name: str(value) for name, value in settings.items()}
    rows |= {"eigenlens": __version__, "numpy": np.__version__, "Python": platform.python_version()}
    rows |= {"seed of this page": str(digest.seed), "checksum of the rows": digest.checksum}
    choices = model.choices
    parts: list[PagePart] = [
        show_table(
            Table({"setting": list(rows), "value": list(rows.values())}), "Settings", folded=True
        ),
        show_table(
            Table(
                {
                    "choice": list(choices),
                    "value": [str(one.value) for one in choices.values()],
                    "rule": [one.rule for one in choices.values()],
                    "reason": [one.reason for one in choices.values()],
                }
            ),
            "Choices",
            sentences=("reason",),
        ),
        show_table(
            Table({"word": list(GLOSSARY), "means": list(GLOSSARY.values())}),
            "Glossary",
            sentences=("means",),
            folded=True,
        ),
        Code(digest.code, "Reproduce this page"),
        Code(f"eigenlens {__version__}: PCA that proves its answer.", "To cite"),
    ]
    return answer_section("method", "Method and settings", says, parts)
