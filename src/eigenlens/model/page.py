"""The page a model prints: eigenvalues, the certificate in words, every choice with its reason."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from html import escape
from typing import Protocol

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.record import upward
from eigenlens.verdict import Verdict

__all__ = ["HEADINGS", "Shown", "headline", "html", "more", "rows", "text"]

MOST_LINES = 12
LINE_LENGTH = 100
HEADINGS = ("component", "eigenvalue", "certified", "proportion", "cumulative")


class Proven(Protocol):
    @property
    def eigenvalue_bounds(self) -> Float64Array: ...

    @property
    def sentences(self) -> tuple[str, ...]: ...


class Shown(Protocol):
    """A model, as far as its page goes."""

    @property
    def headline(self) -> str: ...

    @property
    def n_components(self) -> int: ...

    @property
    def eigenvalues(self) -> Float64Array: ...

    @property
    def explained_ratio(self) -> Float64Array: ...

    @property
    def certificate(self) -> Proven: ...

    @property
    def choices(self) -> Mapping[str, Verdict]: ...


def rows(model: Shown, most: int = MOST_LINES) -> list[tuple[str, ...]]:
    """One line per component: name, eigenvalue, its bounds, proportion, cumulative."""
    count = min(model.n_components, most)
    values = model.eigenvalues[:count]
    bounds = model.certificate.eigenvalue_bounds[:count]
    cumulative = np.cumsum(model.explained_ratio)
    return [
        (
            f"PC{index + 1}",
            value,
            certified(float(values[index]), float(low), float(high)),
            f"{model.explained_ratio[index]:.2%}",
            f"{min(cumulative[index], 1.0):.2%}",
        )
        for index, (value, (low, high)) in enumerate(zip(aligned(values), bounds, strict=True))
    ]


def aligned(values: Float64Array) -> list[str]:
    """Six digits of the largest and the same number of decimals below, where that shows enough."""
    largest, smallest = float(values.max(initial=0.0)), float(values.min(initial=np.inf))
    if not 1e-4 <= largest < 1e6 or smallest < 1e-3 * largest:
        return [f"{value:.6g}" for value in values]
    decimals = 5 - int(np.floor(np.log10(largest)))
    return [f"{value:.{decimals}f}" for value in values]


def certified(value: float, low: float, high: float) -> str:
    """The bounds rounded outward; how far they reach where six digits would not tell them apart."""
    if f"{low:.6g}" == f"{high:.6g}":
        return f"± {upward(max(high - value, value - low))}"
    return f"{outward(low, np.floor)} to {outward(high, np.ceil)}"


def outward(value: float, rounded: np.ufunc) -> str:
    if value == 0:
        return "0"
    step = 10.0 ** (np.floor(np.log10(abs(value))) - 5)
    return f"{float(rounded(value / step) * step):.6g}"


def headline(model: Shown) -> str:
    return model.headline


def more(model: Shown, most: int = MOST_LINES) -> str:
    hidden = model.n_components - most
    return f"... and {hidden} more" if hidden > 0 else ""


def text(model: Shown) -> str:
    table = [HEADINGS, *rows(model)]
    widths = [max(len(line[column]) for line in table) for column in range(len(HEADINGS))]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in table
    ]
    names = max(map(len, model.choices), default=0) + 2
    choices = [
        wrapped(f"{name + ':':<{names}}{verdict}", indent=names)
        for name, verdict in model.choices.items()
    ]
    proof = [wrapped(sentence) for sentence in model.certificate.sentences]
    table_end = [more(model), ""] if more(model) else [""]
    if not model.n_components:
        lines = table_end = []
    return "\n".join([headline(model), "", *lines, *table_end, *proof, "", *choices])


def wrapped(sentence: str, indent: int = 0) -> str:
    return textwrap.fill(
        sentence, LINE_LENGTH, subsequent_indent=" " * indent, break_on_hyphens=False
    )


def html(model: Shown) -> str:
    head = "".join(f"<th>{escape(heading)}</th>" for heading in HEADINGS)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>"
        for line in rows(model)
    )
    choices = "".join(
        f"<li><b>{escape(name)}</b>: {escape(str(verdict))}</li>"
        for name, verdict in model.choices.items()
    )
    hidden = f"<p>{escape(more(model))}</p>" if more(model) else ""
    return (
        f"<p><b>{escape(headline(model))}</b></p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{hidden}"
        f"<p>{escape(str(model.certificate))}</p><ul>{choices}</ul>"
    )
