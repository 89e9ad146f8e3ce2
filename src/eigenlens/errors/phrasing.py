"""Words of a message: phrases with parts that each front end says in its own way.

    Phrase("ask for {} or fewer", SetOption("k", 4))     in Python   ask for k=4 or fewer
                                                         in a shell  ask for -k 4 or fewer

A part is a small value. `PYTHON` says it as a call in Python; the command line has a wording of its
own, which knows the options of the command that was typed. A remedy that a front end cannot say is
left out there, so that nobody is told to type what does not exist.
"""

from __future__ import annotations

import difflib
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

__all__ = [
    "PYTHON",
    "FileName",
    "Option",
    "Phrase",
    "PhrasePart",
    "Said",
    "SetOption",
    "Wording",
    "count_things",
    "did_you_mean",
    "enquote",
    "escape_controls",
    "is_sayable",
    "list_remedies",
    "list_things",
    "list_words",
    "say",
    "shorten",
]

MOST_LETTERS = 60
JOINERS = "\u200c\u200d"  # hold letters and emoji together, and hide nothing


# -- plain text ----------------------------------------------------------------------------


def escape_controls(text: str) -> str:
    """Text from outside for a screen: control characters are spelled out."""
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or one in JOINERS else one.encode("unicode_escape").decode()
        for one in text
    )


def shorten(name: object, most: int = MOST_LETTERS) -> str:
    """A name for a sentence, cut in the middle where it is longer than `most`."""
    text = str(name)
    if len(text) <= most:
        return text
    tail = (most - 1) // 2  # both ends stay: of a path, the last part tells most
    return f"{text[: most - 1 - tail]}…{text[-tail:]}"


def enquote(name: object, most: int = MOST_LETTERS) -> str:
    return repr(shorten(name, most)) if isinstance(name, str) else repr(name)


def list_words(names: Iterable[object], limit: int = 10, quote: bool = True) -> str:
    """'a', 'b', 'c' and 5 more."""
    everything = list(names)
    shown = ", ".join(enquote(name) if quote else shorten(name) for name in everything[:limit])
    more = len(everything) - limit
    return f"{shown} and {more} more" if more > 0 else shown


def list_things(thing: str, names: Iterable[object], limit: int = 10) -> str:
    """ "column 'a'", "columns 'a', 'b'"."""
    everything = list(names)
    return f"{thing}{'' if len(everything) == 1 else 's'} {list_words(everything, limit)}"


def count_things(count: int, thing: str) -> str:
    """'1 column', '2,000 columns', 'no columns', '2 entries'."""
    several = f"{thing}es" if thing.endswith("s") else f"{thing}s"
    if thing.endswith("ry"):
        several = f"{thing[:-1]}ies"
    return f"{count:,} {thing if count == 1 else several}" if count else f"no {several}"


def did_you_mean(asked: Iterable[object], known: Iterable[object]) -> str:
    """The nearest known spelling of the first asked one that has any, as a sentence, or nothing."""
    # Compared by their beginnings: the search takes the square of their length.
    spellings = {shorten(one).casefold(): one for one in known}
    for one in asked:
        near = difflib.get_close_matches(shorten(one).casefold(), list(spellings), n=1)
        if near and isinstance(one, str):
            return f" Did you mean {enquote(spellings[near[0]])}?"
    return ""


# -- parts ---------------------------------------------------------------------------------


class Wording(Protocol):
    """How a front end says options and remedies."""

    def knows(self, option: str) -> bool: ...
    def option(self, name: str, hint: str) -> str: ...
    def setting(self, name: str, value: object) -> str: ...
    def remedy(self, remedy: Any) -> Said | None:
        """What this front end says for a remedy of `errors.remedies`; None: nothing."""


@runtime_checkable
class PhrasePart(Protocol):
    """Anything with words that depend on the front end."""

    def say(self, wording: Wording) -> str: ...
    def is_sayable(self, wording: Wording) -> bool: ...


