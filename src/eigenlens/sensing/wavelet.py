"""Wavelets: details at every scale, each at its place.

    x  ->  (coarse, details)  ->  ((coarser, details), details) ...      `level` times

Coefficients lie in Mallat's order: the coarsest in the first corner, the finest details farthest
from it. Signals are taken as periodic and every halved side is even, so the transform is an
orthonormal matrix, whatever the length of the filter.

Cost     O(N) for a filter of a few entries.
Source   Mallat, A Wavelet Tour of Signal Processing, chapter 7. Filters and convolutions are
         PyWavelets'; wavelets that are not orthonormal to 1e-8 are refused ("dmey" is off by 2e-3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import OptionError, SensingError
from eigenlens.sensing.fixed_bases import flatten_signals, signal_axes, stack_signals
from eigenlens.solvers.options import check_whole

__all__ = ["WaveletBasis", "make_wavelet_basis"]

FAMILIES = ("identity", "dct", "haar", "db1 to db38", "sym2 to sym20", "coif1 to coif17")
ORTHONORMAL = 1e-8
PERIODIC = "periodization"


@dataclass(frozen=True)
class WaveletBasis:
    name: str
    shape: tuple[int, ...]
    level: int
    offset: None = None
    spread: None = None

    @property
    def count(self) -> int:
        return int(np.prod(self.shape))

    def analyze(self, signals: Any) -> Float64Array:
        pywt = import_pywavelets(self.name)
        out = stack_signals(signals, self.shape).copy()
        for depth in range(self.level):
            parts = pywt.dwtn(
                out[self.corner(depth)], self.name, PERIODIC, axes=signal_axes(self.shape)
            )
            for key, place in self.places(depth):
                out[place] = parts[key]
        return flatten_signals(out, self.shape)

    def synthesize(self, coefficients: Any) -> Float64Array:
        pywt = import_pywavelets(self.name)
        given = stack_signals(coefficients, (self.count,))
        out = given.reshape(*given.shape[:-1], *self.shape).copy()
        for depth in reversed(range(self.level)):
            parts = {key: out[place] for key, place in self.places(depth)}
            out[self.corner(depth)] = pywt.idwtn(
                parts, self.name, PERIODIC, axes=signal_axes(self.shape)
            )
        return out

    def corner(self, depth: int) -> tuple[Any, ...]:
        """Where what was halved so often lies."""
        return (..., *(slice(side >> depth) for side in self.shape))

    def places(self, depth: int) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """PyWavelets' key of each part ("ad": coarse along one side, details along the next)."""
        for letters in product("ad", repeat=len(self.shape)):
            slices = (
                slice(side >> depth + 1) if one == "a" else slice(side >> depth + 1, side >> depth)
                for one, side in zip(letters, self.shape, strict=True)
            )
            yield "".join(letters), (..., *slices)


def make_wavelet_basis(name: str, shape: tuple[int, ...], level: int | None) -> WaveletBasis:
    pywt = import_pywavelets(name)
    if name not in pywt.wavelist(kind="discrete"):
        raise OptionError.unknown("name", name, FAMILIES)
    filters = pywt.Wavelet(name)
    if not (filters.orthogonal and orthonormality_error(filters.dec_lo) <= ORTHONORMAL):
        raise SensingError.not_orthonormal(name)
    most = max_halvings(shape)
    if level is None:
        # Beyond this every coefficient would wrap around the edges: harmless, but of no use.
        of_use = pywt.dwt_max_level(min(shape), filters.dec_len)
        times = max(1, min(most, of_use))
    else:
        times = check_whole("level", level, 1)
    if times > most:
        raise SensingError.not_divisible(shape, times, most)
    return WaveletBasis(name, shape, times)


def max_halvings(shape: tuple[int, ...]) -> int:
    """How often every side can be halved."""
    return min((side & -side).bit_length() - 1 for side in shape)


def orthonormality_error(filter_entries: list[float]) -> float:
    """How far the filter is from being orthonormal to its own shifts by two."""
    entries = np.asarray(filter_entries)
    size = len(entries)
    overlaps = np.correlate(entries, entries, "full")[size - 1 :: 2]
    overlaps[0] -= 1.0
    return float(np.abs(overlaps).max())


def import_pywavelets(name: str) -> Any:
    try:
        import pywt
    except ImportError:
        raise OptionError.needs_package(f"the basis {name!r}", "PyWavelets", "wavelets") from None
    return pywt
