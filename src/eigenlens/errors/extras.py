"""Errors of the extras: autoencoders and compressed sensing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from eigenlens.errors.options import OptionError
from eigenlens.errors.phrasing import Option, Phrase, Said, SetOption, count_things
from eigenlens.errors.remedies import PythonCode
from eigenlens.errors.root import EigenlensError

__all__ = ["SensingError", "TrainingError"]


class TrainingError(EigenlensError, RuntimeError):
    """A network, or a linear autoencoder, could not be trained."""

    @classmethod
    def diverged(cls, epoch: int, loss: float, learning_rate: float | None) -> Self:
        if learning_rate is None:
            way = [
                Phrase("pass {}", SetOption("method", "adam")),
                Phrase("if columns differ much in size, pass {}", SetOption("scale", "std")),
            ]
        else:
            slower = SetOption("learning_rate", float(f"{learning_rate / 10:.3g}"))
            way = [
                Phrase("pass {} or less", slower),
                Phrase("pass {}", SetOption("method", "lbfgs")),
            ]
        return cls.of(
            "training diverged: in epoch {epoch} the loss {grown}.",
            *way,
            epoch=epoch,
            grown="became NaN" if loss != loss else f"grew to {loss:.3g} times that of PCA",
            loss=loss,
        )

    @classmethod
    def not_converged(cls, steps: int, slope: float) -> Self:
        return cls(
            f"the linear autoencoder has not converged after {steps} steps: the gradient is still "
            f"{slope:.3g} of the variance. Components of equal variance on both sides of the cut "
            "have no best subspace.",
            Phrase("pass a larger {}", Option("max_iterations")),
            "ask for fewer components",
        )


def size_of(shape: Sequence[int]) -> str:
    return " x ".join(str(side) for side in shape)


class SensingError(OptionError):
    """Measurements, signals and bases that do not fit together."""

    @classmethod
    def not_a_share(cls, given: object) -> Self:
        return cls.of(
            "{setting}: the share of the coefficients to keep lies above 0 and is at most 1.",
            Phrase("pass for example {}", SetOption("keep", 0.05)),
            setting=SetOption("keep", given),
            option="keep",
            given=given,
        )

    @classmethod
    def too_few(cls, m: int, count: int, sparsity: int, needed: int) -> Self:
        return cls.of(
            "no method can recover {setting} unknown coefficients at unknown places among {count} "
            "from {m} measurements.",
            f"take {needed} measurements or more",
            PythonCode("find a basis with fewer nonzero coefficients (sensing.compressibility)"),
            setting=SetOption("sparsity", sparsity),
            count=count,
            m=m,
        )

    @classmethod
    def not_divisible(cls, shape: Sequence[int], level: int, most: int) -> Self:
        part = 2**level
        remedies: list[Said] = []
        if most:
            remedies.append(Phrase("pass {} or less", SetOption("level", most)))
        if min(shape) >= part:
            remedies.append(f"crop the signal to {tuple(side - side % part for side in shape)}")
        remedies.append(f"pad the signal to {tuple(-(-side // part) * part for side in shape)}")
        halved = (
            f"can be halved {count_things(most, 'time')}"
            if most
            else "with an odd side cannot be halved"
        )
        return cls(
            f"a wavelet of level {level} halves every side {count_things(level, 'time')}, but "
            f"a signal of {size_of(shape)} {halved}.",
            *remedies,
        )

    @classmethod
    def not_orthonormal(cls, wavelet: str) -> Self:
        return cls(
            f"the wavelet {wavelet!r} is not orthonormal, so its analysis is not the transpose of "
            "its synthesis.",
            "pass 'haar', 'db4', 'sym8', 'coif2' or another wavelet of these families",
        )

    @classmethod
    def wrong_shape(cls, given: Sequence[int], shape: Sequence[int]) -> Self:
        return cls.of(
            "an array of shape {given} was given, but the basis has shape {allowed}.",
            "pass one of that shape, or a stack of them along the first axes",
            given=tuple(given),
            allowed=tuple(shape),
        )

    @classmethod
    def wrong_width(cls, operator: Sequence[int], shape: Sequence[int]) -> Self:
        return cls(
            f"A has shape {tuple(operator)}: it measures signals of {operator[1]} entries, but "
            f"those of the basis have shape {tuple(shape)}.",
            "make both for the same signals",
            given=tuple(operator),
            allowed=tuple(shape),
        )

    @classmethod
    def wrong_numbers(cls, given: Sequence[int], m: int) -> Self:
        return cls(
            f"y has shape {tuple(given)}, but A gives {m} numbers.",
            PythonCode("pass y = A @ signal.ravel()"),
            given=tuple(given),
        )

    @classmethod
    def not_finite(cls, count: int, first: int, m: int) -> Self:
        return cls(
            f"{count} of the {m} measurements are NaN or infinite, the first is number {first}.",
            "leave them out, and the same rows of A",
        )

    @classmethod
    def not_numbers(cls, kind: type) -> Self:
        return cls(
            f"y is of type {kind.__name__} and does not hold numbers.",
            PythonCode("pass y = A @ signal.ravel()"),
        )

    @classmethod
    def operator_not_finite(cls) -> Self:
        return cls.of(
            "A, or a product with A, holds NaN or infinite numbers.",
            "leave those rows out, and the same entries of y",
        )

    @classmethod
    def complex_numbers(cls) -> Self:
        return cls.of(
            "A or y holds complex numbers, but signals are real.",
            PythonCode("pass np.vstack([A.real, A.imag]) and np.concatenate([y.real, y.imag])"),
        )

    @classmethod
    def out_of_range(cls, what: str, size: float) -> Self:
        return cls(
            f"the numbers of {what} are of the size {size:.3g}, and their squares exceed the range "
            "of float64.",
            f"divide {what} by {size:.3g}; the unit of the signal changes with it",
            what=what,
        )

    @classmethod
    def not_an_operator(cls, kind: type) -> Self:
        return cls(
            f"A is of type {kind.__name__}, which is not a measurement.",
            "pass a 2-D array, a sparse matrix or a scipy LinearOperator, such as "
            "sensing.measurement returns",
        )

    @classmethod
    def too_large(cls, what: Said, shape: Sequence[int], *instead: Said) -> Self:
        return cls.of(
            "{what} forms a matrix of {size}, which takes {gigabytes:.3g} GB.",
            *(Phrase("pass {}, which forms none", one) for one in instead),
            "cut the signal into tiles",
            what=what,
            size=size_of(shape),
            gigabytes=8 * shape[0] * shape[1] / 1e9,
        )

    @classmethod
    def no_exact_match(cls, shape: Sequence[int], reason: str) -> Self:
        return cls(
            f"no coefficients reproduce the {shape[0]} measurements exactly, as basis pursuit "
            f"requires ({reason}).",
            Phrase("pass {}, which allows for noise", SetOption("method", "fista")),
            reason=reason,
        )
