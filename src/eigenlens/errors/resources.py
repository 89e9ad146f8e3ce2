"""Errors about what a fit may use: memory, and the file of a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from eigenlens.errors.options import OptionError
from eigenlens.errors.phrasing import FileName, Option, Phrase, SetOption

__all__ = ["CheckpointError", "MemoryBudgetError"]

OTHER_CHECKPOINT = Phrase("choose another path with {}", Option("checkpoint"))


class MemoryBudgetError(OptionError):
    """memory="""

    @classmethod
    def too_small(cls, given_bytes: int, least_bytes: int) -> Self:
        return cls(
            f"the memory budget is {given_bytes} byte{'s' * (given_bytes != 1)}, but this fit "
            f"needs at least {least_bytes}.",
            Phrase("pass {} or more", SetOption("memory", f"{-(-least_bytes // 10**6)}MB")),
            "ask for fewer components or columns",
            given=given_bytes,
            option="memory",
        )

    @classmethod
    def kernel_matrix(cls, n: int, needed: int, given: int, landmarks: int) -> Self:
        fewer = Phrase(
            "pass {} with {} or fewer",
            SetOption("method", "nystrom"),
            SetOption("n_landmarks", landmarks),
        )
        return cls.of(
            "{setting} with {n} rows needs {needed:.3g} GB for {n} x {n} matrices, but the memory "
            "budget is {budget:.3g} GB.",
            *([fewer] if landmarks else []),
            Phrase("pass {}", SetOption("memory", f"{-(-needed // 10**9)}GB")),
            setting=SetOption("method", "exact"),
            n=n,
            needed=needed / 1e9,
            budget=given / 1e9,
            option="memory",
            given=given,
        )

    @classmethod
    def landmarks(cls, asked: int, needed: int, given: int, landmarks: int) -> Self:
        fewer = Phrase("pass {} or fewer", SetOption("n_landmarks", landmarks))
        return cls.of(
            "{asked} landmark{plural} {needed} MB, but the memory budget is {budget:.3g} MB.",
            *([fewer] if landmarks else []),
            Phrase("pass {}", SetOption("memory", f"{-(-needed // 10**6)}MB")),
            asked=asked,
            plural=" needs" if asked == 1 else "s need",
            needed=-(-needed // 10**6),
            budget=given / 1e6,
            option="memory",
            given=given,
        )

    @classmethod
    def unreadable(cls, value: object) -> Self:
        return cls.of(
            "{setting} is not a memory budget.",
            Phrase("pass a size such as {}", SetOption("memory", "2GB")),
            Phrase("pass a fraction of all memory such as {}", SetOption("memory", 0.25)),
            setting=SetOption("memory", value),
            option="memory",
            given=value,
        )


class CheckpointError(OptionError):
    """The checkpoint cannot be written, read, or used for this fit."""

    @classmethod
    def of_another_fit(cls, path: object, different: Mapping[str, tuple[object, object]]) -> Self:
        """`different`: what differs -> (in the checkpoint, in this call)."""
        parts = [f"{what} (was {then}, is {now})" for what, (then, now) in different.items()]
        return cls.of(
            "the checkpoint {path} belongs to another fit, which differs in {differences}.",
            "repeat the call of that fit to resume it",
            "delete the file to start over",
            differences="; ".join(parts),
            path=FileName(path),
        )

    @classmethod
    def no_place(cls, path: object, reason: object) -> Self:
        return cls.of(
            "no checkpoint can be written at {path}: {reason}.",
            "choose a file in a folder that exists and can be written to",
            reason=reason,
            path=FileName(path),
        )

    @classmethod
    def in_use(cls, path: object) -> Self:
        return cls.of(
            "the checkpoint {path} is in use by another fit that is still running.",
            "wait until it has ended",
            OTHER_CHECKPOINT,
            path=FileName(path),
        )

    @classmethod
    def foreign(cls, path: object) -> Self:
        return cls.of(
            "{path} is not a checkpoint of this version of eigenlens, and was not changed.",
            OTHER_CHECKPOINT,
            path=FileName(path),
        )

    @classmethod
    def unreadable(cls, path: object, reason: object) -> Self:
        return cls.of(
            "cannot resume from the checkpoint {path}: {reason}.",
            "delete the file to start over",
            OTHER_CHECKPOINT,
            reason=reason,
            path=FileName(path),
        )

    @classmethod
    def not_written(cls, path: object, reason: object) -> Self:
        return cls.of(
            "the checkpoint {path} could not be written: {reason}. The one written before, if any, "
            "is intact.",
            "free some space",
            OTHER_CHECKPOINT,
            reason=reason,
            path=FileName(path),
        )
