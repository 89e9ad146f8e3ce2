"""How the numbers of a CSV file are written, as far as its first megabyte is certain about it.

One entry can be read in two ways: 1,234 is a thousand and more, or one and a bit. What another
column shows decides, for a file is written by one program: 0,5 anywhere means decimal commas
everywhere, 1,234.5 or 3.14 means points. Where both are seen, each column goes by itself. Where
nothing decides, the column is unclear, and reading it is an error that names the options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from eigenlens.document.verdict import Verdict
from eigenlens.errors.phrasing import enquote, list_words
from eigenlens.sources.files.csv_layout import CsvLayout
from eigenlens.sources.files.number_style import NumberStyle, find_styles, is_like_number
from eigenlens.sources.files.text_format import TextFormat

__all__ = ["add_number_styles"]

FEW = 0.05  # of the entries may be mistakes
LOOKED_AT = 50
SHOWN = 5
AGAIN = "set 'decimal' or 'thousands' to change this"

ReadHead = Callable[[CsvLayout, Sequence[int] | None], list[Any]]
Styles = tuple[NumberStyle, ...]


def add_number_styles(layout: CsvLayout, said: TextFormat, read_head: ReadHead) -> CsvLayout:
    """The layout with decimal sign, styles of columns, and those that are unclear."""
    decimal = said.decimal or {".": ",", ",": "."}.get(said.thousands or "")
    columns = read_head(replace(layout, decimal=decimal or "."), None)
    texts = {place: texts_in(one) for place, one in enumerate(columns) if is_string(one.type)}
    found = {place: styles_of(some) for place, some in texts.items()}
    found = {place: styles for place, styles in found.items() if styles}
    reason = "it was said that numbers are written so"
    if decimal is None:
        decimal, reason = decide_decimal(layout, found, texts, columns, read_head)
    if decimal == "," and said.decimal is None and said.thousands is None:
        # Points are of thousands then: columns that seemed to have decimals are looked at again.
        columns = read_head(replace(layout, decimal=decimal), None)
        texts = {place: texts_in(one) for place, one in enumerate(columns) if is_string(one.type)}
        found = {place: styles_of(some) for place, some in texts.items()}
        found = {place: styles for place, styles in found.items() if styles}
    styles, unclear = {}, {}
    for place, possible in found.items():
        left = [one for one in possible if is_allowed(one, decimal, said)] or list(possible)
        if len(left) == 1 and is_certain(left[0], texts[place], decimal, said):
            styles[place] = left[0]
        elif len(left) > 1:
            unclear[place] = tuple(left)
    layout = replace(layout, decimal=decimal or ".", styles=styles, unclear=unclear)
    return replace(layout, numbers=describe_numbers(layout, texts, reason, said))


def decide_decimal(
    layout: CsvLayout,
    found: Mapping[int, Styles],
    texts: Mapping[int, Sequence[str]],
    columns: Sequence[Any],
    read_head: ReadHead,
) -> tuple[str | None, str]:
    """The decimal sign that the file shows; None where it shows none, or both."""
    shown = {
        styles[0].decimal: place
        for place, styles in found.items()
        if len(styles) == 1 and shows_decimal(styles[0], texts[place])
    }
    if "," in shown:
        points = [place for place, one in enumerate(columns) if str(one.type) == "double"]
        written = read_head(layout, points) if points else []
        for place, column in zip(points, written, strict=True):
            if len(styles_of(texts_in(column))) == 1:
                shown["."] = place
    elif any(str(one.type) == "double" for one in columns):
        return ".", "other columns have decimal points"
    if len(shown) != 1:
        return None, ""
    ((decimal, place),) = shown.items()
    sample = next((text for text in texts[place] if decimal in text), texts[place][0])
    return decimal, f"column {enquote(layout.name(place))} holds {enquote(sample)}"


def is_allowed(style: NumberStyle, decimal: str | None, said: TextFormat) -> bool:
    if said.thousands is not None and style.thousands not in ("", said.thousands):
        return False
    return decimal is None or style.decimal == decimal or style.thousands in (" ", "'")


def is_certain(
    style: NumberStyle, texts: Sequence[str], decimal: str | None, said: TextFormat
) -> bool:
    """Points of thousands alone may be anything, addresses for example, unless commas are seen."""
    if style.thousands != "." or said.thousands == "." or decimal == ",":
        return True
    return any("," in text for text in texts)


def shows_decimal(style: NumberStyle, texts: Sequence[str]) -> bool:
    if style.thousands == ".":
        return any("," in text for text in texts)
    return style.thousands == "," or any(style.decimal in text for text in texts)


def styles_of(texts: Sequence[str]) -> Styles:
    """The styles of the entries, but for a few mistakes."""
    some = texts[:LOOKED_AT]
    if 2 * sum(map(is_like_number, some)) < len(some):
        return ()
    alike = [text for text in texts if is_like_number(text)]
    wrong = len(texts) - len(alike)
    if not alike or wrong > max(1, FEW * len(texts)) or (wrong and len(alike) < 3):
        return ()
    return find_styles(alike)


def texts_in(column: Any) -> list[str]:
    """The different entries of a column of text."""
    return [one for one in column.drop_null().unique().to_pylist() if one.strip()]


def is_string(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind))


def describe_numbers(
    layout: CsvLayout, texts: Mapping[int, Sequence[str]], reason: str, said: TextFormat
) -> Verdict | None:
    """What is said in `choices`; None where all numbers are plain."""
    kinds: dict[str, list[str]] = {}
    for place, style in layout.styles.items():
        # Decimal commas are said once, of the whole file.
        words = str(replace(style, decimal=".") if style.decimal == layout.decimal else style)
        if words:
            kinds.setdefault(words, []).append(layout.name(place))
    parts = [f"{words} ({list_words(names, SHOWN)})" for words, names in kinds.items()]
    if layout.decimal == ",":
        parts.insert(0, f"decimal commas, since {reason}")
    if not parts:
        return None
    rule = "request" if said.decimal or said.thousands else "first rows"
    again = "" if rule == "request" else f"; {AGAIN}"
    evidence = {"decimal": layout.decimal, "columns": {word: kinds[word] for word in kinds}}
    return Verdict(layout.decimal, rule, f"{'; '.join(parts)}{again}", evidence)
