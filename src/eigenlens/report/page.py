"""page: sections laid out by the templates, everything escaped but what we made ourselves."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from eigenlens.document.html import escape_text, render_part
from eigenlens.document.phrases import brief
from eigenlens.report.drawing import colors_of, ramps
from eigenlens.report.facts import Facts
from eigenlens.report.map_columns import map_columns
from eigenlens.report.map_figure import library, map_figures
from eigenlens.report.sections import sections_of
from eigenlens.report.summary import summary_of
from eigenlens.version import __version__

__all__ = ["page_of", "script_safe"]

MOST_LETTERS_OF_TITLE = 120


def page_of(facts: Facts, title: str) -> str:
    """The whole file, as text."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    shelf = Environment(
        loader=PackageLoader("eigenlens.report", "templates"),
        finalize=lambda value: Markup(escape_text(value)) if type(value) is str else value,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shelf.filters["ours"] = Markup  # for what this package drew or wrote itself
    shelf.filters["html"] = lambda parts: Markup("".join(map(render_part, parts)))
    sections = sections_of(facts)
    columns = map_columns(facts)
    return shelf.get_template("page.html").render(
        title=brief(title, MOST_LETTERS_OF_TITLE),
        summary=summary_of(facts),
        sections=sections,
        map_data=script_safe({**columns, "ramps": ramps()}),
        map_plan=script_safe(map_figures(columns)),
        library=library(),
        light=colors_of(0),
        dark=colors_of(1),
        version=__version__,
        made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )


def script_safe(value: Any) -> str:
    """JSON for inside a script element: nothing in it can end the element, or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
