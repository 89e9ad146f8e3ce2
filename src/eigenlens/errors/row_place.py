"""Where a row stands that an error is about."""

from __future__ import annotations

from dataclasses import dataclass

from eigenlens.errors.phrasing import enquote

__all__ = ["RowPlace"]


@dataclass(frozen=True)
class RowPlace:
    """Where a row stands: its line in a file, and what it calls itself."""

    line: int | None = None
    name: str | None = None
    file: str | None = None  # where there are several

    def __str__(self) -> str:
        of = "the file" if self.file is None else enquote(self.file)
        parts = [] if self.name is None else [f"named {enquote(self.name)}"]
        return ", ".join(parts if self.line is None else [f"line {self.line} of {of}", *parts])
