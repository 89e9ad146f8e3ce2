"""Compressibility: does a fixed basis or a learned one say more with fewer numbers?

For each share of the energy around the mean (0.90, 0.95, 0.99):

    coefficients   how many of its largest coefficients a row needs, in the middle of all rows.
                   Which ones differs from row to row, so their places have to be kept too
    same           how many coefficients do if all rows must use the same ones
    components     how many components do, for rows that the components were not learned from

The components are those of one half of the rows, judged on the other, both ways: a PCA of a few
large images holds all the energy of these images and little of the next one. On the rows learned
from, `components` could not exceed `same`: no orthonormal basis keeps more energy than PCA's.

Cost     one analysis of every row, two fits; at most ROWS rows, fewer of large signals, are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eigenlens.algebra.random import random_generator
from eigenlens.algebra.typing import Float64Array
from eigenlens.document.table import Table
from eigenlens.document.verdict import Verdict
from eigenlens.errors import DataError, OptionError, SensingError, SplitError
from eigenlens.errors.phrasing import SetOption
from eigenlens.errors.remedies import PythonCode
from eigenlens.fit import fit
from eigenlens.sensing.basis import Basis
from eigenlens.sensing.basis import basis as basis_for
from eigenlens.sources.finite import locate_not_finite
from eigenlens.sources.open import open_source
from eigenlens.sources.protocol import Source

__all__ = ["Compressibility", "compressibility"]

SHARES = (0.90, 0.95, 0.99)
DECIDED_AT = 0.95
MAX_ROWS = 2000
ENTRIES = 1 << 23
FEWEST = 4
WORD = 32  # bits of a stored number, to count places in


@dataclass(frozen=True)
class BasisNeeds:
    """None: all there are do not hold so much. Components are judged by rows not learned from."""

    share: float
    coefficients: int | None
    same: int | None
    components: int | None


@dataclass(frozen=True)
class Compressibility:
    """What each basis needs, and which one needs less: "fixed", "learned" or "neither"."""

    basis: str
    entries: int
    lines: tuple[BasisNeeds, ...]
    verdict: Verdict

    def table(self) -> Table:
        return Table(
            {
                "energy": [one.share for one in self.lines],
                "coefficients": [one.coefficients for one in self.lines],
                "same": [one.same for one in self.lines],
                "components": [one.components for one in self.lines],
                "entries": [self.entries for _ in self.lines],
            }
        )

    def __str__(self) -> str:
        return f"{self.table()}\n{self.verdict}"


def compressibility(X: Any, basis: Any, *, seed: int = 0) -> Compressibility:
    """How many coefficients in `basis` hold 90, 95 and 99 % of the energy, beside PCA's.

    Parameters
    ----------
    X : anything `eigenlens.fit` takes, one signal per row; or an array of images (n, height, width)
    basis : from `sensing.basis`, or a name, for signals of the shape of X's rows
    seed : for the rows drawn, and for the halves

    >>> import numpy as np
    >>> t = np.arange(64) / 64
    >>> phases = np.random.default_rng(0).uniform(0, 6, (50, 1))
    >>> found = compressibility(np.cos(10 * t + phases), "dct")
    >>> found.lines[1].components, found.verdict.value
    (2, 'learned')
    """
    shape, source = read_signals(X)
    written: Basis = basis_for(basis, shape) if isinstance(basis, str) else basis
    if not hasattr(written, "analyze"):
        raise OptionError.needs(
            SetOption("basis", basis),
            "a basis",
            PythonCode("pass 'dct', or sensing.basis(model, shape)"),
        )
    d = source.shape[1]
    if int(np.prod(written.shape)) != d:
        raise SensingError.wrong_shape(shape, written.shape)
    if source.shape[0] < FEWEST:
        purpose = "learning from one half of the rows and judging on the other"
        raise SplitError.too_few(source.shape[0], FEWEST, purpose)
    rng = random_generator(seed)
    count = min(source.shape[0], max(FEWEST, min(MAX_ROWS, ENTRIES // d)))
    chosen = rng.permutation(source.shape[0])[:count]
    rows = np.asarray(source.sample(chosen), dtype=np.float64)
    if not np.isfinite(rows).all():
        raise locate_not_finite(source)
    centered = rows - rows.mean(axis=0)
    total = float(np.square(centered).sum())
    if total == 0:
        raise DataError.constant_table(source.shape)
    coefficients = written.analyze(centered.reshape(-1, *written.shape))
    alone, shared = (
        coefficients_per_row(coefficients, centered),
        coefficients_for_all(coefficients, total),
    )
    learned = components_for_shares(rows)
    lines = tuple(BasisNeeds(*one) for one in zip(SHARES, alone, shared, learned, strict=True))
    return Compressibility(written.name, d, lines, compare_bases(written.name, d, lines, count))


def read_signals(X: Any) -> tuple[tuple[int, ...], Source]:
    """The shape of a signal, and the rows."""
    if isinstance(X, np.ndarray) and X.ndim > 2:
        return X.shape[1:], open_source(X.reshape(len(X), int(np.prod(X.shape[1:]))))
    source = open_source(X)
    return (source.shape[1],), source


def coefficients_per_row(coefficients: Float64Array, rows: Float64Array) -> list[int | None]:
    """The median over rows of the fewest coefficients; a row that is the mean needs none."""
    energies = -np.sort(-np.square(coefficients), axis=1)
    held = np.cumsum(energies, axis=1)
    totals = np.square(rows).sum(axis=1)[:, None]
    some, most = totals[:, 0] > 0, coefficients.shape[1]
    counts = [(held < share * totals).sum(axis=1) + some for share in SHARES]
    return [count_if_reached(int(np.median(one)), most) for one in counts]


def coefficients_for_all(coefficients: Float64Array, total: float) -> list[int | None]:
    held = np.cumsum(-np.sort(-np.square(coefficients).sum(axis=0)))
    counts = [1 + int((held < share * total).sum()) for share in SHARES]
    return [count_if_reached(count, len(held)) for count in counts]


def count_if_reached(count: int, most: int) -> int | None:
    """The count, unless there are not so many: a few components do not span every row."""
    return count if count <= most else None


def components_for_shares(rows: Float64Array) -> list[int | None]:
    """From both halves: the energy of one around the other's mean, along the other's components."""
    half = len(rows) // 2
    held: Any = 0.0
    total = 0.0
    for mine, other in ((rows[:half], rows[half:]), (rows[half:], rows[:half])):
        most = min(half - 1, rows.shape[1])
        if np.ptp(mine, axis=0).max() == 0:
            return [None for _ in SHARES]
        model = fit(mine, most, certify="fast")
        scores = np.zeros((len(other), most))
        scores[:, : model.n_components] = (other - mine.mean(axis=0)) @ model.components.T
        held = held + np.square(scores).sum(axis=0)
        total += float(np.square(other - mine.mean(axis=0)).sum())
    captured = np.cumsum(held)
    counts = [int((captured < share * total).sum()) + 1 for share in SHARES]
    return [count_if_reached(count, len(captured)) for count in counts]


def compare_bases(name: str, d: int, lines: tuple[BasisNeeds, ...], rows: int) -> Verdict:
    """By the numbers to keep per row at 95 %: coefficients with their places, or components."""
    line = next(one for one in lines if one.share == DECIDED_AT)
    kept, learned = line.coefficients, line.components
    fixed = None if kept is None else kept + index_cost(d, kept)
    evidence = {
        "rows": rows,
        "fixed_numbers": fixed,
        "learned_numbers": learned,
        "coefficients": kept,
        "components": learned,
    }
    said = f"no number of coefficients of {name!r} holds {line.share:.0%} of the energy"
    if fixed is not None:
        said = (
            f"{line.share:.0%} of the energy takes {kept} coefficients of {name!r}, as "
            f"many numbers as {fixed:.3g} with their places"
        )
    if learned is None:
        beside = (
            f"and no number of components learned from {rows // 2} rows holds as much of others"
        )
    else:
        beside = f"and {learned} components on rows they were not learned from"
    numbers = [np.inf if one is None else one for one in (fixed, learned)]
    if min(numbers) >= d:
        value, so = "neither", f"no less than the {d} entries themselves"
    elif numbers[0] < numbers[1]:
        value, so = "fixed", "the fixed basis compresses these data better"
    else:
        value, so = "learned", "the learned basis compresses these data better"
    return Verdict(value, "numbers kept per row", f"{said}, {beside}: {so}", evidence)


def index_cost(d: int, s: int) -> float:
    """What it takes to say which s of d, in numbers of 32 bits."""
    from scipy.special import gammaln

    nats = gammaln(d + 1) - gammaln(s + 1) - gammaln(d - s + 1)
    return float(nats / np.log(2) / WORD)
