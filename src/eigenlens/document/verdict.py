"""Verdict: the record every automatic choice and every answer comes back in.

Value, the rule that found it, the reason in one sentence, the numbers it rests on, and the ends of
the interval where only an interval is known. `str(verdict)` is one line:

    12 (between 11 and 14): 12 components hold 95.3% of the variance [fraction]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Verdict"]


@dataclass(frozen=True)
class Verdict:
    value: Any
    rule: str
    reason: str
    evidence: Mapping[str, Any] = field(default_factory=dict, hash=False)
    low: Any = None
    high: Any = None

    def __str__(self) -> str:
        return f"{self.answer}: {self.reason} [{self.rule}]"

    def _repr_html_(self) -> str:
        from eigenlens.document.html import escape_text
        from eigenlens.document.notebook import notebook_html

        said = f"<b>{escape_text(self.answer)}</b>: {escape_text(self.reason)}"
        return notebook_html(f"<p>{said} <small>[{escape_text(self.rule)}]</small></p>")

    @property
    def answer(self) -> str:
        """The value, with its interval where there is one."""
        return f"{format_value(self.value)}{self.interval}"

    @property
    def interval(self) -> str:
        """' (between 11 and 14)', one-sided where only one end is known, empty where neither is.

        Empty too where both ends meet: then the value says it all.
        """
        if self.low == self.high:
            return ""
        if self.high is None:
            return f" (at least {format_value(self.low)})"
        if self.low is None:
            return f" (at most {format_value(self.high)})"
        return f" (between {format_value(self.low)} and {format_value(self.high)})"


def format_value(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
