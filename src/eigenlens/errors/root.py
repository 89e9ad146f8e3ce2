"""What everything else descends from: an error is fields and remedies first, and words second.

error.fields        what was found, by name: option, given, allowed, path, line, rows, ...
error.remedies      what to do, as values
str(error)          both, in Python's words
error.say(wording)  both, in the words of another front end
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Self

from eigenlens.errors.phrasing import (
    PYTHON,
    FileName,
    Option,
    Phrase,
    PhrasePart,
    Said,
    SetOption,
    Wording,
    count_things,
    list_remedies,
    say,
)
from eigenlens.errors.remedies import AllowPasses, PythonCode

__all__ = [
    "EigenlensError",
    "Explained",
    "ExplainedWarning",
    "NotCertified",
    "OutlyingCells",
]

COMMON = {"option", "given", "allowed", "path", "line", "rows", "columns"}
PLAIN = (str, bytes, int, float, complex, bool, type(None), type, PurePath)


class Explained(Exception):
    """An exception made of a message, fields and remedies.

    The fields that several errors have are attributes too, None where an error has no such field.
    """

    option: str | None = None
    given: Any = None
    allowed: Any = None
    path: str | None = None
    line: int | None = None
    rows: Any = None
    columns: Any = None

    def __init__(self, message: Said = "", *remedies: Said, **fields: object) -> None:
        self.message = message
        self.remedies = remedies
        self.fields: Mapping[str, Any] = fields
        for name in COMMON & fields.keys():
            value = fields[name]
            setattr(self, name, str(value.path) if isinstance(value, FileName) else value)
        super().__init__(self.say(PYTHON))

    @classmethod
    def of(cls, template: str, *remedies: Said, **fields: object) -> Self:
        """`template`: in the syntax of `str.format`, with the names of fields."""
        return cls(Phrase(template, **fields), *remedies, **fields)

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors cross borders of processes: what cannot be pickled goes as its words."""
        message = portable(self.message)
        remedies = tuple(portable(one) for one in self.remedies)
        fields = {name: portable(value) for name, value in self.fields.items()}
        return rebuild_error, (type(self), message, remedies, fields)

    def __str__(self) -> str:
        return self.say(PYTHON)

    def say(self, wording: Wording) -> str:
        return " ".join(filter(None, (say(self.message, wording), self.way_out(wording))))

    @property
    def cause(self) -> str:
        """What is wrong, without what to do about it."""
        need = self.fields.get("need")
        return (
            say(self.message, PYTHON).rstrip(".") if need is None else f"needs {say(need, PYTHON)}"
        )

    def way_out(self, wording: Wording) -> str:
        """What to do, as one sentence."""
        return list_remedies(self.remedies, wording)

    def is_sayable(self, wording: Wording) -> bool:
        return True

    def about(self, names: Mapping[str, str]) -> Self:
        """The same error, with other names for files (as given -> as the user knows them)."""
        return type(self)(
            rename_files(self.message, names),
            *(rename_files(one, names) for one in self.remedies),
            **{name: rename_files(value, names) for name, value in self.fields.items()},
        )


def rebuild_error(
    kind: type[Explained], message: Said, remedies: tuple[Said, ...], fields: Mapping[str, Any]
) -> Explained:
    return kind(message, *remedies, **fields)


class Described:
    """Stands for a value that stayed in another process."""

    def __init__(self, words: str) -> None:
        self.words = words

    def __repr__(self) -> str:
        return self.words


def portable(value: Any) -> Any:
    if isinstance(value, Phrase):
        return Phrase(value.template, **{n: portable(one) for n, one in value.fields.items()})
    if isinstance(value, SetOption):
        return SetOption(value.name, portable(value.value))
    if isinstance(value, list | tuple):
        return (
            type(value)(portable(one) for one in value) if type(value) in (list, tuple) else value
        )
    if isinstance(value, Mapping):
        return {portable(name): portable(one) for name, one in value.items()}
    is_whole = (
        isinstance(value, (*PLAIN, PhrasePart, Described)) or type(value).__module__ == "numpy"
    )
    return value if is_whole else Described(repr(value))


def rename_files(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, Phrase):
        return Phrase(
            value.template, **{n: rename_files(one, names) for n, one in value.fields.items()}
        )
    if isinstance(value, Explained):
        return value.about(names)
    if isinstance(value, FileName):
        return FileName(names.get(str(value.path), value.path))
    return value


