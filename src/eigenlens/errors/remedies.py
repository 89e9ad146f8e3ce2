"""Ways out that front ends do not only spell differently: what to do in Python, by name.

A remedy knows its words in Python. The command line says the same in its own terms
(`cli/wording.py`): `Overwrite` is `--force` there, `TreatMissing` is `--missing auto`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eigenlens.errors.phrasing import Option, Phrase, Said, SetOption, Wording, is_sayable, say

__all__ = [
    "AllowPasses",
    "FitMatrix",
    "Install",
    "LeaveOutColumns",
    "LoadModel",
    "NameKind",
    "NameModel",
    "Overwrite",
    "PythonCode",
    "Remedy",
    "TreatMissing",
]


class Remedy:
    """The front end decides how it is said, and whether it can be."""

    def in_python(self) -> Said | None:
        raise NotImplementedError

    def say(self, wording: Wording) -> str:
        return say(wording.remedy(self) or "", wording)

    def is_sayable(self, wording: Wording) -> bool:
        said = wording.remedy(self)
        return said is not None and is_sayable(said, wording)


@dataclass(frozen=True)
class PythonCode(Remedy):
    """Something to do in Python only; other front ends leave it out."""

    words: Said

    def in_python(self) -> Said:
        return self.words


@dataclass(frozen=True)
class Install(Remedy):
    extra: str

    def in_python(self) -> Said:
        return f"install it: pip install 'eigenlens[{self.extra}]'"


@dataclass(frozen=True)
class Overwrite(Remedy):
    """An output that exists may be replaced."""

    def in_python(self) -> Said:
        return "delete it first"


@dataclass(frozen=True)
class TreatMissing(Remedy):
    """Missing cells are estimated, where they can be, or `affected` of `rows` are left out."""

    cells: int
    affected: int
    rows: int
    estimable: bool = True

    def estimate(self, option: Said) -> Phrase:
        which = "the missing cell" if self.cells == 1 else f"the {self.cells} missing cells"
        return Phrase("estimate {} with {}", which, option)

    def leave_out(self, option: Said) -> Phrase:
        which = "the row with it" if self.affected == 1 else f"the {self.affected} rows with them"
        kept = self.rows - self.affected
        left = f"{'1 row is' if kept == 1 else f'{kept} rows are'} left" if kept else "none is left"
        return Phrase("leave out {} with {} ({})", which, option, left)

    def in_python(self) -> Said:
        if not self.estimable:
            return self.leave_out(SetOption("missing", "drop"))
        return Phrase(
            "{} (in fit and PCA; else with eigenlens.Imputer), or {}",
            self.estimate(SetOption("missing", "auto")),
            self.leave_out(SetOption("missing", "drop")),
        )


@dataclass(frozen=True)
class LeaveOutColumns(Remedy):
    names: Sequence[object] = ()

    def in_python(self) -> Said:
        return Phrase("choose other columns with {}", Option("columns", "[...]"))


@dataclass(frozen=True)
class LoadModel(Remedy):
    """A model file was given where a table belongs."""

    path: str

    def in_python(self) -> Said:
        return f"open it with eigenlens.load({self.path!r})"


@dataclass(frozen=True)
class NameKind(Remedy):
    """The ending of a file does not say what it is."""

    def in_python(self) -> None:
        return None


@dataclass(frozen=True)
class NameModel(Remedy):
    """Something else was given where a model file belongs."""

    def in_python(self) -> Said:
        return "pass a file that model.save(...) wrote; to analyze a table, call eigenlens.fit"


@dataclass(frozen=True)
class AllowPasses(Remedy):
    def in_python(self) -> Said:
        return Phrase("allow more passes with {}", Option("max_passes"))


@dataclass(frozen=True)
class FitMatrix(Remedy):
    """A table that is a covariance matrix is to be fitted as one."""

    def in_python(self) -> Said:
        return "if it is one, call eigenlens.fit_covariance(C, k)"
