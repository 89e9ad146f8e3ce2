"""Errors about model files: what is wrong with one, and what to do instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from eigenlens.errors.file import FileError
from eigenlens.errors.wording import listed

__all__ = ["ModelFileError"]


class ModelFileError(FileError):
    """A model file cannot be read, cannot be trusted, or cannot be written."""

    reason: str = ""

    @classmethod
    def not_a_model(cls, path: object, reason: str) -> Self:
        return cls(
            f"{str(path)!r} is not a model file of eigenlens: {reason}. Pass a file that "
            f"model.save(...) wrote; a table of data goes to eigenlens.fit."
        )

    @classmethod
    def refused(cls, path: object, reason: object) -> Self:
        error = cls(
            f"{str(path)!r} is refused as a model: {reason}. It is damaged or was edited, and "
            f"nothing of it was used: copy it again, or save the model again."
        )
        error.reason = str(reason)
        return error

    @classmethod
    def unsound(cls, path: object, reason: str) -> Self:
        return cls(
            f"this model was not saved to {str(path)!r}, because it could not be loaded again: "
            f"{reason}. Save the model that fit returned, or one made by truncate or merge."
        )

    @classmethod
    def newer(cls, path: object, what: str, found: int, known: int) -> Self:
        return cls(
            f"{str(path)!r} was written by a newer eigenlens: {what} has version {found}, and "
            f"this one reads up to {known}. Upgrade: pip install --upgrade eigenlens."
        )

    @classmethod
    def other_kind(cls, path: object, kind: str, known: Iterable[str]) -> Self:
        return cls(
            f"{str(path)!r} holds a model of the kind {kind!r}, and this eigenlens reads "
            f"{listed(known)}. Upgrade: pip install --upgrade eigenlens."
        )

    @classmethod
    def too_large(cls, path: object, size: int, budget: int) -> Self:
        return cls(
            f"{str(path)!r} takes {size} bytes, and {budget} may be used. Where that is right, "
            f"pass memory='{-(-size // 10**6)}MB'."
        )

    @classmethod
    def cannot_hold(cls, what: str, why: str) -> Self:
        return cls(
            f"a model file cannot hold {what}: {why}. Put something plainer there with "
            f"dataclasses.replace(model, ...), then save that."
        )