class EigenlensError(Explained):
    """Every error that eigenlens raises on purpose."""


def round_tolerance_up(number: float) -> float:
    """To one digit, and no less than the number."""
    found = float(f"{number:.0e}")
    if found >= number:
        return found
    return float(f"{number + 0.5 * 10.0 ** math.floor(math.log10(number)):.0e}")


class ExplainedWarning(Explained, UserWarning):
    """Something to know about a result that is there all the same."""

    def warn(self) -> None:
        """Point at the line outside eigenlens that made the call, however deep it came from."""
        level, frame = 1, sys._getframe(1)
        while frame.f_back is not None and is_ours(frame.f_globals.get("__name__", "")):
            level, frame = level + 1, frame.f_back
        warnings.warn(self, stacklevel=level + 1)


class NotCertified(ExplainedWarning):
    """The requested tolerance was not certified; the result states what was."""

    @classmethod
    def reached(
        cls, tolerance: float, reached: float, passes: int, solver: str, iterates: bool
    ) -> Self:
        """`solver`: its name; `iterates`: whether more passes may bring it closer."""
        return cls.of(
            "{asked} was requested, but after {done} the eigenvalues are certified only "
            "to a relative error of {reached:.3g}.",
            *([AllowPasses()] if iterates else []),
            Phrase("pass {} or more", SetOption("tolerance", round_tolerance_up(reached))),
            *([Phrase("pass {}", SetOption("solver", "svd"))] if solver != "svd" else []),
            done=count_things(passes, "pass"),
            asked=SetOption("tolerance", float(f"{tolerance:.3g}")),
            passes=passes,
            reached=reached,
            option="tolerance",
            given=tolerance,
        )

    @classmethod
    def stopped(cls, passes: int, reached: float) -> Self:
        return cls(
            f"the solver stopped after {passes} pass{'' if passes == 1 else 'es'}; its eigenvalues "
            f"are certified only to a relative error of {reached:.3g}.",
            AllowPasses(),
            PythonCode("pass a larger iterated_power= to a scikit-learn class"),
            Phrase("let the solver be chosen: {}", SetOption("solver", "auto")),
            reached=reached,
        )

    @classmethod
    def not_at_rest(cls, defect: float, passes: int) -> Self:
        return cls.of(
            "the estimate of the missing cells is not at rest after {passes} passes: one more "
            "would change the expected covariance matrix by {defect:.1e} (relative).",
            PythonCode("allow more passes with missing=eigenlens.missing.Gaussian(max_passes=...)"),
            passes=passes,
            defect=defect,
        )

    @classmethod
    def indefinite(cls, name: str, share: float, least: float) -> Self:
        return cls(
            f"the centered {name!r} kernel matrix is not positive semidefinite: {share:.2%} of it "
            f"is negative, down to the eigenvalue {least:.4g}. The components and the certificate "
            "are those of its positive part.",
        )

    @classmethod
    def gap(cls, tolerance: float, reached: float, steps: int) -> Self:
        return cls.of(
            "{asked} was requested, but after {steps} steps the objective is certified only to a "
            "relative error of {reached:.3g}.",
            Phrase("allow more steps with {}", Option("max_iterations")),
            Phrase("pass {}", SetOption("tolerance", float(f"{reached:.1g}"))),
            "pass a larger penalty",
            asked=SetOption("tolerance", float(f"{tolerance:.3g}")),
            reached=reached,
            steps=steps,
            option="tolerance",
            given=tolerance,
        )


class OutlyingCells(ExplainedWarning):
    """A few cells or rows hold what the components show, far beyond chance."""

    @classmethod
    def turned(cls, angle: float, chance: float, share: float, components: int) -> Self:
        which = "component" if components == 1 else f"{components} components"
        return cls.of(
            "without the pull of outlying cells ({share:.2%} of all), the first {which} would turn "
            "by {angle:.0f} degrees (two halves of the rows differ by {chance:.0f}).",
            Phrase(
                "compare with {} and {}", SetOption("robust", "rows"), SetOption("robust", "cells")
            ),
            angle=angle,
            chance=chance,
            share=share,
            which=which,
            components=components,
        )


def is_ours(module: str) -> bool:
    return module.partition(".")[0] == __name__.partition(".")[0]
