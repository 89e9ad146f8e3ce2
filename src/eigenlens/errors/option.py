"""Errors about arguments: what was asked for, and what could be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Self

from eigenlens.errors.root import EigenlensError
from eigenlens.errors.wording import did_you_mean, listed

__all__ = [
    "CheckpointError",
    "MemoryBudgetError",
    "OptionError",
    "ScaleError",
    "WeightsError",
]


class OptionError(EigenlensError, ValueError):
    """An argument does not fit the data, the other arguments, or any use at all."""

    @classmethod
    def not_positive(cls, name: str, value: object) -> Self:
        return cls(f"{name}={value!r} must be a number greater than 0, for example {name}=1.")

    @classmethod
    def not_whole(cls, name: str, value: object, least: int) -> Self:
        return cls(
            f"{name}={value!r} must be a whole number from {least} up, for example "
            f"{name}={max(least, 10)}."
        )

    @classmethod
    def unknown(cls, name: str, value: object, choices: Iterable[object]) -> Self:
        known = list(choices)
        return cls(
            f"{name}={value!r} is not known. Possible: {listed(known, limit=30)}."
            f"{did_you_mean([value], known)}"
        )

    @classmethod
    def needs(cls, given: str, need: str, instead: str) -> Self:
        """`needs("checkpoint='a.zip'", "a solver that iterates", "Pass solver='krylov'.")`"""
        return cls(f"{given} needs {need}. {instead}")

    @classmethod
    def needs_package(cls, what: str, package: str, extra: str) -> Self:
        return cls(
            f"{what} needs {package}, which is not installed. Type: pip install "
            f"'eigenlens[{extra}]'."
        )

    @classmethod
    def exists(cls, path: object) -> Self:
        return cls(
            f"{str(path)!r} exists, and nothing is replaced unasked. Add --force to replace it, or "
            f"choose another name."
        )

    @classmethod
    def cannot_merge(cls, differences: Iterable[str]) -> Self:
        return cls(
            f"these models differ in {', '.join(differences)}, so their rows cannot be put "
            f"together. Fit both on the same columns with the same center= and scale=."
        )


class WeightsError(OptionError):
    """weights="""

    @classmethod
    def wrong_length(cls, given: int, n: int) -> Self:
        return cls(
            f"{given} weights were given for {n} rows. Pass one weight per row: {n} numbers."
        )

    @classmethod
    def negative(cls, count: int, first: int) -> Self:
        return cls(
            f"{count} weight(s) are negative, the first at row {first}. "
            f"Weights are 0 or more: use 0 to leave a row out."
        )

    @classmethod
    def all_zero(cls) -> Self:
        return cls("all weights are 0, so no row counts. Give a positive weight to 2 rows or more.")

    @classmethod
    def not_finite(cls, count: int) -> Self:
        return cls(f"{count} weight(s) are NaN or infinite. Use 0 to leave a row out.")

    @classmethod
    def not_numbers(cls, given: object, n: int) -> Self:
        return cls(
            f"weights of type {type(given).__name__} are not {n} real numbers. "
            f"Pass one weight per row: a list or an array of {n} numbers."
        )

    @classmethod
    def too_little(cls, total: float) -> Self:
        return cls(
            f"the weights sum to {total:.6g}, but count as repeated rows, so a centered fit, or "
            f"scale='std', divides by their sum minus 1. Make them sum to more than 1 (weights * n "
            f"/ weights.sum()), or pass center=False."
        )


class ScaleError(OptionError):
    """scale="""

    @classmethod
    def constant_columns(cls, names: Iterable[object]) -> Self:
        return cls(
            f"scale='std' divides by the standard deviation, which is 0 in the constant column(s) "
            f"{listed(names)}. Leave them out with columns=[...], or pass scale=None."
        )

    @classmethod
    def zero(cls, columns: Iterable[object]) -> Self:
        return cls(
            f"the scale of column(s) {listed(columns)} is 0. Pass 1 to leave a column as it is."
        )

    @classmethod
    def wrong_length(cls, given: int, d: int) -> Self:
        return cls(
            f"{given} scales were given for {d} columns. Pass one scale per column: {d} numbers."
        )

    @classmethod
    def not_numbers(cls, given: object, d: int) -> Self:
        return cls(
            f"a scale of type {type(given).__name__} is not {d} real numbers. "
            f"Pass one scale per column: a list or an array of {d} numbers, or scale='std'."
        )

    @classmethod
    def not_finite(cls, columns: Iterable[object]) -> Self:
        return cls(
            f"the scale of column(s) {listed(columns)} is NaN or infinite. Pass numbers above 0."
        )

    @classmethod
    def negative(cls, columns: Iterable[object]) -> Self:
        return cls(f"the scale of column(s) {listed(columns)} is negative. Pass numbers above 0.")


class MemoryBudgetError(OptionError):
    """memory="""

    @classmethod
    def too_small(cls, given_bytes: int, least_bytes: int) -> Self:
        least = f"{-(-least_bytes // 10**6)}MB"
        return cls(
            f"a memory budget of {given_bytes} bytes was given, but this fit needs at least "
            f"{least_bytes}. Pass memory='{least}' or more, ask for fewer components or columns."
        )

    @classmethod
    def kernel_matrix(cls, n: int, needed: int, given: int, landmarks: int) -> Self:
        instead = (
            f"method='nystrom', for which n_landmarks={landmarks} or fewer would fit, or "
            if landmarks
            else ""
        )
        return cls(
            f"method='exact' of {n} rows needs {needed / 1e9:.3g} GB for {n} x {n} matrices, and "
            f"the memory budget is {given / 1e9:.3g} GB. Pass {instead}"
            f"memory='{-(-needed // 10**9)}GB'."
        )

    @classmethod
    def landmarks(cls, asked: int, needed: int, given: int, landmarks: int) -> Self:
        instead = f"n_landmarks={landmarks} or fewer, or " if landmarks else ""
        return cls(
            f"{asked} {'landmark needs' if asked == 1 else 'landmarks need'} "
            f"{-(-needed // 10**6)} MB, and the memory budget is {given / 1e6:.3g} MB. Pass "
            f"{instead}memory='{-(-needed // 10**6)}MB'."
        )

    @classmethod
    def unreadable(cls, value: object) -> Self:
        return cls(
            f"memory={value!r} is not a budget. Pass a size such as memory='2GB' or "
            f"memory='500MB', a number of bytes, or a fraction of all memory such as memory=0.25."
        )


class CheckpointError(OptionError):
    """The checkpoint cannot be written, read, or used for this fit."""

    @classmethod
    def of_another_fit(cls, path: object, different: Mapping[str, tuple[object, object]]) -> Self:
        """`different`: what differs -> (in the checkpoint, in this call)."""
        parts = [f"{what} (there {then}, here {now})" for what, (then, now) in different.items()]
        return cls(
            f"the checkpoint {str(path)!r} is of another fit: {'; '.join(parts)} differ(s). Make "
            f"the same call again to go on with it, or delete the file to start over."
        )

    @classmethod
    def no_place(cls, path: object, reason: object) -> Self:
        return cls(
            f"no checkpoint can be kept at {str(path)!r}: {reason}. Choose a file in a folder that "
            f"exists and can be written to: checkpoint='run.ckpt'."
        )

    @classmethod
    def in_use(cls, path: object) -> Self:
        return cls(
            f"another fit that is still running keeps its checkpoint at {str(path)!r}. Wait until "
            f"it has ended, or choose another path with checkpoint=."
        )

    @classmethod
    def foreign(cls, path: object) -> Self:
        return cls(
            f"{str(path)!r} is no checkpoint of eigenlens, or one of another version, and is left "
            f"as it is. Choose another path with checkpoint=."
        )

    @classmethod
    def unreadable(cls, path: object, reason: object) -> Self:
        return cls(
            f"the checkpoint {str(path)!r} cannot be gone on with: {reason}. Choose another path, "
            f"or delete the file to start over."
        )

    @classmethod
    def not_written(cls, path: object, reason: object) -> Self:
        return cls(
            f"the checkpoint {str(path)!r} could not be written: {reason}. The one written before, "
            f"if any, is intact. Make room, or choose another path with checkpoint=."
        )
