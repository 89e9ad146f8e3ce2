"""Sections: the page from top to bottom, each a function of the digest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eigenlens.digest.digest import Digest
from eigenlens.document.page import Section
from eigenlens.report.sections.categories import categories_section
from eigenlens.report.sections.cells import cells_section
from eigenlens.report.sections.checks import (
    flatness_section,
    reconstruction_section,
    stability_section,
)
from eigenlens.report.sections.components import components_section, variables_section
from eigenlens.report.sections.data import count_section, data_section
from eigenlens.report.sections.groups import groups_section
from eigenlens.report.sections.method import method_section, proof_section
from eigenlens.report.sections.missing import missing_section
from eigenlens.report.sections.rows import map_section, outliers_section

__all__ = ["ORDER", "sections_of"]

ORDER: tuple[Callable[[Digest], Section | None], ...] = (
    data_section,
    count_section,
    components_section,
    map_section,
    variables_section,
    groups_section,
    outliers_section,
    cells_section,
    reconstruction_section,
    stability_section,
    flatness_section,
    proof_section,
    method_section,
)


def sections_of(digest: Digest) -> Sequence[Section]:
    """Those that have something to say about this model."""
    order = list(ORDER)
    if digest.model.categories is not None:
        order.insert(order.index(groups_section), categories_section)
    if digest.lacks_cells:
        order.insert(1, missing_section)  # after the check of the data
    found = (section(digest) for section in order)
    return [section for section in found if section is not None]
