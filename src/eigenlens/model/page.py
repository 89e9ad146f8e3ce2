"""The page a model prints: eigenvalues, the certificate in words, every choice with its reason."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["html", "rows", "text"]

MOST_LINES = 12
HEADINGS = ("component", "eigenvalue", "certified between", "and", "proportion", "cumulative")


def rows(model: Subspace, most: int = MOST_LINES) -> list[tuple[str, ...]]:
    """One line per component: name, eigenvalue, its bounds, proportion, cumulative."""
    cumulative = np.cumsum(model.explained_ratio)
    lines = []
    for index in range(min(model.n_components, most)):
        low, high = model.certificate.eigenvalue_bounds[index]
        lines.append(
            (
                f"PC{index + 1}",
                f"{model.eigenvalues[index]:.6g}",
                f"{low:.6g}",
                f"{high:.6g}",
                f"{model.explained_ratio[index]:.2%}",
                f"{cumulative[index]:.2%}",
            )
        )
    return lines


def headline(model: Subspace) -> str:
    return (
        f"{model.n_components} of {model.n_features} dimensions from {model.n_rows} rows, "
        f"{model.certificate.captured_ratio:.2%} of the variance"
    )


def more(model: Subspace) -> str:
    hidden = model.n_components - MOST_LINES
    return f"... and {hidden} more" if hidden > 0 else ""


def text(model: Subspace) -> str:
    table = [HEADINGS, *rows(model)]
    widths = [max(len(line[column]) for line in table) for column in range(len(HEADINGS))]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in table
    ]
    choices = [f"{name}: {verdict}" for name, verdict in model.choices.items()]
    parts = [headline(model), "", *lines, *filter(None, [more(model)]), ""]
    return "\n".join([*parts, str(model.certificate), "", *choices])


def html(model: Subspace) -> str:
    head = "".join(f"<th>{escape(heading)}</th>" for heading in HEADINGS)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>"
        for line in rows(model)
    )
    choices = "".join(
        f"<li><b>{escape(name)}</b>: {escape(str(verdict))}</li>"
        for name, verdict in model.choices.items()
    )
    return (
        f"<p><b>{escape(headline(model))}</b></p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f"<p>{escape(more(model))}</p><p>{escape(str(model.certificate))}</p><ul>{choices}</ul>"
    )
