"""The page a model prints: eigenvalues, the certificate in words, every choice with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.certificate.record import round_up
from eigenlens.document.page import Cell, Figures, Page, Section, list_sentences, list_verdicts
from eigenlens.document.phrases import format_percent, format_share
from eigenlens.document.verdict import Verdict
from eigenlens.model.missing_cells import MissingCells

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = [
    "PageModel",
    "align_decimals",
    "certificate_section",
    "choices_section",
    "describe_preparation",
    "eigenvalue_figures",
    "model_headline",
    "model_html",
    "model_page",
    "model_text",
    "proof_sentences",
    "variance_section",
]

MOST_LINES = 12
# A narrow screen drops the last ones first.
HEADINGS = ("component", "proportion", "cumulative", "eigenvalue", "certified")


class Proven(Protocol):
    @property
    def eigenvalue_bounds(self) -> Float64Array: ...

    @property
    def sentences(self) -> tuple[str, ...]: ...


class PageModel(Protocol):
    """A model, as far as its page goes."""

    @property
    def headline(self) -> str: ...

    @property
    def n_components(self) -> int: ...

    @property
    def missing(self) -> MissingCells | None: ...

    @property
    def eigenvalues(self) -> Float64Array: ...

    @property
    def explained_ratio(self) -> Float64Array: ...

    @property
    def certificate(self) -> Proven: ...

    @property
    def choices(self) -> Mapping[str, Verdict]: ...


def model_page(model: PageModel, title: str = "", closing: str = "") -> Page:
    sections = (variance_section(model), certificate_section(model), choices_section(model))
    return Page(title, (model.headline,), sections, closing)


def model_headline(model: Subspace, brief: bool = False) -> str:
    """How many components of what, and the share of the variance that they hold."""
    origin = f" from {model.n_rows} rows" if model.n_rows else " from a covariance matrix"
    return (
        f"{model.n_components} of {model.n_features} dimensions{'' if brief else origin}, "
        f"{format_percent(model.certificate.captured_ratio, 2)} of the variance"
    )


def model_text(model: PageModel) -> str:
    from eigenlens.document.text import page_text

    return page_text(model_page(model))


def model_html(model: PageModel) -> str:
    from eigenlens.document.html import page_html
    from eigenlens.document.notebook import notebook_html

    return notebook_html(page_html(model_page(model)))


def describe_preparation(model: Subspace) -> str:
    """What was done to the columns: 'centered and standardized'."""
    from eigenlens.model.merge import is_standardized

    centered = "centered" if model.mean is not None else "not centered"
    if model.scale is None:
        return f"{centered}, not scaled"
    return f"{centered} and {'standardized' if is_standardized(model) else 'divided by a scale'}"


def variance_section(model: PageModel) -> Section:
    """One line per component; none where the model keeps none."""
    return Section("Explained variance", [eigenvalue_figures(model)] if model.n_components else [])


def certificate_section(model: PageModel) -> Section:
    return Section("Certificate", [list_sentences(proof_sentences(model))])


def proof_sentences(model: PageModel) -> tuple[str, ...]:
    """What is proven about the answer, and about the estimates of missing cells in it."""
    holes = () if model.missing is None else tuple(model.missing.sentences())
    return (*model.certificate.sentences, *holes)


def choices_section(model: PageModel) -> Section:
    return Section("Choices", [list_verdicts(model.choices)])


def eigenvalue_figures(model: PageModel, most: int = MOST_LINES, caption: str = "") -> Figures:
    """One line per component: name, proportion, cumulative, eigenvalue, proven bounds."""
    count = min(model.n_components, most)
    values = model.eigenvalues[:count]
    bounds = model.certificate.eigenvalue_bounds[:count]
    cumulative = np.cumsum(model.explained_ratio)
    lines = (
        (
            f"PC{index + 1}",
            format_share(float(model.explained_ratio[index]), 2),
            format_share(min(float(cumulative[index]), 1.0), 2),
            value,
            format_bounds(float(values[index]), float(low), float(high)),
        )
        for index, (value, (low, high)) in enumerate(
            zip(align_decimals(values), bounds, strict=True)
        )
    )
    return Figures(
        HEADINGS,
        tuple(tuple(map(Cell, line)) for line in lines),
        (False, True, True, True, True),
        caption,
        rest=model.n_components - count,
        code="eigenlens.explain.eigenvalues(model)",
        bars=tuple(float(share) for share in model.explained_ratio[:count]),
        bars_after=HEADINGS.index("proportion"),
    )


def align_decimals(values: Float64Array) -> list[str]:
    """Six digits of the largest and the same number of decimals below, where that shows enough."""
    largest, smallest = float(values.max(initial=0.0)), float(values.min(initial=np.inf))
    if not 1e-4 <= largest < 1e6 or smallest < 1e-3 * largest:
        return [f"{value:.6g}" for value in values]
    decimals = 5 - int(np.floor(np.log10(largest)))
    return [f"{value:.{decimals}f}" for value in values]


def format_bounds(value: float, low: float, high: float) -> str:
    """The bounds rounded outward; how far they reach where six digits would not tell them apart."""
    if f"{low:.6g}" == f"{high:.6g}":
        return f"± {round_up(max(high - value, value - low))}"
    return f"{round_outward(low, np.floor)} to {round_outward(high, np.ceil)}"


def round_outward(value: float, rounding: np.ufunc) -> str:
    if value == 0:
        return "0"
    step = 10.0 ** (np.floor(np.log10(abs(value))) - 5)
    return f"{float(rounding(value / step) * step):.6g}"
