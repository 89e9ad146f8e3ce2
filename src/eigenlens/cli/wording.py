"""wording: errors and warnings of the library, said in the words of the command that was typed.

An error holds options and remedies as values (`errors/phrasing.py`). Here they become what one
types in a shell, taken from the options that the command really has:

    SetOption("k", 4)              -k 4
    SetOption("center", False)     --no-center
    Overwrite()                    pass --force to overwrite it

A remedy whose option this command does not have is left out.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from eigenlens.errors.phrasing import Option, Phrase, Said, SetOption, shorten
from eigenlens.errors.remedies import (
    FitMatrix,
    Install,
    LeaveOutColumns,
    LoadModel,
    NameKind,
    NameModel,
    Overwrite,
    TreatMissing,
)

__all__ = ["ShellWording", "wording_for", "wording_of_command"]

# What an argument of the library is called in a command, where the names differ.
ALIASES: Mapping[str, tuple[str, ...]] = {
    "n_components": ("k",),
    "out": ("output",),
    "max_epochs": ("epochs",),
    "group": ("color",),
    "groups": ("group", "color"),
    "labels": ("id",),
    "kind": ("measure",),
    "name": ("basis",),
    "supplementary_rows": ("sup_rows",),
}
MOST_NAMES, MOST_LETTERS = 5, 120


def leave_out(remedy: LeaveOutColumns) -> Said:
    names = [str(name) for name in remedy.names]
    typed = ",".join(names)
    short = 0 < len(names) <= MOST_NAMES and len(typed) <= MOST_LETTERS
    exclude = SetOption("exclude", typed) if short else Option("exclude")
    return Phrase("leave the column{} out with {}", "" if len(names) == 1 else "s", exclude)


def treat_missing_cells(remedy: TreatMissing) -> Said:
    left_out = remedy.leave_out(SetOption("missing", "drop"))
    if not remedy.estimable:
        return left_out
    return Phrase("{}, or {}", remedy.estimate(SetOption("missing", "auto")), left_out)


SIGNS = ",.;:"

REMEDIES: Mapping[type, Callable[[Any], Said]] = {
    TreatMissing: treat_missing_cells,
    FitMatrix: lambda _: Phrase("if it is one, pass {}", SetOption("covariance", True)),
    Install: lambda remedy: f"install it: pip install 'eigenlens[{remedy.extra}]'",
    LeaveOutColumns: leave_out,
    LoadModel: lambda remedy: f"look at it with: eigenlens show {shlex.quote(remedy.path)}",
    NameKind: lambda _: Phrase("say what it is with {}", Option("format")),
    NameModel: lambda _: "pass a file that 'eigenlens fit -o' wrote",
    Overwrite: lambda _: Phrase("pass {} to overwrite it", Option("force")),
}


class ShellWording:
    """`parameters`: the options of one command."""

    def __init__(self, parameters: Sequence[Any] = ()) -> None:
        self.parameters = {one.name: one for one in parameters if one.name is not None}

    def parameter(self, name: str) -> Any:
        for called in (name, *ALIASES.get(name, ())):
            if called in self.parameters:
                return self.parameters[called]
        return None

    def knows(self, option: str) -> bool:
        return self.parameter(option) is not None

    def option(self, name: str, hint: str) -> str:
        found = self.parameter(name)
        return name.replace("_", " ") if found is None else spelling_of(found)

    def setting(self, name: str, value: object) -> str:
        found = self.parameter(name)
        if found is None:
            return f"{name.replace('_', ' ')} {shell_value(value)}"
        if getattr(found, "is_flag", False):
            return str(found.opts[0] if value else (found.secondary_opts or found.opts)[0])
        return f"{spelling_of(found)} {shell_value(value)}"

    def remedy(self, remedy: Any) -> Said | None:
        say = REMEDIES.get(type(remedy))
        return None if say is None else say(remedy)


def spelling_of(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.opts[0].upper())
    return str(parameter.opts[0])


def shell_value(value: Any) -> str:
    """As it is typed: no quotes but those that a shell needs."""
    if isinstance(value, list | tuple):
        return shlex.quote(",".join(map(str, value)))
    if isinstance(value, float) and value.is_integer():
        value = f"{value:.17g}"
    text = shorten(value, 200)
    if text and not text.strip(SIGNS):  # a comma would be read as one of the sentence
        return f"'{text}'"
    return shlex.quote(text) if text else "''"


RUNNING: ContextVar[ShellWording | None] = ContextVar("RUNNING", default=None)


@contextmanager
def wording_for(parameters: Sequence[Any]) -> Iterator[None]:
    """While inside, a command with these options is running."""
    before = RUNNING.set(ShellWording(parameters))
    try:
        yield
    finally:
        RUNNING.reset(before)


def wording_of_command() -> ShellWording:
    """Of the command that is running."""
    return RUNNING.get() or ShellWording()
