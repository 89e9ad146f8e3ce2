"""Parts of a page as HTML: plain markup that a notebook shows and the report dresses.

Everything is escaped but the SVG of a chart, which this package drew. Characters that would turn
the direction of the words after them are spelled out.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from eigenlens.document.page import (
    Card,
    Cell,
    Chart,
    Code,
    Figures,
    Gallery,
    Page,
    PagePart,
    Section,
    Sentences,
)
from eigenlens.document.phrases import count_things

__all__ = ["escape_text", "page_html", "part_html", "render_section", "table_html"]

TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
LONG = 30  # letters of a cell that may be wrapped


def escape_text(text: str) -> str:
    if not TURNING.isdisjoint(text):
        text = "".join(f"\\u{ord(sign):04x}" if sign in TURNING else sign for sign in text)
    return escape(text)


def page_html(page: Page) -> str:
    """A page for a notebook."""
    title = f"<p><b>{escape_text(page.title)}</b></p>" if page.title else ""
    lead = "".join(f"<p><b>{escape_text(line)}</b></p>" for line in page.lead)
    return title + lead + "".join(map(render_section, page.sections))


def render_section(section: Section) -> str:
    heading = f"<h4>{escape_text(section.heading)}</h4>" if section.heading else ""
    return heading + "".join(map(part_html, section.parts))


def part_html(part: PagePart) -> str:
    if isinstance(part, Sentences):
        return render_sentences(part)
    if isinstance(part, Figures):
        return render_scrolled(part)
    if isinstance(part, Code):
        caption = f"<h3>{escape_text(part.caption)}</h3>" if part.caption else ""
        return f"{caption}<pre><code>{escape_text(part.text)}</code></pre>"
    if isinstance(part, Chart):
        return render_chart(part)
    if isinstance(part, Gallery):
        return f'<div class="side-by-side">{"".join(map(render_chart, part.charts))}</div>'
    return f'<div class="cards">{"".join(map(render_card, part))}</div>'


def render_sentences(part: Sentences) -> str:
    if part.role != "list":
        kind = "says" if part.role == "answer" else "caution"
        return "".join(f'<p class="{kind}">{escape_text(line.text)}</p>' for line in part.lines)
    return f"<ul>{''.join(map(render_line, part.lines))}</ul>" if part.lines else ""


def render_line(line: tuple[str, str, str]) -> str:
    text, label, strong = map(escape_text, line)
    return (
        "<li>"
        + (f"<b>{label}</b>: " if label else "")
        + (f"{strong}: " if strong else "")
        + f"{text}</li>"
    )


def table_html(figures: Figures, caption: str = "") -> str:
    """The table and what stands below it; `caption` is markup."""
    name = f' id="{escape_text(figures.name)}"' if figures.name else ""
    head = "".join(
        f'<th scope="col"{css("n") if number else ""} dir="auto">{escape_text(heading)}</th>'
        for heading, number in zip(figures.headings, figures.numeric, strict=True)
    )
    body = "".join(
        f"<tr>{''.join(map(render_cell, line, figures.numeric))}</tr>" for line in figures.lines
    )
    table = f"<table{name}>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return table + render_rest(figures) + paragraphs(figures.notes)


def render_cell(cell: Cell, number: bool) -> str:
    text = escape_text(cell.text)
    if number and cell.shade:
        side = "up" if cell.shade > 0 else "down"
        return f'<td class="n {side}" style="--s:{abs(cell.shade)}">{text}</td>'
    if number:
        return f'<td class="n">{text}</td>'
    return f'<td{css("long") if len(cell.text) > LONG else ""} dir="auto">{text}</td>'


def render_rest(figures: Figures) -> str:
    if not figures.rest:
        return ""
    code = f": <code>{escape_text(figures.code)}</code>" if figures.code else ""
    more = count_things(figures.rest, "more line")
    return f'<p class="rest">… and {more}{code}</p>'


def render_scrolled(figures: Figures) -> str:
    """A table that scrolls by itself where the window is narrow; folded where it is long."""
    label = escape_text(figures.caption)
    hidden = css("unseen") if figures.folded else ""
    table = (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">'
        f"{table_html(figures, f'<caption{hidden}>{label}</caption>' if label else '')}</div>"
    )
    if figures.folded:
        return f'<details class="listing"><summary>{label}</summary>{table}</details>'
    return table


def render_chart(chart: Chart) -> str:
    drawing = f'<div class="drawing">{chart.svg}</div>'
    if chart.dark:
        drawing = (
            f'<div class="drawing on-light">{chart.svg}</div>'
            f'<div class="drawing on-dark">{chart.dark}</div>'
        )
    return (
        f'<figure class="chart" id="chart-{escape_text(chart.name)}">'
        f"<figcaption>{escape_text(chart.title)}</figcaption>{drawing}"
        f"<details><summary>Numbers and code</summary>"
        f"<pre><code>{escape_text(chart.code)}</code></pre>{render_scrolled(chart.figures)}"
        f"</details></figure>"
    )


def render_card(card: Card) -> str:
    sides = "".join(render_side(*side) for side in card.sides)
    goes = "".join(f"<li>{escape_text(line)}</li>" for line in card.goes_with)
    related = f'<h4>Related columns</h4><ul class="with">{goes}</ul>' if goes else ""
    sure = f'<p class="sure">{escape_text(card.stability)}</p>' if card.stability else ""
    return (
        f'<article class="card"><h3>{card.name} <span>{escape_text(card.share)}</span></h3>'
        f'<div class="poles">{sides}</div>{related}{sure}</article>'
    )


def render_side(heading: str, variables: Iterable[tuple[str, str]], rows: str) -> str:
    listed = "".join(
        f'<li><span dir="auto">{escape_text(name)}</span> <b>{escape_text(number)}</b></li>'
        for name, number in variables
    )
    named = f'<p class="rows">Rows: <bdi>{escape_text(rows)}</bdi></p>' if rows else ""
    body = f"<ul>{listed}</ul>" if listed else "<p>no strong correlation</p>"
    return f"<div><h4>{escape_text(heading)}</h4>{body}{named}</div>"


def paragraphs(texts: Iterable[str]) -> str:
    return "".join(f"<p>{escape_text(text)}</p>" for text in texts)


def css(name: str) -> str:
    return f' class="{name}"'
