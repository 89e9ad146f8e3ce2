"""Sections: the page from top to bottom, one file each: a function `section(facts)`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from eigenlens.document.page import Section
from eigenlens.report.facts import Facts

__all__ = ["ORDER", "sections_of"]

ORDER = (
    "data_check",
    "how_many",
    "components",
    "row_map",
    "variables",
    "groups",
    "odd_rows",
    "what_is_lost",
    "stability",
    "flatness",
    "certificate",
    "method",
)


def sections_of(facts: Facts) -> Sequence[Section]:
    rooms = [import_module(f"eigenlens.report.sections.{name}") for name in ORDER]
    return [room.section(facts) for room in rooms]
