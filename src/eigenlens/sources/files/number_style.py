"""Numbers as people write them: decimal commas, separators of thousands, percent, currency.

| written                              | read as                                                   |
|--------------------------------------|-----------------------------------------------------------|
| 0,5   12,25   1.234,5                | decimal comma; a point before three digits is of thousands|
| 1,234.5   1,234,567                  | comma of thousands                                        |
| 1 234,5   1'234.5                    | spaces and apostrophes of thousands                       |
| 12.3%   12,3 %                       | 12.3: the number as written                               |
| $4.50   4,50 €   EUR 4.50   (4.50)   | the amount; in parentheses it is negative                 |
| 1,234 and no more than that          | both are possible: the style of the column is not certain |

A style holds for a whole column. Text is a number in a style where all of it is; a column is
numbers in a style where all its entries are, but for a few mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

__all__ = ["PLAIN_STYLE", "NumberStyle", "find_styles", "is_like_number", "read_styled_numbers"]

SPACE = "[ \t\u00a0]"
GROUPING = {
    "": "",
    ",": ",",
    ".": r"\.",
    " ": "[ \u00a0\u2009\u202f]",
    "'": "['\u2019]",
}
MINUS = "[-\u2212]"
SIGN = "[-+\u2212]"
CODES = "USD|EUR|GBP|JPY|CHF|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|KRW|TRY|RUB"
CURRENCY = f"(?:(?:US|CA|AU|NZ|R|C|A)?[$£¥¤฿\u20a0-\u20bf]|{CODES})"
EXPONENT = r"(?:[eE][-+]?\d+)?"
# Digits with anything between them that people put there; an exponent; nothing else.
CORE = rf"(?:\d[\d.,'\u2019 \u00a0\u2009\u202f]*{EXPONENT}|[.,]\d+{EXPONENT})"
PREFIX = rf"{SPACE}*{SIGN}?{SPACE}*"
LIKE_NUMBER = re.compile(
    rf"(?P<open>{SPACE}*\()?{PREFIX}(?P<before>{CURRENCY})?{PREFIX}(?P<core>{CORE}){SPACE}*"
    rf"(?P<after>%|{CURRENCY})?{SPACE}*(?(open)\){SPACE}*|)"
)
PAIRS = (
    (".", ""), (",", ""), (".", ","), (",", "."), (".", " "), (",", " "), (".", "'"), (",", "'"),
)  # fmt: skip


@dataclass(frozen=True)
class NumberStyle:
    decimal: str = "."
    thousands: str = ""
    unit: str = ""  # "%", or a currency, that stands with the numbers

    @property
    def core(self) -> str:
        """Digits of such a number; both Python and Arrow read the expression."""
        point = re.escape(self.decimal)
        whole = r"\d+"
        if self.thousands:
            whole = rf"(?:[1-9]\d{{0,2}}(?:{GROUPING[self.thousands]}\d{{3}})+|\d+)"
        return rf"(?:{whole}(?:{point}\d*)?{EXPONENT}|{point}\d+{EXPONENT})"

    @cached_property
    def pattern(self) -> str:
        unit = f"(?:{re.escape(self.unit)})?"
        signed = f"{PREFIX}{unit}{PREFIX}{self.core}{SPACE}*{unit}{SPACE}*"
        return f"(?:{signed}|{SPACE}*\\({signed}\\){SPACE}*)"

    def matches(self, text: str) -> bool:
        return compile_pattern(self.pattern).fullmatch(text) is not None

    def __str__(self) -> str:
        words = {",": "commas", ".": "points", " ": "spaces", "'": "apostrophes"}
        parts = [f"decimal {words[self.decimal][:-1]}"] if self.decimal != "." else []
        parts += [f"{words[self.thousands]} of thousands"] if self.thousands else []
        parts += [f"numbers with '{self.unit}'"] if self.unit else []
        return ", ".join(parts)


PLAIN_STYLE = NumberStyle()


@lru_cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def is_like_number(text: str) -> bool:
    """Whether text is a number in some style."""
    return bool(find_styles([text]))


def find_styles(texts: Collection[str]) -> tuple[NumberStyle, ...]:
    """The styles in which all these are numbers; several where they give different numbers."""
    found = [LIKE_NUMBER.fullmatch(text) for text in texts]
    seen = [one for one in found if one is not None]
    if not seen or len(seen) < len(found):
        return ()
    unit = unit_shared(seen)
    cores = [one["core"].rstrip() for one in seen]
    if unit is None:
        return ()
    letters = set("".join(cores))
    return tuple(
        NumberStyle(decimal, thousands, unit)
        for decimal, thousands in PAIRS
        if is_needed(decimal, thousands, letters) and all_written(cores, decimal, thousands)
    )


def unit_shared(found: Collection[re.Match[str]]) -> str | None:
    """The unit that all have, or none has; None where they differ."""
    units = {(one["before"] or one["after"] or "") for one in found}
    if any(one["before"] and one["after"] for one in found) or len(units - {""}) > 1:
        return None
    unit = next(iter(units - {""}), "")
    bare = [one["core"] for one in found if not (one["before"] or one["after"])]
    # 12 % is not the 12 of a share that was written without the sign; nothing is nothing.
    if unit == "%" and any(set(core) - set("0.,") for core in bare):
        return None
    return unit


def is_needed(decimal: str, thousands: str, letters: Collection[str]) -> bool:
    """Whether this pair says more than a simpler one about text with these letters."""
    groups = {"": "", " ": " \u00a0\u2009\u202f", "'": "'\u2019"}.get(thousands, thousands)
    if thousands and not set(groups) & set(letters):
        return False
    return decimal in letters or decimal == "." or thousands == "."


def all_written(cores: Collection[str], decimal: str, thousands: str) -> bool:
    core = compile_pattern(NumberStyle(decimal, thousands).core)
    if not all(core.fullmatch(one) for one in cores):
        return False
    # Who groups digits groups all of them: 1,234 beside 5678 is not a number of thousands.
    return not thousands or not any(re.match(r"\d{4}", one) for one in cores)


def read_styled_numbers(texts: Any, style: NumberStyle) -> Any:
    """Arrow strings as an Arrow array of float64; ArrowInvalid where one is no number."""
    import pyarrow
    from pyarrow import compute

    fits = compute.match_substring_regex(texts, f"^{style.pattern}$")
    if compute.all(fits).as_py() is False:
        raise pyarrow.ArrowInvalid("not a number")
    numbers = compute.replace_substring_regex(texts, r"^[ \t]*\((.*)\)[ \t]*$", r"-\1")
    for part, plain in (
        (re.escape(style.unit) or None, ""),
        (GROUPING[style.thousands] or None, ""),
        (SPACE, ""),
        (MINUS, "-"),
    ):
        if part is not None:
            numbers = compute.replace_substring_regex(numbers, part, plain)
    if style.decimal != ".":
        numbers = compute.replace_substring(numbers, style.decimal, ".")
    return numbers.cast(pyarrow.float64())
