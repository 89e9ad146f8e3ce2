"""Errors about model files: what is wrong with one, and what to do instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from eigenlens.errors.files import FileError
from eigenlens.errors.phrasing import FileName, Phrase, SetOption, list_words
from eigenlens.errors.remedies import NameModel, PythonCode

__all__ = ["ModelFileError"]

UPGRADE = "upgrade: pip install --upgrade eigenlens"


class ModelFileError(FileError):
    """A model file cannot be read, cannot be trusted, or cannot be written."""

    @property
    def reason(self) -> str:
        return str(self.fields.get("reason", ""))

    @classmethod
    def not_a_model(cls, path: object, reason: str) -> Self:
        return cls.of(
            "{path} is not a model file of eigenlens: {reason}.",
            NameModel(),
            path=FileName(path),
            reason=reason,
        )

    @classmethod
    def refused(cls, path: object, reason: object) -> Self:
        return cls.of(
            "the model file {path} is refused: {reason}. It is damaged or was edited, and nothing "
            "in it was used.",
            "copy it again",
            "save the model again",
            path=FileName(path),
            reason=reason,
        )

    @classmethod
    def unsound(cls, path: object, reason: str) -> Self:
        return cls.of(
            "the model was not saved to {path}, because it could not be loaded again: {reason}.",
            "save the model that fit returned, or one made by truncate or merge",
            path=FileName(path),
            reason=reason,
        )

    @classmethod
    def newer(cls, path: object, what: str, found: int, known: int) -> Self:
        return cls.of(
            "{path} was written by a newer eigenlens: {what} has version {found}, and this one "
            "reads up to {known}.",
            UPGRADE,
            path=FileName(path),
            what=what,
            found=found,
            known=known,
        )

    @classmethod
    def other_kind(cls, path: object, kind: str, known: Iterable[str]) -> Self:
        return cls.of(
            "{path} holds a model of the kind {kind!r}, and this eigenlens reads {listing}.",
            UPGRADE,
            path=FileName(path),
            kind=kind,
            listing=list_words(known),
        )

    @classmethod
    def too_large(cls, path: object, size: int, budget: int) -> Self:
        return cls.of(
            "{path} takes {size} bytes, but the memory budget is {budget}.",
            Phrase("if that is right, pass {}", SetOption("memory", f"{-(-size // 10**6)}MB")),
            path=FileName(path),
            size=size,
            budget=budget,
        )

    @classmethod
    def cannot_hold(cls, what: str, why: str) -> Self:
        return cls(
            f"a model file cannot hold {what}: {why}.",
            PythonCode("replace it with dataclasses.replace(model, ...), and save the result"),
            what=what,
        )