Said = str | PhrasePart


@dataclass(frozen=True)
class Option:
    """An option without a value: `columns=[...]`, `--columns`."""

    name: str
    hint: str = ""

    def say(self, wording: Wording) -> str:
        return wording.option(self.name, self.hint)

    def is_sayable(self, wording: Wording) -> bool:
        return wording.knows(self.name)


@dataclass(frozen=True)
class SetOption:
    """An option with its value: `k=4`, `-k 4`."""

    name: str
    value: Any

    def say(self, wording: Wording) -> str:
        return wording.setting(self.name, self.value)

    def is_sayable(self, wording: Wording) -> bool:
        return wording.knows(self.name)


@dataclass(frozen=True)
class FileName:
    """A path in quotes, cut only where it is longer than a few lines."""

    path: object

    def say(self, wording: Wording) -> str:
        return enquote(str(self.path), 400)

    def is_sayable(self, wording: Wording) -> bool:
        return True


class Phrase:
    """A template in the syntax of `str.format`, and what stands in its places."""

    def __init__(self, template: str, *values: object, **fields: object) -> None:
        self.template = template
        self.fields: Mapping[str, object] = {
            **{str(i): one for i, one in enumerate(values)},
            **fields,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return phrase_of, (self.template, dict(self.fields))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Phrase):
            return False
        return (self.template, self.fields) == (other.template, other.fields)

    __hash__ = None  # type: ignore[assignment]

    def say(self, wording: Wording) -> str:
        said = []
        for text, name, spec, conversion in pieces_of_phrase(self.template):
            said.append(text)
            if name is not None:
                said.append(fill(self.fields[name], spec, conversion, wording))
        return "".join(said)

    def is_sayable(self, wording: Wording) -> bool:
        return all(is_sayable(value, wording) for value in self.fields.values())


def phrase_of(template: str, fields: Mapping[str, object]) -> Phrase:
    return Phrase(template, **fields)


def pieces_of_phrase(template: str) -> Iterator[tuple[str, str | None, str, str | None]]:
    place = 0
    for text, name, spec, conversion in string.Formatter().parse(template):
        if name == "":
            name, place = str(place), place + 1
        yield text, name, spec or "", conversion


def fill(value: object, spec: str, conversion: str | None, wording: Wording) -> str:
    if isinstance(value, PhrasePart):
        return value.say(wording)
    if conversion == "r":
        return format(plain_repr(value), spec)
    return format(value, spec)


def plain_repr(value: Any) -> str:
    """As one types it: numbers of numpy are numbers, and arrays are cut short."""
    item = getattr(value, "item", None)
    if item is not None and getattr(value, "ndim", None) == 0 and hasattr(value, "dtype"):
        value = item()
    return shorten(repr(value), 200)


def say(said: Said, wording: Wording) -> str:
    return said.say(wording) if isinstance(said, PhrasePart) else said


def is_sayable(said: object, wording: Wording) -> bool:
    return said.is_sayable(wording) if isinstance(said, PhrasePart) else True


def list_remedies(remedies: Iterable[Said], wording: Wording) -> str:
    """One sentence: Do this, that, or something else."""
    clauses = [say(one, wording) for one in remedies if is_sayable(one, wording)]
    if not clauses:
        return ""
    last = clauses.pop()
    sentence = f"{', '.join(clauses)}, or {last}" if clauses else last
    return f"{sentence[:1].upper()}{sentence[1:].removesuffix('.')}."


class PythonWording:
    """Options are arguments, and remedies are calls."""

    def knows(self, option: str) -> bool:
        return True

    def option(self, name: str, hint: str) -> str:
        return f"{name}={hint}"

    def setting(self, name: str, value: object) -> str:
        return f"{name}={plain_repr(value)}"

    def remedy(self, remedy: Any) -> Said | None:
        return remedy.in_python()  # type: ignore[no-any-return]


PYTHON = PythonWording()
