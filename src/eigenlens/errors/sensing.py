"""Errors about measurements and bases: what does not fit together, and what would."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from eigenlens.errors.option import OptionError

__all__ = ["SensingError"]


class SensingError(OptionError):
    """Measurements, signals and bases that do not fit together."""

    @classmethod
    def too_few(cls, m: int, count: int, sparsity: int, needed: int) -> Self:
        return cls(
            f"{m} measurements cannot settle sparsity={sparsity} unknowns whose places among "
            f"{count} are unknown too, by any method. Measure {needed} times or more, or find a "
            f"basis in which fewer coefficients do (sensing.compressibility)."
        )

    @classmethod
    def not_divisible(cls, shape: Sequence[int], level: int, most: int) -> Self:
        size = " x ".join(str(side) for side in shape)
        if most:
            way = f"every side can be halved {most} time(s): pass level={most} or less"
        else:
            way = "a side that is odd cannot be halved at all"
        part = 2**level
        larger = tuple(-(-side // part) * part for side in shape)
        resized = f"pad the signal to {larger}"
        if min(shape) >= part:
            smaller = tuple(side - side % part for side in shape)
            resized = f"cut the signal to {smaller}, or pad it to {larger}"
        return cls(
            f"a wavelet of level {level} halves every side {level} time(s), which {size} does not "
            f"allow; {way}. Or {resized}."
        )

    @classmethod
    def not_orthonormal(cls, wavelet: str) -> Self:
        return cls(
            f"the wavelet {wavelet!r} is not orthonormal, so its analysis is not the transpose of "
            f"its synthesis. Pass 'haar', 'db4', 'sym8', 'coif2' or another of these families."
        )

    @classmethod
    def wrong_shape(cls, given: Sequence[int], shape: Sequence[int]) -> Self:
        return cls(
            f"an array of shape {tuple(given)} was given where the basis has {tuple(shape)}. Pass "
            f"one of that shape, or a stack of them along the first axes."
        )

    @classmethod
    def wrong_width(cls, operator: Sequence[int], shape: Sequence[int]) -> Self:
        return cls(
            f"A has the shape {tuple(operator)}: it measures signals of {operator[1]} entries, but "
            f"those of the basis have the shape {tuple(shape)}. Make both for the same signals."
        )

    @classmethod
    def wrong_numbers(cls, given: Sequence[int], m: int) -> Self:
        return cls(
            f"y has the shape {tuple(given)}, but A gives {m} numbers. Pass y = A @ signal.ravel()."
        )

    @classmethod
    def not_finite(cls, count: int, first: int, m: int) -> Self:
        return cls(
            f"{count} of the {m} measurements are NaN or infinite, the first is number {first}. "
            f"Leave them out, and the same rows of A."
        )

    @classmethod
    def not_numbers(cls, kind: type) -> Self:
        return cls(
            f"y is of type {kind.__name__} and does not hold numbers. Pass y = A @ signal.ravel()."
        )

    @classmethod
    def operator_not_finite(cls) -> Self:
        return cls(
            "A holds NaN or infinite numbers, or such that its products are. Leave those rows out, "
            "and the same numbers of y."
        )

    @classmethod
    def complex_numbers(cls) -> Self:
        return cls(
            "A or y holds complex numbers, and signals are real. Pass np.vstack([A.real, A.imag]) "
            "and np.concatenate([y.real, y.imag])."
        )

    @classmethod
    def out_of_range(cls, what: str, size: float) -> Self:
        return cls(
            f"the numbers of {what} are of the size {size:.3g}, and their squares are beyond what "
            f"a float64 can hold. Divide {what} by {size:.3g}; the signal's unit changes with it."
        )

    @classmethod
    def not_an_operator(cls, kind: type) -> Self:
        return cls(
            f"A is of type {kind.__name__}, which measures nothing. Pass a 2-D array, a sparse "
            f"matrix or a scipy LinearOperator, such as sensing.measurement gives."
        )

    @classmethod
    def too_large(cls, what: str, shape: Sequence[int], instead: str) -> Self:
        return cls(
            f"{what} forms a matrix of {shape[0]} x {shape[1]}, which is "
            f"{8 * shape[0] * shape[1] / 1e9:.3g} GB. Pass {instead}, which forms none, or cut the "
            f"signal into tiles."
        )

    @classmethod
    def no_exact_match(cls, shape: Sequence[int], reason: str) -> Self:
        return cls(
            f"no coefficients give the {shape[0]} measurements exactly, as basis pursuit asks "
            f"({reason}). Pass method='fista', which allows for noise."
        )
